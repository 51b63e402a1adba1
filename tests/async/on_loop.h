/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_ASYNC_ON_LOOP_H
#define SKUA__TESTS_ASYNC_ON_LOOP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "async/fiber.h"
#include "async/loop.h"

/*
 * cmocka leaves a failed test by longjmp, which must not be done on a fiber's stack. So fibers only
 * record what they see, and the test asserts when the loop has ended.
 */

static inline struct skua__loop *new_loop(void)
{
    struct skua__loop *loop;

    assert_int_equal(skua__loop_new(&loop, NULL), 0);
    return loop;
}

/* Run `fn(arg)` on a fiber of a new loop, until the loop has nothing left to do. */
static inline void on_loop(void (*fn)(void *arg), void *arg)
{
    struct skua__loop *loop = new_loop();

    assert_true(skua__fiber_start(loop, NULL, fn, NULL, arg) >= 0);
    assert_int_equal(skua__loop_run(loop), 0);
    skua__loop_free(loop);
}

#endif
