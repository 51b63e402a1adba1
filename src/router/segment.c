/* SPDX-License-Identifier: MIT */
/*
 * segment.c - several values in one segment
 *
 * What belongs to whom is decided from the left: each value takes as much as it can. Where only glue
 * separates, that is the same as splitting at the last place from the right, which takes one pass and
 * no expression:
 *
 *   :lat-:lng.json   on   1-2-3.json     ending ".json", then the last "-":   1-2   3
 *
 * With an expression the whole segment becomes one, in which a plain value is ".*":
 *
 *   :h(\d+)h:m       ->   (?<a>\d+)h(?<b>.*)
 *
 * Both see the segment decoded: "%40" is "@" for glue and expressions. The values are handed out as
 * slices of the path, escapes and all, as from everywhere else in the router.
 */
#include "router/segment.h"

#include "base/arena.h"
#include "router/expression.h"
#include "text/scan.h"
#include "text/target.h"

#include <skua/err.h>

/* ---- compiling ---- */

/* Without the anchors, which every value has. */
static skua_str trim_anchors(skua_str text)
{
    size_t escapes = 0;

    if (text.len > 0 && text.ptr[0] == '^')
        text = skua_str_of(text.ptr + 1, text.len - 1);
    if (text.len == 0 || text.ptr[text.len - 1] != '$')
        return text;
    while (escapes + 1 < text.len && text.ptr[text.len - 2 - escapes] == '\\')
        escapes++;
    return escapes % 2 == 0 ? skua_str_of(text.ptr, text.len - 1) : text; /* else it is "\$" */
}

static bool is_alphanumeric(char c)
{
    char lower = skua__char_lower(c);

    return skua__char_is_digit(c) || (lower >= 'a' && lower <= 'z');
}

/* Append text that stands for itself: a backslash makes any ASCII byte literal that is no letter. */
static void put_glue(struct skua__buf *out, skua_str glue, bool case_insensitive)
{
    skua__buf_put_str(out, case_insensitive ? SKUA_STR("(?i:") : SKUA_STR("(?:"));
    for (size_t i = 0; i < glue.len; i++) {
        if ((unsigned char)glue.ptr[i] < 0x80 && !is_alphanumeric(glue.ptr[i]))
            skua__buf_put_char(out, '\\');
        skua__buf_put_char(out, glue.ptr[i]);
    }
    skua__buf_put_char(out, ')');
}

/* The segment as one expression, with a named group for each value. */
static void put_segment(struct skua__buf *out, const struct skua__segment *segment)
{
    for (uint16_t i = 0; i < segment->count; i++) {
        const struct skua__piece *piece = &segment->pieces[i];

        skua__buf_printf(out, "(?<%c>", 'a' + i);
        if (piece->expression.len == 0)
            skua__buf_put_literal(out, ".*");
        else
            skua__buf_put_str(out, trim_anchors(piece->expression));
        skua__buf_put_char(out, ')');
        put_glue(out, piece->glue, segment->case_insensitive);
    }
}

static int compile(struct skua__segment *segment, skua_arena *arena, skua_arena *scratch,
                   const char **why)
{
    struct skua__buf source;

    skua__buf_init(&source, scratch);
    put_segment(&source, segment);
    if (source.failed)
        return SKUA_ERR_NOMEM;
    return skua__expression_new(&segment->expression, arena, skua__buf_str(&source), segment->count,
                                scratch, why);
}

static bool copy_str(skua_arena *arena, skua_str *text)
{
    text->ptr = skua_strdup(arena, *text);
    return text->ptr != NULL;
}

int skua__segment_new(struct skua__segment **out, skua_arena *arena,
                      const struct skua__piece *pieces, uint16_t count, bool case_insensitive,
                      skua_arena *scratch, const char **why)
{
    struct skua__segment *segment =
        skua_alloc(arena, sizeof(*segment) + count * sizeof(segment->pieces[0]));
    bool has_expression = false;

    if (segment == NULL)
        return SKUA_ERR_NOMEM;
    *segment = (struct skua__segment){.count = count, .case_insensitive = case_insensitive};
    for (uint16_t i = 0; i < count; i++) {
        struct skua__piece *piece = &segment->pieces[i];

        *piece = pieces[i];
        if (!copy_str(arena, &piece->expression) || !copy_str(arena, &piece->glue))
            return SKUA_ERR_NOMEM;
        has_expression |= piece->expression.len > 0;
        segment->glue_len += piece->glue.len;
    }
    *out = segment;
    return has_expression ? compile(segment, arena, scratch, why) : 0;
}

bool skua__segment_equal(const struct skua__segment *a, const struct skua__segment *b)
{
    bool equal = a->count == b->count;

    for (uint16_t i = 0; equal && i < a->count; i++)
        equal = skua_str_eq(a->pieces[i].expression, b->pieces[i].expression) &&
                skua_str_eq(a->pieces[i].glue, b->pieces[i].glue);
    return equal;
}

/* ---- lengths ---- */

size_t skua__count_units(skua_str value)
{
    size_t units = 0;

    for (size_t i = 0; i < value.len; i += value.ptr[i] == '%' ? 3 : 1) {
        unsigned char c = (unsigned char)value.ptr[i];

        units += (c & 0xC0) != 0x80; /* not one for bytes that continue a character, */
        units += c >= 0xF0;          /* and two for a character that needs four bytes */
    }
    return units;
}

/* ---- splitting ---- */

static bool is_same(const struct skua__segment *segment, skua_str a, skua_str b)
{
    return segment->case_insensitive ? skua__equal_nocase(a, b) : skua_str_eq(a, b);
}

static bool ends_with(const struct skua__segment *segment, skua_str text, skua_str glue)
{
    return text.len >= glue.len &&
           is_same(segment, skua_str_of(text.ptr + text.len - glue.len, glue.len), glue);
}

static int split_by_glue(const struct skua__segment *segment, skua_str text, skua_str *values)
{
    const char *end = text.ptr + text.len;

    for (uint16_t i = segment->count; i-- > 0;) {
        skua_str glue = segment->pieces[i].glue;
        bool last = i + 1 == segment->count;

        while (!ends_with(segment, text, glue)) {
            if (last || text.len < glue.len)
                return 0; /* the ending stands at the end or not at all */
            text.len--;
        }
        if (!last)
            values[i + 1] = skua_str_of(text.ptr + text.len, (size_t)(end - text.ptr) - text.len);
        text.len -= glue.len;
        end = text.ptr + text.len;
    }
    values[0] = text;
    return 1;
}

static int split(const struct skua__segment *segment, skua_str text, skua_str *values)
{
    return segment->expression != NULL ? skua__expression_match(segment->expression, text, values)
                                       : split_by_glue(segment, text, values);
}

/* Behind the `count` bytes that text at `raw` begins with once it is decoded. */
static const char *skip_decoded(const char *raw, size_t count)
{
    for (; count > 0; count--)
        raw += *raw == '%' ? 3 : 1;
    return raw;
}

/* What `value`, a slice of the decoded `text`, was in `raw`. */
static skua_str undo_decoding(skua_str raw, skua_str text, skua_str value)
{
    const char *start = skip_decoded(raw.ptr, (size_t)(value.ptr - text.ptr));

    return skua_str_of(start, (size_t)(skip_decoded(start, value.len) - start));
}

/* Split a segment that has escapes: decode it, and find out where the values were. */
static int split_escaped(const struct skua__segment *segment, skua_str text, skua_str *values)
{
    skua_arena scratch;
    skua_str decoded;
    int result;

    skua__arena_init(&scratch, NULL, 0);
    result = skua__segment_decode(&decoded, &scratch, text);
    if (result == 0)
        result = split(segment, decoded, values);
    else if (result != SKUA_ERR_NOMEM)
        result = 0; /* a broken escape, which no canonical path has */
    for (uint16_t i = 0; result == 1 && i < segment->count; i++)
        values[i] = undo_decoding(text, decoded, values[i]);
    skua__arena_reset(&scratch);
    return result;
}

int skua__segment_split(const struct skua__segment *segment, skua_str text, size_t most,
                        skua_str *values)
{
    bool escaped = memchr(text.ptr, '%', text.len) != NULL;
    int result;

    if (skua__is_longer(text, segment->count * most + segment->glue_len))
        return SKUA_ERR_URI_TOO_LONG; /* whatever its form; so what expressions see has a bound */
    result = escaped ? split_escaped(segment, text, values) : split(segment, text, values);
    for (uint16_t i = 0; result == 1 && i < segment->count; i++)
        result = skua__is_longer(values[i], most) ? SKUA_ERR_URI_TOO_LONG : 1;
    return result;
}
