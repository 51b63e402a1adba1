/* SPDX-License-Identifier: MIT */
/*
 * pattern_test.c - what a pattern is taken apart into, and each way in which it is refused
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/buf.h"
#include "router/pattern.h"

#include <skua/err.h>
#include <stdio.h>

static const struct skua__router_opts plain;

static void put_value(struct skua__buf *out, const struct skua__pattern *pattern, uint16_t index)
{
    const struct skua__piece *piece = &pattern->pieces[index];

    skua__buf_put_char(out, pattern->names[index].ptr[0] == '*' ? '=' : ':');
    skua__buf_put_str(out, pattern->names[index]);
    if (piece->expression.len > 0)
        skua__buf_printf(out, "(%.*s)", (int)piece->expression.len, piece->expression.ptr);
    if (piece->glue.len > 0)
        skua__buf_printf(out, "'%.*s'", (int)piece->glue.len, piece->glue.ptr);
}

/* The parts in one line, with a bar between them: "static" text as it is, ":name", "=*", and each value
 * of a segment in brackets as ":name(expression)'glue'"; "?" behind all where the last is optional. */
static const char *describe_pattern(skua_arena *arena, const struct skua__pattern *pattern)
{
    struct skua__buf out;

    skua__buf_init(&out, arena);
    for (uint16_t i = 0; i < pattern->count; i++) {
        const struct skua__part *part = &pattern->parts[i];
        bool segment = part->kind == SKUA__PART_SEGMENT;

        skua__buf_put_str(&out, i > 0 ? SKUA_STR("|") : SKUA_STR(""));
        skua__buf_put_str(&out, part->text);
        skua__buf_put_str(&out, segment ? SKUA_STR("[") : SKUA_STR(""));
        for (uint16_t value = 0; value < part->count; value++)
            put_value(&out, pattern, (uint16_t)(part->first + value));
        skua__buf_put_str(&out, segment ? SKUA_STR("]") : SKUA_STR(""));
    }
    if (pattern->optional)
        skua__buf_put_char(&out, '?');
    return skua__buf_str(&out).ptr;
}

static void parts_with(const struct skua__router_opts *opts, const char *source,
                       const char *expected)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    if (skua__pattern_read(&pattern, skua_str_c(source), opts, arena, &why) != 0)
        fail_msg("%s", why);
    assert_string_equal(describe_pattern(arena, &pattern), expected);
    skua_arena_free(arena);
}

static void parts_are(const char *source, const char *expected)
{
    parts_with(&plain, source, expected);
}

static void refused(const char *source, const char *expected)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(source), &plain, arena, &why),
                     SKUA_ERR_SETUP);
    assert_string_equal(why, expected);
    skua_arena_free(arena);
}

/* "/:p0/:p1/..." with `count` parameters, and `tail` behind. */
static const char *make_params(char *out, size_t size, int count, const char *tail)
{
    size_t len = 0;

    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(out + len, size - len, "/:p%d", i);
    snprintf(out + len, size - len, "%s", tail);
    return out;
}

static void static_text_is_one_part(void **state)
{
    (void)state;
    parts_are("/", "/");
    parts_are("/users/all.json", "/users/all.json");
    parts_are("//double//", "//double//");
    parts_are("/caf\xc3\xa9/a b", "/caf\xc3\xa9/a b");
}

static void a_parameter_alone_goes_up_to_the_slash(void **state)
{
    (void)state;
    parts_are("/:id", "/|:id");
    parts_are("/:id/", "/|:id|/");
    parts_are("/v:major", "/v|:major");
    parts_are("/users/:id/files/:file_name/edit", "/users/|:id|/files/|:file_name|/edit");
    parts_are("/:$p/:p_1/:caf\xc3\xa9", "/|:$p|/|:p_1|/|:caf\xc3\xa9");
}

static void a_segment_holds_several_values_and_text(void **state)
{
    (void)state;
    parts_are("/:from-:to", "/|[:from'-':to]");
    parts_are("/:file.png/x", "/|[:file'.png']|/x");
    parts_are("/near-:lat-:lng.json", "/near-|[:lat'-':lng'.json']");
    parts_are("/:a.:b.:c", "/|[:a'.':b'.':c]");
    parts_are("/:a-.-:b", "/|[:a'-.-':b]");
    parts_are("/:file.100%", "/|[:file'.100%']"); /* it is compared with what is decoded */
}

static void an_expression_stands_in_parentheses(void **state)
{
    (void)state;
    parts_are("/:id(\\d+)", "/|[:id(\\d+)]");
    parts_are("/at/:h(^\\d{2}$)h:m(^\\d{2})m", "/at/|[:h(^\\d{2}$)'h':m(^\\d{2})'m']");
    parts_are("/:a(x(?:y|z)\\))/b", "/|[:a(x(?:y|z)\\))]|/b");
    parts_are("/:path(a/b)/c", "/|[:path(a/b)]|/c");
    parts_are("/:a(\\d):b(\\w)", "/|[:a(\\d):b(\\w)]");
}

static void a_question_mark_at_the_end_makes_the_last_segment_optional(void **state)
{
    (void)state;
    parts_are("/a/:id?", "/a/|:id?");
    parts_are("/:a-:b?", "/|[:a'-':b]?");
    parts_are("/:id(\\d+)?", "/|[:id(\\d+)]?");
}

static void shortened(const char *source, bool ignore_slash, const char *expected)
{
    const struct skua__router_opts opts = {.ignore_trailing_slash = ignore_slash};
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(source), &opts, arena, &why), 0);
    skua__pattern_shorten(&pattern, &opts);
    pattern.optional = false;
    assert_string_equal(describe_pattern(arena, &pattern), expected);
    skua_arena_free(arena);
}

static void the_short_form_has_neither_the_segment_nor_its_slash(void **state)
{
    (void)state;
    shortened("/:id?", false, "/");
    shortened("/a/:id?", false, "/a");
    shortened("/a/:x/b/:y-:z?", false, "/a/|:x|/b");
    shortened("/:x/:y?", false, "/|:x");
    shortened("/a//:id?", false, "/a/");
    shortened("/a//:id?", true, "/a");
}

static void a_wildcard_is_last(void **state)
{
    (void)state;
    parts_are("/*", "/|=*");
    parts_are("/files/:id/*", "/files/|:id|/|=*");
    parts_are("/file*", "/file|=*");
}

static void a_star_alone_stands_for_slash_star(void **state)
{
    (void)state;
    parts_are("*", "/|=*");
}

static void two_colons_are_a_literal_one(void **state)
{
    (void)state;
    parts_are("/name::verb", "/name:verb");
    parts_are("/::id", "/:id");
    parts_are("/a::", "/a:");
    parts_are("/::::/:id", "/::/|:id");
    parts_are("/x/:id::act", "/x/|[:id':act']");
    parts_are("/:::name", "/:|:name");
    parts_are("/:a:::b", "/|[:a':':b]");
}

static void a_percent_sign_is_written_as_a_canonical_path_has_it(void **state)
{
    (void)state;
    parts_are("/100%", "/100%25");
    parts_are("/a%20b/:id", "/a%2520b/|:id");
}

static void names_point_into_a_copy_of_the_source(void **state)
{
    char source[] = "/users/:id/*";
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(source), &plain, arena, &why), 0);
    memset(source, 'x', sizeof(source));
    assert_string_equal(pattern.source.ptr, "/users/:id/*");
    assert_int_equal(pattern.count, 4);
    assert_int_equal(pattern.params, 2);
    assert_ptr_equal(pattern.names[0].ptr, pattern.source.ptr + 8);
    assert_ptr_equal(pattern.names[1].ptr, pattern.source.ptr + 11);
    skua_arena_free(arena);
}

static void a_pattern_that_does_not_begin_with_a_slash_is_refused(void **state)
{
    (void)state;
    refused("", "does not begin with a '/': write '/'");
    refused("users", "does not begin with a '/': write '/users'");
    refused(":id", "does not begin with a '/': write '/:id'");
    refused("*1", "does not begin with a '/': write '/*1'");
}

static void a_parameter_without_a_name_is_refused(void **state)
{
    (void)state;
    refused("/:", "has a parameter without a name: write one behind the ':', as in '/:id', "
                  "or '::' for a colon");
    refused("/a/:/b", "has a parameter without a name: write one behind the ':', as in "
                      "'/:id', or '::' for a colon");
    refused("/:::", "has a parameter without a name: write one behind the ':', as in "
                    "'/:id', or '::' for a colon");
}

static void what_cannot_stand_behind_a_parameter_is_refused(void **state)
{
    static const char *const rows[][3] = {
        {"/:a:b", ":", "a"},  {"/x::y:verb:z", ":", "verb"}, {"/:id*", "*", "id"},
        {"/:id)", ")", "id"}, {"/:id#", "#", "id"},          {"/:id(\\d)*", "*", "id"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "has a '%s' right behind ':%s', where a parameter does not end: put a '-' or "
                 "'.' between two, or '::' for a colon, or '/' before a '*'",
                 rows[i][1], rows[i][2]);
        refused(rows[i][0], expected);
    }
}

static void what_cannot_stand_in_a_segment_is_refused(void **state)
{
    static const char *const rows[][2] = {
        {"/:a-*", "*"}, {"/:a-b#c", "#"}, {"/:a?/b", "?"}, {"/:a.b?c", "?"}, {"/:a?/", "?"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "has a '%s' in a segment with parameters: '*' stands alone at the end, '?' "
                 "behind the last segment, and '#' in no path",
                 rows[i][1]);
        refused(rows[i][0], expected);
    }
}

static void only_a_whole_segment_is_optional(void **state)
{
    (void)state;
    refused("/v:major?", "has a '?' behind a segment that begins with text: only a "
                         "whole segment is optional, as in '/:id?'");
}

static void an_expression_that_is_open_or_empty_is_refused(void **state)
{
    (void)state;
    refused("/:id(\\d+/x", "has an expression for 'id' that is not closed by a ')': "
                           "write it as in ':id(\\d+)', and a parenthesis of its own as '\\(' or "
                           "'\\)'");
    refused("/:id(a\\)", "has an expression for 'id' that is not closed by a ')': "
                         "write it as in ':id(\\d+)', and a parenthesis of its own as '\\(' or "
                         "'\\)'");
    refused("/:id()", "has an expression for 'id' that is empty: write it as in "
                      "':id(\\d+)', and a parenthesis of its own as '\\(' or '\\)'");
}

static void a_name_given_twice_is_refused(void **state)
{
    (void)state;
    refused("/:id/friends/:id", "has two parameters named 'id': give each a name of its own");
    refused("/:id-:id", "has two parameters named 'id': give each a name of its own");
    parts_are("/:id/:i/:idx", "/|:id|/|:i|/|:idx");
}

static void a_wildcard_that_is_not_last_is_refused(void **state)
{
    static const char *const rows[] = {"/*/x", "/foo*/", "/foo*123", "/**"};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        refused(rows[i],
                "has a '*' before its end, but '*' takes all that is left: put it last, or "
                "write ':name' for one segment");
}

static void a_query_or_fragment_in_a_pattern_is_refused(void **state)
{
    (void)state;
    refused("/search?q", "has a '?', which no path has: leave out all from there and "
                         "read the query in the handler");
    refused("/page#top", "has a '#', which no path has: leave out all from there and "
                         "read the query in the handler");
}

static void letters_are_lowered_but_not_in_names_and_expressions(void **state)
{
    const struct skua__router_opts opts = {.case_insensitive = true};

    (void)state;
    parts_with(&opts, "/Users/:ID/:File(A+).PNG/\xc3\x89",
               "/users/|:ID|/|[:File(A+)'.png']|/\xc3\x89");
}

static void slashes_that_do_not_count_are_left_out(void **state)
{
    const struct skua__router_opts trailing = {.ignore_trailing_slash = true};
    const struct skua__router_opts duplicate = {.ignore_duplicate_slashes = true};
    const struct skua__router_opts both = {.ignore_trailing_slash = true,
                                           .ignore_duplicate_slashes = true};

    (void)state;
    parts_with(&trailing, "/a/", "/a");
    parts_with(&trailing, "/a//", "/a/");
    parts_with(&trailing, "/:id/", "/|:id");
    parts_with(&trailing, "/", "/");
    parts_with(&trailing, "/a/*", "/a/|=*");
    parts_with(&duplicate, "//a///b//", "/a/b/");
    parts_with(&duplicate, "/:a//:b(//)", "/|:a|/|[:b(//)]");
    parts_with(&duplicate, "//", "/");
    parts_with(&both, "//a///b//", "/a/b");
    parts_with(&both, "//", "/");
}

static void sixteen_parameters_are_taken_and_seventeen_refused(void **state)
{
    char text[256];
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    make_params(text, sizeof(text), 16, "/end");
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(text), &plain, arena, &why), 0);
    assert_int_equal(pattern.params, 16);
    assert_int_equal(pattern.count, 33);
    skua_arena_free(arena);

    for (int wild = 0; wild < 2; wild++) { /* the wildcard counts as one */
        make_params(text, sizeof(text), wild ? 16 : 17, wild ? "/*" : "");
        refused(text, "has more than 16 parameters: let a '*' at the end take the last of them");
    }
    make_params(text, sizeof(text), 15, "/*");
    arena = skua_arena_new(0);
    assert_int_equal(skua__pattern_read(&pattern, skua_str_c(text), &plain, arena, &why), 0);
    assert_int_equal(pattern.params, 16);
    skua_arena_free(arena);
}

static void a_pattern_of_65535_bytes_is_taken_and_one_more_refused(void **state)
{
    static char text[65536];
    skua_arena *arena = skua_arena_new(0);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    memset(text, '%', sizeof(text)); /* each becomes three bytes */
    text[0] = '/';
    assert_int_equal(skua__pattern_read(&pattern, skua_str_of(text, 65535), &plain, arena, &why),
                     0);
    assert_int_equal(pattern.parts[0].text.len, 1 + 65534 * 3);
    assert_int_equal(skua__pattern_read(&pattern, skua_str_of(text, 65536), &plain, arena, &why),
                     SKUA_ERR_SETUP);
    assert_string_equal(why, "is longer than 65535 bytes");
    skua_arena_free(arena);
}

static void an_arena_without_room_is_out_of_memory(void **state)
{
    skua_arena *arena = skua_arena_new(1);
    struct skua__pattern pattern;
    const char *why = NULL;

    (void)state;
    assert_int_equal(skua__pattern_read(&pattern, SKUA_STR("/a"), &plain, arena, &why),
                     SKUA_ERR_NOMEM);
    assert_int_equal(skua__pattern_read(&pattern, SKUA_STR("/:"), &plain, NULL, &why),
                     SKUA_ERR_NOMEM);
    skua_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_text_is_one_part),
        cmocka_unit_test(a_parameter_alone_goes_up_to_the_slash),
        cmocka_unit_test(a_segment_holds_several_values_and_text),
        cmocka_unit_test(an_expression_stands_in_parentheses),
        cmocka_unit_test(a_question_mark_at_the_end_makes_the_last_segment_optional),
        cmocka_unit_test(the_short_form_has_neither_the_segment_nor_its_slash),
        cmocka_unit_test(a_wildcard_is_last),
        cmocka_unit_test(a_star_alone_stands_for_slash_star),
        cmocka_unit_test(two_colons_are_a_literal_one),
        cmocka_unit_test(a_percent_sign_is_written_as_a_canonical_path_has_it),
        cmocka_unit_test(names_point_into_a_copy_of_the_source),
        cmocka_unit_test(a_pattern_that_does_not_begin_with_a_slash_is_refused),
        cmocka_unit_test(a_parameter_without_a_name_is_refused),
        cmocka_unit_test(what_cannot_stand_behind_a_parameter_is_refused),
        cmocka_unit_test(what_cannot_stand_in_a_segment_is_refused),
        cmocka_unit_test(only_a_whole_segment_is_optional),
        cmocka_unit_test(an_expression_that_is_open_or_empty_is_refused),
        cmocka_unit_test(a_name_given_twice_is_refused),
        cmocka_unit_test(a_wildcard_that_is_not_last_is_refused),
        cmocka_unit_test(a_query_or_fragment_in_a_pattern_is_refused),
        cmocka_unit_test(letters_are_lowered_but_not_in_names_and_expressions),
        cmocka_unit_test(slashes_that_do_not_count_are_left_out),
        cmocka_unit_test(sixteen_parameters_are_taken_and_seventeen_refused),
        cmocka_unit_test(a_pattern_of_65535_bytes_is_taken_and_one_more_refused),
        cmocka_unit_test(an_arena_without_room_is_out_of_memory),
    };

    return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
