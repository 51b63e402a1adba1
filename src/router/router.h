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
 * Patterns are written decoded:
 *
 *   static text        itself; "::" is one colon
 *   :name              a value up to the next "/", which may be empty
 *   :a-:b.png          several values and text in one segment; the text after a value begins with
 *                      "-", "." or "::". Values on the left take as much as they can.
 *   :id(\d+)           a value that a regular expression (PCRE2) matches as a whole; any text may
 *                      follow. One that needs more than a bound of steps does not match.
 *   :id? at the end    two routes: one with the last segment, one without it and its slash
 *   * at the end       all that is left, which may be empty; alone it stands behind the first slash,
 *                      but its value is the whole path
 *
 * At each place these are tried in turn, with full backtracking: static text; a segment with text at
 * its end, longer text first; other segments of several values or with expressions; a value alone;
 * the wildcard. Of two segments that are equal in this the one that was added first goes first. A
 * route that lacks the method, or whose constraints do not hold, counts as a miss.
 */
struct skua__router;

#define SKUA__ROUTE_MAX_PARAMS 16

/* Zero is the default everywhere. */
struct skua__router_opts {
    bool case_insensitive;         /* ASCII letters of static text; values keep their case */
    bool ignore_trailing_slash;    /* one at the end of a pattern, or of a path that has more */
    bool ignore_duplicate_slashes; /* several count as one, in patterns and paths */
    uint32_t max_param_length; /* of a decoded value, in UTF-16 units; wildcards have no bound */
};

#define SKUA__MAX_PARAM_LENGTH 100

/* The header fields that can decide between routes of one place. */
#define SKUA__READS_HOST    0x01
#define SKUA__READS_VERSION 0x02 /* Accept-Version */

/*
 * What a route asks of these fields; NULL asks nothing.
 *
 *   host      "example.com", any case and port; with a port only that; "/…/" is a regular expression
 *             that has to match somewhere in the host without its port
 *   version   "1.2.0", which a request names so or as "1.2.x", "1.x" or "*"
 *
 * Of the routes that hold, one for a host and port goes before one for a host before one for an
 * expression before one for any; among these the highest version goes first. A request with a version
 * gets no route without one.
 */
struct skua__constraints {
    const char *host;
    const char *version;
};

struct skua__lookup {
    enum skua_method method;
    skua_str path;    /* as skua__router_drop_slashes leaves it */
    skua_str host;    /* ptr is NULL: there is none */
    skua_str version; /* likewise */
};

/* What a lookup found. names and values run in parallel; values are slices of the path, with the
 * reserved escapes still in them. The wildcard's name is "*". */
struct skua__match {
    void *route; /* as added; NULL when nothing matched */
    const skua_str *names;
    uint16_t count;
    uint8_t vary; /* SKUA__READS_…: with other fields the outcome may be another */
    skua_str values[SKUA__ROUTE_MAX_PARAMS];
};

/* NULL opts are the defaults. NULL: out of memory. */
struct skua__router *skua__router_new(const struct skua__router_opts *opts);
void skua__router_free(struct skua__router *router);

/*
 * Add a route. On failure `why` receives the rest of a sentence that begins with the route, for people
 * (in `arena`, which is scratch as well): "has no handler". The router keeps a copy of the pattern and
 * of the constraints, which may be NULL.
 *
 * 0; SKUA_ERR_SETUP: the pattern, a constraint or the method is not one, `route` is NULL, or the
 * place is taken (the sentence names the other pattern); SKUA_ERR_NOMEM. After a failure the routes added
 * before are still there.
 */
int skua__router_add(struct skua__router *router, enum skua_method method, skua_str pattern,
                     const struct skua__constraints *constraints, void *route, skua_arena *arena,
                     const char **why);

/* Find the route that was added under a pattern, whatever the names in it, and the very constraints;
 * sets route, names and count. 0, or as skua__router_add when the pattern is not one. */
int skua__router_find_pattern(const struct skua__router *router, enum skua_method method,
                              skua_str pattern, const struct skua__constraints *constraints,
                              skua_arena *arena, struct skua__match *out, const char **why);

/* The fields that any route reads: SKUA__READS_…. What is not read need not be looked up. */
uint8_t skua__router_reads(const struct skua__router *router);

/* Take the slashes that the options ignore out of a path, into `arena` if it has to be copied. 0 or
 * SKUA_ERR_NOMEM. */
int skua__router_drop_slashes(const struct skua__router *router, skua_str *path, skua_arena *arena);

/*
 * Find the route of a request, in time bounded by the tree and the path (find.c), whatever is asked.
 * Allocates only for an expression, or for an escape in a segment of several values.
 *
 * 0, with out->route NULL if there is none; SKUA_ERR_URI_TOO_LONG: there is none, but only because a
 * value is too long; SKUA_ERR_NOMEM.
 */
int skua__router_find(const struct skua__router *router, const struct skua__lookup *lookup,
                      struct skua__match *out);

/* The methods with which the request would have a route, whatever its own is: bit 1 << method. For 405
 * and Allow. Adds to `vary` what that depends on. */
uint32_t skua__router_methods(const struct skua__router *router, const struct skua__lookup *lookup,
                              uint8_t *vary);

/* The tree, drawn in text, one node a line with its methods, in the order of adding; a parameter has
 * a line for each name, and constraints one for each. No line break after "(empty tree)". */
void skua__router_print(const struct skua__router *router, struct skua__buf *out);

#endif
