/* SPDX-License-Identifier: MIT */
/*
 * find.c - the way of a path through the tree
 *
 * A cursor stands at the end of a node, with the bytes of the path that are left. It advances
 * through all nodes whose prefix agrees with the path, best first, to the first of these that works:
 *
 *   1. enter the static child that agrees
 *   2. enter the first dynamic child, which takes a segment or all the rest
 *   3. leave: go up to the parent, and there enter what comes after the child just left
 *      (after the static one the first dynamic one, after a dynamic one its sibling); or go up again
 *
 * Whoever drives it looks whether the path is used up and the node has a route.
 *
 * There is no stack of places to come back to: the tree is one. A node knows its parent and what
 * comes after it, and the place in the path follows: back by the text, or to the value's start.
 *
 * Bound. Where a node's prefix ends in a path is fixed (a value ends at the next "/"), so no node is
 * entered twice in one lookup, whatever the path. At each segment there is a choice of at most two
 * nodes and a wildcard, so of the tree only the nodes that agree with the path are entered; each costs
 * a comparison of its text or a scan of one segment. Many routes that do not agree cost nothing.
 *
 * Reads only; any number of threads may look up at once.
 */
#include "router/tree.h"

struct cursor {
    const struct skua__node *node;
    const char *at; /* first byte that no node has matched */
    const char *end;
    skua_str *values; /* SKUA__ROUTE_MAX_PARAMS; a pattern has no more */
    uint16_t count;
};

/* Take the child that the next byte leads to, if all its text agrees. */
static bool enter_static(struct cursor *c)
{
    const struct skua__node *child;

    if (c->at == c->end)
        return false;
    child = skua__node_child(c->node, *c->at);
    if (child == NULL || (size_t)(c->end - c->at) < child->len ||
        memcmp(c->at + 1, child->text + 1, child->len - 1) != 0) /* the slot says the first byte */
        return false;
    c->at += child->len;
    c->node = child;
    return true;
}

/* Take `child` with the segment, or with all that is left. */
static bool enter_dynamic(struct cursor *c, const struct skua__node *child)
{
    size_t len = (size_t)(c->end - c->at);
    const char *slash;

    if (child == NULL)
        return false;
    if (child->kind == SKUA__PART_PARAM && (slash = memchr(c->at, '/', len)) != NULL)
        len = (size_t)(slash - c->at);
    c->values[c->count++] = skua_str_of(c->at, len);
    c->at += len;
    c->node = child;
    return true;
}

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
            c->at = c->values[--c->count].ptr;
            after = given_up->next;
        }
        if (enter_dynamic(c, after))
            return true;
    }
    return false;
}

/* Stand at the root, which is the first "/". false: the path has none. */
static bool start(struct cursor *c, const struct skua__node *root, skua_str path, skua_str *values)
{
    if (path.len == 0 || path.ptr[0] != '/')
        return false;
    c->node = root;
    c->at = path.ptr + 1;
    c->end = path.ptr + path.len;
    c->values = values;
    c->count = 0;
    return true;
}

/* Go on to the next node; each has matched up to c->at. false: there is no other. */
static bool advance(struct cursor *c)
{
    return enter_static(c) || enter_dynamic(c, c->node->dynamic) || leave(c);
}

static const struct skua__leaf *find_leaf(const struct skua__node *node, enum skua_method method)
{
    const struct skua__leaf *leaf = node->leaves;

    while (leaf->method != (uint32_t)method)
        leaf = leaf->next;
    return leaf;
}

void skua__router_find(const struct skua__router *router, enum skua_method method, skua_str path,
                       struct skua__match *out)
{
    uint32_t wanted = UINT32_C(1) << method; /* no node has the bit of SKUA_METHOD_UNKNOWN */
    struct cursor c;

    out->route = NULL;
    out->names = NULL;
    out->count = 0;
    for (bool on = start(&c, router->root, path, out->values); on; on = advance(&c)) {
        const struct skua__leaf *leaf;

        if (c.at != c.end || (c.node->methods & wanted) == 0)
            continue;
        leaf = find_leaf(c.node, method);
        out->route = leaf->route;
        out->names = leaf->names;
        out->count = c.count;
        if (leaf->whole)
            out->values[0] = path;
        return;
    }
}

uint32_t skua__router_methods(const struct skua__router *router, skua_str path)
{
    skua_str values[SKUA__ROUTE_MAX_PARAMS];
    uint32_t methods = 0;
    struct cursor c;

    for (bool on = start(&c, router->root, path, values); on; on = advance(&c)) {
        if (c.at == c.end)
            methods |= c.node->methods;
    }
    return methods;
}
