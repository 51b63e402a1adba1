/* SPDX-License-Identifier: MIT */
/*
 * hash.c - SipHash-1-3 over bytes
 *
 * Keys of maps come from outside (object members, file names), so the hash is keyed: without the
 * secret nobody can prepare colliding keys. SipHash: Aumasson and Bernstein, 2012; one compression
 * and three finalisation rounds, as hash tables of Rust and Python use it.
 *
 * The secret is the one piece of process-wide state. It is written once and means nothing outside.
 */
#include "base/hash.h"

#include <pthread.h>
#include <sys/random.h>
#include <time.h>

static pthread_once_t drawn = PTHREAD_ONCE_INIT;
static uint64_t secret[2];

static void draw_secret(void)
{
    if (getrandom(secret, sizeof(secret), GRND_NONBLOCK) != (ssize_t)sizeof(secret)) {
        struct timespec now;

        /* Only before the kernel's pool is ready, in early boot: better than a constant. */
        clock_gettime(CLOCK_MONOTONIC, &now);
        secret[0] ^= (uint64_t)now.tv_nsec * 0x9e3779b97f4a7c15u;
        secret[1] ^= (uint64_t)(uintptr_t)&now;
    }
}

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v);
    v[0] ^= word;
}

uint64_t skua__hash(skua_str bytes)
{
    uint64_t v[4];
    uint64_t word;
    size_t at = 0;

    pthread_once(&drawn, draw_secret);
    v[0] = secret[0] ^ 0x736f6d6570736575u;
    v[1] = secret[1] ^ 0x646f72616e646f6du;
    v[2] = secret[0] ^ 0x6c7967656e657261u;
    v[3] = secret[1] ^ 0x7465646279746573u;
    for (; bytes.len - at >= sizeof(word); at += sizeof(word)) {
        memcpy(&word, bytes.ptr + at, sizeof(word));
        absorb(v, word);
    }
    word = 0;
    if (bytes.len > at)
        memcpy(&word, bytes.ptr + at, bytes.len - at);
    absorb(v, word | (uint64_t)bytes.len << 56);
    v[2] ^= 0xff;
    for (int round = 0; round < 3; round++)
        mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
