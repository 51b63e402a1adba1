/* SPDX-License-Identifier: MIT */
/*
 * hooks_test.c - which hooks run, in which order, for which requests
 *
 * Each hook and handler writes a letter into a trace; a test compares the whole trace.
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char trace[256];

static int note(const char *word)
{
    strncat(trace, trace[0] != '\0' ? " " : "", sizeof(trace) - strlen(trace) - 1);
    strncat(trace, word, sizeof(trace) - strlen(trace) - 1);
    return 0;
}

#define HOOK(name, word)                              \
    static int name(skua_req *req, skua_reply *reply) \
    {                                                 \
        (void)req;                                    \
        (void)reply;                                  \
        return note(word);                            \
    }

HOOK(on_request, "onRequest")
HOOK(pre_parsing, "preParsing")
HOOK(pre_validation, "preValidation")
HOOK(pre_handler, "preHandler")
HOOK(pre_serialization, "preSerialization")
HOOK(on_send, "onSend")
HOOK(on_response, "onResponse")
HOOK(on_error, "onError")
HOOK(on_timeout, "onTimeout")
HOOK(on_abort, "onRequestAbort")
HOOK(child_first, "child1")
HOOK(child_second, "child2")
HOOK(of_route, "route")

static int reply_value(skua_req *req, skua_reply *reply)
{
    note("handler");
    return skua_reply_send(reply, skua_object(skua_req_arena(req)));
}

static int reply_text(skua_req *req, skua_reply *reply)
{
    (void)req;
    note("handler");
    return skua_reply_text(reply, "text");
}

static int fail_handler(skua_req *req, skua_reply *reply)
{
    (void)reply;
    note("handler");
    return skua_fail(req, 418, "TEAPOT", "short and stout");
}

static int sleep_handler(skua_req *req, skua_reply *reply)
{
    int err = skua_sleep(60000);

    (void)req;
    note(err == SKUA_ERR_CANCELED ? "canceled" : "slept");
    note(skua_sleep(1) == SKUA_ERR_CANCELED ? "again" : "slept");
    return skua_reply_text(reply, "late");
}

static int deny(skua_req *req, skua_reply *reply)
{
    (void)req;
    note("deny");
    skua_reply_status(reply, 401);
    return skua_reply_text(reply, "who are you?");
}

static skua_app *hooked_app(skua_app_opts opts)
{
    static const struct {
        enum skua_phase phase;
        skua_handler fn;
    } hooks[SKUA_HOOK_COUNT] = {
        {SKUA_ON_REQUEST, on_request},
        {SKUA_PRE_PARSING, pre_parsing},
        {SKUA_PRE_VALIDATION, pre_validation},
        {SKUA_PRE_HANDLER, pre_handler},
        {SKUA_PRE_SERIALIZATION, pre_serialization},
        {SKUA_ON_SEND, on_send},
        {SKUA_ON_RESPONSE, on_response},
        {SKUA_ON_ERROR, on_error},
        {SKUA_ON_TIMEOUT, on_timeout},
        {SKUA_ON_REQUEST_ABORT, on_abort},
    };
    skua_app *app = sk_app_with(opts);

    for (size_t i = 0; i < SKUA_HOOK_COUNT; i++)
        skua_hook(app, hooks[i].phase, hooks[i].fn);
    skua_get(app, "/value", reply_value);
    skua_post(app, "/value", reply_value);
    skua_get(app, "/text", reply_text);
    skua_get(app, "/fail", fail_handler);
    skua_get(app, "/sleep", sleep_handler);
    skua_get(app, "/deny", reply_text, .hooks = {[SKUA_ON_REQUEST] = deny});
    return app;
}

static void check(const char *method, const char *url, const char *payload, int status,
                  const char *expected)
{
    skua_app *app = hooked_app((skua_app_opts){0});
    skua_injected res;

    trace[0] = '\0';
    assert_int_equal(skua_inject(app, &res, .method = method, .url = url, .payload = payload), 0);
    assert_int_equal(res.status, status);
    assert_string_equal(trace, expected);
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void a_value_goes_through_all_phases(void **state)
{
    (void)state;
    check(
        "GET", "/value", NULL, 200,
        "onRequest preParsing preValidation preHandler handler preSerialization onSend onResponse");
}

static void a_body_does_not_change_the_order(void **state)
{
    (void)state;
    check(
        "POST", "/value", "{}", 200,
        "onRequest preParsing preValidation preHandler handler preSerialization onSend onResponse");
}

static void text_is_not_serialised(void **state)
{
    (void)state;
    check("GET", "/text", NULL, 200,
          "onRequest preParsing preValidation preHandler handler onSend onResponse");
}

static void head_runs_the_same_hooks(void **state)
{
    (void)state;
    check("HEAD", "/text", NULL, 200,
          "onRequest preParsing preValidation preHandler handler onSend onResponse");
}

static void a_failure_runs_on_error_once(void **state)
{
    (void)state;
    check("GET", "/fail", NULL, 418,
          "onRequest preParsing preValidation preHandler handler onError onSend onResponse");
}

static void a_broken_body_fails_between_parsing_and_validation(void **state)
{
    (void)state;
    check("POST", "/value", "{", 400, "onRequest preParsing onError onSend onResponse");
}

static void an_unknown_address_runs_the_hooks_too(void **state)
{
    (void)state;
    check("GET", "/nowhere", NULL, 404,
          "onRequest preParsing preValidation preHandler onError onSend onResponse");
}

static void a_hook_that_replies_skips_the_rest(void **state)
{
    (void)state;
    check("GET", "/deny", NULL, 401, "onRequest deny onSend onResponse");
}

static void scopes_run_from_the_outside_in_and_the_route_last(void **state)
{
    skua_app *app = sk_app();
    skua_app *child = skua_scope(app, "/child");
    skua_injected res;

    (void)state;
    skua_hook(child, SKUA_PRE_HANDLER, child_first);
    skua_get(child, "/x", reply_text, .hooks = {[SKUA_PRE_HANDLER] = of_route});
    skua_get(app, "/x", reply_text);
    skua_hook(child, SKUA_PRE_HANDLER, child_second);
    skua_hook(app, SKUA_PRE_HANDLER, pre_handler);
    trace[0] = '\0';
    assert_int_equal(skua_inject(app, &res, .url = "/child/x"), 0);
    assert_string_equal(trace, "preHandler child1 child2 route handler");
    skua_injected_finish(&res);
    trace[0] = '\0';
    assert_int_equal(skua_inject(app, &res, .url = "/x"), 0);
    assert_string_equal(trace, "preHandler handler");
    skua_injected_finish(&res);
    skua_app_free(app);
}

/* ---- hooks that change the reply ---- */

static int add_member(skua_req *req, skua_reply *reply)
{
    skua_value *wrapped = skua_object(skua_req_arena(req));

    skua_set(wrapped, "data", skua_reply_value(reply));
    return skua_reply_send(reply, wrapped);
}

static int shout(skua_req *req, skua_reply *reply)
{
    skua_str body = skua_reply_body(reply);
    const char *text = skua_format(skua_req_arena(req), "%.*s!", (int)body.len, body.ptr);

    skua_reply_header(reply, "x-shouted", "yes");
    return skua_reply_text(reply, text);
}

static void hooks_replace_value_and_bytes(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_hook(app, SKUA_PRE_SERIALIZATION, add_member);
    skua_hook(app, SKUA_PRE_SERIALIZATION, add_member);
    skua_hook(app, SKUA_ON_SEND, shout);
    skua_hook(app, SKUA_ON_SEND, shout);
    skua_get(app, "/", reply_value);
    assert_int_equal(skua_inject(app, &res, .url = "/"), 0);
    assert_int_equal(res.body.len, strlen("{\"data\":{\"data\":{}}}!!"));
    assert_memory_equal(res.body.ptr, "{\"data\":{\"data\":{}}}!!", res.body.len);
    skua_injected_finish(&res);
    skua_app_free(app);
}

static int slot;

static int leave_name(skua_req *req, skua_reply *reply)
{
    (void)reply;
    assert_null(skua_req_slot(req, slot));
    assert_int_equal(skua_req_set_slot(req, slot + 1, req), SKUA_ERR_STATE);
    return skua_req_set_slot(req, slot, skua_strdup(skua_req_arena(req), SKUA_STR("Ada")));
}

static int say_name(skua_req *req, skua_reply *reply)
{
    return skua_reply_text(reply, skua_req_slot(req, slot));
}

static void a_hook_leaves_something_for_the_handler(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    slot = skua_decorate_req(app, "user");
    skua_hook(app, SKUA_ON_REQUEST, leave_name);
    skua_get(app, "/", say_name);
    for (int i = 0; i < 2; i++) { /* the second request finds nothing of the first */
        skua_injected res;

        assert_int_equal(skua_inject(app, &res, .url = "/"), 0);
        assert_int_equal(res.body.len, 3);
        assert_memory_equal(res.body.ptr, "Ada", 3);
        skua_injected_finish(&res);
    }
    skua_app_free(app);
}

static int send_value(skua_req *req, skua_reply *reply)
{
    skua_value *late = skua_object(skua_req_arena(req));

    skua_set(late, "late", 1);
    skua_reply_type(reply, "application/json");
    return skua_reply_send(reply, late);
}

static int send_elsewhere(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_redirect(reply, "/login", 302);
}

static int send_html(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_html(reply, "<b>html</b>");
}

static void what_on_send_replaces_leaves_nothing_behind(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_get(app, "/secret", reply_text, .hooks = {[SKUA_ON_SEND] = send_elsewhere});
    skua_get(app, "/html", reply_text, .hooks = {[SKUA_ON_SEND] = send_html});
    assert_int_equal(skua_inject(app, &res, .url = "/secret"), 0);
    assert_int_equal(res.status, 302);
    assert_int_equal(res.body.len, 0);
    assert_null(strstr(res.raw.ptr, "content-type"));
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res, .url = "/html"), 0);
    assert_non_null(strstr(res.raw.ptr, "\r\ncontent-type: text/html; charset=utf-8\r\n"));
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void a_value_put_there_in_on_send_is_sent(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_hook(app, SKUA_ON_SEND, send_value);
    skua_get(app, "/", reply_text);
    assert_int_equal(skua_inject(app, &res, .url = "/"), 0);
    assert_string_equal(res.body.ptr, "{\"late\":1}");
    skua_injected_finish(&res);
    skua_app_free(app);
}

static int fail_quietly(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return SKUA_ERR_LIMIT;
}

static void a_hook_that_only_looks_on_stops_no_other(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_hook(app, SKUA_ON_RESPONSE, fail_quietly);
    skua_hook(app, SKUA_ON_RESPONSE, on_response);
    skua_get(app, "/", reply_text);
    trace[0] = '\0';
    assert_int_equal(skua_inject(app, &res, .url = "/"), 0);
    assert_string_equal(trace, "handler onResponse");
    skua_injected_finish(&res);
    skua_app_free(app);
}

/* ---- beside the line ---- */

static void wait_for_trace(const char *word)
{
    uint64_t give_up = sk_now() + 10000;

    while (strstr(trace, word) == NULL && sk_now() < give_up)
        usleep(1000);
}

static void a_peer_that_resets_cancels_the_handler(void **state)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct sk_server server;
    int fd;

    (void)state;
    trace[0] = '\0';
    sk_start(&server, hooked_app((skua_app_opts){0}));
    fd = sk_connect(&server);
    sk_send(fd, "GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n", 32);
    wait_for_trace("preHandler");
    usleep(20000); /* the handler is in its sleep */
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
    close(fd);
    wait_for_trace("onRequestAbort");
    sk_stop(&server);
    assert_string_equal(
        trace, "onRequest preParsing preValidation preHandler canceled again onRequestAbort");
}

static void a_peer_that_only_half_closes_gets_its_reply(void **state)
{
    struct sk_server server;
    char *reply;

    (void)state;
    trace[0] = '\0';
    sk_start(&server, hooked_app((skua_app_opts){0}));
    reply = sk_exchange(&server, "GET /text HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_int_equal(sk_status(reply), 200);
    free(reply);
    sk_stop(&server);
}

static void a_body_that_does_not_come_times_out(void **state)
{
    struct sk_server server;
    char *reply;
    int fd;

    (void)state;
    trace[0] = '\0';
    sk_start(&server, hooked_app((skua_app_opts){.request_timeout = 100}));
    fd = sk_connect(&server);
    sk_send(fd, "POST /value HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", 53);
    reply = sk_read_all(fd, NULL);
    close(fd);
    assert_int_equal(sk_status(reply), 408);
    assert_non_null(strstr(reply, "\r\nconnection: close\r\n"));
    free(reply);
    sk_stop(&server);
    assert_string_equal(trace, "onRequest preParsing onError onSend onTimeout onResponse");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_goes_through_all_phases),
        cmocka_unit_test(a_body_does_not_change_the_order),
        cmocka_unit_test(text_is_not_serialised),
        cmocka_unit_test(head_runs_the_same_hooks),
        cmocka_unit_test(a_failure_runs_on_error_once),
        cmocka_unit_test(a_broken_body_fails_between_parsing_and_validation),
        cmocka_unit_test(an_unknown_address_runs_the_hooks_too),
        cmocka_unit_test(a_hook_that_replies_skips_the_rest),
        cmocka_unit_test(scopes_run_from_the_outside_in_and_the_route_last),
        cmocka_unit_test(hooks_replace_value_and_bytes),
        cmocka_unit_test(a_hook_leaves_something_for_the_handler),
        cmocka_unit_test(a_value_put_there_in_on_send_is_sent),
        cmocka_unit_test(what_on_send_replaces_leaves_nothing_behind),
        cmocka_unit_test(a_hook_that_only_looks_on_stops_no_other),
        cmocka_unit_test(a_peer_that_resets_cancels_the_handler),
        cmocka_unit_test(a_peer_that_only_half_closes_gets_its_reply),
        cmocka_unit_test(a_body_that_does_not_come_times_out),
    };

    return cmocka_run_group_tests_name("hooks", tests, NULL, NULL);
}
