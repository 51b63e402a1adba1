/* SPDX-License-Identifier: MIT */
/*
 * storm_test.c - a thousand first requests at once for one page: one open, one read, one compile
 *
 * The set of templates is asked for its own counts. Every client has connected and sent its request
 * before any template has been touched.
 */
#include "app/app.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLIENTS 1000

static int show_page(skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));

    skua_set(page, "title", "Storm");
    return skua_reply_view(reply, "list.html", page);
}

static void storm(int workers)
{
    static const char request[] = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    struct skua__views_stats stats;
    struct sk_server server;
    static int fds[CLIENTS];
    skua_app *app = sk_app_with((skua_app_opts){.workers = workers});
    char *first = NULL;

    skua_views(app, .root = SKUA_SOURCE_DIR "/tests/app/views", .lazy = true);
    skua_get(app, "/", show_page);
    sk_allow_descriptors(4 * CLIENTS);
    sk_start(&server, app);
    for (int i = 0; i < CLIENTS; i++) {
        fds[i] = sk_connect(&server);
        sk_send(fds[i], request, 10); /* the rest follows for all at once */
    }
    for (int i = 0; i < CLIENTS; i++)
        sk_send(fds[i], request + 10, sizeof(request) - 1 - 10);
    for (int i = 0; i < CLIENTS; i++) {
        char *reply = sk_read_all(fds[i], NULL);

        close(fds[i]);
        sk_mask_dates(reply);
        assert_int_equal(sk_status(reply), 200);
        if (first == NULL)
            first = reply;
        else
            assert_string_equal(reply, first);
        if (reply != first)
            free(reply);
    }
    free(first);
    stats = skua__views_stats(app->views);
    assert_int_equal(stats.loads, 2); /* the page and its partial */
    assert_int_equal(stats.compiles, 2);
    sk_stop(&server);
}

static void one_worker_compiles_once(void **state)
{
    (void)state;
    storm(1);
}

static void two_workers_compile_once(void **state)
{
    (void)state;
    storm(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_worker_compiles_once),
        cmocka_unit_test(two_workers_compile_once),
    };

    return cmocka_run_group_tests_name("storm", tests, NULL, NULL);
}
