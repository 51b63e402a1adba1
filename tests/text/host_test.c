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

/* As in a head, where more follows. */
static void a_host_ends_where_its_bytes_do(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } rows[] = {
        {"", 0},         {"\r\n", 0},
        {":80\r\n", 0},  {"[::1\r\n", 0},
        {"a\r\n", 1},    {"a b", 1},
        {"a:\r\n", 2},   {"a:80\r\n", 4},
        {"a:80:80", 4},  {"user@a", 4},
        {"a:8x", 3},     {"[::1]x", 5},
        {"a%2", 1},      {"[::1]:8080\r\n", 10},
        {"a%20b%zz", 5}, {"birds.example.org:80/", 20},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(skua__host_length(rows[i].text, strlen(rows[i].text)), rows[i].len);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_of_every_form_are_taken),
        cmocka_unit_test(anything_that_is_no_host_is_refused),
        cmocka_unit_test(a_host_ends_where_its_bytes_do),
    };

    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
