/* SPDX-License-Identifier: MIT */
/*
 * pattern.c - a route's pattern, checked and taken apart
 *
 * One pass from left to right; at each place the next byte says which reader has the word:
 *
 *          +-- ":" but not "::" --> read_segment ---+
 *   place -+-- "*" ---------------> read_wildcard --+-> next place, until the end or a mistake
 *          +-- anything else -----> read_static ----+
 *
 * A segment goes on to the next "/": a value is a name, perhaps an expression in parentheses, and
 * perhaps text; then comes the next value.
 *
 * Static text comes out as a canonical path has it: "::" as ":", and "%" as "%25", since that is one
 * of the escapes that a canonical path keeps. So a pattern is written the way people read it. The text
 * between values is compared with a decoded segment, so there "%" stays "%".
 *
 * Mistakes are made by whoever writes the application, so each has a sentence that says what to write
 * instead. Nothing here knows the tree.
 */
#include "router/pattern.h"

#include "base/arena.h"
#include "text/scan.h"

#include <skua/err.h>

struct reader {
    struct skua__pattern *out;
    const struct skua__router_opts *opts;
    const char *at; /* first byte not read */
    const char *end;
    char *text; /* where the next byte of static text goes */
    skua_arena *arena;
    const char **why;
};

/* Say what is wrong with the pattern, in a sentence of which it is the subject. */
static SKUA_PRINTF(2, 3) int refuse(const struct reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    *r->why = skua__format_v(r->arena, format, args);
    va_end(args);
    return *r->why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
}

static bool is_at(const struct reader *r, char c)
{
    return r->at < r->end && *r->at == c;
}

static bool is_at_param(const struct reader *r)
{
    return is_at(r, ':') && (r->end - r->at == 1 || r->at[1] != ':');
}

static struct skua__part *push_part(struct reader *r, enum skua__part_kind kind)
{
    struct skua__part *part = &r->out->parts[r->out->count++];

    part->kind = kind;
    part->text = skua_str_of(NULL, 0);
    part->first = r->out->params;
    part->count = 0;
    part->segment = NULL;
    return part;
}

/* Append a byte of static text as the router compares it. */
static void put_text(struct reader *r, char c)
{
    *r->text++ = r->opts->case_insensitive ? skua__char_lower(c) : c;
}

/* ---- values ---- */

static bool has_name(const struct skua__pattern *pattern, skua_str name)
{
    for (uint16_t i = 0; i < pattern->params; i++) {
        if (skua_str_eq(pattern->names[i], name))
            return true;
    }
    return false;
}

static int push_value(struct reader *r, skua_str name)
{
    struct skua__pattern *out = r->out;

    if (has_name(out, name))
        return refuse(r, "has two parameters named '%.*s': give each a name of its own",
                      (int)name.len, name.ptr);
    if (out->params == SKUA__ROUTE_MAX_PARAMS)
        return refuse(r, "has more than %d parameters: let a '*' at the end take the last of them",
                      SKUA__ROUTE_MAX_PARAMS);
    out->names[out->params] = name;
    out->pieces[out->params] = (struct skua__piece){0};
    out->params++;
    out->parts[out->count - 1].count++;
    r->at = name.ptr + name.len;
    return 0;
}

static int read_name(struct reader *r)
{
    skua_str name = skua_str_of(r->at + 1, 0);

    while (name.ptr + name.len < r->end && memchr("/:*?#-.()", name.ptr[name.len], 9) == NULL)
        name.len++;
    if (name.len == 0)
        return refuse(r, "has a parameter without a name: write one behind the ':', as in '/:id', "
                         "or '::' for a colon");
    return push_value(r, name);
}

/* The ")" that belongs to the "(" at `at`, or NULL. */
static const char *find_closing(const char *at, const char *end)
{
    int depth = 0;

    for (; at < end; at++) {
        if (*at == '\\')
            at++; /* the next one is not a parenthesis, whatever it is */
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            return at;
    }
    return NULL;
}

static int read_expression(struct reader *r, struct skua__piece *piece, skua_str name)
{
    const char *closing;

    if (!is_at(r, '('))
        return 0;
    closing = find_closing(r->at, r->end);
    if (closing == NULL || closing == r->at + 1)
        return refuse(r,
                      "has an expression for '%.*s' that %s: write it as in ':id(\\d+)', and a "
                      "parenthesis of its own as '\\(' or '\\)'",
                      (int)name.len, name.ptr,
                      closing == NULL ? "is not closed by a ')'" : "is empty");
    piece->expression = skua_str_of(r->at + 1, (size_t)(closing - r->at - 1));
    r->at = closing + 1;
    return 0;
}

/* Whether what comes now can stand behind a value: an end, a separator, or "?". */
static bool is_value_over(const struct reader *r, const struct skua__piece *piece)
{
    if (piece->expression.len > 0)
        return !is_at(r, '*') && !is_at(r, '#');
    return r->at == r->end || memchr("/-.?", *r->at, 4) != NULL ||
           (is_at(r, ':') && !is_at_param(r));
}

/* The text up to the next value or the end of the segment. */
static int read_glue(struct reader *r, struct skua__piece *piece)
{
    char *start = r->text;

    for (; r->at < r->end && *r->at != '/' && !is_at_param(r); r->at++) {
        if (*r->at == '?' && r->at + 1 == r->end)
            break;
        if (memchr("*?#", *r->at, 3) != NULL)
            return refuse(r,
                          "has a '%c' in a segment with parameters: '*' stands alone at the end, "
                          "'?' behind the last segment, and '#' in no path",
                          *r->at);
        if (*r->at == ':')
            r->at++; /* the second colon of "::" stands for both */
        put_text(r, *r->at);
    }
    piece->glue = skua_str_of(start, (size_t)(r->text - start));
    return 0;
}

static int read_value(struct reader *r)
{
    uint16_t index = r->out->params;
    struct skua__piece *piece = &r->out->pieces[index];
    skua_str name;
    int err = read_name(r);

    if (err != 0)
        return err;
    name = r->out->names[index];
    err = read_expression(r, piece, name);
    if (err != 0)
        return err;
    if (!is_value_over(r, piece))
        return refuse(
            r,
            "has a '%c' right behind ':%.*s', where a parameter does not end: put a '-' or "
            "'.' between two, or '::' for a colon, or '/' before a '*'",
            *r->at, (int)name.len, name.ptr);
    return read_glue(r, piece);
}

/* ---- parts ---- */

/* The "?" at the very end, which makes the segment optional that began at `start`. */
static int read_optional(struct reader *r, const char *start)
{
    if (r->at == r->end || *r->at != '?')
        return 0;
    if (start[-1] != '/')
        return refuse(r,
                      "has a '?' behind a segment that begins with text: only a whole segment is "
                      "optional, as in '/:id?'");
    r->out->optional = true;
    r->at++;
    return 0;
}

static int read_segment(struct reader *r)
{
    struct skua__part *part = push_part(r, SKUA__PART_SEGMENT);
    const struct skua__piece *piece = &r->out->pieces[part->first];
    const char *start = r->at;
    int err = 0;

    while (err == 0 && is_at_param(r))
        err = read_value(r);
    if (err != 0)
        return err;
    if (part->count == 1 && piece->expression.len == 0 && piece->glue.len == 0)
        part->kind = SKUA__PART_PARAM;
    return read_optional(r, start);
}

static int read_wildcard(struct reader *r)
{
    if (r->end - r->at > 1)
        return refuse(r, "has a '*' before its end, but '*' takes all that is left: put it last, "
                         "or write ':name' for one segment");
    push_part(r, SKUA__PART_WILDCARD);
    return push_value(r, skua_str_of(r->at, 1));
}

static int read_static(struct reader *r)
{
    char *start = r->text;

    for (; r->at < r->end && *r->at != '*' && !is_at_param(r); r->at++) {
        if (*r->at == '?' || *r->at == '#')
            return refuse(r,
                          "has a '%c', which no path has: leave out all from there and read the "
                          "query in the handler",
                          *r->at);
        if (*r->at == '/' && r->text > start && r->text[-1] == '/' &&
            r->opts->ignore_duplicate_slashes)
            continue;
        if (*r->at == ':')
            r->at++; /* the second colon of "::" stands for both */
        put_text(r, *r->at);
        if (*r->at == '%') {
            put_text(r, '2');
            put_text(r, '5');
        }
    }
    push_part(r, SKUA__PART_STATIC)->text = skua_str_of(start, (size_t)(r->text - start));
    return 0;
}

/* Take a slash off the end, unless it is all there is. */
static void drop_last_slash(struct skua__pattern *pattern)
{
    struct skua__part *last = &pattern->parts[pattern->count - 1];

    if (last->kind != SKUA__PART_STATIC || last->text.ptr[last->text.len - 1] != '/' ||
        (pattern->count == 1 && last->text.len == 1))
        return;
    last->text.len--;
    if (last->text.len == 0)
        pattern->count--;
}

void skua__pattern_shorten(struct skua__pattern *pattern, const struct skua__router_opts *opts)
{
    pattern->count--;
    pattern->params = pattern->parts[pattern->count].first;
    drop_last_slash(pattern); /* that of the segment; another one may be left */
    if (opts->ignore_trailing_slash)
        drop_last_slash(pattern);
}

/* Copy the source, make room for the static text and find the "/" that all patterns begin with. */
static int start(struct reader *r, skua_str source)
{
    const char *copy;

    if (source.len > SKUA__PATTERN_MAX_LEN)
        return refuse(r, "is longer than %d bytes", SKUA__PATTERN_MAX_LEN);
    r->out->whole = skua_str_eq(source, SKUA_STR("*"));
    if (r->out->whole)
        source = SKUA_STR("/*");
    copy = skua_strdup(r->arena, source);
    r->text = skua_alloc(r->arena, source.len * strlen("%25"));
    if (copy == NULL || r->text == NULL)
        return SKUA_ERR_NOMEM;
    r->out->source = skua_str_of(copy, source.len);
    r->at = copy;
    r->end = copy + source.len;
    if (*copy != '/')
        return refuse(r, "does not begin with a '/': write '/%s'", copy);
    return 0;
}

int skua__pattern_read(struct skua__pattern *out, skua_str source,
                       const struct skua__router_opts *opts, skua_arena *arena, const char **why)
{
    struct reader r = {.out = out, .opts = opts, .arena = arena, .why = why};
    int err;

    out->count = 0;
    out->params = 0;
    out->optional = false;
    err = start(&r, source);
    while (err == 0 && r.at < r.end) {
        if (*r.at == '*')
            err = read_wildcard(&r);
        else if (is_at_param(&r))
            err = read_segment(&r);
        else
            err = read_static(&r);
    }
    if (err == 0 && opts->ignore_trailing_slash)
        drop_last_slash(out);
    return err;
}
