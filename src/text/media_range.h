/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TEXT_MEDIA_RANGE_H
#define SKUA__TEXT_MEDIA_RANGE_H

#include <skua/str.h>
#include <stdbool.h>

/* The grammar that Content-Type and Accept share. Each call takes its part off the front of *rest. */
struct skua__media_range {
    skua_str essence; /* "type/subtype" as it came */
    skua_str type;
    skua_str subtype;
};

struct skua__media_param {
    skua_str name;
    skua_str value; /* without the quotes, its quoted pairs still in it */
    bool quoted;
};

/* type "/" subtype, and the blanks around it. false: there is none. */
bool skua__media_range_take(struct skua__media_range *out, skua_str *rest);

/* The next parameter: 1, 0 when no other follows, or -1 when it is malformed. */
int skua__media_param_take(struct skua__media_param *out, skua_str *rest);

/* Take blanks off the front. */
void skua__blanks_take(skua_str *rest);

#endif
