/* SPDX-License-Identifier: MIT */
/*
 * setup_test.c - mistakes of the description are collected and told together
 */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static int handler(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "x");
}

static int answer(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)error;
    return handler(req, reply);
}

static int broken_plugin(skua_app *scope, const void *opts)
{
    (void)scope;
    (void)opts;
    return SKUA_ERR_LIMIT;
}

static void all_mistakes_are_told_together(void **state)
{
    static const char *const parts[] = {
        "'birds' of a route does not begin with '/': write '/birds'",
        "GET '/x' has no handler",
        "GET '/same/:b' is already taken by '/same/:a'",
        "two error handlers",
        "the prefix 'api' of a scope",
        "'no/such/folder'",
        "broken.html:2:",
        "a plugin of the scope '/p' failed",
        "without a prefix",
        "the folder of static files, 'nowhere'",
    };
    skua_app *app = sk_app(), *views, *plain;
    const char *told;

    (void)state;
    skua_get(app, "birds", handler);
    skua_get(app, "/x", NULL);
    skua_get(app, "/same/:a", handler);
    skua_get(app, "/same/:b", handler);
    skua_set_error_handler(app, answer);
    skua_set_error_handler(app, answer);
    assert_null(skua_scope(app, "api"));
    skua_views(app, .root = "no/such/folder");
    views = skua_scope(app, "/views");
    skua_views(views, .root = SKUA_SOURCE_DIR "/tests/app/broken");
    skua_register(app, "/p", broken_plugin, NULL, 0);
    plain = skua_scope(app, NULL);
    skua_set_not_found_handler(plain, handler);
    skua_static(app, .root = "nowhere", .prefix = "/static");
    assert_int_equal(skua_app_ready(app), SKUA_ERR_SETUP);
    told = skua_app_mistakes(app);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (strstr(told, parts[i]) == NULL)
            fail_msg("'%s' is not told in:\n%s", parts[i], told);
    }
    assert_null(strstr(told, "fine.html"));
    skua_app_free(app);
}

static void being_made_ready_again_invents_nothing(void **state)
{
    skua_app *app = sk_app();
    const char *once;

    (void)state;
    skua_get(app, "/a/:x", handler);
    skua_views(app, .root = "no/such/folder");
    assert_int_equal(skua_app_ready(app), SKUA_ERR_SETUP);
    once = strdup(skua_app_mistakes(app));
    assert_non_null(once);
    assert_int_equal(skua_app_ready(app), SKUA_ERR_SETUP);
    assert_int_equal(skua_app_run(app), SKUA_ERR_SETUP);
    assert_string_equal(skua_app_mistakes(app), once);
    free((void *)(uintptr_t)once);
    skua_app_free(app);
}

static void a_slot_is_taken_once(void **state)
{
    skua_app *app = sk_app();

    (void)state;
    assert_int_equal(skua_decorate_req(app, "user"), 0);
    assert_int_equal(skua_decorate_req(app, "session"), 1);
    assert_int_equal(skua_decorate_req(app, "user"), -1);
    assert_non_null(strstr(skua_app_mistakes(app), "a slot 'user' already"));
    skua_app_free(app);
}

static void nothing_can_be_added_after_ready(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    assert_int_equal(skua_app_ready(app), 0);
    skua_get(app, "/late", handler); /* the log hears of it: other threads may be serving */
    assert_string_equal(skua_app_mistakes(app), "");
    assert_int_equal(skua_inject(app, &res, .url = "/late"), 0);
    assert_int_equal(res.status, 404);
    skua_injected_finish(&res);
    skua_app_free(app);
}

static void options_that_cannot_be_are_mistakes(void **state)
{
    skua_app *app = sk_app_with((skua_app_opts){.port = 70000, .body_limit = SIZE_MAX});

    (void)state;
    skua_register(app, NULL, NULL, NULL, 0);
    assert_int_equal(skua_on_worker(app, NULL, NULL), -1);
    assert_int_equal(skua_app_ready(app), SKUA_ERR_SETUP);
    assert_non_null(strstr(skua_app_mistakes(app), "port 70000"));
    assert_non_null(strstr(skua_app_mistakes(app), "body_limit"));
    assert_non_null(strstr(skua_app_mistakes(app), "without a plugin"));
    assert_non_null(strstr(skua_app_mistakes(app), "without a start function"));
    skua_app_free(app);
}

static void a_null_app_is_accepted_everywhere(void **state)
{
    (void)state;
    skua_get(NULL, "/", handler);
    skua_hook(NULL, SKUA_ON_SEND, handler);
    skua_views(NULL, .root = "views");
    skua_static(NULL, .root = "public");
    skua_register(NULL, NULL, broken_plugin, NULL, 0);
    skua_set_error_handler(NULL, answer);
    skua_set_not_found_handler(NULL, handler);
    skua_app_stop(NULL);
    assert_null(skua_scope(NULL, "/x"));
    assert_null(skua_local_new(NULL, "x"));
    assert_int_equal(skua_on_worker(NULL, NULL, NULL), -1);
    assert_int_equal(skua_app_ready(NULL), SKUA_ERR_NOMEM);
    assert_int_equal(skua_app_run(NULL), SKUA_ERR_NOMEM);
    assert_int_equal(skua_app_port(NULL), 0);
    skua_app_free(NULL);
}

static int add_routes(skua_app *scope, const void *opts)
{
    const char *word = opts;
    int err = skua_sleep(1); /* a plugin may wait */

    if (err < 0)
        return err;
    assert_string_equal(word, "copied");
    skua_get(scope, "/plugged", handler);
    return 0;
}

static void plugins_run_at_ready_with_their_own_options(void **state)
{
    skua_app *app = sk_app();
    char opts[] = "copied";
    skua_injected res;

    (void)state;
    skua_register(app, "/a/", add_routes, opts, sizeof(opts));
    memset(opts, 'x', sizeof(opts) - 1);
    assert_int_equal(skua_inject(app, &res, .url = "/a/plugged"), 0);
    assert_int_equal(res.status, 200);
    skua_injected_finish(&res);
    assert_string_equal(skua_app_routes(app), "└── /\n    └── a/plugged (GET, HEAD)\n");
    skua_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_mistakes_are_told_together),
        cmocka_unit_test(being_made_ready_again_invents_nothing),
        cmocka_unit_test(a_slot_is_taken_once),
        cmocka_unit_test(nothing_can_be_added_after_ready),
        cmocka_unit_test(options_that_cannot_be_are_mistakes),
        cmocka_unit_test(a_null_app_is_accepted_everywhere),
        cmocka_unit_test(plugins_run_at_ready_with_their_own_options),
    };

    return cmocka_run_group_tests_name("set-up", tests, NULL, NULL);
}
