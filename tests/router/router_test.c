/* SPDX-License-Identifier: MIT */
/*
 * router_test.c - which route a path gets, with which values, and what cannot be added
 */
#include "routes.h"

static void an_empty_router_finds_nothing(void **state)
{
    gives(*state, "/", "-");
    gives(*state, "", "-");
    gives(*state, "*", "-");
    assert_int_equal(methods_of(*state, "/"), 0);
}

static void static_routes_match_whole_paths_only(void **state)
{
    add(*state, "/");
    add(*state, "/user");
    add(*state, "/users");
    add(*state, "/users/all");
    add(*state, "/unit");
    gives(*state, "/", "/");
    gives(*state, "/user", "/user");
    gives(*state, "/users", "/users");
    gives(*state, "/users/all", "/users/all");
    gives(*state, "/unit", "/unit");
    gives(*state, "/u", "-");
    gives(*state, "/us", "-");
    gives(*state, "/use", "-");
    gives(*state, "/users/", "-");
    gives(*state, "/users/al", "-");
    gives(*state, "/users/alle", "-");
    gives(*state, "/User", "-");
    gives(*state, "//user", "-");
    gives(*state, "users", "-");
    gives(*state, "", "-");
    gives(*state, "*", "-");
}

static void a_parameter_takes_one_segment(void **state)
{
    add(*state, "/users/:id");
    add(*state, "/users/:id/files/:file");
    gives(*state, "/users/7", "/users/:id id=7");
    gives(*state, "/users/a.b-c:d*e", "/users/:id id=a.b-c:d*e");
    gives(*state, "/users/7/files/x", "/users/:id/files/:file id=7 file=x");
    gives(*state, "/users/7/files", "-");
    gives(*state, "/users/7/", "-");
    gives(*state, "/users", "-");
}

static void a_parameter_may_be_empty(void **state)
{
    add(*state, "/users/:id");
    add(*state, "/a/:x/b/:y");
    gives(*state, "/users/", "/users/:id id=");
    gives(*state, "/a//b/", "/a/:x/b/:y x= y=");
    gives(*state, "/a//b", "-");
}

static void a_parameter_at_the_root(void **state)
{
    add(*state, "/:page");
    gives(*state, "/", "/:page page=");
    gives(*state, "/about", "/:page page=about");
    gives(*state, "/about/us", "-");
}

static void a_wildcard_takes_the_rest_which_may_be_empty(void **state)
{
    add(*state, "/files/*");
    add(*state, "/of/:user/*");
    gives(*state, "/files/", "/files/* *=");
    gives(*state, "/files/a", "/files/* *=a");
    gives(*state, "/files/a/b//c/", "/files/* *=a/b//c/");
    gives(*state, "/files", "-");
    gives(*state, "/filesystem", "-");
    gives(*state, "/of/ann/x/y", "/of/:user/* user=ann *=x/y");
    gives(*state, "/of/ann/", "/of/:user/* user=ann *=");
    gives(*state, "/of/ann", "-");
}

static void a_wildcard_may_stand_behind_text(void **state)
{
    add(*state, "/file*");
    add(*state, "/files/:name");
    gives(*state, "/file", "/file* *=");
    gives(*state, "/files", "/file* *=s");
    gives(*state, "/file/a/b", "/file* *=/a/b");
    gives(*state, "/files/a", "/files/:name name=a");
    gives(*state, "/files/a/b", "/file* *=s/a/b");
    gives(*state, "/fil", "-");
}

static void a_wildcard_at_the_root_takes_all_paths_but_not_the_server_wide_star(void **state)
{
    add(*state, "*");
    gives(*state, "/", "* *=/");
    gives(*state, "/a/b", "* *=/a/b");
    gives(*state, "*", "-");
    gives(*state, "", "-");
}

static void static_text_goes_before_a_parameter_before_the_wildcard(void **state)
{
    add(*state, "/foo/*");
    add(*state, "/foo/:name");
    add(*state, "/foo/bar");
    gives(*state, "/foo/bar", "/foo/bar");
    gives(*state, "/foo/baz", "/foo/:name name=baz");
    gives(*state, "/foo/ba", "/foo/:name name=ba");
    gives(*state, "/foo/barr", "/foo/:name name=barr");
    gives(*state, "/foo/", "/foo/:name name=");
    gives(*state, "/foo/bar/", "/foo/* *=bar/");
    gives(*state, "/foo/a/b", "/foo/* *=a/b");
}

static void a_static_empty_segment_goes_before_an_empty_parameter(void **state)
{
    add(*state, "/a/:x");
    add(*state, "/a/");
    add(*state, "/a//b");
    add(*state, "/a/:x/b");
    gives(*state, "/a/", "/a/");
    gives(*state, "/a/y", "/a/:x x=y");
    gives(*state, "/a//b", "/a//b");
    gives(*state, "/a/y/b", "/a/:x/b x=y");
}

static void a_dead_end_is_backed_out_of(void **state)
{
    add(*state, "/a/:x/c");
    add(*state, "/a/b/d");
    add(*state, "/a/*");
    gives(*state, "/a/b/c", "/a/:x/c x=b");
    gives(*state, "/a/b/d", "/a/b/d");
    gives(*state, "/a/b/e", "/a/* *=b/e");
    gives(*state, "/a/b", "/a/* *=b");
    gives(*state, "/a/bb/c", "/a/:x/c x=bb");
}

static void backing_out_restores_the_values_of_outer_parameters(void **state)
{
    add(*state, "/:a/:b/:c/x");
    add(*state, "/:a/:b/y");
    add(*state, "/:a/two/:c/y");
    add(*state, "/one/*");
    gives(*state, "/1/2/3/x", "/:a/:b/:c/x a=1 b=2 c=3");
    gives(*state, "/1/2/y", "/:a/:b/y a=1 b=2");
    gives(*state, "/1/two/3/x", "/:a/:b/:c/x a=1 b=two c=3");
    gives(*state, "/1/two/3/y", "/:a/two/:c/y a=1 c=3");
    gives(*state, "/one/two/3/x", "/one/* *=two/3/x");
    gives(*state, "/on/two/3/z", "-");
}

static void the_inner_wildcard_goes_first_and_the_outer_one_is_fallen_back_on(void **state)
{
    add(*state, "/*");
    add(*state, "/a/*");
    add(*state, "/a/:x/z");
    add(*state, "/a/b/*");
    gives(*state, "/a/b/c", "/a/b/* *=c");
    gives(*state, "/a/b", "/a/* *=b");
    gives(*state, "/a/b/z", "/a/b/* *=z");
    gives(*state, "/a/c/z", "/a/:x/z x=c");
    gives(*state, "/a/", "/a/* *=");
    gives(*state, "/a", "/* *=a");
    gives(*state, "/", "/* *=");
}

static void a_route_without_the_method_is_a_miss_and_the_search_goes_on(void **state)
{
    add_as(*state, SKUA_POST, "/obj/:id", "post id");
    add_as(*state, SKUA_PUT, "/obj/seven", "put seven");
    add_as(*state, SKUA_GET, "/obj/*", "get rest");
    gives_for(*state, SKUA_GET, "/obj/seven", "get rest *=seven");
    gives_for(*state, SKUA_POST, "/obj/seven", "post id id=seven");
    gives_for(*state, SKUA_PUT, "/obj/seven", "put seven");
    gives_for(*state, SKUA_PUT, "/obj/eight", "-");
    gives_for(*state, SKUA_DELETE, "/obj/seven", "-");
    gives_for(*state, SKUA_METHOD_UNKNOWN, "/obj/seven", "-");
}

static void each_method_has_a_route_of_its_own(void **state)
{
    static const char *const names[] = {
#define NAME(name) #name,
        SKUA_METHOD_MAP(NAME)
#undef NAME
    };

    for (int i = SKUA_METHOD_COUNT - 1; i >= 0; i--)
        add_as(*state, (enum skua_method)i, "/x", names[i]);
    for (int i = 0; i < SKUA_METHOD_COUNT; i++)
        gives_for(*state, (enum skua_method)i, "/x", names[i]);
    assert_int_equal(methods_of(*state, "/x"), (1u << SKUA_METHOD_COUNT) - 1);
}

static void names_belong_to_the_route_and_not_to_the_place(void **state)
{
    add_as(*state, SKUA_GET, "/a/:id", "get");
    add_as(*state, SKUA_POST, "/a/:name", "post");
    add_as(*state, SKUA_GET, "/a/:key/x", "x");
    add_as(*state, SKUA_GET, "/a/:b/:c", "deep");
    gives_for(*state, SKUA_GET, "/a/1", "get id=1");
    gives_for(*state, SKUA_POST, "/a/1", "post name=1");
    gives_for(*state, SKUA_GET, "/a/1/x", "x key=1");
    gives_for(*state, SKUA_GET, "/a/1/y", "deep b=1 c=y");
}

static void methods_are_collected_over_all_that_matches(void **state)
{
    add_as(*state, SKUA_GET, "/a/b", "");
    add_as(*state, SKUA_POST, "/a/:x", "");
    add_as(*state, SKUA_PUT, "/a/*", "");
    add_as(*state, SKUA_DELETE, "/:y/b", "");
    add_as(*state, SKUA_PATCH, "/*", "");
    add_as(*state, SKUA_QUERY, "/a/b/c", "");
    assert_int_equal(methods_of(*state, "/a/b"), 1u << SKUA_GET | 1u << SKUA_POST | 1u << SKUA_PUT |
                                                     1u << SKUA_DELETE | 1u << SKUA_PATCH);
    assert_int_equal(methods_of(*state, "/a/c"),
                     1u << SKUA_POST | 1u << SKUA_PUT | 1u << SKUA_PATCH);
    assert_int_equal(methods_of(*state, "/a/b/c"),
                     1u << SKUA_PUT | 1u << SKUA_PATCH | 1u << SKUA_QUERY);
    assert_int_equal(methods_of(*state, "/a"), 1u << SKUA_PATCH);
    assert_int_equal(methods_of(*state, "*"), 0);
}

static void reserved_escapes_are_left_in_values_and_text(void **state)
{
    add(*state, "/p/:x");
    add(*state, "/100%/:x");
    gives(*state, "/p/a%2Fb", "/p/:x x=a%2Fb");
    gives(*state, "/100%25/y", "/100%/:x x=y");
    gives(*state, "/100%/y", "-");
}

static void bytes_over_127_are_bytes_like_others(void **state)
{
    add(*state, "/caf\xc3\xa9");
    add(*state, "/caf\xc3\xa8/:x");
    add(*state, "/\xff/\x80");
    gives(*state, "/caf\xc3\xa9", "/caf\xc3\xa9");
    gives(*state, "/caf\xc3\xa8/\xf0\x9f\x8d\x8c", "/caf\xc3\xa8/:x x=\xf0\x9f\x8d\x8c");
    gives(*state, "/\xff/\x80", "/\xff/\x80");
    gives(*state, "/caf\xc3", "-");
    gives(*state, "/\xfe/\x80", "-");
}

static void all_256_bytes_can_follow_one_another(void **state)
{
    static char patterns[256][4];
    skua_arena *arena = skua_arena_new(0);
    const char *why = NULL;

    for (int i = 0; i < 256; i++) { /* in an order that widens the window to both sides */
        int byte = (i * 77 + 128) & 255;

        snprintf(patterns[byte], sizeof(patterns[byte]), "/x%c", byte);
        if (strchr(":*?#%", byte) == NULL)
            assert_int_equal(skua__router_add(*state, SKUA_GET, skua_str_of(patterns[byte], 3),
                                              NULL, patterns[byte], arena, &why),
                             0);
    }
    for (int byte = 1; byte < 256; byte++) {
        const struct skua__lookup lookup = {.path = skua_str_of(patterns[byte], 3)};
        struct skua__match match;

        skua__router_find(*state, &lookup, &match);
        assert_ptr_equal(match.route, strchr(":*?#%", byte) == NULL ? patterns[byte] : NULL);
    }
    skua_arena_free(arena);
}

static void sixteen_parameters_are_all_found(void **state)
{
    struct skua__match match;
    const skua_str path = SKUA_STR("/0/1/2/3/4/5/6/7/8/9/a/b/c/d/e/rest/of/it");

    add(*state, "/:p0/:p1/:p2/:p3/:p4/:p5/:p6/:p7/:p8/:p9/:pa/:pb/:pc/:pd/:pe/*");
    skua__router_find(*state, &(struct skua__lookup){.path = path}, &match);
    assert_non_null(match.route);
    assert_int_equal(match.count, 16);
    for (int i = 0; i < 15; i++) {
        assert_int_equal(match.names[i].len, 2);
        assert_int_equal(match.names[i].ptr[1], "0123456789abcde"[i]);
        assert_ptr_equal(match.values[i].ptr, path.ptr + 1 + 2 * i);
        assert_int_equal(match.values[i].len, 1);
    }
    assert_true(skua_str_eq(match.names[15], SKUA_STR("*")));
    assert_true(skua_str_eq(match.values[15], SKUA_STR("rest/of/it")));
}

static void a_path_of_64_kib_is_looked_up(void **state)
{
    size_t len = 65536;
    char *path = malloc(len);
    struct skua__lookup lookup = {.path = skua_str_of(path, len)};
    struct skua__match match;

    assert_non_null(path);
    add(*state, "/:x");
    add(*state, "/a/*");
    memset(path, 'a', len);
    path[0] = '/';
    assert_int_equal(skua__router_find(*state, &lookup, &match), SKUA_ERR_URI_TOO_LONG);

    path[2] = '/';
    assert_int_equal(skua__router_find(*state, &lookup, &match), 0);
    assert_string_equal(match.route, "/a/*");
    assert_int_equal(match.values[0].len, len - 3);

    memset(path, '/', len);
    assert_int_equal(skua__router_find(*state, &lookup, &match), 0);
    assert_null(match.route);
    free(path);
}

static void the_same_place_and_method_is_taken_once(void **state)
{
    add(*state, "/users/:id");
    add(*state, "/users/:id/*");
    add(*state, "/");
    add_as(*state, SKUA_POST, "/users/:other", "post");
    refused(*state, SKUA_GET, "/users/:name",
            "is already taken by '/users/:id': remove one of the two");
    refused(*state, SKUA_POST, "/users/:id",
            "is already taken by '/users/:other': remove one of the two");
    refused(*state, SKUA_GET, "/users/:a/*",
            "is already taken by '/users/:id/*': remove one of the two");
    refused(*state, SKUA_GET, "/", "is already taken by '/': remove one of the two");
    gives(*state, "/users/7", "/users/:id id=7");
}

static void a_star_alone_and_slash_star_are_the_same_place(void **state)
{
    add(*state, "/*");
    refused(*state, SKUA_GET, "*", "is already taken by '/*': remove one of the two");
}

static void a_refused_pattern_leaves_the_tree_as_it_was(void **state)
{
    add(*state, "/users/:id");
    refused(*state, SKUA_GET, "/us/:",
            "has a parameter without a name: write one behind "
            "the ':', as in '/:id', or '::' for a colon");
    gives(*state, "/users/7", "/users/:id id=7");
    gives(*state, "/us/", "-");
}

static void a_method_that_is_not_in_the_table_is_refused(void **state)
{
    refused(*state, SKUA_METHOD_UNKNOWN, "/",
            "has a method that cannot be routed: take one of enum skua_method");
}

static void a_route_without_a_handler_is_refused(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    const char *why = NULL;

    assert_int_equal(skua__router_add(*state, SKUA_GET, SKUA_STR("/a"), NULL, NULL, arena, &why),
                     SKUA_ERR_SETUP);
    assert_string_equal(why, "has no handler");
    skua_arena_free(arena);
}

static void a_route_is_found_by_its_pattern_whatever_its_names(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua__match match;
    const char *why = NULL;

    add(*state, "/users/:id/:tab(info|log)");
    assert_int_equal(skua__router_find_pattern(*state, SKUA_GET, SKUA_STR("/users/:a/:b(info|log)"),
                                               NULL, arena, &match, &why),
                     0);
    assert_string_equal(match.route, "/users/:id/:tab(info|log)");
    assert_int_equal(match.count, 2);
    assert_true(skua_str_eq(match.names[1], SKUA_STR("tab")));
    assert_int_equal(skua__router_find_pattern(*state, SKUA_GET, SKUA_STR("/users/:a/:b(info)"),
                                               NULL, arena, &match, &why),
                     0);
    assert_null(match.route);
    assert_int_equal(skua__router_find_pattern(*state, SKUA_POST,
                                               SKUA_STR("/users/:a/:b(info|log)"), NULL, arena,
                                               &match, &why),
                     0);
    assert_null(match.route);
    assert_int_equal(skua__router_find_pattern(*state, SKUA_GET, SKUA_STR("/users/:"), NULL, arena,
                                               &match, &why),
                     SKUA_ERR_SETUP);
    skua_arena_free(arena);
}

static void an_arena_without_room_is_out_of_memory(void **state)
{
    skua_arena *arena = skua_arena_new(1);
    const char *why = NULL;

    assert_int_equal(skua__router_add(*state, SKUA_GET, SKUA_STR("/a"), NULL, *state, arena, &why),
                     SKUA_ERR_NOMEM);
    assert_string_equal(why, "out of memory");
    skua_arena_free(arena);
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    skua__router_free(NULL);
}

static void ten_thousand_routes_are_told_apart(void **state)
{
    static char patterns[10000][40];
    static const char *const forms[] = {"/s%d", "/p%d/:id", "/w%d/*", "/:x/m%d/:y/end",
                                        "/deep/er/%d/still"};
    static const char *const paths[] = {"/s%d", "/p%d/7", "/w%d/a/b", "/q/m%d/r/end",
                                        "/deep/er/%d/still"};

    for (int i = 0; i < 10000; i++) {
        int n = i * 7919 % 10000; /* every number once, out of order */

        snprintf(patterns[n], sizeof(patterns[n]), forms[n % 5], n);
        add(*state, patterns[n]);
    }
    for (int i = 0; i < 10000; i++) {
        struct skua__match match;
        char path[40];
        int len = snprintf(path, sizeof(path), paths[i % 5], i);
        const struct skua__lookup lookup = {.path = skua_str_of(path, (size_t)len)};

        skua__router_find(*state, &lookup, &match);
        assert_ptr_equal(match.route, patterns[i]);
    }
    gives(*state, "/s10000", "-");
}

/* Every choice at each of 12 segments, so that every node agrees and none is the end. */
static void a_tree_in_which_every_choice_is_a_dead_end_is_walked_once(void **state)
{
    enum { DEPTH = 12 };

    for (unsigned choice = 0; choice < 1u << DEPTH; choice++) {
        char pattern[DEPTH * 4 + 4];
        size_t len = 0;

        for (int i = 0; i < DEPTH; i++)
            len += (size_t)snprintf(pattern + len, sizeof(pattern) - len,
                                    choice >> i & 1 ? "/a" : "/:%c", 'a' + i);
        snprintf(pattern + len, sizeof(pattern) - len, "/z");
        add_as(*state, SKUA_GET, pattern, "found");
    }
    gives(*state, "/a/a/a/a/a/a/a/a/a/a/a/a/y", "-");
    gives(*state, "/a/a/a/a/a/a/a/a/a/a/a/a/z", "found");
    gives(*state, "/a/a/a/a/a/a/a/a/a/b/a/a/z", "found j=b");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(an_empty_router_finds_nothing),
        TEST(static_routes_match_whole_paths_only),
        TEST(a_parameter_takes_one_segment),
        TEST(a_parameter_may_be_empty),
        TEST(a_parameter_at_the_root),
        TEST(a_wildcard_takes_the_rest_which_may_be_empty),
        TEST(a_wildcard_may_stand_behind_text),
        TEST(a_wildcard_at_the_root_takes_all_paths_but_not_the_server_wide_star),
        TEST(static_text_goes_before_a_parameter_before_the_wildcard),
        TEST(a_static_empty_segment_goes_before_an_empty_parameter),
        TEST(a_dead_end_is_backed_out_of),
        TEST(backing_out_restores_the_values_of_outer_parameters),
        TEST(the_inner_wildcard_goes_first_and_the_outer_one_is_fallen_back_on),
        TEST(a_route_without_the_method_is_a_miss_and_the_search_goes_on),
        TEST(each_method_has_a_route_of_its_own),
        TEST(names_belong_to_the_route_and_not_to_the_place),
        TEST(methods_are_collected_over_all_that_matches),
        TEST(reserved_escapes_are_left_in_values_and_text),
        TEST(bytes_over_127_are_bytes_like_others),
        TEST(all_256_bytes_can_follow_one_another),
        TEST(sixteen_parameters_are_all_found),
        TEST(a_path_of_64_kib_is_looked_up),
        TEST(the_same_place_and_method_is_taken_once),
        TEST(a_star_alone_and_slash_star_are_the_same_place),
        TEST(a_refused_pattern_leaves_the_tree_as_it_was),
        TEST(a_method_that_is_not_in_the_table_is_refused),
        TEST(a_route_without_a_handler_is_refused),
        TEST(a_route_is_found_by_its_pattern_whatever_its_names),
        TEST(an_arena_without_room_is_out_of_memory),
        TEST(freeing_nothing_is_fine),
        TEST(ten_thousand_routes_are_told_apart),
        TEST(a_tree_in_which_every_choice_is_a_dead_end_is_walked_once),
    };

    return cmocka_run_group_tests_name("router", tests, NULL, NULL);
}
