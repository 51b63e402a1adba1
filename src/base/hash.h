/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_HASH_H
#define SKUA__BASE_HASH_H

#include <skua/str.h>
#include <stdint.h>

/*
 * A 64-bit hash of some bytes, keyed with a secret drawn once per process from the system, so that
 * nobody outside can choose keys that collide. Equal within a process, not between two.
 */
uint64_t skua__hash(skua_str bytes);

#endif
