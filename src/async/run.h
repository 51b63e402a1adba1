/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_RUN_H
#define SKUA__ASYNC_RUN_H

#include "async/loop.h"

/*
 * Run `fn(arg)` on a fiber and the loop on the calling thread until it has returned. The loop must not
 * be running. 0, SKUA_ERR_NOMEM or a negated errno: then `fn` may not have been called.
 */
int skua__run_fiber(struct skua__loop *loop, void (*fn)(void *arg), void *arg);

#endif
