/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_PATTERN_H
#define SKUA__ROUTER_PATTERN_H

#include "router/router.h"

/*
 * A pattern taken apart: static text and what stands between it, in turn.
 *
 *   /users/:id/files/:name   ->   "/users/"  :id  "/files/"  :name
 *
 * The first part is static and begins with "/"; no two static parts are neighbours; a wildcard is
 * last. `params` parts are not static, so count <= 2 * params + 1.
 */
enum skua__part_kind { SKUA__PART_STATIC, SKUA__PART_PARAM, SKUA__PART_WILDCARD };

struct skua__part {
    enum skua__part_kind kind;
    skua_str text; /* static: the bytes that a canonical path has there; otherwise the name */
};

#define SKUA__PATTERN_MAX_LEN   65535
#define SKUA__PATTERN_MAX_PARTS (2 * SKUA__ROUTE_MAX_PARAMS + 1)

struct skua__pattern {
    skua_str source;
    struct skua__part parts[SKUA__PATTERN_MAX_PARTS];
    uint16_t count;
    uint16_t params;
    bool whole; /* written as "*" alone, which takes the first slash into its value */
};

/*
 * Take `source` apart. Names are slices of out->source, a zero-terminated copy in the arena; static
 * text is in the arena too. 0, SKUA_ERR_SETUP with a line for people in `why`, SKUA_ERR_NOMEM.
 */
int skua__pattern_read(struct skua__pattern *out, skua_str source, skua_arena *arena,
                       const char **why);

#endif
