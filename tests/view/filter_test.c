/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/filter.h"

#include <skua/json.h>

static skua_arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = skua_arena_new(0);
    return arena == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    skua_arena_free(arena);
    return 0;
}

/* The filter's result as JSON; the arguments are a JSON array. */
static const char *apply(const char *name, const char *json)
{
    const struct skua__filter *filter = skua__filter_find(skua_str_c(name));
    const skua_value *args[4];
    struct skua_call call = {.arena = arena, .args = args};
    struct skua_each each = {0};
    skua_value *list;
    skua_str text;

    assert_non_null(filter);
    assert_int_equal(skua_json_read(&list, arena, skua_str_c(json), NULL), 0);
    while (skua_each(&each, list))
        args[call.count++] = each.value;
    assert_in_range(call.count, filter->least, filter->most);
    assert_int_equal(skua_json_write(&text, arena, filter->fn(&call)), 0);
    return text.ptr;
}

static void letters_change_their_case(void **state)
{
    (void)state;
    assert_string_equal(apply("upper", "[\"aZ{`\xc3\xa9\"]"), "\"AZ{`\xc3\xa9\"");
    assert_string_equal(apply("lower", "[\"aZ[@\xc3\x89\"]"), "\"az[@\xc3\x89\"");
    assert_string_equal(apply("upper", "[5]"), "\"\"");
}

static void length_counts_characters_elements_and_members(void **state)
{
    (void)state;
    assert_string_equal(apply("length", "[\"a\xc3\xa9\xe2\x82\xac\"]"), "3");
    assert_string_equal(apply("length", "[[1,2,3]]"), "3");
    assert_string_equal(apply("length", "[{\"a\":1}]"), "1");
    assert_string_equal(apply("length", "[null]"), "0");
}

static void join_puts_a_text_between(void **state)
{
    (void)state;
    assert_string_equal(apply("join", "[[\"a\",2,\"c\"],\"-\"]"), "\"a-2-c\"");
    assert_string_equal(apply("join", "[[\"a\",\"b\"]]"), "\"ab\"");
    assert_string_equal(apply("join", "[[],\"-\"]"), "\"\"");
}

static void default_stands_for_what_is_missing(void **state)
{
    (void)state;
    assert_string_equal(apply("default", "[null,\"x\"]"), "\"x\"");
    assert_string_equal(apply("default", "[\"\",\"x\"]"), "\"\"");
    assert_string_equal(apply("default", "[false,\"x\"]"), "false");
}

static void text_is_escaped_once(void **state)
{
    const struct skua__filter *escape = skua__filter_find(SKUA_STR("escape"));
    const skua_value *args[] = {skua_string(arena, "<b>")};
    struct skua_call call = {.arena = arena, .args = args, .count = 1};

    (void)state;
    for (int i = 0; i < 2; i++) {
        args[0] = escape->fn(&call);
        assert_int_equal(skua_kind_of(args[0]), SKUA_SAFE);
        assert_string_equal(skua_as_text(args[0]), "&lt;b&gt;");
    }
}

static void text_is_declared_safe(void **state)
{
    const skua_value *args[] = {skua_string(arena, "<b>")};
    struct skua_call call = {.arena = arena, .args = args, .count = 1};
    const skua_value *safe = skua__filter_find(SKUA_STR("safe"))->fn(&call);

    (void)state;
    assert_int_equal(skua_kind_of(safe), SKUA_SAFE);
    assert_string_equal(skua_as_text(safe), "<b>");
}

static void unknown_filters_are_not_found(void **state)
{
    (void)state;
    assert_null(skua__filter_find(SKUA_STR("uppe")));
    assert_null(skua__filter_find(SKUA_STR("upper2")));
    assert_null(skua__filter_find(SKUA_STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(letters_change_their_case, set_up, tear_down),
        cmocka_unit_test_setup_teardown(length_counts_characters_elements_and_members, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(join_puts_a_text_between, set_up, tear_down),
        cmocka_unit_test_setup_teardown(default_stands_for_what_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_is_escaped_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_is_declared_safe, set_up, tear_down),
        cmocka_unit_test(unknown_filters_are_not_found),
    };

    return cmocka_run_group_tests_name("view/filter", tests, NULL, NULL);
}
