/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_FAULT_ALLOC_H
#define SKUA__TESTS_FAULT_ALLOC_H

#include <stdbool.h>

/*
 * Allocation failures on demand. The program is linked with --wrap for malloc, calloc and realloc, so
 * every call of Skua's own code comes here, on whatever thread; those inside libraries do not.
 */

/* The n-th allocation from now on fails (1: the next), and with `rest` every one after it too. */
void fault_alloc_arm(long nth, bool rest);

/* No more failures. Returns whether any happened. */
bool fault_alloc_disarm(void);

#endif
