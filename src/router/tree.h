/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_TREE_H
#define SKUA__ROUTER_TREE_H

#include "router/pattern.h"

/*
 * The tree that build.c makes, find.c walks and print.c draws.
 *
 *   "/" -- slots['u'] --> "users"  GET
 *                            |
 *                         slots['/'] --> "/"
 *                                         |
 *                                      dynamic --> :  GET POST --next--> *  GET
 *
 * - A node stands for one prefix of patterns, from the root to its end, names left out. All methods
 *   share the tree.
 * - Static children are found by their first byte in one step: `slots` is a window on the 256 bytes,
 *   wide enough for those in use. slots[b - low] begins with byte b, or is NULL. So a node with one
 *   child pays for one slot, and one with many is no slower.
 * - Other children hang in a list, in the order in which they are tried: by kind.
 * - A static node has text (len > 0), of which no two siblings share the first byte; a node without
 *   a leaf has at least two children or ends where a dynamic one begins. (Running out of memory
 *   while adding may leave a node that leads nowhere; it does no harm.)
 * - A leaf is one route. It has the names, because routes may name one place differently.
 *
 * Everything is in the router's arena and is only read once the routes are added.
 */
struct skua__leaf {
    struct skua__leaf *next; /* of the node, by method */
    void *route;
    skua_str pattern; /* as written, zero-terminated; a star alone has got its slash */
    uint32_t method;
    uint16_t count;
    bool whole;       /* as in struct skua__pattern */
    skua_str names[]; /* slices of `pattern` */
};

struct skua__node {
    struct skua__node *parent; /* NULL for the root */
    struct skua__node **slots;
    struct skua__node *dynamic; /* first child that is not static */
    struct skua__node *next;    /* dynamic sibling */
    struct skua__leaf *leaves;
    uint32_t methods; /* of the leaves: bit 1 << method */
    uint32_t serial;  /* rises with the order of adding; a split-off head takes its tail's */
    uint32_t len;
    uint16_t span; /* slots; at most 256 */
    uint8_t low;   /* the byte of slots[0] */
    uint8_t kind;  /* enum skua__part_kind */
    char text[];   /* len bytes; none unless static */
};

struct skua__router {
    skua_arena *arena;
    struct skua__node *root; /* "/" */
    uint32_t nodes;
};

/* The static child that begins with `byte`, or NULL. */
static inline struct skua__node *skua__node_child(const struct skua__node *node, char byte)
{
    unsigned at = (unsigned)(unsigned char)byte - node->low;

    return at < node->span ? node->slots[at] : NULL;
}

/* "GET" and so on; the routing table's own, as the http room is above this one. */
const char *skua__leaf_method(const struct skua__leaf *leaf);

#endif
