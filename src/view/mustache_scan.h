/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_MUSTACHE_SCAN_H
#define SKUA__VIEW_MUSTACHE_SCAN_H

#include "view/dialect.h"

#include <skua/str.h>
#include <stdbool.h>
#include <stddef.h>

enum skua__mustache_kind {
    SKUA__MUSTACHE_VALUE = 'v', /* {{name}} */
    SKUA__MUSTACHE_RAW = '&',   /* {{&name}} and {{{name}}} */
    SKUA__MUSTACHE_SECTION = '#',
    SKUA__MUSTACHE_INVERTED = '^',
    SKUA__MUSTACHE_CLOSE = '/',
    SKUA__MUSTACHE_PARTIAL = '>',
    SKUA__MUSTACHE_PARENT = '<',
    SKUA__MUSTACHE_BLOCK = '$',
    SKUA__MUSTACHE_COMMENT = '!',
    SKUA__MUSTACHE_DELIMITERS = '=',
};

/*
 * A tag and its line:
 *
 *     …\n  {{#name}}  \n…
 *         ^^           ^ ^
 *    indent start    end next
 */
struct skua__mustache_tag {
    enum skua__mustache_kind kind;
    skua_str name; /* what stands in the tag, without white space around it */
    size_t start;
    size_t end;
    size_t next;     /* start of the line behind the one it ends in */
    skua_str indent; /* the blanks before it */
    bool opens_line; /* nothing but those is before it on its line */
    bool ends_line;  /* nothing but blanks is behind it */
};

struct skua__mustache_scan {
    const struct skua__source *source;
    struct skua__view_error *error;
    size_t at; /* where the next tag is looked for */
    skua_str open;
    skua_str close;
};

void skua__mustache_scan_init(struct skua__mustache_scan *scan, const struct skua__source *source,
                              struct skua__view_error *error);

/*
 * Find the next tag, from scan->at on, and set scan->at behind it. A tag that sets delimiters is
 * obeyed. 1; 0 when there is none; SKUA_ERR_TEMPLATE when it is broken (*error is filled).
 */
int skua__mustache_scan_next(struct skua__mustache_scan *scan, struct skua__mustache_tag *tag);

#endif
