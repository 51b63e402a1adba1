/* SPDX-License-Identifier: MIT */
/* Numbers in JSON text: against the C library, and kept as text where they would change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <skua/err.h>
#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "value/arena_support.h"

static uint64_t seed = 0x2545f4914f6cdd1du;

static unsigned below(unsigned bound)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 33) % bound;
}

static size_t put_digits(char *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = (char)('0' + below(10));
    return count;
}

/* -iiii.ffff e-xx, each part there or not, of few or of many digits. */
static void make_number(char out[128])
{
    size_t at = 0;

    if (below(2) == 0)
        out[at++] = '-';
    if (below(4) == 0) {
        out[at++] = '0';
    } else {
        out[at++] = (char)('1' + below(9));
        at += put_digits(out + at, below(below(2) == 0 ? 6 : 25));
    }
    if (below(2) == 0) {
        out[at++] = '.';
        at += put_digits(out + at, 1 + below(below(2) == 0 ? 6 : 25));
    }
    if (below(3) == 0)
        at += (size_t)snprintf(out + at, 8, "e%d", (int)below(600) - 300);
    out[at] = '\0';
}

static void random_numbers_are_read_as_the_c_library_reads_them(void **state)
{
    size_t integers = 0;

    (void)state;
    for (int i = 0; i < 100000; i++) {
        skua_arena *arena = skua_arena_new(0);
        char text[128];
        double number;
        long long integer;
        skua_value *value;
        int err;

        make_number(text);
        number = strtod(text, NULL);
        errno = 0;
        integer = strtoll(text, NULL, 10);
        err = skua_json_read(&value, arena, skua_str_c(text), NULL);
        assert_int_equal(err, isinf(number) ? SKUA_ERR_BAD_JSON : 0);
        if (strpbrk(text, ".e") == NULL && errno == 0 && strcmp(text, "-0") != 0) {
            integers++;
            assert_int_equal(skua_kind_of(value), SKUA_INT);
            assert_true(skua_as_int(value, ~integer) == integer);
        } else if (err == 0) {
            assert_int_equal(skua_kind_of(value), SKUA_DOUBLE);
            assert_true(skua_as_double(value, NAN) == number);
        }
        skua_arena_free(arena);
    }
    assert_in_range(integers, 10000, 50000);
}

/* ---- exact numbers ---- */

static const struct skua_json_opts exact = {.exact_numbers = true};

static skua_value *read_exactly(skua_arena *arena, const char *text)
{
    skua_value *value;

    assert_int_equal(skua_json_read_with(&value, arena, skua_str_c(text), &exact, NULL), 0);
    return value;
}

static void assert_written(skua_arena *arena, const skua_value *value, const char *want)
{
    skua_str text;

    assert_int_equal(skua_json_write(&text, arena, value), 0);
    assert_string_equal(text.ptr, want);
}

static void a_number_that_would_change_is_kept_as_it_was_written(void **state)
{
    static const char *const rows[] = {
        "9223372036854775808",
        "-9223372036854775809",
        "12345678901234567890",
        "18446744073709551616", /* a double, but its shortest text is another number */
        "100000000000000000001",
        "9007199254740993.0",
        "0.1000000000000000055511151231257827", /* exactly what the double 0.1 is */
        "0.30000000000000004441",
        "3.14159265358979323846",
        "-1.00000000000000000001",
        "1e400",
        "-1E+400",
        "1e-400",
        "4.9e-324",
        "0.00000000000000000000000000000000000012345678901234567890",
        "1e999999999999999999999",
        "123456789012345678.5",
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_value *value = read_exactly(*state, rows[i]);

        assert_int_equal(skua_kind_of(value), SKUA_STRING);
        assert_true(skua_is_numeral(value));
        assert_string_equal(skua_as_text(value), rows[i]);
        assert_int_equal(skua_as_str(value).len, strlen(rows[i]));
        assert_written(*state, value, rows[i]);
    }
}

static void any_other_number_is_what_it_is_without_the_option(void **state)
{
    static const struct {
        const char *text;
        enum skua_kind kind;
        const char *written;
    } rows[] = {
        {"0", SKUA_INT, "0"},
        {"-1", SKUA_INT, "-1"},
        {"9223372036854775807", SKUA_INT, "9223372036854775807"},
        {"-9223372036854775808", SKUA_INT, "-9223372036854775808"},
        {"-0", SKUA_DOUBLE, "0"},
        {"0.0", SKUA_DOUBLE, "0"},
        {"-0e999999999999999999999", SKUA_DOUBLE, "0"},
        {"1.50", SKUA_DOUBLE, "1.5"},
        {"0.1", SKUA_DOUBLE, "0.1"},
        {"0.10000000000000000000000000", SKUA_DOUBLE, "0.1"},
        {"0.30000000000000004", SKUA_DOUBLE, "0.30000000000000004"},
        {"1e2", SKUA_DOUBLE, "100"},
        {"100.000", SKUA_DOUBLE, "100"},
        {"12300000000000000000000", SKUA_DOUBLE, "1.23e+22"},
        {"100000000000000000000", SKUA_DOUBLE, "100000000000000000000"},
        {"18446744073709552000", SKUA_DOUBLE, "18446744073709552000"},
        {"5e-324", SKUA_DOUBLE, "5e-324"},
        {"1.7976931348623157e308", SKUA_DOUBLE, "1.7976931348623157e+308"},
        {"0.000000000000000000000000000000000000001e39", SKUA_DOUBLE, "1"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_value *value = read_exactly(*state, rows[i].text);

        assert_int_equal(skua_kind_of(value), rows[i].kind);
        assert_false(skua_is_numeral(value));
        assert_written(*state, value, rows[i].written);
    }
}

/* Where the number was kept as text it comes back byte for byte, else with the same value. */
static void random_numbers_come_back_as_the_same_number(void **state)
{
    size_t numerals = 0, doubles = 0;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        skua_arena *arena = skua_arena_new(0);
        char text[128];
        skua_value *value;
        skua_str written;

        make_number(text);
        value = read_exactly(arena, text);
        assert_int_equal(skua_json_write(&written, arena, value), 0);
        if (skua_is_numeral(value)) {
            assert_string_equal(written.ptr, text);
            numerals++;
        } else {
            assert_int_equal(skua_kind_of(read_exactly(arena, written.ptr)) == SKUA_STRING, false);
            assert_true(strtod(written.ptr, NULL) == strtod(text, NULL));
            doubles += skua_kind_of(value) == SKUA_DOUBLE;
        }
        skua_arena_free(arena);
    }
    assert_in_range(numerals, 5000, 45000);
    assert_in_range(doubles, 5000, 45000);
}

static void a_numeral_is_a_string_to_every_reader(void **state)
{
    skua_value *value = read_exactly(*state, "[12345678901234567890,\"12345678901234567890\"]");
    const skua_value *numeral = skua_at(value, 0), *string = skua_at(value, 1);

    assert_true(skua_is_numeral(numeral));
    assert_false(skua_is_numeral(string));
    assert_false(skua_is_numeral(value));
    assert_false(skua_is_numeral(NULL));
    assert_true(skua_str_eq(skua_as_str(numeral), skua_as_str(string)));
    assert_int_equal(skua_as_int(numeral, -1), -1);
    assert_true(skua_as_double(numeral, -1) == -1);
    assert_true(skua_truthy(numeral));
    assert_written(*state, value, "[12345678901234567890,\"12345678901234567890\"]");
}

static void a_numeral_stays_one_in_copies(void **state)
{
    skua_value *value = read_exactly(*state, "{\"sum\":0.12345678901234567890}");
    skua_value *clone = skua_clone(*state, value), *shared = skua_array(*state);

    assert_true(skua_is_numeral(skua_get_value(clone, "sum")));
    assert_written(*state, clone, "{\"sum\":0.12345678901234567890}");
    skua_add_value(shared, skua_get_value(value, "sum"));
    assert_written(*state, shared, "[0.12345678901234567890]");
}

static void the_sign_and_the_exponent_belong_to_the_text(void **state)
{
    skua_value *value = read_exactly(*state, " [ -1e400 , 2E+400]");

    assert_string_equal(skua_as_text(skua_at(value, 0)), "-1e400");
    assert_string_equal(skua_as_text(skua_at(value, 1)), "2E+400");
}

static void what_is_no_number_is_refused_all_the_same(void **state)
{
    static const char *const rows[] = {"01", "1.", ".5", "+1", "1e", "--1", "1e400x", "NaN"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_value *value;

        assert_int_equal(skua_json_read_with(&value, *state, skua_str_c(rows[i]), &exact, NULL),
                         SKUA_ERR_BAD_JSON);
        assert_null(value);
    }
}

static void without_memory_for_the_text_it_ends_in_nomem(void **state)
{
    static _Alignas(16) char memory[1024];
    size_t good = 0;

    (void)state;
    for (size_t size = 0; size < sizeof(memory); size += 16) {
        struct skua_json_error error;
        skua_arena arena;
        skua_value *value;
        int err;

        sk_arena_init_small(&arena, memory, size, 1);
        err = skua_json_read_with(&value, &arena, SKUA_STR("[1e400]"), &exact, &error);
        assert_int_equal(err, skua_arena_failed(&arena) ? SKUA_ERR_NOMEM : 0);
        assert_int_equal(value != NULL, err == 0);
        good += err == 0;
        skua__arena_reset(&arena);
    }
    assert_in_range(good, 30, sizeof(memory) / 16 - 8);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, sk_arena_open, sk_arena_close)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(random_numbers_are_read_as_the_c_library_reads_them),
        CASE(a_number_that_would_change_is_kept_as_it_was_written),
        CASE(any_other_number_is_what_it_is_without_the_option),
        CASE(random_numbers_come_back_as_the_same_number),
        CASE(a_numeral_is_a_string_to_every_reader),
        CASE(a_numeral_stays_one_in_copies),
        CASE(the_sign_and_the_exponent_belong_to_the_text),
        CASE(what_is_no_number_is_refused_all_the_same),
        CASE(without_memory_for_the_text_it_ends_in_nomem),
    };

    return cmocka_run_group_tests_name("json_number", tests, NULL, NULL);
}
