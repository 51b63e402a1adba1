/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_TOOLS_H
#define SKUA__ASYNC_TOOLS_H

#include <stddef.h>

/*
 * The tools that have to be told about stacks. Which sanitizer this is built with, gcc says with a
 * macro and clang with a feature; valgrind is asked when the program runs.
 */
#if defined(__SANITIZE_ADDRESS__)
#define SKUA__ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SKUA__ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SKUA__TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SKUA__TSAN 1
#endif
#endif

#ifdef SKUA__ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define SKUA__ASAN 0
#endif

#ifdef SKUA__TSAN
#include <sanitizer/tsan_interface.h>
#else
#define SKUA__TSAN 0
#endif

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND                0
#define VALGRIND_STACK_REGISTER(low, high) ((void)(low), (void)(high), 0)
#define VALGRIND_STACK_DEREGISTER(id)      ((void)(id))
#endif

/*
 * Around a switch to the stack [low, low + size). ASan keeps the heap frames of the stack that is
 * left in *fake, or frees them if `fake` is NULL; TSan's name of it is put in *tsan.
 */
static inline void skua__tools_before_switch(void **fake, const void *low, size_t size, void **tsan,
                                             void *to_tsan)
{
#if SKUA__ASAN
    __sanitizer_start_switch_fiber(fake, low, size);
#endif
#if SKUA__TSAN
    *tsan = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to_tsan, 0);
#endif
    (void)fake, (void)low, (void)size, (void)tsan, (void)to_tsan;
}

/* Back on a stack whose heap frames were kept in `fake`: the bounds of where we come from. */
static inline void skua__tools_after_switch(void *fake, const void **low, size_t *size)
{
#if SKUA__ASAN
    __sanitizer_finish_switch_fiber(fake, low, size);
#endif
    (void)fake, (void)low, (void)size;
}

/* TSan's name for a new stack; NULL without it. */
static inline void *skua__tools_add_stack(void)
{
#if SKUA__TSAN
    return __tsan_create_fiber(0);
#else
    return NULL;
#endif
}

static inline void skua__tools_remove_stack(void *tsan)
{
#if SKUA__TSAN
    __tsan_destroy_fiber(tsan);
#endif
    (void)tsan;
}

/* Memory is given back to the system: whoever is given it next must not find old poison in it. */
static inline void skua__tools_forget_memory(void *ptr, size_t size)
{
#if SKUA__ASAN
    __asan_unpoison_memory_region(ptr, size);
#endif
    (void)ptr, (void)size;
}

#endif
