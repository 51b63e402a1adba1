/* SPDX-License-Identifier: MIT */
/*
 * ejs_test.c - the genuine EJS package renders for an application
 *
 * The application has one engine for each worker. Its handlers give a page's data to the engine as
 * JSON text and reply with the HTML that comes back. The pages are in pages.js.
 */
#include "support/support.h"

#include "js/engine.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EJS SKUA_SOURCE_DIR "/build/npm/node_modules/ejs/ejs.min.js"

static int slot;
static atomic_int started, stopped;

/* ---- the application ---- */

static int start_engine(void **out, skua_app *app)
{
    static const char *const scripts[] = {EJS, SK_DIR("js/pages.js")};
    struct engine *engine = NULL;
    int err = engine_new(&engine);

    (void)app;
    for (size_t i = 0; i < 2 && err == 0; i++)
        err = engine_load(engine, scripts[i]);
    if (err == SKUA_ERR_TEMPLATE)
        print_error("%s\n", engine_error(engine));
    if (err < 0) {
        engine_free(engine);
        return err;
    }
    atomic_fetch_add(&started, 1);
    *out = engine;
    return 0;
}

static void stop_engine(void *engine)
{
    engine_free(engine);
    atomic_fetch_add(&stopped, 1);
}

static skua_value *two_birds(skua_arena *arena)
{
    skua_value *page = skua_object(arena), *birds = skua_array(arena), *bird;

    skua_set(page, "title", "Terns & <others>");
    bird = skua_add_object(birds);
    skua_set(bird, "name", "Küstenseeschwalbe \"北\" 🐦");
    skua_set(bird, "count", 3);
    bird = skua_add_object(birds);
    skua_set(bird, "name", "O'Tern");
    skua_set(bird, "count", 0.5);
    return skua_set(page, "birds", birds);
}

static int render(skua_str *html, skua_req *req, const char *page, const skua_value *data)
{
    struct engine *engine = skua_worker_data(req, slot);
    skua_str json;
    int err = skua_json_write(&json, skua_req_arena(req), data);

    if (err < 0)
        return err;
    err = engine_call(engine, skua_req_arena(req), html, "render",
                      (const char *const[]){page, json.ptr}, 2);
    if (err == SKUA_ERR_TEMPLATE)
        return skua_fail(req, 500, "EJS", "%s", engine_error(engine));
    return err;
}

static int show_page(skua_req *req, skua_reply *reply)
{
    char engine[32];
    skua_str html;
    int err = render(&html, req, skua_param(req, "page"), two_birds(skua_req_arena(req)));

    if (err < 0)
        return err;
    snprintf(engine, sizeof(engine), "%p", skua_worker_data(req, slot));
    skua_reply_header(reply, "x-engine", engine);
    skua_reply_type(reply, "text/html; charset=utf-8");
    return skua_reply_bytes_static(reply, html.ptr, html.len);
}

static int show_many(skua_req *req, skua_reply *reply)
{
    int64_t count = skua_query_int(req, "count", 1);
    skua_value *data = two_birds(skua_req_arena(req));
    skua_str html = {0}, first = {0};

    for (int64_t i = 0; i < count; i++) {
        int err = render(&html, req, "hello", data);

        if (err < 0)
            return err;
        if (i == 0)
            first = html;
        if (!skua_str_eq(html, first))
            return skua_fail(req, 500, "DIFFERS", "render %d differs from the first", (int)i);
    }
    return skua_reply_html(reply, html.ptr);
}

static skua_app *ejs_app(skua_app_opts opts)
{
    skua_app *app;

    opts.development = true; /* so that replies say what failed */
    app = sk_app_with(opts);
    slot = skua_on_worker(app, start_engine, stop_engine);
    skua_get(app, "/many", show_many);
    skua_get(app, "/pages/:page", show_page);
    return app;
}

/* ---- tests ---- */

static const char hello[] = "<!DOCTYPE html>\n"
                            "<html>\n"
                            "  <head><title>Terns &amp; &lt;others&gt;</title></head>\n"
                            "  <body>\n"
                            "    <ul><li>Küstenseeschwalbe &#34;北&#34; 🐦 3</li>"
                            "<li>O&#39;Tern 0.5</li></ul>\n"
                            "  </body>\n"
                            "</html>\n";

static void check_page(const char *url, int status, const char *body)
{
    skua_app *app = ejs_app((skua_app_opts){0});
    skua_injected res;

    assert_int_equal(skua_inject(app, &res, .url = url), 0);
    assert_int_equal(res.status, status);
    if (status == 200)
        assert_string_equal(res.body.ptr, body);
    else if (strstr(res.body.ptr, body) == NULL)
        fail_msg("not in the reply: %s\n%s", body, res.body.ptr);
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void a_handler_replies_with_what_ejs_renders(void **state)
{
    skua_app *app = ejs_app((skua_app_opts){0});
    skua_injected res;

    (void)state;
    started = stopped = 0;
    assert_int_equal(skua_inject(app, &res, .url = "/pages/hello"), 0);
    assert_int_equal(res.status, 200);
    assert_non_null(strstr(res.raw.ptr, "\r\ncontent-type: text/html; charset=utf-8\r\n"));
    assert_string_equal(res.body.ptr, hello);
    skua_injected_finish(&res);
    skua_app_free(app);
    assert_int_equal(started, 1);
    assert_int_equal(stopped, 1);
}

static void a_thousand_renders_give_the_same_bytes(void **state)
{
    (void)state;
    check_page("/many?count=1000", 200, hello);
}

static void what_a_template_throws_is_a_500_that_names_its_line(void **state)
{
    (void)state;
    check_page("/pages/broken", 500, "ReferenceError: broken:3\\n");
    check_page("/pages/broken", 500, ">> 3| <%= nothing.here %>");
}

static void no_character_cuts_a_page_off(void **state)
{
    static const char odd[] = "a\0b\uFFFDc🐦"; /* half a surrogate pair is no character */
    skua_app *app = ejs_app((skua_app_opts){0});
    skua_injected res;

    (void)state;
    assert_int_equal(skua_inject(app, &res, .url = "/pages/odd"), 0);
    assert_int_equal(res.body.len, sizeof(odd) - 1);
    assert_memory_equal(res.body.ptr, odd, sizeof(odd) - 1);
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void a_promise_is_awaited(void **state)
{
    uint64_t start = sk_now();

    (void)state;
    check_page("/pages/later", 200, "<p>late Terns &amp; &lt;others&gt;</p>");
    assert_true(sk_now() - start >= 20);
    check_page("/pages/first-of-three", 200, "first");
    check_page("/pages/settled-before", 200, "<p>Terns &amp; &lt;others&gt;</p>");
}

static void a_throw_after_a_wait_is_a_500_that_names_its_line(void **state)
{
    (void)state;
    check_page("/pages/breaks-late", 500, "ReferenceError: breaks-late:3\\n");
    check_page("/pages/throws-nothing", 500, "undefined");
}

static void waiting_for_what_nobody_settles_is_a_500(void **state)
{
    (void)state;
    check_page("/pages/never-settled", 500, "the page awaits something that nothing will settle");
}

#define CANNOT_WAIT                                              \
    "pause() cannot wait inside JavaScript: SKUA_ERR_NO_FIBER, " \
    "a call that waits was made outside a fiber; await later() in an async template"

static void a_helper_that_waits_at_once_is_a_500_that_says_so(void **state)
{
    (void)state;
    check_page("/pages/pauses", 500, CANNOT_WAIT);
    check_page("/pages/pauses", 500, "Error: pauses:2\\n");
    check_page("/pages/pauses-late", 500, CANNOT_WAIT);
}

/* Ask on a connection of its own. */
static char *fetch(const struct sk_server *server, const char *path)
{
    char request[128];

    snprintf(request, sizeof(request), "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", path);
    return sk_exchange(server, request);
}

/* Ask, and come back when the page has begun to be rendered. It is the server's first to do so. */
static int begin(const struct sk_server *server, const char *path)
{
    int fd = sk_connect(server);
    char request[128];
    bool begun = false;
    int len = snprintf(request, sizeof(request),
                       "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", path);

    sk_send(fd, request, (size_t)len);
    for (uint64_t give_up = sk_now() + 10000; !begun && sk_now() < give_up;) {
        char *reply = fetch(server, "/pages/begun");

        begun = strstr(reply, "\r\n\r\n1") != NULL;
        free(reply);
    }
    assert_true(begun);
    return fd;
}

static void check_waiting_page(const char *meanwhile)
{
    struct sk_server server;
    char *reply;
    int fd;

    sk_start(&server, ejs_app((skua_app_opts){0}));
    fd = begin(&server, "/pages/waits-for-others");
    reply = fetch(&server, meanwhile);
    assert_int_equal(sk_status(reply), 200);
    free(reply);
    free(fetch(&server, "/pages/ask"));
    reply = sk_read_all(fd, NULL);
    assert_int_equal(sk_status(reply), 200);
    assert_non_null(strstr(reply, "\r\n\r\n<p>Terns &amp; &lt;others&gt; was asked for</p>"));
    free(reply);
    close(fd);
    sk_stop(&server);
}

static void others_are_served_while_a_template_waits(void **state)
{
    (void)state;
    check_waiting_page("/pages/hello");
}

static void what_a_template_waits_for_outlives_the_collector(void **state)
{
    (void)state;
    check_waiting_page("/many?count=1000");
}

/* AddressSanitizer sees whether all is given back. */
static void a_cancelled_render_ends(void **state)
{
    struct sk_server server;
    char *reply;
    int fd;

    (void)state;
    started = stopped = 0;
    sk_start(&server, ejs_app((skua_app_opts){.drain_timeout = 20}));
    fd = begin(&server, "/pages/takes-an-hour");
    sk_stop(&server);
    reply = sk_read_all(fd, NULL);
    assert_string_equal(reply, "");
    free(reply);
    close(fd);
    assert_int_equal(started, 1);
    assert_int_equal(stopped, 1);
}

static void each_worker_has_an_engine_of_its_own(void **state)
{
    char first[64] = "";
    struct sk_server server;
    bool both = false;

    (void)state;
    started = stopped = 0;
    sk_start(&server, ejs_app((skua_app_opts){.workers = 2}));
    for (int i = 0; i < 200 && !both; i++) {
        char *reply = fetch(&server, "/pages/hello");
        char *engine = strstr(reply, "\r\nx-engine: ");

        assert_non_null(engine);
        assert_string_equal(strstr(reply, "\r\n\r\n") + 4, hello);
        if (i == 0)
            snprintf(first, sizeof(first), "%.*s", (int)strcspn(engine + 2, "\r"), engine + 2);
        both = strstr(reply, first) == NULL;
        free(reply);
    }
    sk_stop(&server);
    assert_true(both);
    assert_int_equal(started, 2);
    assert_int_equal(stopped, 2);
}

static void a_script_that_throws_names_its_line(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    struct engine *engine = NULL;
    skua_str text;

    (void)state;
    assert_int_equal(engine_new(&engine), 0);
    assert_int_equal(
        engine_call(engine, arena, &text, "unescape", (const char *const[]){"%u20AC"}, 1), 0);
    assert_string_equal(text.ptr, "€");
    assert_int_equal(engine_load(engine, SK_DIR("js/throws.js")), SKUA_ERR_TEMPLATE);
    assert_string_equal(engine_error(engine),
                        "Error: later() is for pages that are being rendered (throws.js:3)");
    assert_int_equal(engine_load(engine, SK_DIR("js/missing.js")), -ENOENT);
    engine_free(engine);
    skua_arena_free(arena);
}

static int find_package(void **state)
{
    (void)state;
    if (access(EJS, R_OK) == 0)
        return 0;
    print_error(
        "%s is not there.\nInstall the npm packages of the tests with: script/test -R '^js/'\n",
        EJS);
    return -1;
}

/* Have the collector run so often that it finds whatever is not protected. */
static void stress_collector(void)
{
    setenv("JSC_slowPathAllocsBetweenGCs", "10", 0);
    setenv("JSC_scribbleFreeCells", "1", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handler_replies_with_what_ejs_renders),
        cmocka_unit_test(a_thousand_renders_give_the_same_bytes),
        cmocka_unit_test(what_a_template_throws_is_a_500_that_names_its_line),
        cmocka_unit_test(no_character_cuts_a_page_off),
        cmocka_unit_test(a_promise_is_awaited),
        cmocka_unit_test(a_throw_after_a_wait_is_a_500_that_names_its_line),
        cmocka_unit_test(waiting_for_what_nobody_settles_is_a_500),
        cmocka_unit_test(a_helper_that_waits_at_once_is_a_500_that_says_so),
        cmocka_unit_test(others_are_served_while_a_template_waits),
        cmocka_unit_test(what_a_template_waits_for_outlives_the_collector),
        cmocka_unit_test(a_cancelled_render_ends),
        cmocka_unit_test(each_worker_has_an_engine_of_its_own),
        cmocka_unit_test(a_script_that_throws_names_its_line),
    };

    stress_collector();
    return cmocka_run_group_tests_name("ejs", tests, find_package, NULL);
}
