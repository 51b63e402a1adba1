/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_ROUTER_H
#define SKUA__ROUTER_ROUTER_H

#include "base/buf.h"
#include <skua/arena.h>
#include <skua/method.h>
#include <skua/str.h>
#include <stdint.h>

/*
 * A radix tree over canonical paths (text/target.h), built once, then read by all workers.
 *
 * Patterns, which are written decoded: static text, ":name" for one segment, which may be empty,
 * "*" as the last character for the rest (which may be empty, but the slash before it must be
 * there). "::" is a literal colon; "*" alone is the wildcard behind the first slash, but its
 * value is the whole path. At each place static text is tried before a parameter before the wildcard,
 * with full backtracking; a route that lacks the method counts as a miss.
 */
struct skua__router;

#define SKUA__ROUTE_MAX_PARAMS 16

/* What a lookup found. names and values run in parallel; values are slices of the path, with the
 * reserved escapes still in them. The wildcard's name is "*". */
struct skua__match {
    void *route; /* as added; NULL when nothing matched */
    const skua_str *names;
    uint16_t count;
    skua_str values[SKUA__ROUTE_MAX_PARAMS];
};

struct skua__router *skua__router_new(void);
void skua__router_free(struct skua__router *router);

/*
 * Add a route. `why` receives a line for people on failure (in `arena`, which is scratch as well);
 * the router keeps a copy of the pattern.
 *
 * 0; SKUA_ERR_SETUP: the pattern does not begin with "/", has an unnamed parameter, a name twice, a
 * parameter that does not fill its segment, a wildcard that is not last or does not follow a "/", a
 * "?" or "#", more than SKUA__ROUTE_MAX_PARAMS parameters (the wildcard counts) or more than 65,535
 * bytes; or the method is not in the table or has a route there already (the line names the other
 * pattern); SKUA_ERR_NOMEM. After a failure the routes added before are still there.
 */
int skua__router_add(struct skua__router *router, enum skua_method method, skua_str pattern,
                     void *route, skua_arena *arena, const char **why);

/* Find the route of a method and path; out->route is NULL if there is none. No allocation; in time
 * bounded by the tree and the path (find.c), whatever is asked for. */
void skua__router_find(const struct skua__router *router, enum skua_method method, skua_str path,
                       struct skua__match *out);

/* The methods that any route matching `path` has: bit 1 << method. For 405 and Allow. */
uint32_t skua__router_methods(const struct skua__router *router, skua_str path);

/* The tree, drawn in text, one node a line with its methods, in the order of adding; a parameter has
 * a line for each name. No line break after "(empty tree)". */
void skua__router_print(const struct skua__router *router, struct skua__buf *out);

#endif
