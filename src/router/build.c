/* SPDX-License-Identifier: MIT */
/*
 * build.c - growing the tree
 *
 * A pattern is placed part by part. Static text goes down the tree as far as it agrees; where it
 * leaves in the middle of a node, that node is split:
 *
 *   "/users" + "/user/:id":      "users"  GET             "user"
 *                                              -->         |- 's' -> "s"  GET
 *                                                          '- '/' -> "/" -> :  GET
 *
 * Each step allocates first and links then, so that running out of memory leaves a tree that is
 * whole. Nothing is freed before the router is: a window that grows leaves its old slots behind in
 * the arena. The result does not depend on the order of adding, except for the order of drawing and
 * of segments with endings of one length.
 */
#include "router/tree.h"

#include <skua/err.h>

struct skua__node *skua__node_new(struct skua__router *router, enum skua__part_kind kind,
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
    struct skua__node *child = skua__node_new(router, SKUA__PART_STATIC, text);

    if (child == NULL || reserve_slot(router, parent, text.ptr[0]) != 0)
        return NULL;
    link_static(parent, child);
    return child;
}

/* Make the first `len` bytes of a static node a node of their own above it; returns that. */
static struct skua__node *split(struct skua__router *router, struct skua__node *node, uint32_t len)
{
    struct skua__node *head =
        skua__node_new(router, SKUA__PART_STATIC, skua_str_of(node->text, len));

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

/* Whether `child` is tried before a new node for `part`: it is as old or narrower. */
static bool goes_before(const struct skua__node *child, const struct skua__part *part)
{
    if (child->kind != part->kind)
        return child->kind < part->kind;
    return part->kind == SKUA__PART_SEGMENT &&
           skua__segment_ending(child->segment) >= skua__segment_ending(part->segment);
}

static bool is_node_of(const struct skua__node *node, const struct skua__part *part)
{
    return node->kind == part->kind &&
           (part->kind != SKUA__PART_SEGMENT || skua__segment_equal(node->segment, part->segment));
}

static struct skua__node *place_dynamic(struct skua__router *router, struct skua__node *parent,
                                        const struct skua__part *part)
{
    struct skua__node **at = &parent->dynamic;
    struct skua__node *child;

    while (*at != NULL && !is_node_of(*at, part) && goes_before(*at, part))
        at = &(*at)->next;
    if (*at != NULL && is_node_of(*at, part))
        return *at;
    child = skua__node_new(router, part->kind, skua_str_of(NULL, 0));
    if (child == NULL)
        return NULL;
    child->segment = part->segment;
    child->count = (uint8_t)part->count;
    child->parent = parent;
    child->next = *at;
    *at = child;
    return child;
}

struct skua__node *skua__tree_place(struct skua__router *router,
                                    const struct skua__pattern *pattern)
{
    struct skua__node *node = router->root;

    for (uint16_t i = 0; node != NULL && i < pattern->count; i++) {
        const struct skua__part *part = &pattern->parts[i];
        skua_str text = part->text;

        if (i == 0) /* the root is the "/" that every pattern begins with */
            text = skua_str_of(text.ptr + 1, text.len - 1);
        node = part->kind == SKUA__PART_STATIC ? place_static(router, node, text)
                                               : place_dynamic(router, node, part);
    }
    return node;
}
