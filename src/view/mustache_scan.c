/* SPDX-License-Identifier: MIT */
/*
 * mustache_scan.c - finding the tags of a Mustache template
 *
 *   text --open delimiter--> sigil --> content --[sigil's partner] close delimiter--> text
 *
 * Between tags everything is text. A tag's sigil may have white space on either side; a few sigils
 * have a partner before the closing delimiter: {{{name}}} and {{=<% %>=}}. The scanner knows the
 * delimiters in force and where the lines of a tag begin and end; it does not know what tags mean.
 */
#include "view/mustache_scan.h"

#include <skua/err.h>

#define MOST_DELIMITERS ((size_t)64) /* bytes of both, and what is between them */

void skua__mustache_scan_init(struct skua__mustache_scan *scan, const struct skua__source *source,
                              struct skua__view_error *error)
{
    *scan = (struct skua__mustache_scan){
        .source = source,
        .error = error,
        .open = SKUA_STR("{{"),
        .close = SKUA_STR("}}"),
    };
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
    return is_blank(c) || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static skua_str trim(skua_str text)
{
    while (text.len > 0 && is_space(text.ptr[0]))
        text = skua_str_of(text.ptr + 1, text.len - 1);
    while (text.len > 0 && is_space(text.ptr[text.len - 1]))
        text.len--;
    return text;
}

/* Where `wanted` is found from `from` on; the length of the text when nowhere. */
static size_t find(skua_str text, size_t from, skua_str wanted)
{
    const char *found = memmem(text.ptr + from, text.len - from, wanted.ptr, wanted.len);

    return found != NULL ? (size_t)(found - text.ptr) : text.len;
}

/* Where the closing delimiter stands, with `partner` before it unless that is 0. */
static size_t find_close(const struct skua__mustache_scan *scan, size_t from, char partner)
{
    skua_str text = scan->source->text;
    size_t at = find(text, partner != 0 ? from + 1 : from, scan->close);

    if (partner == 0)
        return at;
    while (at < text.len && text.ptr[at - 1] != partner)
        at = find(text, at + 1, scan->close);
    return at;
}

/* Fill in the lines around the tag. */
static void look_around(skua_str text, struct skua__mustache_tag *tag)
{
    size_t at = tag->start;

    while (at > 0 && is_blank(text.ptr[at - 1]))
        at--;
    tag->opens_line = at == 0 || text.ptr[at - 1] == '\n';
    tag->indent = skua_str_of(text.ptr + at, tag->start - at);
    for (at = tag->end; at < text.len && is_blank(text.ptr[at]); at++)
        ;
    if (text.len - at > 1 && text.ptr[at] == '\r' && text.ptr[at + 1] == '\n')
        at++;
    tag->ends_line = at == text.len || text.ptr[at] == '\n';
    tag->next = at < text.len ? at + 1 : at;
}

static int fail_unclosed(const struct skua__mustache_scan *scan, size_t start, char partner)
{
    char before[2] = {partner, '\0'};

    return skua__compile_fail(scan->error, scan->source, start,
                              "the tag is not closed: '%s%.*s' is missing", before,
                              (int)scan->close.len, scan->close.ptr);
}

/* Obey a tag that sets the delimiters: two words without '='. */
static int set_delimiters(struct skua__mustache_scan *scan, const struct skua__mustache_tag *tag)
{
    skua_str open = tag->name;
    skua_str close;
    size_t len = 0;

    while (len < open.len && !is_space(open.ptr[len]))
        len++;
    close = trim(skua_str_of(open.ptr + len, open.len - len));
    open.len = len;
    for (size_t i = 0; i < close.len; i++) {
        if (is_space(close.ptr[i]))
            close.len = 0;
    }
    if (open.len == 0 || close.len == 0 || tag->name.len > MOST_DELIMITERS ||
        memchr(tag->name.ptr, '=', tag->name.len) != NULL)
        return skua__compile_fail(scan->error, scan->source, tag->start,
                                  "delimiters are two words, as in {{=<%% %%>=}}");
    scan->open = open;
    scan->close = close;
    return 1;
}

/* The character after the opening delimiter that says what the tag is, or VALUE. */
static enum skua__mustache_kind read_sigil(skua_str text, size_t at, char *partner)
{
    char c = at < text.len ? text.ptr[at] : '\0';

    *partner = c == '{' ? '}' : c == '=' ? '=' : '\0';
    if (c == '{')
        return SKUA__MUSTACHE_RAW;
    if (c != '\0' && strchr("&#^/><$!=", c) != NULL)
        return (enum skua__mustache_kind)c;
    return SKUA__MUSTACHE_VALUE;
}

int skua__mustache_scan_next(struct skua__mustache_scan *scan, struct skua__mustache_tag *tag)
{
    skua_str text = scan->source->text;
    size_t content, close;
    char partner;

    tag->start = find(text, scan->at, scan->open);
    if (tag->start == text.len)
        return 0;
    content = tag->start + scan->open.len;
    while (content < text.len && is_space(text.ptr[content]))
        content++;
    tag->kind = read_sigil(text, content, &partner);
    if (tag->kind != SKUA__MUSTACHE_VALUE)
        content++;
    close = content < text.len ? find_close(scan, content, partner) : text.len;
    if (close == text.len)
        return fail_unclosed(scan, tag->start, partner);
    tag->name = trim(skua_str_of(text.ptr + content, close - (partner != 0) - content));
    tag->end = close + scan->close.len;
    scan->at = tag->end;
    look_around(text, tag);
    if (tag->kind == SKUA__MUSTACHE_DELIMITERS)
        return set_delimiters(scan, tag);
    if (tag->kind != SKUA__MUSTACHE_COMMENT && tag->name.len == 0)
        return skua__compile_fail(scan->error, scan->source, tag->start, "the tag is empty");
    return 1;
}
