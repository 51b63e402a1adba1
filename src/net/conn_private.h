/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_CONN_PRIVATE_H
#define SKUA__NET_CONN_PRIVATE_H

#include "net/conn.h"

/* Between conn.c and net.c: the pools, and what happens to all connections at once. */

struct skua__inbuf *skua__inbuf_take(struct skua__net *net);
void skua__inbuf_give(struct skua__net *net, struct skua__inbuf *in);
struct skua__outbuf *skua__outbuf_take(struct skua__net *net);
void skua__outbuf_give(struct skua__net *net, struct skua__outbuf *out);

/* A connection has been put into net->conns, or taken out. */
void skua__net_count_up(struct skua__net *net);
void skua__net_count_down(struct skua__net *net);

/* A deadline passed. */
void skua__conn_expire(struct skua__conn *conn, enum skua__deadline_kind kind);

/* The worker drains: close when idle, else after the present request. */
void skua__conn_retire(struct skua__conn *conn);

/* Close now. */
void skua__conn_abort(struct skua__conn *conn);

#endif
