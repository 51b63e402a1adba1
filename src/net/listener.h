/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_LISTENER_H
#define SKUA__NET_LISTENER_H

#include "net/net.h"

/*
 * Open listening sockets for `host` and `port`.
 *
 * host    "localhost" gives 127.0.0.1 and ::1 (the latter if the machine has it); otherwise an
 *         address, or a name, which must give one
 * port    0 for any free one, the same for all; *port receives it
 * share   with SO_REUSEPORT, so that each worker can have its own
 * first   make sure that nobody else listens there (only of interest with `share`)
 *
 * Returns how many sockets were opened, <= most, or a negated errno: -EADDRINUSE when the port is
 * taken, -EADDRNOTAVAIL when the machine has no such address.
 */
int skua__listen(int *fds, int most, const char *host, int *port, bool share, bool first);

/* Accept connections from `fd` on this worker; the listener owns it from now on, also on failure. */
int skua__listener_open(struct skua__net *net, int fd);

/* Stop accepting on all listeners of the worker. */
void skua__listeners_close(struct skua__net *net);

/* There is room for connections again. */
void skua__listeners_resume(struct skua__net *net);

#endif
