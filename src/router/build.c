/* SPDX-License-Identifier: MIT */
/*
 * build.c - growing the tree, one route at a time
 *
 * A pattern is placed part by part. Static text goes down the tree as far as it agrees; where it
 * leaves in the middle of a node, that node is split:
 *
 *   "/users" + "/user/:id":      "users"  GET             "user"
 *                                              -->         |- 's' -> "s"  GET
 *                                                          '- '/' -> "/" -> :  GET
 *
 * Then the leaf is hung on the node where the pattern ends, unless the method has one there.
 *
 * Each step allocates first and links then, so that running out of memory leaves a tree that is
 * whole. Nothing is freed before the router is: a window that grows leaves its old slots behind in
 * the arena. The result does not depend on the order of adding, except for the order of drawing.
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

static struct skua__node *make_node(struct skua__router *router, enum skua__part_kind kind,
                                    skua_str text)
{
    struct skua__node *node = skua_alloc_zero(router->arena, 1, sizeof(*node) + text.len);

    if (node == NULL)
        return NULL;
    node->kind = (uint8_t)kind;
    node->serial = router->nodes++;
    node->len = (uint32_t)text.len;
    if (text.len > 0)
        memcpy(node->text, text.ptr, text.len);
    return node;
}

/* Widen the window so that `byte` is in it. 0 or SKUA_ERR_NOMEM. */
static int reserve_slot(struct skua__router *router, struct skua__node *node, char byte)
{
    unsigned at = (unsigned char)byte;
    unsigned low = node->span == 0 || at < node->low ? at : node->low;
    unsigned last = node->low + node->span - 1u;
    unsigned high = node->span == 0 || at > last ? at : last;
    struct skua__node **slots;

    if (node->span == high - low + 1)
        return 0;
    slots = skua_alloc_zero(router->arena, high - low + 1, sizeof(struct skua__node *));
    if (slots == NULL)
        return SKUA_ERR_NOMEM;
    if (node->span > 0)
        memcpy(slots + (node->low - low), node->slots, node->span * sizeof(struct skua__node *));
    node->slots = slots;
    node->low = (uint8_t)low;
    node->span = (uint16_t)(high - low + 1);
    return 0;
}

/* Put a static child into its slot, which is reserved. */
static void link_static(struct skua__node *parent, struct skua__node *child)
{
    parent->slots[(unsigned char)child->text[0] - parent->low] = child;
    child->parent = parent;
}

static struct skua__node *add_static(struct skua__router *router, struct skua__node *parent,
                                     skua_str text)
{
    struct skua__node *child = make_node(router, SKUA__PART_STATIC, text);

    if (child == NULL || reserve_slot(router, parent, text.ptr[0]) != 0)
        return NULL;
    link_static(parent, child);
    return child;
}

/* Make the first `len` bytes of a static node a node of their own above it; returns that. */
static struct skua__node *split(struct skua__router *router, struct skua__node *node, uint32_t len)
{
    struct skua__node *head = make_node(router, SKUA__PART_STATIC, skua_str_of(node->text, len));

    if (head == NULL || reserve_slot(router, head, node->text[len]) != 0)
        return NULL;
    head->serial = node->serial;
    link_static(node->parent, head);
    node->len -= len;
    memmove(node->text, node->text + len, node->len);
    link_static(head, node);
    return head;
}

static uint32_t count_shared(const struct skua__node *node, skua_str text)
{
    uint32_t len = 0;

    while (len < node->len && len < text.len && node->text[len] == text.ptr[len])
        len++;
    return len;
}

/* The node at which `text` ends below `node`, made where it is missing. NULL: out of memory. */
static struct skua__node *place_static(struct skua__router *router, struct skua__node *node,
                                       skua_str text)
{
    while (node != NULL && text.len > 0) {
        struct skua__node *child = skua__node_child(node, text.ptr[0]);
        uint32_t shared;

        if (child == NULL)
            return add_static(router, node, text);
        shared = count_shared(child, text);
        node = shared == child->len ? child : split(router, child, shared);
        text = skua_str_of(text.ptr + shared, text.len - shared);
    }
    return node;
}

static struct skua__node *place_dynamic(struct skua__router *router, struct skua__node *parent,
                                        enum skua__part_kind kind)
{
    struct skua__node **at = &parent->dynamic;
    struct skua__node *child;

    while (*at != NULL && (*at)->kind < kind)
        at = &(*at)->next;
    if (*at != NULL && (*at)->kind == kind)
        return *at;
    child = make_node(router, kind, skua_str_of(NULL, 0));
    if (child == NULL)
        return NULL;
    child->parent = parent;
    child->next = *at;
    *at = child;
    return child;
}

/* The node at which the whole pattern ends. NULL: out of memory. */
static struct skua__node *place(struct skua__router *router, const struct skua__pattern *pattern)
{
    struct skua__node *node = router->root;

    for (uint16_t i = 0; node != NULL && i < pattern->count; i++) {
        struct skua__part part = pattern->parts[i];

        if (i == 0) /* the root is the "/" that every pattern begins with */
            part.text = skua_str_of(part.text.ptr + 1, part.text.len - 1);
        node = part.kind == SKUA__PART_STATIC ? place_static(router, node, part.text)
                                              : place_dynamic(router, node, part.kind);
    }
    return node;
}

static struct skua__leaf *make_leaf(struct skua__router *router, enum skua_method method,
                                    const struct skua__pattern *pattern, void *route)
{
    struct skua__leaf *leaf =
        skua_alloc(router->arena, sizeof(*leaf) + pattern->params * sizeof(skua_str));
    const char *copy = skua_strdup(router->arena, pattern->source);

    if (leaf == NULL || copy == NULL)
        return NULL;
    leaf->route = route;
    leaf->method = method;
    leaf->pattern = skua_str_of(copy, pattern->source.len);
    leaf->whole = pattern->whole;
    leaf->count = 0;
    for (uint16_t i = 0; i < pattern->count; i++) {
        const struct skua__part *part = &pattern->parts[i];

        if (part->kind != SKUA__PART_STATIC)
            leaf->names[leaf->count++] =
                skua_str_of(copy + (part->text.ptr - pattern->source.ptr), part->text.len);
    }
    return leaf;
}

static int hang_leaf(struct skua__node *node, struct skua__leaf *leaf, skua_arena *arena,
                     const char **why)
{
    struct skua__leaf **at = &node->leaves;

    while (*at != NULL && (*at)->method < leaf->method)
        at = &(*at)->next;
    if (*at != NULL && (*at)->method == leaf->method) {
        *why = skua_format(arena, "%s '%s' is already taken by '%s': remove one of the two",
                           skua__leaf_method(leaf), leaf->pattern.ptr, (*at)->pattern.ptr);
        return *why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
    }
    leaf->next = *at;
    *at = leaf;
    node->methods |= UINT32_C(1) << leaf->method;
    return 0;
}

int skua__router_add(struct skua__router *router, enum skua_method method, skua_str pattern,
                     void *route, skua_arena *arena, const char **why)
{
    struct skua__pattern parts;
    struct skua__node *node;
    struct skua__leaf *leaf;
    int err;

    *why = skua_err_text(SKUA_ERR_NOMEM);
    if ((unsigned)method >= SKUA_METHOD_COUNT) {
        *why = "the method is not one that can be routed: take one of enum skua_method";
        return SKUA_ERR_SETUP;
    }
    err = skua__pattern_read(&parts, pattern, arena, why);
    if (err != 0)
        return err;
    node = place(router, &parts);
    leaf = make_leaf(router, method, &parts, route);
    if (node == NULL || leaf == NULL)
        return SKUA_ERR_NOMEM;
    return hang_leaf(node, leaf, arena, why);
}

struct skua__router *skua__router_new(void)
{
    struct skua__router *router = calloc(1, sizeof(*router));

    if (router == NULL)
        return NULL;
    router->arena = skua_arena_new(0);
    router->root = make_node(router, SKUA__PART_STATIC, SKUA_STR("/"));
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
    skua_arena_free(router->arena);
    free(router);
}
