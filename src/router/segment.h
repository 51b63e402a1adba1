/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ROUTER_SEGMENT_H
#define SKUA__ROUTER_SEGMENT_H

#include "router/pattern.h"

struct skua__expression;

/*
 * The form of a segment that is more than one value: values and text in turn.
 *
 *   :h(\d+)h:m.html   ->   (\d+) "h"   () ".html"
 *
 * The last glue is the segment's ending; the others are not empty, unless there is an expression.
 */
struct skua__segment {
    struct skua__expression *expression; /* NULL: no value has one, and the glue alone splits */
    size_t glue_len;                     /* of all pieces together */
    uint16_t count;
    bool case_insensitive;
    struct skua__piece pieces[];
};

/* Compile a form. 0; SKUA_ERR_SETUP: an expression is not one, `why` in `scratch` is the end of a
 * sentence; SKUA_ERR_NOMEM. */
int skua__segment_new(struct skua__segment **out, skua_arena *arena,
                      const struct skua__piece *pieces, uint16_t count, bool case_insensitive,
                      skua_arena *scratch, const char **why);

bool skua__segment_equal(const struct skua__segment *a, const struct skua__segment *b);

static inline size_t skua__segment_ending(const struct skua__segment *segment)
{
    return segment->pieces[segment->count - 1].glue.len;
}

/* How many UTF-16 units a value has once it is decoded; what is escaped is ASCII. */
size_t skua__count_units(skua_str value);

static inline bool skua__is_longer(skua_str value, size_t most)
{
    return value.len > most && skua__count_units(value) > most;
}

/*
 * Split a segment of a canonical path into values[0] to values[count - 1], which are slices of it,
 * none longer than `most`. 1; 0: it is not of this form; SKUA_ERR_URI_TOO_LONG; SKUA_ERR_NOMEM.
 */
int skua__segment_split(const struct skua__segment *segment, skua_str text, size_t most,
                        skua_str *values);

#endif
