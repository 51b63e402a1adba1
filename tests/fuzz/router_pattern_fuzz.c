/* SPDX-License-Identifier: MIT */
/*
 * router_pattern_fuzz.c - any patterns, added to one tree
 *
 *   1                            options: 1 any case, 2 no trailing slash, 4 no duplicate slashes
 *   3/users/:id                  then in each line a digit, which stands for a method, a pattern,
 *   0/users/:id TAB a.com        and perhaps a host and a version
 *   0/users/:id TAB TAB 1.2.0
 *
 * A route that is taken has to be found by a path made of its pattern's own parts, again by its
 * pattern, and is taken only once. At the end the tree has to be as tree.h says, and can be drawn.
 */
#include "fuzz.h"

#include "base/arena.h"
#include "router/tree.h"

struct line {
    enum skua_method method; /* perhaps none of the table */
    skua_str pattern;
    struct skua__constraints constraints;
};

/* Take what is before the next `c` off the front of *rest, and it; all if there is none. */
static skua_str take_until(skua_str *rest, char c)
{
    const char *found = rest->len > 0 ? memchr(rest->ptr, c, rest->len) : NULL;
    size_t len = found != NULL ? (size_t)(found - rest->ptr) : rest->len;
    size_t used = found != NULL ? len + 1 : len;
    skua_str front = skua_str_of(rest->ptr, len);

    *rest = skua_str_of(rest->ptr + used, rest->len - used);
    return front;
}

/* NULL for an empty word. */
static const char *take_word(skua_str *rest, skua_arena *arena)
{
    skua_str word = take_until(rest, '\t');

    return word.len > 0 ? fuzz_have(skua_strdup(arena, word)) : NULL;
}

static bool take_line(struct line *line, skua_str *rest, skua_arena *arena)
{
    skua_str text = take_until(rest, '\n');

    if (text.len == 0)
        return false;
    line->method = (enum skua_method)((unsigned char)text.ptr[0] % 16); /* '0' is 48 */
    text = skua_str_of(text.ptr + 1, text.len - 1);
    line->pattern = take_until(&text, '\t');
    line->constraints.host = take_word(&text, arena);
    line->constraints.version = take_word(&text, arena);
    return true;
}

static struct skua__router_opts take_opts(skua_str *rest)
{
    skua_str line = take_until(rest, '\n');
    unsigned bits = line.len > 0 ? (unsigned char)line.ptr[0] : 0;

    return (struct skua__router_opts){
        .case_insensitive = bits & 1,
        .ignore_trailing_slash = bits >> 1 & 1,
        .ignore_duplicate_slashes = bits >> 2 & 1,
    };
}

/* ---- the tree ---- */

static void check_leaves(const struct skua__node *node, uint16_t params)
{
    uint32_t methods = 0;

    for (const struct skua__leaf *leaf = node->leaves; leaf != NULL; leaf = leaf->next) {
        const struct skua__leaf *next = leaf->next;

        fuzz_check(leaf->count == params);
        methods |= UINT32_C(1) << leaf->method;
        if (next == NULL)
            continue;
        fuzz_check(next->method >= leaf->method);
        fuzz_check(next->method > leaf->method ||
                   (skua__condition_compare(leaf->condition, next->condition) <= 0 &&
                    !skua__condition_equal(leaf->condition, next->condition)));
    }
    fuzz_check(node->methods == methods);
}

static void check_node(const struct skua__node *node, uint16_t params);

static unsigned check_statics(const struct skua__node *node, uint16_t params)
{
    unsigned count = 0;

    for (unsigned i = 0; i < node->span; i++) {
        const struct skua__node *child = node->slots[i];

        if (child == NULL)
            continue;
        fuzz_check(child->parent == node && child->kind == SKUA__PART_STATIC);
        fuzz_check((unsigned char)child->text[0] == node->low + i);
        check_node(child, params);
        count++;
    }
    return count;
}

static size_t ending_of(const struct skua__node *node)
{
    return node->kind == SKUA__PART_SEGMENT ? skua__segment_ending(node->segment) : 0;
}

static void check_node(const struct skua__node *node, uint16_t params)
{
    unsigned statics = check_statics(node, params);

    check_leaves(node, params);
    fuzz_check((node->kind == SKUA__PART_STATIC) == (node->len > 0));
    fuzz_check((node->kind == SKUA__PART_STATIC) == (node->count == 0));
    if (node->kind == SKUA__PART_STATIC && node->leaves == NULL && node->parent != NULL)
        fuzz_check(statics >= 2 || node->dynamic != NULL);
    for (const struct skua__node *child = node->dynamic; child != NULL; child = child->next) {
        fuzz_check(child->parent == node && child->kind != SKUA__PART_STATIC);
        fuzz_check(child->next == NULL || child->next->kind > child->kind ||
                   (child->kind == SKUA__PART_SEGMENT && child->next->kind == SKUA__PART_SEGMENT &&
                    ending_of(child) >= ending_of(child->next)));
        check_node(child, (uint16_t)(params + child->count));
    }
}

static void check_drawing(const struct skua__router *router)
{
    struct skua__buf out;
    skua_str drawing;

    skua__buf_init(&out, NULL);
    skua__router_print(router, &out);
    drawing = skua__buf_str(&out);
    fuzz_check(!out.failed && drawing.len > 0);
    fuzz_check(drawing.ptr[drawing.len - 1] == '\n' ||
               skua_str_eq(drawing, SKUA_STR("(empty tree)")));
    skua__buf_finish(&out);
}

/* ---- a path that a pattern matches ---- */

static bool has_expression(const struct skua__pattern *pattern)
{
    bool any = false;

    for (uint16_t i = 0; i < pattern->params; i++)
        any |= pattern->pieces[i].expression.len > 0;
    return any;
}

/* "v" for each value, and the text behind it as a canonical path has it. */
static void put_segment(struct skua__buf *path, const struct skua__pattern *pattern,
                        const struct skua__part *part)
{
    for (uint16_t i = 0; i < part->count; i++) {
        skua_str glue = pattern->pieces[part->first + i].glue;

        skua__buf_put_char(path, 'v');
        for (size_t at = 0; at < glue.len; at++)
            skua__buf_put_str(path, glue.ptr[at] == '%' ? SKUA_STR("%25")
                                                        : skua_str_of(glue.ptr + at, 1));
    }
}

static skua_str put_parts(struct skua__buf *path, const struct skua__pattern *pattern)
{
    for (uint16_t i = 0; i < pattern->count; i++) {
        const struct skua__part *part = &pattern->parts[i];

        fuzz_check((part->kind == SKUA__PART_STATIC) == (i % 2 == 0));
        if (part->kind == SKUA__PART_STATIC)
            skua__buf_put_str(path, part->text);
        else if (part->kind == SKUA__PART_WILDCARD)
            skua__buf_put_literal(path, "w/x");
        else
            put_segment(path, pattern, part);
    }
    return skua__buf_str(path);
}

/* Slashes that do not count are taken out again. */
static void check_slashes(const struct skua__router *router, skua_str path, skua_arena *arena)
{
    struct skua__buf buf;
    skua_str more = path;

    fuzz_check(skua__router_drop_slashes(router, &more, arena) == 0 && more.len <= path.len);
    skua__buf_init(&buf, arena);
    for (size_t i = 0; i < path.len; i++) {
        skua__buf_put_char(&buf, path.ptr[i]);
        if (path.ptr[i] == '/' && router->opts.ignore_duplicate_slashes)
            skua__buf_put_literal(&buf, "//");
    }
    if (router->opts.ignore_trailing_slash)
        skua__buf_put_char(&buf, '/');
    more = skua__buf_str(&buf);
    fuzz_check(skua__router_drop_slashes(router, &more, arena) == 0);
    fuzz_check(skua_str_eq(more, path));
}

/* A path, with an optional part if there is one; empty if it is not known what an expression takes. */
static skua_str make_path(const struct skua__router *router, skua_str source, skua_arena *arena)
{
    struct skua__pattern pattern;
    struct skua__buf buf;
    const char *why;
    skua_str path;

    fuzz_check(skua__pattern_read(&pattern, source, &router->opts, arena, &why) == 0);
    if (has_expression(&pattern))
        return SKUA_STR("");
    skua__buf_init(&buf, arena);
    path = put_parts(&buf, &pattern); /* the slashes that do not count are left out already */
    check_slashes(router, path, arena);
    return path;
}

/* Whether a request can hold the fields as the route has them: a host that is not an expression, and
 * a version in full, as a shorter one is not asked for by its own text. */
static bool can_ask(const struct skua__constraints *constraints)
{
    const char *host = constraints->host, *version = constraints->version;

    return (host == NULL || host[0] != '/') &&
           (version == NULL || strchr(version, '.') != strrchr(version, '.'));
}

/* A request for the line's route; its path is empty if none can be made. */
static struct skua__lookup make_lookup(const struct skua__router *router, const struct line *line,
                                       skua_arena *arena)
{
    struct skua__lookup lookup = {.method = line->method};

    lookup.host = skua_str_c(line->constraints.host);
    lookup.version = skua_str_c(line->constraints.version);
    if (can_ask(&line->constraints))
        lookup.path = make_path(router, line->pattern, arena);
    return lookup;
}

/* ---- one route ---- */

/* It need not be this very route that is found, as a better one may be there. */
static void check_found(const struct skua__router *router, const struct line *line,
                        skua_arena *arena)
{
    struct skua__lookup lookup = make_lookup(router, line, arena);
    struct skua__match match;
    uint8_t vary = 0;

    if (lookup.path.len == 0)
        return;
    fuzz_check(skua__router_find(router, &lookup, &match) == 0);
    fuzz_check(match.route != NULL && match.count <= SKUA__ROUTE_MAX_PARAMS);
    for (uint16_t i = 0; i < match.count; i++) {
        fuzz_check(fuzz_within(match.values[i], lookup.path));
        fuzz_check(match.names[i].len > 0);
    }
    fuzz_check(skua__router_methods(router, &lookup, &vary) >> line->method & 1);
}

static void check_found_again(const struct skua__router *router, const struct line *line,
                              skua_arena *arena)
{
    struct skua__match match;
    const char *why;

    fuzz_check(skua__router_find_pattern(router, line->method, line->pattern, &line->constraints,
                                         arena, &match, &why) == 0);
    fuzz_check(match.route == router);
}

static int add_line(struct skua__router *router, const struct line *line, skua_arena *arena,
                    const char **why)
{
    return skua__router_add(router, line->method, line->pattern, &line->constraints, router, arena,
                            why);
}

static void check_line(struct skua__router *router, const struct line *line, skua_arena *arena)
{
    struct skua__match match;
    const char *why = NULL;
    int err = skua__router_add(router, line->method, line->pattern, NULL, NULL, arena, &why);

    fuzz_check(err == SKUA_ERR_SETUP); /* no handler */
    fuzz_check(skua__router_find_pattern(router, SKUA_GET, line->pattern, NULL, arena, &match,
                                         &why) != SKUA_ERR_NOMEM);
    err = add_line(router, line, arena, &why);

    if (err == 0) {
        check_found(router, line, arena);
        check_found_again(router, line, arena);
        err = add_line(router, line, arena, &why);
    }
    fuzz_check(err == SKUA_ERR_SETUP && why != NULL && why[0] != '\0');
}

/* ---- out of memory ---- */

/* The scratch arena is the one that is starved, and the router's has little more. */
static int add_all(skua_arena *arena, void *arg)
{
    skua_str rest = *(skua_str *)arg;
    struct skua__router_opts opts = take_opts(&rest);
    struct skua__router *router = fuzz_have(skua__router_new(&opts));
    skua_arena *own = fuzz_have(skua_arena_new(0));
    struct line line;
    int err = 0;

    router->arena->budget = arena->budget + 4096;
    while (err != SKUA_ERR_NOMEM && take_line(&line, &rest, own)) {
        struct skua__lookup lookup = {.method = SKUA_GET, .path = line.pattern};
        struct skua__match match;
        const char *why;

        err = add_line(router, &line, arena, &why);
        skua__router_find(router, &lookup, &match);
        skua__router_find_pattern(router, line.method, line.pattern, &line.constraints, arena,
                                  &match, &why);
        skua__router_drop_slashes(router, &line.pattern, arena);
    }
    check_drawing(router);
    skua__router_free(router);
    skua_arena_free(own);
    return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str input = skua_str_of((const char *)data, size), rest = input;
    struct skua__router_opts opts = take_opts(&rest);
    struct skua__router *router = fuzz_have(skua__router_new(&opts));
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    struct line line;

    while (take_line(&line, &rest, arena))
        check_line(router, &line, arena);
    check_node(router->root, 0);
    check_drawing(router);
    skua__router_free(router);
    skua_arena_free(arena);
    fuzz_starve(add_all, &input);
    return 0;
}
