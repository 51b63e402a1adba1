/* SPDX-License-Identifier: MIT */
/*
 * route.c - adding routes, and finding them again by their patterns
 *
 * A route becomes a leaf on the node where its pattern ends. Each has a place, which only one can
 * have; its key is made of method, parts and condition, without the names. Expressions are left out,
 * too, as they do not tell routes apart reliably: which of /:a(\d+) and /:b(\w+) takes "7" would
 * depend on the order of adding.
 *
 *   GET /at/:h(\d+)h:m for a.com     key: 0s4:/at/(v1:hv0:{"host":"a.com"}
 *
 * A pattern with "?" at its end is two routes. All that can be wrong is found before the tree is
 * touched.
 */
#include "router/tree.h"

#include <skua/err.h>
#include <stdlib.h>

static const char *const method_names[] = {
#define METHOD_NAME(name) #name,
    SKUA_METHOD_MAP(METHOD_NAME)
#undef METHOD_NAME
};

_Static_assert(SKUA_METHOD_COUNT <= 32, "skua__node.methods has a bit for each method");

const char *skua__leaf_method(const struct skua__leaf *leaf)
{
    return method_names[leaf->method];
}

/* ---- keys ---- */

static void put_counted(struct skua__buf *out, skua_str text)
{
    skua__buf_put_uint(out, text.len);
    skua__buf_put_char(out, ':');
    skua__buf_put_str(out, text);
}

static void put_part(struct skua__buf *out, const struct skua__pattern *pattern,
                     const struct skua__part *part)
{
    static const char marks[] = {'s', '(', ':', '*'};

    skua__buf_put_char(out, marks[part->kind]);
    if (part->kind == SKUA__PART_STATIC)
        put_counted(out, part->text);
    for (uint16_t i = 0; part->kind == SKUA__PART_SEGMENT && i < part->count; i++) {
        skua__buf_put_char(out, 'v');
        put_counted(out, pattern->pieces[part->first + i].glue);
    }
}

/* The key of a place. out->failed: no memory. */
static skua_str make_key(struct skua__buf *out, enum skua_method method,
                         const struct skua__pattern *pattern,
                         const struct skua__condition *condition)
{
    skua__buf_put_uint(out, method);
    for (uint16_t i = 0; i < pattern->count; i++)
        put_part(out, pattern, &pattern->parts[i]);
    skua__condition_print(condition, out);
    return skua__buf_str(out);
}

/* What the key leaves out: "1(\d+)" for "/:name/:id(\d+)"; empty if there is no expression. */
static skua_str join_expressions(struct skua__buf *out, const struct skua__pattern *pattern)
{
    for (uint16_t i = 0; i < pattern->params; i++) {
        if (pattern->pieces[i].expression.len == 0)
            continue;
        skua__buf_put_uint(out, i);
        skua__buf_put_char(out, '(');
        skua__buf_put_str(out, pattern->pieces[i].expression);
        skua__buf_put_char(out, ')');
    }
    return out->len > 0 ? skua__buf_str(out) : skua_str_of("", 0);
}

/* ---- leaves ---- */

static struct skua__leaf *make_leaf(struct skua__router *router, enum skua_method method,
                                    const struct skua__pattern *pattern,
                                    const struct skua__condition *condition, void *route)
{
    struct skua__leaf *leaf =
        skua_alloc(router->arena, sizeof(*leaf) + pattern->params * sizeof(skua_str));
    const char *copy = skua_strdup(router->arena, pattern->source);
    struct skua__buf expressions;

    skua__buf_init(&expressions, router->arena);
    if (leaf == NULL || copy == NULL)
        return NULL;
    leaf->route = route;
    leaf->condition = condition;
    leaf->pattern = skua_str_of(copy, pattern->source.len);
    leaf->expressions = join_expressions(&expressions, pattern);
    leaf->method = method;
    leaf->serial = router->leaves++;
    leaf->count = pattern->params;
    leaf->whole = pattern->whole;
    for (uint16_t i = 0; i < pattern->params; i++)
        leaf->names[i] = skua_str_of(copy + (pattern->names[i].ptr - pattern->source.ptr),
                                     pattern->names[i].len);
    return expressions.failed ? NULL : leaf;
}

static int refuse_second(const struct skua__leaf *leaf, const struct skua__leaf *first,
                         skua_arena *arena, const char **why)
{
    const char *advice = "remove one of the two";
    struct skua__buf sentence;

    if (!skua_str_eq(leaf->expressions, first->expressions))
        advice =
            "routes that differ only in their expressions would depend on their order, so write "
            "one route, and look at the value in its handler";
    skua__buf_init(&sentence, arena);
    skua__buf_printf(&sentence, "is already taken by '%s'", first->pattern.ptr);
    if (leaf->condition != NULL)
        skua__buf_put_literal(&sentence, " for ");
    skua__condition_print(leaf->condition, &sentence);
    skua__buf_printf(&sentence, ": %s", advice);
    *why = skua__buf_str(&sentence).ptr;
    return sentence.failed ? SKUA_ERR_NOMEM : SKUA_ERR_SETUP;
}

/* Whether `a` stands before `b` among the leaves of a node. */
static bool is_leaf_before(const struct skua__leaf *a, const struct skua__leaf *b)
{
    return a->method != b->method ? a->method < b->method
                                  : skua__condition_compare(a->condition, b->condition) <= 0;
}

static void hang_leaf(struct skua__router *router, struct skua__node *node, struct skua__leaf *leaf)
{
    struct skua__leaf **at = &node->leaves;

    while (*at != NULL && is_leaf_before(*at, leaf))
        at = &(*at)->next;
    leaf->next = *at;
    *at = leaf;
    node->methods |= UINT32_C(1) << leaf->method;
    if (leaf->condition != NULL)
        router->reads |= leaf->condition->reads;
}

/* ---- routes ---- */

/* Compile the segments into the router's arena, before the tree is touched. */
static int compile_segments(struct skua__router *router, struct skua__pattern *pattern,
                            skua_arena *arena, const char **why)
{
    int err = 0;

    for (uint16_t i = 0; err == 0 && i < pattern->count; i++) {
        struct skua__part *part = &pattern->parts[i];

        if (part->kind == SKUA__PART_SEGMENT)
            err = skua__segment_new(&part->segment, router->arena, &pattern->pieces[part->first],
                                    part->count, router->opts.case_insensitive, arena, why);
    }
    if (err != SKUA_ERR_SETUP)
        return err;
    *why = skua_format(arena, "has an expression that is not valid: %s", *why);
    return *why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
}

/* Add one route: the pattern as it is, without regard to what is optional. */
static int add_route(struct skua__router *router, enum skua_method method,
                     const struct skua__pattern *pattern, const struct skua__condition *condition,
                     void *route, skua_arena *arena, const char **why)
{
    struct skua__leaf *leaf = make_leaf(router, method, pattern, condition, route);
    struct skua__leaf *first;
    struct skua__node *node;
    struct skua__buf buf;
    skua_str key;

    skua__buf_init(&buf, router->arena);
    key = make_key(&buf, method, pattern, condition);
    if (leaf == NULL || buf.failed)
        return SKUA_ERR_NOMEM;
    first = skua__map_get(&router->places, key);
    if (first != NULL)
        return refuse_second(leaf, first, arena, why);
    node = skua__tree_place(router, pattern);
    if (node == NULL || skua__map_put(&router->places, key, leaf) != 0)
        return SKUA_ERR_NOMEM;
    hang_leaf(router, node, leaf);
    return 0;
}

static int refuse(const char *sentence, const char **why)
{
    *why = sentence;
    return SKUA_ERR_SETUP;
}

int skua__router_add(struct skua__router *router, enum skua_method method, skua_str pattern,
                     const struct skua__constraints *constraints, void *route, skua_arena *arena,
                     const char **why)
{
    struct skua__condition *condition;
    struct skua__pattern parts;
    int err;

    *why = skua_err_text(SKUA_ERR_NOMEM);
    if ((unsigned)method >= SKUA_METHOD_COUNT)
        return refuse("has a method that cannot be routed: take one of enum skua_method", why);
    if (route == NULL)
        return refuse("has no handler", why);
    err = skua__pattern_read(&parts, pattern, &router->opts, arena, why);
    if (err == 0)
        err = compile_segments(router, &parts, arena, why);
    if (err == 0)
        err = skua__condition_read(&condition, router->arena, constraints, arena, why);
    if (err != 0)
        return err;
    err = add_route(router, method, &parts, condition, route, arena, why);
    if (parts.optional && err != SKUA_ERR_NOMEM) { /* each form, even if the other is taken */
        int other;

        skua__pattern_shorten(&parts, &router->opts);
        other = add_route(router, method, &parts, condition, route, arena, why);
        err = err != 0 ? err : other;
    }
    return err;
}

int skua__router_find_pattern(const struct skua__router *router, enum skua_method method,
                              skua_str pattern, const struct skua__constraints *constraints,
                              skua_arena *arena, struct skua__match *out, const char **why)
{
    struct skua__condition *condition;
    struct skua__buf key, expressions;
    const struct skua__leaf *leaf;
    struct skua__pattern parts;
    int err;

    memset(out, 0, sizeof(*out));
    *why = skua_err_text(SKUA_ERR_NOMEM);
    err = skua__pattern_read(&parts, pattern, &router->opts, arena, why);
    if (err == 0)
        err = skua__condition_read(&condition, arena, constraints, arena, why);
    if (err != 0)
        return err;
    skua__buf_init(&key, arena);
    skua__buf_init(&expressions, arena);
    leaf = skua__map_get(&router->places, make_key(&key, method, &parts, condition));
    if (leaf != NULL && skua_str_eq(leaf->expressions, join_expressions(&expressions, &parts))) {
        out->route = leaf->route;
        out->names = leaf->names;
        out->count = leaf->count;
    }
    return key.failed || expressions.failed ? SKUA_ERR_NOMEM : 0;
}

/* ---- the router ---- */

struct skua__router *skua__router_new(const struct skua__router_opts *opts)
{
    struct skua__router *router = calloc(1, sizeof(*router));

    if (router == NULL)
        return NULL;
    if (opts != NULL)
        router->opts = *opts;
    if (router->opts.max_param_length == 0)
        router->opts.max_param_length = SKUA__MAX_PARAM_LENGTH;
    router->arena = skua_arena_new(0);
    router->root = skua__node_new(router, SKUA__PART_STATIC, SKUA_STR("/"));
    if (router->root == NULL) {
        skua__router_free(router);
        return NULL;
    }
    return router;
}

void skua__router_free(struct skua__router *router)
{
    if (router == NULL)
        return;
    skua__map_finish(&router->places);
    skua_arena_free(router->arena);
    free(router);
}

uint8_t skua__router_reads(const struct skua__router *router)
{
    return router->reads;
}
