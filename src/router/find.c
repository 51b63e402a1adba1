/* SPDX-License-Identifier: MIT */
/*
 * find.c - the way of a path through the tree
 *
 * A cursor stands at the end of a node, with the bytes of the path that are left. It goes through all
 * nodes whose prefix agrees with the path, best first:
 *
 *   descend   enter static children as long as they agree
 *   advance   enter the first dynamic child that takes what is there: a segment, or all the rest. If
 *             there is none, leave: go up to the parent, and there enter what comes after the child
 *             just left (after the static one the first dynamic one, after a dynamic one its
 *             siblings); or go up again
 *
 * The path can be used up only where a descent ends; there, whoever drives the cursor looks whether the
 * node has a route that fits.
 *
 * There is no stack of places to come back to: the tree is one. A node knows its parent and what
 * comes after it, and the place in the path follows: back by the text, or to the first value's start.
 *
 * Bound. Where a node's prefix ends in a path is fixed (a segment ends at the next "/"), so no node is
 * entered twice in one lookup, whatever the path. Of the tree only the nodes that agree with the path
 * are entered; each costs a comparison of its text or a scan of one segment, or an expression, which
 * has a bound of its own. Many routes that do not agree cost nothing.
 *
 * Reads only; any number of threads may look up at once.
 */
#include "router/tree.h"
#include "text/scan.h"

#include <skua/err.h>

struct cursor {
    const struct skua__node *node;
    const char *at; /* first byte that no node has matched */
    const char *end;
    skua_str *values; /* SKUA__ROUTE_MAX_PARAMS; a pattern has no more */
    uint16_t count;
    int failure; /* why a node could not be entered that might have led to a route, or 0 */
    bool case_insensitive;
    size_t most; /* units of a value */
};

/* ---- down ---- */

/* Whether the text of a static child comes next; its first byte is known to. */
static bool agrees(const struct skua__node *child, const char *at, size_t left,
                   bool case_insensitive)
{
    if (left < child->len)
        return false;
    if (case_insensitive)
        return skua__equal_nocase(skua_str_of(at, child->len),
                                  skua_str_of(child->text, child->len));
    return memcmp(at + 1, child->text + 1, child->len - 1) == 0;
}

/* Enter static children as long as their text agrees. Most of a lookup is here. */
static inline void descend(struct cursor *c)
{
    const struct skua__node *node = c->node;
    const char *at = c->at;

    while (at != c->end) {
        char first = c->case_insensitive ? skua__char_lower(*at) : *at;
        const struct skua__node *child = skua__node_child(node, first);

        if (child == NULL || !agrees(child, at, (size_t)(c->end - at), c->case_insensitive))
            break;
        at += child->len;
        node = child;
    }
    c->node = node;
    c->at = at;
}

/* The values of `child` in `text`: 1; 0: it is not of that form; a failure. */
static int read_values(const struct skua__node *child, skua_str text, size_t most, skua_str *values)
{
    if (child->kind == SKUA__PART_SEGMENT)
        return skua__segment_split(child->segment, text, most, values);
    *values = text;
    return child->kind == SKUA__PART_PARAM && skua__is_longer(text, most) ? SKUA_ERR_URI_TOO_LONG
                                                                          : 1;
}

/* Take `child`, if what comes next is of its form. */
static bool enter_dynamic(struct cursor *c, const struct skua__node *child)
{
    skua_str text = skua_str_of(c->at, (size_t)(c->end - c->at));
    const char *slash;
    int result;

    if (child->kind != SKUA__PART_WILDCARD && (slash = memchr(c->at, '/', text.len)) != NULL)
        text.len = (size_t)(slash - c->at);
    result = read_values(child, text, c->most, c->values + c->count);
    if (result < 0 && c->failure != SKUA_ERR_NOMEM)
        c->failure = result;
    if (result != 1)
        return false;
    c->count = (uint16_t)(c->count + child->count);
    c->at += text.len;
    c->node = child;
    return true;
}

/* Take the first that can be taken of `child` and the siblings that come after it. */
static bool enter_first(struct cursor *c, const struct skua__node *child)
{
    while (child != NULL && !enter_dynamic(c, child))
        child = child->next;
    return child != NULL;
}

/* ---- up and on ---- */

/* Give up the node and take the one that comes after it, beside it or beside one above. */
static bool leave(struct cursor *c)
{
    while (c->node->parent != NULL) {
        const struct skua__node *given_up = c->node;
        const struct skua__node *after;

        c->node = given_up->parent;
        if (given_up->kind == SKUA__PART_STATIC) {
            c->at -= given_up->len;
            after = c->node->dynamic;
        } else {
            c->count = (uint16_t)(c->count - given_up->count);
            c->at = c->values[c->count].ptr; /* the first value stands at the start */
            after = given_up->next;
        }
        if (enter_first(c, after))
            return true;
    }
    return false;
}

/* Stand at the root, which is the first "/". false: the path has none. */
static bool start(struct cursor *c, const struct skua__router *router, skua_str path,
                  skua_str *values)
{
    c->failure = 0;
    if (path.len == 0 || path.ptr[0] != '/')
        return false;
    c->node = router->root;
    c->at = path.ptr + 1;
    c->end = path.ptr + path.len;
    c->values = values;
    c->count = 0;
    c->case_insensitive = router->opts.case_insensitive;
    c->most = router->opts.max_param_length;
    return true;
}

/* Go on to the next dynamic node. false: there is no other. */
static bool advance(struct cursor *c)
{
    return enter_first(c, c->node->dynamic) || leave(c);
}

/* ---- what is there ---- */

/* Whether a leaf's condition holds: 1, 0, SKUA_ERR_NOMEM. `vary` is told what was read to know it. */
static int try_leaf(const struct skua__leaf *leaf, const struct skua__lookup *lookup, uint8_t *vary)
{
    if (leaf->condition == NULL)
        return lookup->version.ptr == NULL;
    *vary |= leaf->condition->reads;
    return skua__condition_met(leaf->condition, lookup);
}

/* The first leaf of the node, which has some for the method, whose condition holds; NULL if there is
 * none, and then `failure` is set if memory was lacking. */
static const struct skua__leaf *choose_leaf(const struct skua__node *node,
                                            const struct skua__lookup *lookup, uint8_t *vary,
                                            int *failure)
{
    const struct skua__leaf *leaf = node->leaves;

    while (leaf->method != (uint32_t)lookup->method)
        leaf = leaf->next;
    do {
        int result = try_leaf(leaf, lookup, vary);

        if (result > 0)
            return leaf;
        if (result < 0)
            *failure = result;
        leaf = leaf->next;
    } while (leaf != NULL && leaf->method == (uint32_t)lookup->method);
    return NULL;
}

int skua__router_find(const struct skua__router *router, const struct skua__lookup *lookup,
                      struct skua__match *out)
{
    uint32_t wanted = UINT32_C(1) << lookup->method; /* no node has that of SKUA_METHOD_UNKNOWN */
    const struct skua__leaf *leaf = NULL;
    struct cursor c;

    out->vary = router->reads & SKUA__READS_VERSION; /* who names a version gets no route without */
    for (bool on = start(&c, router, lookup->path, out->values); on; on = advance(&c)) {
        descend(&c);
        if (c.at != c.end || (c.node->methods & wanted) == 0)
            continue;
        leaf = choose_leaf(c.node, lookup, &out->vary, &c.failure);
        if (leaf != NULL)
            break;
    }
    if (leaf == NULL || c.failure == SKUA_ERR_NOMEM) {
        out->route = NULL;
        out->names = NULL;
        out->count = 0;
        return c.failure;
    }
    out->route = leaf->route;
    out->names = leaf->names;
    out->count = c.count;
    if (leaf->whole)
        out->values[0] = lookup->path;
    return 0;
}

uint32_t skua__router_methods(const struct skua__router *router, const struct skua__lookup *lookup,
                              uint8_t *vary)
{
    skua_str values[SKUA__ROUTE_MAX_PARAMS];
    uint32_t methods = 0;
    struct cursor c;

    for (bool on = start(&c, router, lookup->path, values); on; on = advance(&c)) {
        descend(&c);
        if (c.at != c.end)
            continue;
        for (const struct skua__leaf *leaf = c.node->leaves; leaf != NULL; leaf = leaf->next) {
            if (try_leaf(leaf, lookup, vary) > 0)
                methods |= UINT32_C(1) << leaf->method;
        }
    }
    return methods;
}
