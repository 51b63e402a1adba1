/* SPDX-License-Identifier: MIT */
/*
 * segment_test.c - segments of several values, with text and with expressions
 */
#include "routes.h"

static void values_on_the_left_take_as_much_as_they_can(void **state)
{
    add(*state, "/near/:lat-:lng");
    add(*state, "/file/:a.:b.:c");
    add(*state, "/mix/:a-:b.:c");
    gives(*state, "/near/1-2", "/near/:lat-:lng lat=1 lng=2");
    gives(*state, "/near/1-2-3", "/near/:lat-:lng lat=1-2 lng=3");
    gives(*state, "/near/1--3", "/near/:lat-:lng lat=1- lng=3");
    gives(*state, "/near/--", "/near/:lat-:lng lat=- lng=");
    gives(*state, "/near/-", "/near/:lat-:lng lat= lng=");
    gives(*state, "/near/1", "-");
    gives(*state, "/near/", "-");
    gives(*state, "/file/x.y.z.w", "/file/:a.:b.:c a=x.y b=z c=w");
    gives(*state, "/file/x.y", "-");
    gives(*state, "/mix/x-y-z.w", "/mix/:a-:b.:c a=x-y b=z c=w");
    gives(*state, "/mix/x.y-z.w", "/mix/:a-:b.:c a=x.y b=z c=w");
    gives(*state, "/mix/x.y-z", "-");
}

static void separators_may_be_longer_than_a_byte(void **state)
{
    add(*state, "/:a--:b");
    add(*state, "/x/:a-to-:b");
    gives(*state, "/1--2--3", "/:a--:b a=1--2 b=3");
    gives(*state, "/1---3", "/:a--:b a=1- b=3");
    gives(*state, "/1-3", "-");
    gives(*state, "/x/a-to-b-to-c", "/x/:a-to-:b a=a-to-b b=c");
    gives(*state, "/x/a-to-to-b", "/x/:a-to-:b a=a-to b=b");
    gives(*state, "/x/a-t-b", "-");
}

static void text_stands_at_the_end(void **state)
{
    add(*state, "/:file.png");
    add(*state, "/:a-:b.txt/raw");
    gives(*state, "/gull.png", "/:file.png file=gull");
    gives(*state, "/.png", "/:file.png file=");
    gives(*state, "/gull.png.png", "/:file.png file=gull.png");
    gives(*state, "/gull.jpg", "-");
    gives(*state, "/png", "-");
    gives(*state, "/gull.png/", "-");
    gives(*state, "/x-y.txt/raw", "/:a-:b.txt/raw a=x b=y");
    gives(*state, "/x-y.txt.txt/raw", "/:a-:b.txt/raw a=x b=y.txt");
    gives(*state, "/x-y.txt", "-");
}

static void text_may_stand_before_the_first_value(void **state)
{
    add(*state, "/v:major.:minor");
    add(*state, "/v1.0");
    add(*state, "/:any");
    gives(*state, "/v1.0", "/v1.0");
    gives(*state, "/v1.2", "/v:major.:minor major=1 minor=2");
    gives(*state, "/v1", "/:any any=v1");
    gives(*state, "/w1.2", "/:any any=w1.2");
}

static void a_colon_is_text_like_other(void **state)
{
    add(*state, "/job/:id::run");
    add(*state, "/at/:h:::m");
    gives(*state, "/job/7:run", "/job/:id::run id=7");
    gives(*state, "/job/7%3Arun", "/job/:id::run id=7");
    gives(*state, "/job/7%3arun", "/job/:id::run id=7");
    gives(*state, "/job/7:stop", "-");
    gives(*state, "/at/12:30", "/at/:h:::m h=12 m=30");
}

/* The order of find-my-way's manual. */
static void the_candidates_at_a_place_are_tried_in_order(void **state)
{
    add(*state, "/foo/*");
    add(*state, "/foo/:n");
    add(*state, "/foo/:n.:ext");
    add(*state, "/foo/:n.png");
    add(*state, "/foo/:n.png.png");
    add(*state, "/foo/a.png");
    gives(*state, "/foo/a.png", "/foo/a.png");
    gives(*state, "/foo/b.png.png", "/foo/:n.png.png n=b");
    gives(*state, "/foo/b.png", "/foo/:n.png n=b");
    gives(*state, "/foo/b.txt", "/foo/:n.:ext n=b ext=txt");
    gives(*state, "/foo/b", "/foo/:n n=b");
    gives(*state, "/foo/a/b", "/foo/* *=a/b");
}

static void forms_of_one_rank_are_tried_in_the_order_of_adding(void **state)
{
    add(*state, "/:a-:b");
    add(*state, "/:a.:b");
    add(*state, "/x/:a.:b");
    add(*state, "/x/:a-:b");
    gives(*state, "/1-2.3", "/:a-:b a=1 b=2.3");
    gives(*state, "/x/1-2.3", "/x/:a.:b a=1-2 b=3");
    gives(*state, "/1.3", "/:a.:b a=1 b=3");
}

static void a_form_that_leads_nowhere_is_backed_out_of(void **state)
{
    add(*state, "/:a-:b/x");
    add(*state, "/:n/y");
    add(*state, "/:n/:m(\\d+)");
    add(*state, "/*");
    gives(*state, "/1-2/x", "/:a-:b/x a=1 b=2");
    gives(*state, "/1-2/y", "/:n/y n=1-2");
    gives(*state, "/1-2/77", "/:n/:m(\\d+) n=1-2 m=77");
    gives(*state, "/1-2/z", "/* *=1-2/z");
}

static void an_expression_matches_the_whole_value(void **state)
{
    add(*state, "/user/:id(^\\d+$)");
    add(*state, "/word/:w(a|bc)");
    add(*state, "/any/:x(.*)");
    add(*state, "/dollar/:x(a\\$)");
    gives(*state, "/user/12", "/user/:id(^\\d+$) id=12");
    gives(*state, "/user/12a", "-");
    gives(*state, "/user/a12", "-");
    gives(*state, "/user/", "-");
    gives(*state, "/word/a", "/word/:w(a|bc) w=a");
    gives(*state, "/word/bc", "/word/:w(a|bc) w=bc");
    gives(*state, "/word/abc", "-");
    gives(*state, "/any/", "/any/:x(.*) x=");
    gives(*state, "/any/x/y", "-");
    gives(*state, "/dollar/a$", "/dollar/:x(a\\$) x=a$");
    gives(*state, "/dollar/a", "-");
}

static void expressions_stand_beside_text_and_values(void **state)
{
    add(*state, "/at/:hour(^\\d{2})h:minute(^\\d{2})m");
    add(*state, "/id/:a(\\d):b(\\w+)");
    add(*state, "/key/:ns-:id(\\d+).json");
    add(*state, "/esc/:x(\\d+).(+)[$::y");
    gives(*state, "/at/08h15m", "/at/:hour(^\\d{2})h:minute(^\\d{2})m hour=08 minute=15");
    gives(*state, "/at/8h15m", "-");
    gives(*state, "/id/12ab", "/id/:a(\\d):b(\\w+) a=1 b=2ab");
    gives(*state, "/key/a-b-12.json", "/key/:ns-:id(\\d+).json ns=a-b id=12");
    gives(*state, "/key/a-b-x.json", "-");
    gives(*state, "/key/a-b-12xjson", "-");
    gives(*state, "/esc/7.(+)[$:y", "/esc/:x(\\d+).(+)[$::y x=7");
}

static void groups_of_an_expression_do_not_shift_the_values(void **state)
{
    add(*state, "/:a(([a-f0-9]{3},?)+)/:b((x|y)+)-:c");
    gives(*state, "/abc,123/xyx-z", "/:a(([a-f0-9]{3},?)+)/:b((x|y)+)-:c a=abc,123 b=xyx c=z");
}

static void characters_are_those_of_utf8(void **state)
{
    add(*state, "/:x(^.{2}$)");
    gives(*state, "/\xc3\xa9\xf0\x9f\x8d\x8c", "/:x(^.{2}$) x=\xc3\xa9\xf0\x9f\x8d\x8c");
    gives(*state, "/abc", "-");
    gives(*state, "/\xff\xfe", "-"); /* not UTF-8, which no canonical path is */
}

/* What is escaped in a canonical path is compared as what it stands for, and stays in the value. */
static void a_segment_is_split_as_it_is_decoded(void **state)
{
    add(*state, "/m/:user(.+@.+)");
    add(*state, "/n/:a-@:b");
    add(*state, "/p/:a-:b.%");
    gives(*state, "/m/ann%40example.org", "/m/:user(.+@.+) user=ann%40example.org");
    gives(*state, "/m/ann@example.org", "/m/:user(.+@.+) user=ann@example.org");
    gives(*state, "/m/ann", "-");
    gives(*state, "/n/%2Fx-%40y%3F", "/n/:a-@:b a=%2Fx b=y%3F");
    gives(*state, "/n/x-@y", "/n/:a-@:b a=x b=y");
    gives(*state, "/p/1%25-2.%25", "/p/:a-:b.% a=1%25 b=2");
    gives(*state, "/n/a%2-@b", "-"); /* a broken escape, which no canonical path has */
}

static void routes_that_differ_only_in_their_expressions_are_refused(void **state)
{
    add(*state, "/:a(\\d+)");
    add(*state, "/x/:a(\\d+)-:b");
    refused(*state, SKUA_GET, "/:b(\\w+)",
            "is already taken by '/:a(\\d+)': routes that differ only in their "
            "expressions would depend on their order, so write one route, and look at the value in "
            "its handler");
    refused(*state, SKUA_GET, "/:id(\\d+)",
            "is already taken by '/:a(\\d+)': remove one of the two");
    refused(*state, SKUA_GET, "/x/:c-:d",
            "is already taken by '/x/:a(\\d+)-:b': routes that differ only in their "
            "expressions would depend on their order, so write one route, and look at the value in "
            "its handler");
    add(*state, "/:id");
    add(*state, "/:b(\\w+)/more");
    add_as(*state, SKUA_POST, "/:b(\\w+)", "post");
    gives(*state, "/7", "/:a(\\d+) a=7");
    gives(*state, "/x", "/:id id=x");
    gives(*state, "/7/more", "/:b(\\w+)/more b=7");
}

static void an_expression_that_is_not_valid_is_refused_and_nothing_added(void **state)
{
    refused(*state, SKUA_GET, "/x/:id([)",
            "has an expression that is not valid: missing terminating ] for character "
            "class (man pcre2pattern tells how they are written)");
    refused(*state, SKUA_GET, "/x/:id(+)",
            "has an expression that is not valid: quantifier does not follow a repeatable "
            "item (man pcre2pattern tells how they are written)");
    refused(*state, SKUA_GET, "/x/:id(\\Qa)",
            "has an expression that is not valid: missing closing parenthesis (man "
            "pcre2pattern tells how they are written)");
    refused(*state, SKUA_GET, "/x/:id((?<n>a))",
            "has an expression that is not valid: it names a group or refers to "
            "one: write '(?:…)' for groups, and compare in the handler");
    refused(*state, SKUA_GET, "/x/:id((a)\\1)",
            "has an expression that is not valid: it names a group or refers to "
            "one: write '(?:…)' for groups, and compare in the handler");
    gives(*state, "/x/a", "-");
}

static void an_optional_segment_is_two_routes(void **state)
{
    add(*state, "/a/:id?");
    add(*state, "/b/:x-:y?");
    add(*state, "/c/:n(\\d+)?");
    gives(*state, "/a/7", "/a/:id? id=7");
    gives(*state, "/a/", "/a/:id? id=");
    gives(*state, "/a", "/a/:id?");
    gives(*state, "/b/1-2", "/b/:x-:y? x=1 y=2");
    gives(*state, "/b", "/b/:x-:y?");
    gives(*state, "/b/1", "-");
    gives(*state, "/c/7", "/c/:n(\\d+)? n=7");
    gives(*state, "/c/x", "-");
    gives(*state, "/c", "/c/:n(\\d+)?");
    refused(*state, SKUA_GET, "/a", "is already taken by '/a/:id?': remove one of the two");
}

static void an_optional_segment_at_the_root_leaves_the_root(void **state)
{
    add(*state, "/:page?");
    gives(*state, "/", "/:page?");
    gives(*state, "/about", "/:page? page=about");
}

/* HEAD routes are added after GET routes, and some of them are there already. */
static void each_form_of_an_optional_segment_is_added_even_if_the_other_is_taken(void **state)
{
    add(*state, "/a/:id");
    refused(*state, SKUA_GET, "/a/:name?", "is already taken by '/a/:id': remove one of the two");
    assert_int_equal(methods_of(*state, "/a"), 1u << SKUA_GET);
}

/* 60,000 bytes in which every place is a separator, but for the last. */
static void splitting_takes_one_pass_whatever_comes(void **state)
{
    const struct skua__router_opts opts = {.max_param_length = 100000};
    struct skua__router *router = skua__router_new(&opts);
    size_t len = 60000;
    char *path = malloc(len);
    const struct skua__lookup lookup = {.path = skua_str_of(path, len)};
    struct skua__match match;

    (void)state;
    assert_non_null(path);
    add(router, "/:a-:b-:c-:d-:e-:f-:g-:h-:i-:j-:k-:l-:m-:n-:o-:p");
    add(router, "/x/:a-:b.");
    memset(path, '-', len);
    path[0] = '/';
    assert_int_equal(skua__router_find(router, &lookup, &match), 0);
    assert_int_equal(match.count, 16);
    assert_int_equal(match.values[0].len, len - 16);
    assert_int_equal(match.values[15].len, 0);
    memcpy(path, "/x/", 3);
    assert_int_equal(skua__router_find(router, &lookup, &match), 0);
    assert_null(match.route);
    free(path);
    skua__router_free(router);
}

/* To find that there is no match, 2^90 ways would have to be tried. */
static void an_expression_that_needs_too_many_steps_is_a_miss(void **state)
{
    char path[100] = "/";

    add(*state, "/:x((a+)+[bc]d)");
    gives(*state, "/aaabd", "/:x((a+)+[bc]d) x=aaabd");
    memset(path + 1, 'a', 90);
    strcpy(path + 91, "bcd");
    gives(*state, path, "-");
    add(*state, "/:y");
    gives(*state, "/aab", "/:y y=aab");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(values_on_the_left_take_as_much_as_they_can),
        TEST(separators_may_be_longer_than_a_byte),
        TEST(text_stands_at_the_end),
        TEST(text_may_stand_before_the_first_value),
        TEST(a_colon_is_text_like_other),
        TEST(the_candidates_at_a_place_are_tried_in_order),
        TEST(forms_of_one_rank_are_tried_in_the_order_of_adding),
        TEST(a_form_that_leads_nowhere_is_backed_out_of),
        TEST(an_expression_matches_the_whole_value),
        TEST(expressions_stand_beside_text_and_values),
        TEST(groups_of_an_expression_do_not_shift_the_values),
        TEST(characters_are_those_of_utf8),
        TEST(a_segment_is_split_as_it_is_decoded),
        TEST(routes_that_differ_only_in_their_expressions_are_refused),
        TEST(an_expression_that_is_not_valid_is_refused_and_nothing_added),
        TEST(an_optional_segment_is_two_routes),
        TEST(an_optional_segment_at_the_root_leaves_the_root),
        TEST(each_form_of_an_optional_segment_is_added_even_if_the_other_is_taken),
        TEST(splitting_takes_one_pass_whatever_comes),
        TEST(an_expression_that_needs_too_many_steps_is_a_miss),
    };

    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
