/* SPDX-License-Identifier: MIT */
/*
 * host_test.c - what a Host field or an authority may hold
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/host.h"

static void hosts_of_every_form_are_taken(void **state)
{
    static const char *const good[] = {
        "localhost",
        "localhost:3000",
        "127.0.0.1:3000",
        "EXAMPLE.com.",
        "a_b.example",
        "xn--bcher-kva.example",
        "a%20b",
        "[::1]",
        "[::1]:80",
        "[2001:DB8::1]",
        "[::ffff:1.2.3.4]:8",
        "example.com:",
        "0.0.0.0=5000",
        "a,b",
        "a:99999999",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(skua__host_valid(skua_str_c(good[i])));
}

static void anything_that_is_no_host_is_refused(void **state)
{
    static const char *const bad[] = {
        "",       ":",           ":80",    "a b",    " a",        "a ",           "a\tb",
        "a/b",    "a?b",         "a#b",    "user@a", "user:pw@a", "a:80:80",      "a:8x",
        "a:-1",   "a:+1",        "a%2",    "a%zz",   "a%",        "[::1",         "::1",
        "[]",     "[:]",         "[g::1]", "[::1]x", "[::1]80",   "[::1%25eth0]", "[[::1]]",
        "a[::1]", "caf\xc3\xa9", "a\\b",   "a\"b",   "<a>",       "a|b",          "a^b",
        "a{b}",   "a\x7f",       "a\x01",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(skua__host_valid(skua_str_c(bad[i])));
    assert_false(skua__host_valid(skua_str_of("a\0b", 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_of_every_form_are_taken),
        cmocka_unit_test(anything_that_is_no_host_is_refused),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
