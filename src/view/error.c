/* SPDX-License-Identifier: MIT */
/*
 * error.c - what is wrong with a template, and where
 *
 * Positions are kept as offsets into the source; line and column are only counted here, when
 * somebody has to be told. The excerpt is the line and a caret below it:
 *
 *     <p>{{#user}} hello
 *        ^
 *
 * Tabs before the caret stay tabs and a character of several bytes takes one place, so that the
 * caret stands right wherever the line is shown. A long line is cut to a window around the place.
 */
#include "view/error.h"

#include "base/arena.h"
#include "base/buf.h"

#include <skua/err.h>
#include <stdarg.h>
#include <stdbool.h>

#define WINDOW ((size_t)60) /* bytes shown before and behind the place */

int skua__view_error_set(struct skua__view_error *error, skua_arena *arena, int code,
                         const char *template, const char *format, ...)
{
    va_list args;

    *error = (struct skua__view_error){.code = code};
    if (template != NULL)
        error->template = skua_strdup(arena, skua_str_c(template));
    va_start(args, format);
    error->text = skua__format_v(arena, format, args);
    va_end(args);
    if (error->text == NULL)
        error->text = skua_err_text(code);
    return code;
}

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The part of [start, end) that is shown for the byte at `at`, cut between characters. */
static skua_str window(const char *start, const char *end, const char *at)
{
    const char *from = (size_t)(at - start) > WINDOW ? at - WINDOW : start;
    const char *to = (size_t)(end - at) > WINDOW ? at + WINDOW : end;

    while (from < at && continues_character(*from))
        from++;
    while (to < end && continues_character(*to))
        to++;
    return skua_str_of(from, (size_t)(to - from));
}

static const char *draw_excerpt(skua_arena *arena, skua_str shown, const char *at)
{
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    skua__buf_put_str(&buf, shown);
    skua__buf_put_char(&buf, '\n');
    for (const char *p = shown.ptr; p < at; p++) {
        if (!continues_character(*p))
            skua__buf_put_char(&buf, *p == '\t' ? '\t' : ' ');
    }
    skua__buf_put_char(&buf, '^');
    return buf.failed ? NULL : skua__buf_str(&buf).ptr;
}

void skua__view_error_place(struct skua__view_error *error, skua_arena *arena, skua_str source,
                            size_t offset)
{
    const char *at = source.ptr + offset;
    const char *start = source.ptr;
    const char *end;

    error->line = 1;
    for (const char *p = source.ptr; p < at; p++) {
        if (*p == '\n') {
            error->line++;
            start = p + 1;
        }
    }
    error->column = (uint32_t)(at - start) + 1;
    for (end = at; end < source.ptr + source.len && *end != '\n'; end++)
        ;
    if (end > at && end[-1] == '\r')
        end--;
    error->excerpt = draw_excerpt(arena, window(start, end, at), at);
}

static const char *copy_text(skua_arena *arena, const char *text)
{
    return text != NULL ? skua_strdup(arena, skua_str_c(text)) : NULL;
}

void skua__view_error_copy(struct skua__view_error *to, skua_arena *arena,
                           const struct skua__view_error *from)
{
    *to = *from;
    to->template = copy_text(arena, from->template);
    to->text = copy_text(arena, from->text);
    to->excerpt = copy_text(arena, from->excerpt);
    if (to->text == NULL)
        to->text = skua_err_text(from->code);
}

const char *skua__view_error_format(const struct skua__view_error *error, skua_arena *arena)
{
    const char *template = error->template;

    if (template == NULL)
        return skua_format(arena, "%s", error->text);
    if (error->line == 0)
        return skua_format(arena, "%s: %s", template, error->text);
    return skua_format(arena, "%s:%u:%u: %s%s%s", template, error->line, error->column, error->text,
                       error->excerpt != NULL ? "\n" : "",
                       error->excerpt != NULL ? error->excerpt : "");
}
