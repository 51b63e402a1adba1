/* SPDX-License-Identifier: MIT */
/*
 * mustache.c - Mustache templates to programs
 *
 * One pass over the tags, each compiled where it stands; what is open is kept on a stack:
 *
 *   {{name}}          CONTEXT or LOAD, MEMBER…; PRINT
 *   {{#s}} … {{/s}}   value; SECTION end; start: …; NEXT start; end:
 *   {{^s}} … {{/s}}   value; JUMP_TRUE end; …; end:
 *   {{>p}}            INCLUDE
 *   {{$b}} … {{/b}}   BLOCK; JUMP end; body: …; RETURN; end:
 *   {{<p}} … {{/p}}   JUMP end; …; end: INCLUDE with the blocks between as its arguments
 *
 * Tags other than values that are alone on their line ("standalone") take the line with them. A
 * partial that is standalone is indented as its tag is: what it prints is preceded, line by line, by
 * the indentation in force (INDENT), so one program serves every depth of a recursive partial.
 *
 * The specification with its modules for inheritance is https://github.com/mustache/spec. Not done:
 * dynamic names, and lambdas that get unrendered text (the text of a section is rendered first).
 */
#include "view/emit.h"
#include "view/mustache_scan.h"
#include "view/name.h"
#include "view/verify.h"

#include <skua/err.h>

#define MOST_SHOWN 100 /* bytes of a name in a message */

/* A tag that waits for its {{/name}}. */
struct open {
    struct skua__mustache_tag tag;
    uint32_t jump;  /* to be landed behind the closing tag */
    uint32_t start; /* SECTION: its first instruction */
    uint16_t set;   /* PARENT: its arguments'; BLOCK: that it is an argument of, or 0 */
    bool indented;  /* BLOCK: to go back to */
    skua_str stripped;
};

struct compiler {
    const struct skua__source *source;
    struct skua__view_error *error;
    struct skua__mustache_scan scan;
    struct skua__emit emit;
    size_t text;       /* where the text not yet compiled starts */
    size_t body;       /* where the body of the last block starts; nowhere: SIZE_MAX */
    bool indented;     /* put INDENT at the start of lines */
    skua_str stripped; /* indentation that lines lose before they get another */
    uint16_t sets;
    uint32_t depth;
    struct open open[SKUA__MAX_NESTING];
};

#define fail(c, offset, ...) skua__compile_fail((c)->error, (c)->source, offset, __VA_ARGS__)

/* A name for "%.*s" in a message: what is on its first line, and not more than some of that. */
#define SHOWN(name) shown_length(name), (name).ptr

static int shown_length(skua_str name)
{
    int len = 0;

    while (len < MOST_SHOWN && (size_t)len < name.len && (unsigned char)name.ptr[len] >= ' ')
        len++;
    return len;
}

/* ---- text ---- */

static bool starts_line(const struct compiler *c, size_t at)
{
    return at == 0 || c->source->text.ptr[at - 1] == '\n';
}

/* Whether what stands here may be the first on its line when it is printed. */
static bool may_indent(const struct compiler *c, size_t at)
{
    return c->indented && (starts_line(c, at) || at == c->body);
}

static bool is_blank_line(skua_str line)
{
    return skua_str_eq(line, SKUA_STR("\n")) || skua_str_eq(line, SKUA_STR("\r\n"));
}

/* `line` without what it has in common with `indent` at its start. */
static skua_str strip(skua_str line, skua_str indent)
{
    size_t same = 0;

    while (same < line.len && same < indent.len && line.ptr[same] == indent.ptr[same])
        same++;
    return skua_str_of(line.ptr + same, line.len - same);
}

/* A piece of text that ends with its line or before. */
static void compile_line(struct compiler *c, size_t start, size_t end)
{
    skua_str line = skua_str_of(c->source->text.ptr + start, end - start);

    if (starts_line(c, start))
        line = strip(line, c->stripped);
    if (may_indent(c, start) && line.len > 0 && !is_blank_line(line))
        skua__emit_op(&c->emit, SKUA__OP_INDENT, 0, 0);
    skua__emit_text(&c->emit, line);
}

static void compile_text(struct compiler *c, size_t end)
{
    skua_str text = c->source->text;

    c->emit.offset = (uint32_t)c->text;
    if (!c->indented && end > c->text)
        skua__emit_text(&c->emit, skua_str_of(text.ptr + c->text, end - c->text));
    while (c->indented && c->text < end) {
        const char *newline = memchr(text.ptr + c->text, '\n', end - c->text);
        size_t next = newline != NULL ? (size_t)(newline - text.ptr) + 1 : end;

        compile_line(c, c->text, next);
        c->text = next;
    }
    c->text = end;
}

/* ---- names ---- */

/* {{name}}s are words, or words joined by dots, or one dot. */
static int check_path(struct compiler *c, const struct skua__mustache_tag *tag)
{
    skua_str name = tag->name;
    char before = '.';

    if (skua_str_eq(name, SKUA_STR(".")))
        return 0;
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '.' && before == '.')
            break;
        before = name.ptr[i];
        if ((unsigned char)before <= ' ')
            return fail(c, tag->start, "a name cannot hold white space: '%.*s'", SHOWN(name));
    }
    if (before != '.')
        return 0;
    return fail(c, tag->start, "a name has an empty part: '%.*s'", SHOWN(name));
}

/* Leave the value of the tag's name on the stack. */
static int compile_path(struct compiler *c, const struct skua__mustache_tag *tag)
{
    enum skua__op op = SKUA__OP_LOAD;
    skua_str rest = tag->name;
    int err = check_path(c, tag);

    if (err < 0)
        return err;
    if (skua_str_eq(rest, SKUA_STR("."))) {
        skua__emit_op(&c->emit, SKUA__OP_CONTEXT, 0, 0);
        return 0;
    }
    while (rest.len > 0) {
        const char *dot = memchr(rest.ptr, '.', rest.len);
        size_t len = dot != NULL ? (size_t)(dot - rest.ptr) : rest.len;
        size_t taken = dot != NULL ? len + 1 : len;

        skua__emit_name(&c->emit, op, skua_str_of(rest.ptr, len));
        rest = skua_str_of(rest.ptr + taken, rest.len - taken);
        op = SKUA__OP_MEMBER;
    }
    return 0;
}

static int check_template_name(struct compiler *c, const struct skua__mustache_tag *tag)
{
    const char *wrong = skua__name_wrong(tag->name);

    if (wrong == NULL)
        return 0;
    return fail(c, tag->start, "'%.*s' names no template: it %s", SHOWN(tag->name), wrong);
}

/* ---- tags ---- */

static int compile_value(struct compiler *c, const struct skua__mustache_tag *tag)
{
    int err = compile_path(c, tag);

    if (err < 0)
        return err;
    skua__emit_op(&c->emit, tag->kind == SKUA__MUSTACHE_VALUE ? SKUA__OP_PRINT : SKUA__OP_PRINT_RAW,
                  0, 0);
    return 0;
}

static struct open *innermost(struct compiler *c)
{
    return c->depth > 0 ? &c->open[c->depth - 1] : NULL;
}

static struct open *push_open(struct compiler *c, const struct skua__mustache_tag *tag)
{
    struct open *open;

    if (c->depth == SKUA__MAX_NESTING) {
        fail(c, tag->start, "more than %d tags are open inside each other", SKUA__MAX_NESTING);
        return NULL;
    }
    open = &c->open[c->depth++];
    memset(open, 0, sizeof(*open));
    open->tag = *tag;
    return open;
}

static int open_section(struct compiler *c, const struct skua__mustache_tag *tag)
{
    struct open *open = push_open(c, tag);
    bool inverted = tag->kind == SKUA__MUSTACHE_INVERTED;

    if (open == NULL || compile_path(c, tag) < 0)
        return SKUA_ERR_TEMPLATE;
    open->jump = skua__emit_jump(&c->emit, inverted ? SKUA__OP_JUMP_TRUE : SKUA__OP_SECTION,
                                 SKUA__TRUTH_FULL);
    open->start = skua__emit_here(&c->emit);
    return 0;
}

/* INCLUDE for a partial or, with the set of its arguments, a parent. */
static int compile_include(struct compiler *c, const struct skua__mustache_tag *tag, uint16_t set,
                           bool standalone)
{
    struct skua__dep dep = {.name = tag->name};

    if (standalone) {
        dep.indent = strip(tag->indent, c->stripped);
        dep.indented = dep.indent.len > 0 || c->indented;
    }
    skua__emit_include(&c->emit, &dep, set);
    return 0;
}

static int open_parent(struct compiler *c, const struct skua__mustache_tag *tag)
{
    struct open *open = push_open(c, tag);

    if (open == NULL || check_template_name(c, tag) < 0)
        return SKUA_ERR_TEMPLATE;
    if (c->sets == UINT16_MAX)
        return fail(c, tag->start, "the template has too many parents");
    open->set = ++c->sets;
    open->jump = skua__emit_jump(&c->emit, SKUA__OP_JUMP, 0);
    return 0;
}

/* Whether blocks that stand here are arguments to a parent. */
static bool takes_arguments(const struct compiler *c)
{
    return c->depth > 0 && c->open[c->depth - 1].tag.kind == SKUA__MUSTACHE_PARENT;
}

/* Whether a block's body begins on the line below its tag. */
static bool begins_below(const struct compiler *c, const struct skua__mustache_tag *tag)
{
    return tag->ends_line && (tag->opens_line || takes_arguments(c));
}

/* The blanks at the start of a line. */
static skua_str indent_at(const struct compiler *c, size_t at)
{
    skua_str text = c->source->text;
    size_t end = at;

    while (end < text.len && (text.ptr[end] == ' ' || text.ptr[end] == '\t'))
        end++;
    return skua_str_of(text.ptr + at, end - at);
}

/*
 * The lines of a block lose their indentation where it is written and get that of the place where
 * they are printed. Both are that of the first line below the tag, else that of the tag.
 */
static int open_block(struct compiler *c, const struct skua__mustache_tag *tag)
{
    bool below = begins_below(c, tag);
    skua_str own = below ? indent_at(c, tag->next) : tag->opens_line ? tag->indent : SKUA_STR("");
    skua_str indent = tag->opens_line ? strip(own, c->stripped) : SKUA_STR("");
    uint16_t set = takes_arguments(c) ? innermost(c)->set : 0;
    struct open *open = push_open(c, tag);

    if (open == NULL)
        return SKUA_ERR_TEMPLATE;
    open->set = set;
    open->indented = c->indented;
    open->stripped = c->stripped;
    open->jump = skua__emit_block(&c->emit, tag->name, indent, set);
    c->indented = true;
    c->stripped = own;
    c->body = below ? tag->next : tag->end;
    return 0;
}

static void close_block(struct compiler *c, const struct open *open)
{
    skua__emit_end_block(&c->emit, open->jump);
    c->indented = open->indented;
    c->stripped = open->stripped;
}

static int close_parent(struct compiler *c, const struct open *open)
{
    skua__emit_land(&c->emit, open->jump);
    c->emit.offset = (uint32_t)open->tag.start;
    return compile_include(c, &open->tag, open->set, open->tag.opens_line);
}

static void close_section(struct compiler *c, const struct open *open)
{
    if (open->tag.kind == SKUA__MUSTACHE_SECTION)
        skua__emit_op(&c->emit, SKUA__OP_NEXT, 0, open->start);
    skua__emit_land(&c->emit, open->jump);
}

static int close_tag(struct compiler *c, const struct skua__mustache_tag *tag)
{
    struct open *open = innermost(c);

    if (open == NULL)
        return fail(c, tag->start, "'%.*s' is closed here, but nothing is open", SHOWN(tag->name));
    if (!skua_str_eq(open->tag.name, tag->name))
        return fail(c, tag->start, "'%.*s' is closed here, but '%.*s' is open", SHOWN(tag->name),
                    SHOWN(open->tag.name));
    c->depth--;
    if (open->tag.kind == SKUA__MUSTACHE_PARENT)
        return close_parent(c, open);
    if (open->tag.kind == SKUA__MUSTACHE_BLOCK)
        close_block(c, open);
    else
        close_section(c, open);
    return 0;
}

static int compile_tag(struct compiler *c, const struct skua__mustache_tag *tag)
{
    c->emit.offset = (uint32_t)tag->start;
    switch (tag->kind) {
    case SKUA__MUSTACHE_VALUE:
    case SKUA__MUSTACHE_RAW:
        return compile_value(c, tag);
    case SKUA__MUSTACHE_SECTION:
    case SKUA__MUSTACHE_INVERTED:
        return open_section(c, tag);
    case SKUA__MUSTACHE_CLOSE:
        return close_tag(c, tag);
    case SKUA__MUSTACHE_PARTIAL:
        if (check_template_name(c, tag) < 0)
            return SKUA_ERR_TEMPLATE;
        return compile_include(c, tag, 0, tag->opens_line && tag->ends_line);
    case SKUA__MUSTACHE_PARENT:
        return open_parent(c, tag);
    case SKUA__MUSTACHE_BLOCK:
        return open_block(c, tag);
    case SKUA__MUSTACHE_COMMENT:
    case SKUA__MUSTACHE_DELIMITERS:
        break;
    }
    return 0;
}

/* ---- the whole ---- */

/* Whether a tag takes the blanks before it, and the rest of its line behind it. */
static void find_margins(const struct compiler *c, const struct skua__mustache_tag *tag,
                         bool *before, bool *behind)
{
    const struct open *open = c->depth > 0 ? &c->open[c->depth - 1] : NULL;

    *before = *behind = tag->opens_line && tag->ends_line;
    switch (tag->kind) {
    case SKUA__MUSTACHE_VALUE:
    case SKUA__MUSTACHE_RAW:
        *before = *behind = false;
        break;
    case SKUA__MUSTACHE_PARENT:
        *before = tag->opens_line;
        break;
    case SKUA__MUSTACHE_BLOCK:
        *before = tag->opens_line;
        *behind = begins_below(c, tag);
        break;
    case SKUA__MUSTACHE_CLOSE:
        if (open != NULL && open->tag.kind == SKUA__MUSTACHE_PARENT)
            *behind = open->tag.opens_line && tag->ends_line;
        if (open != NULL && open->tag.kind == SKUA__MUSTACHE_BLOCK && open->set != 0)
            *before = tag->opens_line;
        break;
    default:
        break;
    }
}

static int compile_all(struct compiler *c)
{
    struct skua__mustache_tag tag;
    bool before, behind;
    int err;

    while ((err = skua__mustache_scan_next(&c->scan, &tag)) == 1) {
        find_margins(c, &tag, &before, &behind);
        compile_text(c, tag.start - (before ? tag.indent.len : 0));
        if (!before && may_indent(c, tag.start))
            skua__emit_op(&c->emit, SKUA__OP_INDENT, 0, 0);
        err = compile_tag(c, &tag);
        if (err < 0)
            return err;
        c->text = behind ? tag.next : tag.end;
    }
    if (err < 0)
        return err;
    compile_text(c, c->source->text.len);
    if (c->depth == 0)
        return 0;
    tag = innermost(c)->tag;
    return fail(c, tag.start, "'%.*s' is opened here and never closed", SHOWN(tag.name));
}

int skua__mustache_compile(struct skua__program *program, const struct skua__source *source,
                           struct skua__view_error *error)
{
    struct compiler c = {.source = source, .error = error, .body = SIZE_MAX};
    int err;

    c.indented = source->indented;
    skua__emit_init(&c.emit, source->arena);
    skua__mustache_scan_init(&c.scan, source, error);
    err = compile_all(&c);
    return err < 0 ? err : skua__compile_finish(&c.emit, program, source, error);
}
