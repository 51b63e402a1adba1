/* SPDX-License-Identifier: MIT */
/*
 * constraint_test.c - hosts and versions that decide between routes of one place
 */
#include "routes.h"

#include "router/condition.h"

static void add_host(struct skua__router *router, const char *pattern, const char *host)
{
    add_for(router, SKUA_GET, pattern, &(struct skua__constraints){.host = host}, host);
}

static void add_version(struct skua__router *router, const char *pattern, const char *version)
{
    add_for(router, SKUA_GET, pattern, &(struct skua__constraints){.version = version}, version);
}

/* NULL for a field that is not there. */
static void gives_with(const struct skua__router *router, const char *path, const char *host,
                       const char *version, const char *expected)
{
    const struct skua__lookup lookup = {
        .path = skua_str_c(path), .host = skua_str_c(host), .version = skua_str_c(version)};

    assert_string_equal(look_up(router, &lookup), expected);
}

/* ---- hosts ---- */

static void a_host_decides_between_routes_of_one_place(void **state)
{
    add_host(*state, "/", "a.com");
    add_host(*state, "/", "b.com");
    add_as(*state, SKUA_GET, "/", "any");
    gives_with(*state, "/", "a.com", NULL, "a.com");
    gives_with(*state, "/", "b.com", NULL, "b.com");
    gives_with(*state, "/", "c.com", NULL, "any");
    gives_with(*state, "/", NULL, NULL, "any");
    gives_with(*state, "/", "", NULL, "any");
}

static void a_host_has_no_case_and_its_port_counts_only_where_it_is_asked_for(void **state)
{
    add_host(*state, "/", "A.com");
    add_host(*state, "/", "a.com:8080");
    add_host(*state, "/", "[::1]");
    gives_with(*state, "/", "a.COM", NULL, "A.com");
    gives_with(*state, "/", "a.com:443", NULL, "A.com");
    gives_with(*state, "/", "a.com:", NULL, "A.com");
    gives_with(*state, "/", "a.com.", NULL, "-");
    gives_with(*state, "/", "xa.com", NULL, "-");
    gives_with(*state, "/", "[::1]:8080", NULL, "[::1]");
    gives_with(*state, "/", "[::1]", NULL, "[::1]");
}

static void a_port_that_is_asked_for_has_to_be_there(void **state)
{
    add_host(*state, "/", "a.com:8080");
    gives_with(*state, "/", "a.com:8080", NULL, "a.com:8080");
    gives_with(*state, "/", "a.com:808", NULL, "-");
    gives_with(*state, "/", "a.com", NULL, "-");
}

static void a_host_with_its_port_goes_before_one_without(void **state)
{
    add_host(*state, "/", "a.com");
    add_host(*state, "/", "a.com:8080");
    gives_with(*state, "/", "a.com:8080", NULL, "a.com:8080");
    gives_with(*state, "/", "a.com:80", NULL, "a.com");
}

static void an_expression_matches_somewhere_in_the_host_and_after_exact_ones(void **state)
{
    add_host(*state, "/", "/[.]a[.]com$/");
    add_host(*state, "/", "/^(x|y)[.]/");
    add_host(*state, "/", "x.a.com");
    add_as(*state, SKUA_GET, "/", "any");
    gives_with(*state, "/", "x.a.com", NULL, "x.a.com");
    gives_with(*state, "/", "Y.A.com:80", NULL, "/[.]a[.]com$/");
    gives_with(*state, "/", "y.b.com", NULL, "/^(x|y)[.]/");
    gives_with(*state, "/", "a.com", NULL, "any");
}

/* ---- versions ---- */

static void the_highest_version_that_is_asked_for_wins(void **state)
{
    static const char *const versions[] = {"2.3.0", "2.4.0", "3.3.0", "3.2.0",
                                           "3.2.2", "4.4.0", "4.3.2", "10.0.0"};

    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
        add_version(*state, "/", versions[i]);
    gives_with(*state, "/", NULL, "2.x", "2.4.0");
    gives_with(*state, "/", NULL, "2.3.x", "2.3.0");
    gives_with(*state, "/", NULL, "3.x", "3.3.0");
    gives_with(*state, "/", NULL, "3.2.x", "3.2.2");
    gives_with(*state, "/", NULL, "3.x.x", "3.3.0");
    gives_with(*state, "/", NULL, "4.3.2", "4.3.2");
    gives_with(*state, "/", NULL, "4.3.1", "-");
    gives_with(*state, "/", NULL, "5.x", "-");
    gives_with(*state, "/", NULL, "*", "10.0.0");
    gives_with(*state, "/", NULL, "x", "10.0.0");
}

static void what_is_no_version_is_asked_for_in_vain(void **state)
{
    static const char *const rows[] = {
        "",     "1",    "1.2",  "1.2.3.4", "1.2.3-a", "x.2",    "1.x.3",  "v1.x",
        " 1.x", "1..3", "1.2.", "a",       "1.x,2",   "^1.2.3", "1.2.3x", "1000000001.2.3"};

    add_version(*state, "/", "1.2.3");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        gives_with(*state, "/", NULL, rows[i], "-");
    gives_with(*state, "/", NULL, "1.2.3", "1.2.3");
}

static void parts_that_are_left_out_of_a_route_s_version_are_zero(void **state)
{
    add_version(*state, "/", "1");
    add_version(*state, "/", "2.5");
    gives_with(*state, "/", NULL, "1.0.0", "1");
    gives_with(*state, "/", NULL, "2.5.0", "2.5");
    refused_for(*state, SKUA_GET, "/", &(struct skua__constraints){.version = "1.0.0"},
                "is already taken by '/' for {\"version\":\"1.0.0\"}: remove one of the two");
}

static void who_asks_for_a_version_gets_no_route_without_and_who_does_not_none_with(void **state)
{
    add_as(*state, SKUA_GET, "/", "none");
    add_as(*state, SKUA_GET, "/plain", "plain");
    add_version(*state, "/", "1.0.0");
    add_version(*state, "/only", "1.0.0");
    gives_with(*state, "/", NULL, NULL, "none");
    gives_with(*state, "/", NULL, "1.x", "1.0.0");
    gives_with(*state, "/", NULL, "2.x", "-");
    gives_with(*state, "/", NULL, "", "-");
    gives_with(*state, "/plain", NULL, "1.x", "-");
    gives_with(*state, "/only", NULL, NULL, "-");
}

/* ---- both, and the way through the tree ---- */

static void the_narrowest_route_that_holds_is_taken(void **state)
{
    const struct skua__constraints both = {.host = "a.com", .version = "1.0.0"};

    add_as(*state, SKUA_GET, "/", "any");
    add_host(*state, "/", "a.com");
    add_for(*state, SKUA_GET, "/", &both, "both");
    add_version(*state, "/", "1.5.0");
    gives_with(*state, "/", "a.com", NULL, "a.com");
    gives_with(*state, "/", "a.com", "1.0.0", "both");
    gives_with(*state, "/", "a.com", "1.x", "both");
    gives_with(*state, "/", "a.com", "1.5.x", "1.5.0");
    gives_with(*state, "/", "b.com", "1.x", "1.5.0");
    gives_with(*state, "/", "b.com", "1.0.0", "-");
    gives_with(*state, "/", "b.com", NULL, "any");
}

static void a_route_whose_condition_does_not_hold_is_a_miss_and_the_search_goes_on(void **state)
{
    add_host(*state, "/foo/bar/static", "test");
    add_as(*state, SKUA_GET, "/foo/bar/*", "rest");
    add_as(*state, SKUA_GET, "/foo/:param/static", "param");
    gives_with(*state, "/foo/bar/static", "test", NULL, "test");
    gives_with(*state, "/foo/bar/static", NULL, NULL, "rest *=static");
    gives_with(*state, "/foo/value/static", NULL, NULL, "param param=value");
}

static void hundreds_of_hosts_share_a_place(void **state)
{
    static char hosts[300][24];

    for (int i = 0; i < 300; i++) {
        snprintf(hosts[i], sizeof(hosts[i]), "h%d.org", i);
        add_host(*state, "/", hosts[i]);
    }
    for (int i = 0; i < 300; i++)
        gives_with(*state, "/", hosts[i], NULL, hosts[i]);
    gives_with(*state, "/", "h300.org", NULL, "-");
}

/* ---- what the outcome depends on ---- */

static uint8_t vary_of(const struct skua__router *router, enum skua_method method, const char *path,
                       const char *host, const char *version)
{
    const struct skua__lookup lookup = {.method = method,
                                        .path = skua_str_c(path),
                                        .host = skua_str_c(host),
                                        .version = skua_str_c(version)};
    struct skua__match match;

    assert_int_equal(skua__router_find(router, &lookup, &match), 0);
    return match.vary;
}

static void a_router_without_constraints_reads_nothing(void **state)
{
    add(*state, "/");
    assert_int_equal(skua__router_reads(*state), 0);
    assert_int_equal(vary_of(*state, SKUA_GET, "/", "a.com", NULL), 0);
}

static void the_outcome_varies_with_the_host_where_one_was_compared(void **state)
{
    add_host(*state, "/", "a.com");
    add_as(*state, SKUA_GET, "/", "any");
    add_as(*state, SKUA_POST, "/", "post");
    add(*state, "/x");
    assert_int_equal(skua__router_reads(*state), SKUA__READS_HOST);
    assert_int_equal(vary_of(*state, SKUA_GET, "/", "a.com", NULL), SKUA__READS_HOST);
    assert_int_equal(vary_of(*state, SKUA_GET, "/", "b.com", NULL), SKUA__READS_HOST);
    assert_int_equal(vary_of(*state, SKUA_POST, "/", "a.com", NULL), 0);
    assert_int_equal(vary_of(*state, SKUA_GET, "/x", "a.com", NULL), 0);
}

static void every_outcome_varies_with_the_version_if_one_route_has_one(void **state)
{
    add_version(*state, "/", "1.0.0");
    add(*state, "/x");
    assert_int_equal(skua__router_reads(*state), SKUA__READS_VERSION);
    assert_int_equal(vary_of(*state, SKUA_GET, "/", NULL, "1.x"), SKUA__READS_VERSION);
    assert_int_equal(vary_of(*state, SKUA_GET, "/", NULL, NULL), SKUA__READS_VERSION);
    assert_int_equal(vary_of(*state, SKUA_GET, "/x", NULL, NULL), SKUA__READS_VERSION);
    assert_int_equal(vary_of(*state, SKUA_GET, "/x", NULL, "9.x"), SKUA__READS_VERSION);
}

static void only_methods_whose_condition_holds_are_told(void **state)
{
    struct skua__lookup lookup = {.path = SKUA_STR("/"), .host = SKUA_STR("a.com")};
    uint8_t vary = 0;

    add_host(*state, "/", "a.com");
    add_for(*state, SKUA_POST, "/", &(struct skua__constraints){.host = "b.com"}, "post");
    add_for(*state, SKUA_PUT, "/", &(struct skua__constraints){.version = "1.0.0"}, "put");
    assert_int_equal(skua__router_methods(*state, &lookup, &vary), 1u << SKUA_GET);
    assert_int_equal(vary, SKUA__READS_HOST | SKUA__READS_VERSION);
    lookup.version = SKUA_STR("1.x");
    assert_int_equal(skua__router_methods(*state, &lookup, &vary), 1u << SKUA_PUT);
}

/* ---- mistakes ---- */

static void what_is_no_host_is_refused(void **state)
{
    static const char *const rows[] = {"", "a b", "a.com/", "/", "//", "http://a.com", "a:b"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "asks for a host that is not one, '%s': write it as 'example.com' or "
                 "'example.com:8080', or an "
                 "expression for hosts as '/[.]example[.]com$/'",
                 rows[i]);
        refused_for(*state, SKUA_GET, "/", &(struct skua__constraints){.host = rows[i]}, expected);
    }
    refused_for(
        *state, SKUA_GET, "/", &(struct skua__constraints){.host = "/(/"},
        "asks for hosts by an expression that is not valid, /(/: missing closing parenthesis (man "
        "pcre2pattern tells how they are written)");
}

static void what_is_no_version_is_refused(void **state)
{
    static const char *const rows[] = {"", "x", "1.x", "*", "1.2.3.4", "1.2.3-beta", "v1", "-1"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char expected[256];

        snprintf(expected, sizeof(expected),
                 "asks for a version that is not one, '%s': write three numbers, such as '1.2.0', "
                 "as only "
                 "requests ask for '1.x'",
                 rows[i]);
        refused_for(*state, SKUA_GET, "/", &(struct skua__constraints){.version = rows[i]},
                    expected);
    }
}

static void one_place_is_taken_once_under_each_condition(void **state)
{
    const struct skua__constraints host = {.host = "a.com"};
    const struct skua__constraints same = {.host = "A.COM"};
    const struct skua__constraints version = {.host = "a.com", .version = "1.0.0"};

    add_for(*state, SKUA_GET, "/x/:id", &host, "first");
    add_for(*state, SKUA_GET, "/x/:id", &version, "second");
    add_for(*state, SKUA_POST, "/x/:id", &host, "post");
    add(*state, "/x/:id");
    refused_for(*state, SKUA_GET, "/x/:name", &same,
                "is already taken by '/x/:id' for {\"host\":\"a.com\"}: remove one of the two");
    refused(*state, SKUA_GET, "/x/:name", "is already taken by '/x/:id': remove one of the two");
}

/* With ever more memory, until it is enough. */
static void conditions_without_memory_say_so(void **state)
{
    const struct skua__constraints constraints = {.host = "/a/", .version = "1.0.0"};
    int err = SKUA_ERR_NOMEM;

    (void)state;
    for (size_t budget = 1; err == SKUA_ERR_NOMEM; budget += 4096) {
        skua_arena *arena = skua_arena_new(budget);
        struct skua__condition *condition;
        const char *why = NULL;

        assert_true(budget < 65536);
        err = skua__condition_read(&condition, arena, &constraints, arena, &why);
        assert_true(err == 0 || err == SKUA_ERR_NOMEM);
        skua_arena_free(arena);
    }
    assert_int_equal(err, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(a_host_decides_between_routes_of_one_place),
        TEST(a_host_has_no_case_and_its_port_counts_only_where_it_is_asked_for),
        TEST(a_port_that_is_asked_for_has_to_be_there),
        TEST(a_host_with_its_port_goes_before_one_without),
        TEST(an_expression_matches_somewhere_in_the_host_and_after_exact_ones),
        TEST(the_highest_version_that_is_asked_for_wins),
        TEST(what_is_no_version_is_asked_for_in_vain),
        TEST(parts_that_are_left_out_of_a_route_s_version_are_zero),
        TEST(who_asks_for_a_version_gets_no_route_without_and_who_does_not_none_with),
        TEST(the_narrowest_route_that_holds_is_taken),
        TEST(a_route_whose_condition_does_not_hold_is_a_miss_and_the_search_goes_on),
        TEST(hundreds_of_hosts_share_a_place),
        TEST(a_router_without_constraints_reads_nothing),
        TEST(the_outcome_varies_with_the_host_where_one_was_compared),
        TEST(every_outcome_varies_with_the_version_if_one_route_has_one),
        TEST(only_methods_whose_condition_holds_are_told),
        TEST(what_is_no_host_is_refused),
        TEST(what_is_no_version_is_refused),
        TEST(one_place_is_taken_once_under_each_condition),
        TEST(conditions_without_memory_say_so),
    };

    return cmocka_run_group_tests_name("constraint", tests, NULL, NULL);
}
