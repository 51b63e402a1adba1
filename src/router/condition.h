/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_CONDITION_H
#define SKUA__ROUTER_CONDITION_H

#include "router/router.h"

struct skua__expression;

/* What a route asks of the header fields, compiled. Belongs to the router's arena. */
struct skua__condition {
    uint8_t reads;                  /* SKUA__READS_…, never 0 */
    skua_str host;                  /* as written; empty if any will do */
    struct skua__expression *hosts; /* of "/…/" */
    uint32_t version[3];            /* zero if there is none */
};

/* Compile constraints; *out is NULL if they ask nothing. 0; SKUA_ERR_SETUP with the rest of a sentence
 * that begins with the route in `why`; SKUA_ERR_NOMEM. */
int skua__condition_read(struct skua__condition **out, skua_arena *arena,
                         const struct skua__constraints *constraints, skua_arena *scratch,
                         const char **why);

/* Below zero: `a` is tried before `b`; 0: neither is the narrower one. Either may be NULL. */
int skua__condition_compare(const struct skua__condition *a, const struct skua__condition *b);

/* Whether they ask the same. Either may be NULL. */
bool skua__condition_equal(const struct skua__condition *a, const struct skua__condition *b);

/* Append a text that only equal conditions have: {"host":"…","version":"1.2.0"}; nothing for NULL. */
void skua__condition_print(const struct skua__condition *condition, struct skua__buf *out);

/* Whether the fields are as asked. 1, 0, SKUA_ERR_NOMEM. */
int skua__condition_met(const struct skua__condition *condition, const struct skua__lookup *lookup);

#endif
