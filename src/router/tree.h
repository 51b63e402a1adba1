/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_TREE_H
#define SKUA__ROUTER_TREE_H

#include "base/map.h"
#include "router/condition.h"
#include "router/pattern.h"
#include "router/segment.h"

/*
 * The tree that build.c makes, find.c walks and print.c draws.
 *
 *   "/" -- slots['u'] --> "users"  GET
 *                            |
 *                         slots['/'] --> "/"
 *                                         |
 *                                      dynamic --> :a.png  GET --next--> :  GET POST --next--> *  GET
 *
 * - A node stands for one prefix of patterns, from the root to its end, names left out. All methods
 *   share the tree.
 * - Static children are found by their first byte in one step: `slots` is a window on the 256 bytes,
 *   wide enough for those in use. slots[b - low] begins with byte b, or is NULL. So a node with one
 *   child pays for one slot, and one with many is no slower.
 * - Other children hang in a list, in the order in which they are tried: by kind; segments by the
 *   length of their ending, longest first, then by age.
 * - A static node has text (len > 0), of which no two siblings share the first byte; a node without
 *   a leaf has at least two children or ends where a dynamic one begins. (Running out of memory
 *   while adding may leave a node that leads nowhere; it does no harm.)
 * - A leaf is one route. It has the names, because routes may name one place differently. The leaves
 *   of a node are ordered by method, then as they are tried: by condition.
 *
 * `places` has each leaf under a key (route.c) that says where it is and under what condition, with
 * names and expressions left out; so two routes with one key are one too many.
 *
 * Everything is in the router's arena and is only read once the routes are added.
 */
struct skua__leaf {
    struct skua__leaf *next;
    void *route;
    const struct skua__condition *condition; /* NULL: none */
    skua_str pattern;     /* as written, zero-terminated; a star alone has got its slash */
    skua_str expressions; /* those of all its values, one after the other */
    uint32_t method;
    uint32_t serial; /* rises with the order of adding */
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
    const struct skua__segment *segment; /* of SKUA__PART_SEGMENT */
    uint32_t methods;                    /* of the leaves: bit 1 << method */
    uint32_t serial; /* rises with the order of adding; a split-off head takes its tail's */
    uint32_t len;
    uint16_t span; /* slots; at most 256 */
    uint8_t low;   /* the byte of slots[0] */
    uint8_t kind;  /* enum skua__part_kind */
    uint8_t count; /* values that it takes */
    char text[];   /* len bytes; none unless static */
};

struct skua__router {
    skua_arena *arena;
    struct skua__node *root; /* "/" */
    struct skua__router_opts opts;
    struct skua__map places;
    uint32_t nodes;
    uint32_t leaves;
    uint8_t reads; /* what any leaf's condition reads */
};

/* A node without parent or children. NULL: out of memory. */
struct skua__node *skua__node_new(struct skua__router *router, enum skua__part_kind kind,
                                  skua_str text);

/* The node at which the whole pattern ends, made where it is missing; its segments are compiled.
 * NULL: out of memory. */
struct skua__node *skua__tree_place(struct skua__router *router,
                                    const struct skua__pattern *pattern);

/* The static child that begins with `byte`, or NULL. */
static inline struct skua__node *skua__node_child(const struct skua__node *node, char byte)
{
    unsigned at = (unsigned)(unsigned char)byte - node->low;

    return at < node->span ? node->slots[at] : NULL;
}

/* "GET" and so on; the routing table's own, as the http room is above this one. */
const char *skua__leaf_method(const struct skua__leaf *leaf);

#endif
