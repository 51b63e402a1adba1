/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_SOCKET_H
#define SKUA__NET_SOCKET_H

#include "net/net.h"

/* Serve an accepted, non-blocking stream socket. It is owned from now on, also on failure.
 * 0, SKUA_ERR_NOMEM or a negated errno. */
int skua__socket_open(struct skua__net *net, int fd);

#endif
