/* SPDX-License-Identifier: MIT */
/*
 * skua/local.h - values that follow the work (Node's AsyncLocalStorage)
 *
 * A local is a key. skua_local_run binds a value to it for the length of one call, and everything
 * started inside that call (waits, pool work, posted tasks, other fibers) sees the value, however
 * late it runs. Bindings are immutable: nothing a callee does is seen by its caller or sibling.
 */
#ifndef SKUA_LOCAL_H
#define SKUA_LOCAL_H

#include <skua/attr.h>

SKUA_C_BEGIN

typedef struct skua_local skua_local;

/**
 * The value bound here and now.
 *
 * @return the value, or NULL where nothing is bound; O(1)
 */
SKUA_API void *skua_local_get(const skua_local *local);

/**
 * Call `fn(arg)` with `value` bound to `local`.
 *
 * @param value  not owned; must outlive everything started inside `fn`
 * @return what `fn` returned; SKUA_ERR_NOMEM, then `fn` was not called; SKUA_ERR_NO_FIBER off a loop
 */
SKUA_API int skua_local_run(skua_local *local, void *value, int (*fn)(void *arg), void *arg);

SKUA_C_END

#endif
