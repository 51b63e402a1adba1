/* SPDX-License-Identifier: MIT */
/* The keyed hash. Its key is secret, so its properties are tested, not its values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"

static int compare(const void *a, const void *b)
{
    const uint64_t *one = a, *two = b;

    return *one < *two ? -1 : *one > *two;
}

static void assert_all_differ(uint64_t *hashes, size_t count)
{
    qsort(hashes, count, sizeof(*hashes), compare);
    for (size_t i = 1; i < count; i++)
        assert_true(hashes[i - 1] != hashes[i]);
}

static void equal_bytes_have_equal_hashes_at_any_address(void **state)
{
    char memory[64];

    (void)state;
    for (size_t len = 0; len <= 32; len++) {
        uint64_t want = skua__hash(skua_str_of("0123456789abcdef0123456789abcdef", len));

        for (size_t at = 0; at < 16; at++) {
            memset(memory, (int)at, sizeof(memory));
            memcpy(memory + at, "0123456789abcdef0123456789abcdef", len);
            assert_true(skua__hash(skua_str_of(memory + at, len)) == want);
        }
    }
    assert_true(skua__hash(skua_str_of(NULL, 0)) == skua__hash(SKUA_STR("")));
}

static void every_length_of_zeros_hashes_differently(void **state)
{
    static const char zeros[256];
    uint64_t hashes[257];

    (void)state;
    for (size_t len = 0; len <= 256; len++)
        hashes[len] = skua__hash(skua_str_of(zeros, len));
    assert_all_differ(hashes, 257);
}

static void every_bit_counts(void **state)
{
    char bytes[40] = {0};
    uint64_t hashes[321];

    (void)state;
    hashes[320] = skua__hash(skua_str_of(bytes, 40));
    for (size_t bit = 0; bit < 320; bit++) {
        bytes[bit / 8] = (char)(1 << bit % 8);
        hashes[bit] = skua__hash(skua_str_of(bytes, 40));
        bytes[bit / 8] = 0;
    }
    assert_all_differ(hashes, 321);
}

/* With 4096 of 64 bits set or not by chance, each of them is set in 1638 to 2457 hashes but with a
 * probability that nobody will live to see. */
static void the_bits_are_spread(void **state)
{
    unsigned set[64] = {0};

    (void)state;
    for (uint32_t i = 0; i < 4096; i++) {
        uint64_t hash = skua__hash(skua_str_of((const char *)&i, sizeof(i)));

        for (size_t bit = 0; bit < 64; bit++)
            set[bit] += (unsigned)(hash >> bit & 1);
    }
    for (size_t bit = 0; bit < 64; bit++)
        assert_in_range(set[bit], 4096 * 4 / 10, 4096 * 6 / 10);
}

static void *hash_text(void *arg)
{
    *(uint64_t *)arg = skua__hash(SKUA_STR("the same for all"));
    return NULL;
}

static void threads_share_the_secret(void **state)
{
    pthread_t threads[4];
    uint64_t hashes[4];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hash_text, &hashes[i]), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 1; i < 4; i++)
        assert_true(hashes[i] == hashes[0]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        /* First, so that the secret is drawn by several threads at once. */
        cmocka_unit_test(threads_share_the_secret),
        cmocka_unit_test(equal_bytes_have_equal_hashes_at_any_address),
        cmocka_unit_test(every_length_of_zeros_hashes_differently),
        cmocka_unit_test(every_bit_counts),
        cmocka_unit_test(the_bits_are_spread),
    };

    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
