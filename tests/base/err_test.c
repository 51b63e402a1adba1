/* SPDX-License-Identifier: MIT */
/* The table of error codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <skua/err.h>
#include <string.h>

static void every_row_is_found_by_its_code(void **state)
{
    int count = 0;

    (void)state;
#define CHECK(name, code, status, text)                                           \
    assert_int_equal(code, -20001 - count); /* dense: the look-up counts on it */ \
    assert_string_equal(skua_err_name(code), "SKUA_ERR_" #name);                  \
    assert_string_equal(skua_err_text(code), text);                               \
    assert_int_equal(skua_err_status(code), status);                              \
    assert_true((status) >= 400 && (status) < 600);                               \
    count++;
    SKUA_ERR_MAP(CHECK)
#undef CHECK
    assert_string_equal(skua_err_name(-20001 - count), "SKUA_ERR_UNKNOWN");
}

static void codes_of_the_system_have_its_names(void **state)
{
    (void)state;
    assert_string_equal(skua_err_name(-ENOENT), "ENOENT");
    assert_string_equal(skua_err_name(-ECONNRESET), "ECONNRESET");
    assert_string_equal(skua_err_text(-ENOENT), strerrordesc_np(ENOENT));
    assert_int_equal(skua_err_status(-ENOENT), 500);
}

static void codes_that_no_table_knows_are_unknown(void **state)
{
    static const int codes[] = {1, INT_MAX, INT_MIN, -4095, -4096, -20000, -30000};

    (void)state;
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        assert_string_equal(skua_err_name(codes[i]), "SKUA_ERR_UNKNOWN");
        assert_string_equal(skua_err_text(codes[i]), "unknown error");
        assert_int_equal(skua_err_status(codes[i]), 500);
    }
    assert_string_equal(skua_err_name(0), "SKUA_ERR_UNKNOWN");
    assert_int_equal(skua_err_status(0), 500);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_code),
        cmocka_unit_test(codes_of_the_system_have_its_names),
        cmocka_unit_test(codes_that_no_table_knows_are_unknown),
    };

    return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
