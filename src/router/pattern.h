/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_PATTERN_H
#define SKUA__ROUTER_PATTERN_H

#include "router/router.h"

struct skua__segment;

/*
 * A pattern taken apart: static text and what stands between it, in turn.
 *
 *   /users/:id/at/:h(\d+)h:m.html/x
 *
 *   parts    "/users/"   :id   "/at/"   segment             "/x"
 *   names                "id"           "h"       "m"
 *   pieces               -              \d+ "h"   - ".html"
 *
 * The first part is static and begins with "/"; no two static parts are neighbours; a wildcard is
 * last. Each value has a name and a piece, and each part that is not static has at least one value.
 */
enum skua__part_kind {
    SKUA__PART_STATIC,
    SKUA__PART_SEGMENT, /* up to the next "/": values with expressions or with text behind them */
    SKUA__PART_PARAM,   /* the same, but one value and nothing else */
    SKUA__PART_WILDCARD
};

struct skua__part {
    enum skua__part_kind kind;
    skua_str text; /* static: the bytes that a canonical path has there */
    uint16_t first;
    uint16_t count;                /* values first to first + count - 1 */
    struct skua__segment *segment; /* of a segment, once it is compiled */
};

/* A value of a segment and the text behind it. */
struct skua__piece {
    skua_str expression; /* as written, between the parentheses; empty: any text */
    skua_str glue;       /* decoded */
};

#define SKUA__PATTERN_MAX_LEN 65535
#define SKUA__PATTERN_MAX_PARTS \
    (2 * (SKUA__ROUTE_MAX_PARAMS + 1)) /* until one too many is refused */

struct skua__pattern {
    skua_str source;
    struct skua__part parts[SKUA__PATTERN_MAX_PARTS];
    skua_str names[SKUA__ROUTE_MAX_PARAMS];
    struct skua__piece pieces[SKUA__ROUTE_MAX_PARAMS];
    uint16_t count;
    uint16_t params;
    bool whole;    /* written as "*" alone, which takes the first slash into its value */
    bool optional; /* the last part, with the slash before it */
};

/*
 * Take `source` apart. Names and expressions are slices of out->source, a zero-terminated copy in the
 * arena; static text is in the arena too. 0; SKUA_ERR_SETUP with the rest of a
 * sentence that begins with the pattern in `why`; SKUA_ERR_NOMEM.
 */
int skua__pattern_read(struct skua__pattern *out, skua_str source,
                       const struct skua__router_opts *opts, skua_arena *arena, const char **why);

/* Leave out the optional part. */
void skua__pattern_shorten(struct skua__pattern *pattern, const struct skua__router_opts *opts);

#endif
