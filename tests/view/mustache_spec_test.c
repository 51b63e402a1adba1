/* SPDX-License-Identifier: MIT */
/*
 * Mustache against its specification (github.com/mustache/spec): the six modules that every
 * implementation has, and inheritance. Templates come from memory through the whole of the room.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/memory.h"
#include "view/views.h"

#include <skua/err.h>
#include <skua/json.h>
#include <skua/value.h>
#include <stdio.h>
#include <stdlib.h>

#define FOLDER SKUA_SOURCE_DIR "/../shared/conformance/mustache/specs/"

/* NULL when there is no such file. */
static const skua_value *read_json(skua_arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t cap = (size_t)1 << 20;
    char *text = skua_alloc(arena, cap);
    skua_value *value = NULL;
    size_t len;

    if (file == NULL)
        return NULL;
    len = fread(text, 1, cap, file);
    fclose(file);
    assert_true(len < cap);
    assert_int_equal(skua_json_read(&value, arena, skua_str_of(text, len), NULL), 0);
    return value;
}

static bool run_case(skua_arena *arena, const skua_value *test)
{
    struct memory *memory = skua_alloc_zero(arena, 1, sizeof(*memory));
    struct skua__loader loader = memory_loader(memory);
    struct skua__views_opts opts = {.loader = &loader, .empty_partials = true};
    skua_str expected = skua_as_str(skua_get_value(test, "expected"));
    struct skua_each each = {0};
    struct skua__view_error error = {0};
    struct skua__views *views;
    skua_str text;
    int err;

    memory_add(memory, SKUA_STR("main.mustache"), skua_as_str(skua_get_value(test, "template")));
    while (skua_each(&each, skua_get_value(test, "partials")))
        memory_add(memory, each.key, skua_as_str(each.value));
    assert_int_equal(skua__views_new(&views, &opts), 0);
    err = skua__views_render(&text, views, arena, "main.mustache", skua_get_value(test, "data"),
                             NULL, &error);
    skua__views_free(views);
    if (err == 0 && skua_str_eq(text, expected))
        return true;
    print_message("    %s\n      expected: %.*s\n      rendered: %.*s%s\n",
                  skua_as_text(skua_get_value(test, "name")), (int)expected.len, expected.ptr,
                  (int)text.len, text.ptr, error.code != 0 ? error.text : "");
    return false;
}

static void run_module(const char *module, int total)
{
    skua_arena *arena = skua_arena_new(0);
    const char *path = skua_format(arena, FOLDER "%s.json", module);
    const skua_value *tests = skua_get_value(read_json(arena, path), "tests");
    struct skua_each each = {0};
    int passed = 0;

    if (tests == NULL) {
        skua_arena_free(arena);
        print_message("SKIPPED: conformance data not found: %s.json\n", module);
        if (getenv("SKUA_CI") != NULL)
            fail();
        skip();
    }
    while (skua_each(&each, tests))
        passed += run_case(arena, each.value);
    print_message("mustache/%s: %d/%d\n", module, passed, (int)skua_count(tests));
    assert_int_equal(skua_count(tests), total);
    assert_int_equal(passed, total);
    skua_arena_free(arena);
}

static void comments(void **state)
{
    (void)state;
    run_module("comments", 12);
}

static void delimiters(void **state)
{
    (void)state;
    run_module("delimiters", 14);
}

static void interpolation(void **state)
{
    (void)state;
    run_module("interpolation", 42);
}

static void inverted_sections(void **state)
{
    (void)state;
    run_module("inverted", 22);
}

static void partials(void **state)
{
    (void)state;
    run_module("partials", 12);
}

static void sections(void **state)
{
    (void)state;
    run_module("sections", 34);
}

static void inheritance(void **state)
{
    (void)state;
    run_module("~inheritance", 27);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments),      cmocka_unit_test(delimiters),
        cmocka_unit_test(interpolation), cmocka_unit_test(inverted_sections),
        cmocka_unit_test(partials),      cmocka_unit_test(sections),
        cmocka_unit_test(inheritance),
    };

    return cmocka_run_group_tests_name("view/mustache_spec", tests, NULL, NULL);
}
