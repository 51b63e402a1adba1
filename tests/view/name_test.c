/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/dialect.h"
#include "view/name.h"

static void good(const char *name)
{
    assert_null(skua__name_wrong(skua_str_c(name)));
}

static void bad(skua_str name, const char *why)
{
    const char *wrong = skua__name_wrong(name);

    assert_non_null(wrong);
    assert_string_equal(wrong, why);
}

static void names_below_the_root(void **state)
{
    (void)state;
    good("home.html");
    good("a/b/c.d.html");
    good(".hidden");
    good("...");
    good("a..b/..c");
    good("\xc3\xa9t\xc3\xa9 2.html");
}

static void names_that_are_written_in_another_way_or_lead_out(void **state)
{
    char longest[SKUA__MAX_NAME + 1];

    (void)state;
    bad(SKUA_STR(""), "is empty");
    bad(SKUA_STR("/a"), "begins with '/'");
    bad(SKUA_STR("a//b"), "has an empty part");
    bad(SKUA_STR("a/"), "has an empty part");
    bad(SKUA_STR(".."), "has a part '.' or '..'");
    bad(SKUA_STR("../a"), "has a part '.' or '..'");
    bad(SKUA_STR("a/../b"), "has a part '.' or '..'");
    bad(SKUA_STR("a/.."), "has a part '.' or '..'");
    bad(SKUA_STR("./a"), "has a part '.' or '..'");
    bad(SKUA_STR("a\\..\\b"), "holds a backslash");
    bad(SKUA_STR("a\0b"), "holds a control character");
    bad(SKUA_STR("a\n"), "holds a control character");
    bad(SKUA_STR("a\x7f"), "holds a control character");
    memset(longest, 'x', sizeof(longest));
    assert_null(skua__name_wrong(skua_str_of(longest, SKUA__MAX_NAME)));
    bad(skua_str_of(longest, SKUA__MAX_NAME + 1), "is too long");
}

static void extension(const char *name, const char *expected)
{
    assert_true(skua_str_eq(skua__name_extension(skua_str_c(name)), skua_str_c(expected)));
}

static void the_extension_is_behind_the_last_dot_of_the_last_part(void **state)
{
    (void)state;
    extension("a.html", "html");
    extension("a.b.html", "html");
    extension("a.b/c", "");
    extension("a", "");
    extension("a.", "");
    extension("", "");
}

static void the_extension_tells_the_language(void **state)
{
    (void)state;
    assert_string_equal(skua__dialect_of(SKUA_STR("a/b.html"))->name, "mustache");
    assert_string_equal(skua__dialect_of(SKUA_STR("b.mustache"))->name, "mustache");
    assert_null(skua__dialect_of(SKUA_STR("b.HTML")));
    assert_null(skua__dialect_of(SKUA_STR("html")));
    assert_null(skua__dialect_of(SKUA_STR("b.txt")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_below_the_root),
        cmocka_unit_test(names_that_are_written_in_another_way_or_lead_out),
        cmocka_unit_test(the_extension_is_behind_the_last_dot_of_the_last_part),
        cmocka_unit_test(the_extension_tells_the_language),
    };

    return cmocka_run_group_tests_name("view/name", tests, NULL, NULL);
}
