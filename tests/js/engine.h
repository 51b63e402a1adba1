/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_JS_ENGINE_H
#define SKUA__TESTS_JS_ENGINE_H

#include <skua.h>

/*
 * A JavaScript world of its own: one context in one group, so with a heap and a collector that no
 * other thread shares. It belongs to the thread that made it. Each of these calls may be made on a
 * fiber: the engine itself always runs on the thread's own stack.
 *
 * Beside the language its scripts have
 *
 *   later(ms, value)  a promise of `value`, kept after so many milliseconds; while a page is rendered
 *   pause(ms)         a helper that tries to wait at once, as skua_sleep does: it throws
 */
struct engine;

/* 0 or SKUA_ERR_NOMEM. */
int engine_new(struct engine **out);

/* NULL is fine. No call may be waiting. */
void engine_free(struct engine *engine);

/* Run a script. 0, a negated errno if it cannot be read, SKUA_ERR_TEMPLATE if it throws. */
int engine_load(struct engine *engine, const char *path);

/*
 * Call a global function with strings and take what it returns as text in `arena`. If that is a
 * promise, wait until it is settled: the fiber waits, the thread serves others.
 *
 * 0; SKUA_ERR_TEMPLATE: see engine_error; SKUA_ERR_CANCELED; SKUA_ERR_NO_FIBER if it has to wait
 * outside a fiber; SKUA_ERR_NOMEM.
 */
SKUA_YIELDS int engine_call(struct engine *engine, skua_arena *arena, skua_str *out,
                            const char *function, const char *const *args, size_t count);

enum { ENGINE_MAX_ARGS = 4 };

/* What was thrown last, with its line if that is known. Valid until the next call. */
const char *engine_error(const struct engine *engine);

#endif
