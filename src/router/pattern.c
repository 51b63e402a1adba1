/* SPDX-License-Identifier: MIT */
/*
 * pattern.c - a route's pattern, checked and taken apart
 *
 * One pass from left to right; at each place the next byte says which reader has the word:
 *
 *          +-- ":" but not "::" --> read_param -----+
 *   place -+-- "*" ---------------> read_wildcard --+-> next place, until the end or a mistake
 *          +-- anything else -----> read_static ----+
 *
 * Static text comes out as a canonical path has it: "::" as ":", and "%" as "%25", since that is one
 * of the escapes that a canonical path keeps. So a pattern is written the way people read it.
 *
 * Mistakes are made by whoever writes the application, so each has a sentence that names the
 * pattern and says what to write instead. Nothing here knows the tree.
 */
#include "router/pattern.h"

#include "base/arena.h"

struct reader {
    struct skua__pattern *out;
    const char *at; /* first byte not read */
    const char *end;
    char *text; /* where the next byte of static text goes */
    skua_arena *arena;
    const char **why;
};

/* Say what is wrong with the pattern: the sentence begins with it and goes on with `format`. */
static SKUA_PRINTF(2, 3) int refuse(const struct reader *r, const char *format, ...)
{
    va_list args;
    const char *rest;

    va_start(args, format);
    rest = skua__format_v(r->arena, format, args);
    va_end(args);
    if (rest == NULL)
        return SKUA_ERR_NOMEM;
    *r->why = skua_format(r->arena, "'%s' %s", r->out->source.ptr, rest);
    return *r->why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
}

static void push_part(struct reader *r, enum skua__part_kind kind, skua_str text)
{
    struct skua__part *part = &r->out->parts[r->out->count++];

    part->kind = kind;
    part->text = text;
}

static bool has_name(const struct skua__pattern *pattern, skua_str name)
{
    for (uint16_t i = 0; i < pattern->count; i++) {
        if (pattern->parts[i].kind != SKUA__PART_STATIC &&
            skua_str_eq(pattern->parts[i].text, name))
            return true;
    }
    return false;
}

static int push_param(struct reader *r, enum skua__part_kind kind, skua_str name)
{
    if (has_name(r->out, name))
        return refuse(r, "has two parameters named '%.*s': give each a name of its own",
                      (int)name.len, name.ptr);
    if (r->out->params == SKUA__ROUTE_MAX_PARAMS)
        return refuse(r, "has more than %d parameters: let a '*' at the end take the last of them",
                      SKUA__ROUTE_MAX_PARAMS);
    r->out->params++;
    push_part(r, kind, name);
    r->at = name.ptr + name.len;
    return 0;
}

/* All but "/" are kept back for further kinds of parameter. */
static bool ends_name(char c)
{
    return memchr("/:*?#-.()", c, 9) != NULL;
}

static bool begins_param(const struct reader *r)
{
    return *r->at == ':' && (r->end - r->at == 1 || r->at[1] != ':');
}

static int read_param(struct reader *r)
{
    skua_str name = skua_str_of(r->at + 1, 0);
    const char *next = name.ptr;

    while (next < r->end && !ends_name(*next))
        next++;
    name.len = (size_t)(next - name.ptr);
    if (name.len == 0)
        return refuse(r, "has a parameter without a name: write one behind the ':', as in '/:id', "
                         "or '::' for a colon");
    if (r->at[-1] != '/' || (next < r->end && *next != '/'))
        return refuse(r,
                      "has a parameter that does not fill its segment: write '/:%.*s' and split "
                      "the value, or '::' for a colon",
                      (int)name.len, name.ptr);
    return push_param(r, SKUA__PART_PARAM, name);
}

static int read_wildcard(struct reader *r)
{
    if (r->end - r->at > 1)
        return refuse(r, "has a '*' before its end, but '*' takes all that is left: put it last, "
                         "or write ':name' for one segment");
    if (r->at[-1] != '/')
        return refuse(r, "has a '*' that does not follow a '/': write '/*'");
    return push_param(r, SKUA__PART_WILDCARD, skua_str_of(r->at, 1));
}

static int read_static(struct reader *r)
{
    char *start = r->text;

    for (; r->at < r->end && *r->at != '*' && !begins_param(r); r->at++) {
        if (*r->at == '?' || *r->at == '#')
            return refuse(r,
                          "has a '%c', which no path has: leave out all from there and read the "
                          "query in the handler",
                          *r->at);
        if (*r->at == ':')
            r->at++; /* the second colon of "::" stands for both */
        *r->text++ = *r->at;
        if (*r->at == '%') {
            *r->text++ = '2';
            *r->text++ = '5';
        }
    }
    push_part(r, SKUA__PART_STATIC, skua_str_of(start, (size_t)(r->text - start)));
    return 0;
}

/* Copy the source, make room for the static text and find the "/" that all patterns begin with. */
static int start(struct reader *r, skua_str source)
{
    const char *copy;

    if (source.len > SKUA__PATTERN_MAX_LEN) {
        *r->why = "a pattern is longer than 65535 bytes";
        return SKUA_ERR_SETUP;
    }
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

int skua__pattern_read(struct skua__pattern *out, skua_str source, skua_arena *arena,
                       const char **why)
{
    struct reader r = {.out = out, .arena = arena, .why = why};
    int err;

    out->count = 0;
    out->params = 0;
    err = start(&r, source);
    while (err == 0 && r.at < r.end) {
        if (*r.at == '*')
            err = read_wildcard(&r);
        else if (begins_param(&r))
            err = read_param(&r);
        else
            err = read_static(&r);
    }
    return err;
}
