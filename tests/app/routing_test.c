/* SPDX-License-Identifier: MIT */
/*
 * routing_test.c - addresses, from the bytes of a request to the handler
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AS(text) (void *)(uintptr_t)(text)

/* "data: a=1 b=-": what the route was added with, and the parameters a, b and * where they are. */
static int tell(skua_req *req, skua_reply *reply)
{
    static const char *const names[] = {"a", "b", "*"};
    skua_arena *arena = skua_req_arena(req);
    const char *text = skua_req_data(req);

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = skua_param(req, names[i]);

        if (value != NULL)
            text = skua_format(arena, "%s %s=%s", text, names[i], value);
    }
    return skua_reply_text(reply, text);
}

static void answers(skua_app *app, const char *url, const char *headers, int status,
                    const char *body)
{
    skua_injected res;

    assert_int_equal(skua_inject(app, &res, .url = url, .headers = headers), 0);
    if (res.status != status)
        fail_msg("%s: %d %.*s", url, res.status, (int)res.body.len, res.body.ptr);
    if (body != NULL) {
        assert_int_equal(res.body.len, strlen(body));
        assert_memory_equal(res.body.ptr, body, res.body.len);
    }
    skua_injected_finish(&res);
}

static void gives(skua_app *app, const char *url, const char *body)
{
    answers(app, url, NULL, 200, body);
}

static void fails(skua_app *app, const char *url, int status)
{
    answers(app, url, NULL, status, NULL);
}

/* Whether the reply has this field line and no other of the name; NULL: none of "vary". */
static void varies(skua_app *app, const char *method, const char *url, const char *headers,
                   int status, const char *line)
{
    skua_injected res;
    char *fields;

    assert_int_equal(skua_inject(app, &res, .method = method, .url = url, .headers = headers), 0);
    assert_int_equal(res.status, status);
    fields = strndup(res.headers.ptr, res.headers.len);
    assert_int_equal(sk_count(fields, "vary:"), line != NULL);
    if (line != NULL && strstr(fields, line) == NULL)
        fail_msg("%s is not in:\n%s", line, fields);
    free(fields);
    skua_injected_finish(&res);
}

static void every_kind_of_pattern_reaches_its_handler(void **state)
{
    skua_app *app = sk_app(), *scope = skua_scope(app, "/v:a");

    (void)state;
    skua_get(app, "/near/:a-:b", tell, .data = AS("near"));
    skua_get(app, "/pic/:a.png", tell, .data = AS("png"));
    skua_get(app, "/pic/:a", tell, .data = AS("pic"));
    skua_get(app, "/at/:a(^\\d{2}$)h:b(\\d{2})m", tell, .data = AS("at"));
    skua_get(app, "/job/:a::run", tell, .data = AS("run"));
    skua_get(app, "/list/:a?", tell, .data = AS("list"));
    skua_get(app, "/all*", tell, .data = AS("all"));
    skua_get(scope, "/x/:b", tell, .data = AS("scope"));
    gives(app, "/near/1-2-3", "near a=1-2 b=3");
    gives(app, "/near/caf%C3%A9-%2Fx%2D%25", "near a=caf\xc3\xa9-/x b=%");
    gives(app, "/pic/gull.png", "png a=gull");
    gives(app, "/pic/gull.jpg", "pic a=gull.jpg");
    gives(app, "/at/08h15m", "at a=08 b=15");
    fails(app, "/at/8h15m", 404);
    gives(app, "/job/7%3Arun", "run a=7");
    gives(app, "/list/7", "list a=7");
    gives(app, "/list/", "list a=");
    gives(app, "/list", "list");
    gives(app, "/all/the/rest", "all *=/the/rest");
    gives(app, "/v2/x/y", "scope a=2 b=y");
    skua_app_free(app);
}

static void head_answers_for_both_forms_of_an_optional_segment(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/list/:a?", tell, .data = AS("list"));
    varies(app, "HEAD", "/list", NULL, 200, NULL);
    varies(app, "HEAD", "/list/7", NULL, 200, NULL);
    skua_app_free(app);
}

static void a_parameter_that_is_too_long_is_a_414(void **state)
{
    skua_app *app = sk_app_with((skua_app_opts){.max_param_length = 3});
    skua_injected res;

    (void)state;
    skua_get(app, "/:a", tell, .data = AS("one"));
    skua_get(app, "/x/:a-:b", tell, .data = AS("two"));
    skua_get(app, "/w/*", tell, .data = AS("rest"));
    gives(app, "/abc", "one a=abc");
    gives(app, "/%C3%A9%2Fx", "one a=\xc3\xa9/x");
    gives(app, "/w/abcd", "rest *=abcd");
    fails(app, "/x/abc-defg", 414);
    assert_int_equal(skua_inject(app, &res, .url = "/abcd"), 0);
    assert_int_equal(res.status, 414);
    assert_non_null(strstr(res.body.ptr, "SKUA_ERR_URI_TOO_LONG"));
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void a_hundred_units_are_the_default(void **state)
{
    skua_app *app = sk_app();
    char url[128];

    (void)state;
    skua_get(app, "/:a", tell, .data = AS("one"));
    snprintf(url, sizeof(url), "/%0100d", 0);
    fails(app, url, 200);
    snprintf(url, sizeof(url), "/%0101d", 0);
    fails(app, url, 414);
    skua_app_free(app);
}

static int no_such_page(skua_req *req, skua_reply *reply)
{
    return skua_reply_text(reply, skua_format(skua_req_arena(req), "no %s", skua_req_path(req)));
}

static void case_and_slashes_can_be_ignored(void **state)
{
    skua_app *app = sk_app_with((skua_app_opts){
        .ignore_case = true, .ignore_trailing_slash = true, .ignore_duplicate_slashes = true});
    skua_app *scope = skua_scope(app, "/api");

    (void)state;
    skua_get(app, "/Birds/:a", tell, .data = AS("bird"));
    skua_set_not_found_handler(scope, no_such_page);
    gives(app, "/bIRDS/Tern", "bird a=Tern");
    gives(app, "//birds///Tern/", "bird a=Tern");
    answers(app, "/API//x/", NULL, 404, "no /API/x"); /* handlers see the path that was looked up */
    skua_app_free(app);
}

static void by_default_case_and_slashes_count(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/birds", tell, .data = AS("birds"));
    gives(app, "/birds", "birds");
    fails(app, "/Birds", 404);
    fails(app, "/birds/", 404);
    fails(app, "//birds", 404);
    skua_app_free(app);
}

static void the_host_decides(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/", tell, .data = AS("any"));
    skua_get(app, "/", tell, .data = AS("admin"), .host = "admin.example.org");
    skua_get(app, "/", tell, .data = AS("org"), .host = "/[.]org$/");
    skua_get(app, "/free", tell, .data = AS("free"));
    answers(app, "/", "Host: Admin.Example.org:8080\r\n", 200, "admin");
    answers(app, "/", "Host: shop.org\r\n", 200, "org");
    answers(app, "/", "Host: shop.com\r\n", 200, "any");
    answers(app, "http://admin.example.org/", "Host: shop.com\r\n", 200, "admin");
    varies(app, "GET", "/", "Host: shop.com\r\n", 200, "vary: Host\r\n");
    varies(app, "HEAD", "/", "Host: shop.org\r\n", 200, "vary: Host\r\n");
    varies(app, "GET", "/free", "Host: shop.org\r\n", 200, NULL);
    skua_app_free(app);
}

static void the_version_decides_and_is_told_to_caches(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/", tell, .data = AS("none"));
    skua_get(app, "/", tell, .data = AS("1.2"), .version = "1.2.0");
    skua_get(app, "/", tell, .data = AS("1.3"), .version = "1.3.0");
    skua_get(app, "/free", tell, .data = AS("free"));
    gives(app, "/", "none");
    answers(app, "/", "Accept-Version: 1.x\r\n", 200, "1.3");
    answers(app, "/", "Accept-Version: 1.2.x\r\n", 200, "1.2");
    answers(app, "/", "accept-version:  1.2.0 \r\n", 200, "1.2");
    varies(app, "GET", "/", NULL, 200, "vary: Accept-Version\r\n");
    varies(app, "GET", "/", "Accept-Version: 99\r\n", 404, "vary: Accept-Version\r\n");
    varies(app, "GET", "/", "Accept-Version:\r\n", 404, "vary: Accept-Version\r\n");
    varies(app, "GET", "/free", "Accept-Version: 1.x\r\n", 404, "vary: Accept-Version\r\n");
    varies(app, "POST", "/", "Accept-Version: 1.x\r\n", 405, "vary: Accept-Version\r\n");
    skua_app_free(app);
}

static int vary_itself(skua_req *req, skua_reply *reply)
{
    skua_reply_header(reply, "vary", "Accept-Encoding");
    return tell(req, reply);
}

static void what_a_handler_says_of_vary_is_kept(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/", vary_itself, .data = AS("x"), .host = "a.org", .version = "1.0.0");
    varies(app, "GET", "/", "Host: a.org\r\nAccept-Version: *\r\n", 200,
           "vary: Accept-Encoding, Host, Accept-Version\r\n");
    varies(app, "GET", "/", "Host: a.org\r\nAccept-Version: 2.x\r\n", 404,
           "vary: Host, Accept-Version\r\n");
    skua_app_free(app);
}

static void only_methods_that_the_request_could_have_are_allowed(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_post(app, "/", tell, .data = AS("a"), .host = "a.org");
    skua_put(app, "/", tell, .data = AS("b"), .host = "b.org");
    answers(app, "/", "Host: c.org\r\n", 404, NULL);
    answers(app, "/", "Host: a.org\r\n", 405, NULL);
    varies(app, "GET", "/", "Host: a.org\r\n", 405, "allow: POST\r\n");
    varies(app, "GET", "/", "Host: b.org\r\n", 405, "allow: PUT\r\n");
    skua_app_free(app);
}

static void what_is_read_of_a_route_s_description_is_copied(void **state)
{
    skua_app *app = sk_app();
    char host[] = "a.org", version[] = "1.0.0", path[] = "/x";

    (void)state;
    skua_get(app, path, tell, .data = AS("x"), .host = host, .version = version);
    memset(host, '!', sizeof(host));
    memset(version, '!', sizeof(version));
    memset(path, '!', sizeof(path));
    answers(app, "/x", "Host: a.org\r\nAccept-Version: 1.x\r\n", 200, "x");
    skua_app_free(app);
}

static void mistakes_of_routes_are_told_together(void **state)
{
    static const char *const parts[] = {
        "the route GET '/a/:x(\\d' has an expression for 'x' that is not closed",
        "the route GET '/:a:b' has a ':' right behind ':a'",
        "the route GET '/v' asks for a version that is not one, '1.x'",
        "the route GET '/h' asks for a host that is not one, 'http://a'",
        "the route GET '/same/:b' is already taken by '/same/:a?': remove one of the two",
        "the route GET '/re/:b(\\w+)' is already taken by '/re/:a(\\d+)': routes that differ only "
        "in "
        "their expressions",
    };
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/a/:x(\\d", tell);
    skua_get(app, "/:a:b", tell);
    skua_get(app, "/v", tell, .version = "1.x");
    skua_get(app, "/h", tell, .host = "http://a");
    skua_get(app, "/same/:a?", tell);
    skua_get(app, "/same/:b", tell);
    skua_get(app, "/re/:a(\\d+)", tell);
    skua_get(app, "/re/:b(\\w+)", tell);
    assert_int_equal(skua_app_ready(app), SKUA_ERR_SETUP);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strstr(skua_app_mistakes(app), parts[i]) == NULL)
            fail_msg("'%s' is not told in:\n%s", parts[i], skua_app_mistakes(app));
    }
    skua_app_free(app);
}

static void routes_are_drawn_with_what_they_ask_for(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    skua_get(app, "/x", tell, .version = "1.2.0");
    skua_get(app, "/x/:a(\\d+)", tell, .host = "a.org");
    assert_int_equal(skua_app_ready(app), 0);
    assert_string_equal(skua_app_routes(app),
                        "└── /\n"
                        "    └── x (GET, HEAD) {\"version\":\"1.2.0\"}\n"
                        "        └── /\n"
                        "            └── :a(\\d+) (GET, HEAD) {\"host\":\"a.org\"}\n");
    skua_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_pattern_reaches_its_handler),
        cmocka_unit_test(head_answers_for_both_forms_of_an_optional_segment),
        cmocka_unit_test(a_parameter_that_is_too_long_is_a_414),
        cmocka_unit_test(a_hundred_units_are_the_default),
        cmocka_unit_test(case_and_slashes_can_be_ignored),
        cmocka_unit_test(by_default_case_and_slashes_count),
        cmocka_unit_test(the_host_decides),
        cmocka_unit_test(the_version_decides_and_is_told_to_caches),
        cmocka_unit_test(what_a_handler_says_of_vary_is_kept),
        cmocka_unit_test(only_methods_that_the_request_could_have_are_allowed),
        cmocka_unit_test(what_is_read_of_a_route_s_description_is_copied),
        cmocka_unit_test(mistakes_of_routes_are_told_together),
        cmocka_unit_test(routes_are_drawn_with_what_they_ask_for),
    };

    return cmocka_run_group_tests_name("routing", tests, NULL, NULL);
}
