/* SPDX-License-Identifier: MIT */
/*
 * error_flow_test.c - whatever fails, there is exactly one reply
 *
 * The case behind it: a render error beside an onError hook once made a server send twice and crash
 * (fastify/point-of-view#404).
 */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static int seen; /* by the onError hook */

static int watch_errors(skua_req *req, skua_reply *reply)
{
    assert_non_null(skua_req_error(req));
    seen++;
    return skua_reply_text(reply, "an onError hook cannot reply");
}

static int fail_it(skua_req *req, skua_reply *reply)
{
    (void)reply;
    return skua_fail(req, 409, "CONFLICT", "no <b>two</b> of them");
}

static int reply_broken(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_view(reply, "broken.html", NULL);
}

static int reply_fine(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_view(reply, "fine.html", NULL);
}

static int reply_fine_then_fail(skua_req *req, skua_reply *reply)
{
    skua_reply_view(reply, "fine.html", NULL);
    return skua_fail(req, 402, "PAY", "not for nothing");
}

static int reply_twice(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_text(reply, "one");
    return skua_reply_text(reply, "two");
}

static int split_header(skua_req *req, skua_reply *reply)
{
    (void)req;
    assert_int_equal(skua_reply_header(reply, "location", "/x\r\nset-cookie: a=b"),
                     SKUA_ERR_BAD_HEADER);
    assert_int_equal(skua_reply_header(reply, "x y", "z"), SKUA_ERR_BAD_HEADER);
    assert_int_equal(skua_reply_header(reply, "content-length", "3"), SKUA_ERR_BAD_HEADER);
    return skua_reply_text(reply, "whole");
}

static int eat_memory(skua_req *req, skua_reply *reply)
{
    skua_value *page;

    (void)skua_alloc(skua_req_arena(req), (size_t)2 << 20);
    page = skua_object(skua_req_arena(req));
    skua_set(page, "still", "here");
    return skua_reply_send(reply, page);
}

static int bad_status(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_status(reply, 99);
    return skua_reply_text(reply, "x");
}

static int answer_inner(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)req;
    if (error->status == 409)
        return SKUA_ERR_LIMIT; /* it fails itself: the scope above answers */
    return skua_reply_text(reply, skua_format(skua_req_arena(req), "inner: %s", error->name));
}

static int pass_on(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return error->code; /* the same failure: nobody hears of it twice */
}

static int answer_outer(const skua_error *error, skua_req *req, skua_reply *reply)
{
    return skua_reply_text(reply, skua_format(skua_req_arena(req), "outer: %s", error->name));
}

static int answer_with_broken_view(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)error;
    return reply_broken(req, reply);
}

static int fail_on_send(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return SKUA_ERR_LIMIT;
}

static skua_app *make_app(bool development)
{
    skua_app *app =
        sk_app_with((skua_app_opts){.development = development, .request_memory = 1 << 20});

    skua_views(app, .root = SKUA_SOURCE_DIR "/tests/app/broken", .lazy = true);
    skua_hook(app, SKUA_ON_ERROR, watch_errors);
    skua_get(app, "/fail", fail_it);
    skua_get(app, "/hook", reply_fine, .hooks = {[SKUA_PRE_HANDLER] = fail_it});
    skua_get(app, "/send-hook", reply_fine, .hooks = {[SKUA_ON_SEND] = fail_on_send});
    skua_get(app, "/view", reply_broken);
    skua_get(app, "/fine", reply_fine);
    skua_get(app, "/fine-then-fail", reply_fine_then_fail);
    skua_get(app, "/twice", reply_twice);
    skua_get(app, "/split", split_header);
    skua_get(app, "/memory", eat_memory);
    skua_get(app, "/status", bad_status);
    return app;
}

/* Ask once; exactly one reply must come, and the hook must have run `times`. */
static void ask(skua_app *app, const char *url, const char *accept, int status, int times,
                const char *part)
{
    skua_injected res;
    char headers[64];

    snprintf(headers, sizeof(headers), "Accept: %s\r\n", accept);
    seen = 0;
    assert_int_equal(skua_inject(app, &res, .url = url, .headers = headers), 0);
    assert_int_equal(sk_count(res.raw.ptr, "HTTP/1.1 "), 1);
    if (res.status != status || strstr(res.raw.ptr, part) == NULL)
        fail_msg("%s gave: %s", url, res.raw.ptr);
    assert_int_equal(seen, times);
    skua_injected_finish(&res);
}

static void each_failure_gives_one_reply(void **state)
{
    static const struct {
        const char *url;
        int status;
        int times;
        const char *part;
    } rows[] = {
        {"/fail", 409, 1,
         "{\"statusCode\":409,\"code\":\"CONFLICT\",\"error\":\"Conflict\",\"message\":\"no "
         "<b>two</b> of "
         "them\"}"},
        {"/hook", 409, 1, "\"code\":\"CONFLICT\""},
        {"/view", 500, 1, "\"code\":\"SKUA_ERR_TEMPLATE\""},
        {"/send-hook", 500, 1,
         "\"code\":\"SKUA_ERR_LIMIT\""}, /* though the built-in page fails alike */
        {"/fine", 200, 0, "<p>fine</p>"},
        {"/fine-then-fail", 402, 1, "\"code\":\"PAY\""},
        {"/twice", 500, 1, "\"code\":\"SKUA_ERR_REPLIED\""},
        {"/split", 200, 0, "whole"},
        {"/memory", 503, 0, "\"statusCode\":503"},
        {"/status", 500, 1, "\"code\":\"SKUA_ERR_STATE\""},
    };
    skua_app *app = make_app(false);

    (void)state;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
            ask(app, rows[i].url, "application/json", rows[i].status, rows[i].times, rows[i].part);
    }
    skua_app_free(app);
}

static void production_hides_what_development_shows(void **state)
{
    skua_app *production = make_app(false), *development = make_app(true);
    skua_injected res;

    (void)state;
    assert_int_equal(
        skua_inject(production, &res, .url = "/view", .headers = "Accept: text/html\r\n"), 0);
    assert_int_equal(res.status, 500);
    assert_null(strstr(res.raw.ptr, "broken"));
    assert_null(strstr(res.raw.ptr, "/tests/"));
    skua_injected_finish(&res);
    assert_int_equal(
        skua_inject(development, &res, .url = "/view", .headers = "Accept: text/html\r\n"), 0);
    assert_int_equal(res.status, 500);
    assert_non_null(strstr(res.raw.ptr, "broken.html:2:"));
    assert_null(strstr(res.raw.ptr, "/tests/")); /* never the path on the machine */
    skua_injected_finish(&res);
    skua_app_free(production);
    skua_app_free(development);
}

static void html_is_escaped(void **state)
{
    skua_app *app = make_app(false);

    (void)state;
    ask(app, "/fail", "text/html", 409, 1, "no &lt;b&gt;two&lt;/b&gt; of them");
    skua_app_free(app);
}

static void handlers_answer_from_the_inside_out(void **state)
{
    skua_app *app = make_app(false), *inner = skua_scope(app, "/in"),
             *view = skua_scope(app, "/view-in");
    skua_app *passing = skua_scope(app, "/passing");

    (void)state;
    skua_set_error_handler(app, answer_outer);
    skua_set_error_handler(inner, answer_inner);
    skua_set_error_handler(view, answer_with_broken_view);
    skua_set_error_handler(passing, pass_on);
    skua_get(passing, "/fail", fail_it);
    skua_get(inner, "/fail", fail_it);
    skua_get(inner, "/view", reply_broken);
    skua_get(view, "/fail", fail_it);
    ask(app, "/in/view", "*/*", 500, 1, "inner: SKUA_ERR_TEMPLATE");
    ask(app, "/in/fail", "*/*", 500, 2, "outer: SKUA_ERR_LIMIT");
    ask(app, "/view-in/fail", "*/*", 500, 2, "outer: SKUA_ERR_TEMPLATE");
    ask(app, "/fail", "*/*", 409, 1, "outer: CONFLICT");
    ask(app, "/passing/fail", "*/*", 409, 1, "outer: CONFLICT");
    skua_app_free(app);
}

static int answer_with_view(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)error;
    return reply_fine(req, reply);
}

static void an_error_handler_renders_the_views_of_its_own_scope(void **state)
{
    skua_app *app = make_app(false), *other = skua_scope(app, "/other");

    (void)state;
    skua_set_error_handler(app, answer_with_view);
    skua_views(other, .root = SKUA_SOURCE_DIR "/tests/app/views"); /* has no fine.html */
    skua_get(other, "/fail", fail_it);
    ask(app, "/other/fail", "*/*", 409, 1, "<p>fine</p>");
    skua_app_free(app);
}

static int find_nothing(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return SKUA_ERR_NOT_FOUND;
}

static int say_nothing_here(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "nothing here");
}

static void a_bare_not_found_is_answered_as_an_unknown_address(void **state)
{
    skua_app *app = make_app(false);

    (void)state;
    skua_set_not_found_handler(app, say_nothing_here);
    skua_get(app, "/none", find_nothing);
    ask(app, "/none", "*/*", 404, 0, "nothing here");
    ask(app, "/unknown", "*/*", 404, 0, "nothing here");
    skua_app_free(app);
}

static int return_positive(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_text(reply, "x");
    return 200;
}

static int answer_positive(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)error;
    return return_positive(req, reply);
}

static int reply_circle(skua_req *req, skua_reply *reply)
{
    skua_value *circle = skua_object(skua_req_arena(req));

    skua_set(circle, "self", circle);
    return skua_reply_send(reply, circle);
}

static void a_positive_result_is_a_failure_that_says_so(void **state)
{
    skua_app *app = make_app(true), *scope = skua_scope(app, "/in");

    (void)state;
    skua_set_error_handler(scope, answer_positive);
    skua_get(app, "/positive", return_positive);
    skua_get(app, "/hook-positive", reply_fine, .hooks = {[SKUA_ON_SEND] = return_positive});
    skua_get(scope, "/fail", fail_it);
    skua_get(app, "/circle", reply_circle);
    ask(app, "/positive", "*/*", 500, 1, "returned 200");
    ask(app, "/hook-positive", "*/*", 500, 2, "returned 200"); /* for the page as well */
    ask(app, "/in/fail", "*/*", 500, 2, "returned 200");
    ask(app, "/circle", "*/*", 500, 1, "holds itself");
    skua_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_failure_gives_one_reply),
        cmocka_unit_test(production_hides_what_development_shows),
        cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(handlers_answer_from_the_inside_out),
        cmocka_unit_test(a_positive_result_is_a_failure_that_says_so),
        cmocka_unit_test(an_error_handler_renders_the_views_of_its_own_scope),
        cmocka_unit_test(a_bare_not_found_is_answered_as_an_unknown_address),
    };

    return cmocka_run_group_tests_name("error flow", tests, NULL, NULL);
}
