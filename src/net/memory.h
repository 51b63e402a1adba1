/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_MEMORY_H
#define SKUA__NET_MEMORY_H

#include "net/net.h"

/*
 * A connection whose peer is a piece of memory: what it sends is `input`, what it receives is
 * appended to `output`. It ends when the server closes, or when all input has been answered.
 */
struct skua__memory_peer {
    skua_str input;
    size_t step; /* the most bytes a read gives; 0: all */
    struct skua__buf *output;
    bool closed; /* set when the server closed, not the peer */
    void (*done)(void *ctx);
    void *ctx;
};

/* Open one; `peer` must live until `done` is called. 0 or SKUA_ERR_NOMEM. */
int skua__memory_open(struct skua__net *net, struct skua__memory_peer *peer);

#endif
