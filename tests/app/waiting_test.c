/* SPDX-License-Identifier: MIT */
/*
 * waiting_test.c - what happens to bytes while a handler, a hook or a stream waits
 *
 * Buffers are lent, and go on to others as soon as somebody waits. Each test lets two parties meet at a
 * point (`released`), so nothing depends on the clock.
 */
#include "support/support.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_bool released;
static atomic_int reached;

/* Wait, on a fiber, until the test lets go. */
static int await_release(void)
{
    int err = 0;

    atomic_fetch_add(&reached, 1);
    while (err == 0 && !atomic_load(&released))
        err = skua_sleep(1);
    return err;
}

/* Wait, in the test, until so many have come to await_release. */
static void await_reached(int count)
{
    uint64_t give_up = sk_now() + 10000;

    while (atomic_load(&reached) < count && sk_now() < give_up)
        usleep(500);
    assert_true(atomic_load(&reached) >= count);
}

static int start_over(void **state)
{
    (void)state;
    atomic_store(&released, false);
    atomic_store(&reached, 0);
    return 0;
}

/* ---- bodies ---- */

static int echo_after_waiting(skua_req *req, skua_reply *reply)
{
    int err = await_release();

    return err < 0 ? err : skua_reply_text(reply, skua_as_text(skua_body(req)));
}

static int bytes_after_waiting(skua_req *req, skua_reply *reply)
{
    skua_str body;
    int err = await_release();

    body = skua_req_body(req);
    return err < 0 ? err : skua_reply_bytes(reply, body.ptr, body.len);
}

static void check_body(skua_handler handler)
{
    static const char first[] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                                "Content-Length: 10\r\n\r\nGOOD-BYTES";
    static const char second[] = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
                                 "Content-Length: 10\r\n\r\nEVIL-EVIL-";
    struct sk_server server;
    skua_app *app = sk_app();
    char *reply;
    int fd;

    skua_post(app, "/", handler);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, first, sizeof(first) - 1);
    await_reached(1);
    sk_send(fd, second, sizeof(second) - 1);
    usleep(20000); /* it has been read behind the first */
    atomic_store(&released, true);
    reply = sk_read_reply(fd);
    assert_non_null(strstr(reply, "GOOD-BYTES"));
    free(reply);
    reply = sk_read_reply(fd);
    assert_non_null(strstr(reply, "EVIL-EVIL-"));
    free(reply);
    close(fd);
    sk_stop(&server);
}

static void a_body_stays_while_its_handler_waits(void **state)
{
    (void)state;
    check_body(bytes_after_waiting);
    start_over(NULL);
    check_body(echo_after_waiting);
}

/* ---- streams ---- */

struct letters {
    char letter;
    int left;
    char piece[1000];
};

static int next_letters(void *ctx, skua_str *piece)
{
    struct letters *letters = ctx;
    int err = skua_sleep(1);

    if (err < 0 || letters->left-- == 0)
        return err;
    memset(letters->piece, letters->letter, sizeof(letters->piece));
    *piece = skua_str_of(letters->piece, sizeof(letters->piece));
    return 0;
}

static int stream_letters(skua_req *req, skua_reply *reply)
{
    struct letters *letters = skua_alloc(skua_req_arena(req), sizeof(*letters));

    if (letters == NULL)
        return SKUA_ERR_NOMEM;
    letters->letter = skua_param(req, "letter")[0];
    letters->left = 40;
    return skua_reply_stream(reply, next_letters, letters, 40000);
}

/* Streams beside one another, each with the next request coming in small pieces: nobody gets a byte that
 * is not his. */
static void streams_beside_one_another_do_not_mix(void **state)
{
    enum { PEERS = 6, ROUNDS = 3 };
    struct sk_server server;
    skua_app *app = sk_app();
    int fds[PEERS];

    (void)state;
    skua_get(app, "/:letter", stream_letters);
    sk_start(&server, app);
    for (int i = 0; i < PEERS; i++)
        fds[i] = sk_connect(&server);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PEERS; i++) {
            char request[64];

            snprintf(request, sizeof(request), "GET /%c HTTP/1.1\r\nHost: a\r\n\r\n", 'a' + i);
            for (const char *at = request; *at != '\0'; at++) {
                sk_send(fds[i], at, 1);
                usleep(50);
            }
        }
        for (int i = 0; i < PEERS; i++) {
            char *reply = sk_read_reply(fds[i]), *body = strstr(reply, "\r\n\r\n") + 4;

            assert_int_equal(strlen(body), 40000);
            assert_int_equal(strspn(body, (char[]){(char)('a' + i), '\0'}), 40000);
            free(reply);
        }
    }
    for (int i = 0; i < PEERS; i++)
        close(fds[i]);
    sk_stop(&server);
}

static int next_event(void *ctx, skua_str *piece)
{
    int *count = ctx;

    if (++*count == 1) {
        *piece = SKUA_STR("data: first\n\n");
        return 0;
    }
    return await_release(); /* the peer has to see the first to let us end */
}

static int stream_events(skua_req *req, skua_reply *reply)
{
    int *count = skua_alloc_zero(skua_req_arena(req), 1, sizeof(*count));
    int err = skua_query(req, "late", NULL) != NULL ? skua_sleep(5) : 0;

    if (err < 0 || count == NULL)
        return err < 0 ? err : SKUA_ERR_NOMEM;
    skua_reply_type(reply, "text/event-stream");
    return skua_reply_stream(reply, next_event, count, -1);
}

static void read_until(int fd, const char *wanted)
{
    char got[4096];
    size_t have = 0;

    do {
        ssize_t n = recv(fd, got + have, sizeof(got) - have - 1, 0);

        if (n <= 0)
            fail_msg("'%s' did not come", wanted);
        have += (size_t)n;
        got[have] = '\0';
    } while (strstr(got, wanted) == NULL);
}

static void check_pieces(const char *request)
{
    struct sk_server server;
    skua_app *app = sk_app();
    int fd;

    skua_get(app, "/events", stream_events);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, request, strlen(request));
    read_until(fd, "data: first\n\n");
    atomic_store(&released, true);
    read_until(fd, "0\r\n\r\n");
    close(fd);
    sk_stop(&server);
}

static void a_piece_is_sent_before_the_next_is_waited_for(void **state)
{
    (void)state;
    check_pieces("GET /events HTTP/1.1\r\nHost: a\r\n\r\n");
    start_over(NULL);
    check_pieces("GET /events?late HTTP/1.1\r\nHost: a\r\n\r\n");
}

static int fail_next(void *ctx, skua_str *piece)
{
    int *count = ctx;

    *piece = SKUA_STR("half");
    return ++*count > 1 ? SKUA_ERR_LIMIT : 0;
}

static int stream_nothing(void *ctx, skua_str *piece)
{
    (void)ctx;
    (void)piece;
    return SKUA_ERR_LIMIT;
}

static int stream_failing(skua_req *req, skua_reply *reply)
{
    int *count = skua_alloc_zero(skua_req_arena(req), 1, sizeof(*count));

    return count == NULL ? SKUA_ERR_NOMEM : skua_reply_stream(reply, fail_next, count, -1);
}

static int stream_failing_at_once(skua_req *req, skua_reply *reply)
{
    return skua_reply_stream(reply, stream_nothing, req, -1);
}

static void a_stream_that_fails_is_a_500_or_cut(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_get(app, "/later", stream_failing);
    skua_get(app, "/at-once", stream_failing_at_once);
    assert_int_equal(skua_inject(app, &res, .url = "/at-once"), 0);
    assert_int_equal(res.status, 500);
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res, .url = "/later"), 0);
    assert_true(res.closed);
    assert_null(strstr(res.raw.ptr, "0\r\n\r\n")); /* nobody takes it for whole */
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res,
                                 .raw = SKUA_STR("GET /at-once HTTP/1.1\r\nHost: a\r\n\r\n"
                                                 "GET /later HTTP/1.1\r\nHost: a\r\n\r\n")),
                     0);
    assert_int_equal(res.status, 500); /* the reply before the one that is cut comes whole */
    assert_non_null(strstr(res.raw.ptr, "SKUA_ERR_LIMIT"));
    skua_injected_finish(&res);
    skua_app_free(app);
}

/* ---- hooks ---- */

static int wait_on_response(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return await_release();
}

static int reply_after_waiting(skua_req *req, skua_reply *reply)
{
    int err = skua_sleep(2);

    (void)req;
    return err < 0 ? err : skua_reply_text(reply, "here");
}

static void a_hook_that_waits_does_not_keep_the_reply_back(void **state)
{
    struct sk_server server;
    skua_app *app = sk_app();
    char *reply;
    int fd;

    (void)state;
    skua_hook(app, SKUA_ON_RESPONSE, wait_on_response);
    skua_get(app, "/", reply_after_waiting);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27);
    reply = sk_read_reply(fd); /* comes while the hook waits for us */
    assert_non_null(strstr(reply, "here"));
    free(reply);
    atomic_store(&released, true);
    close(fd);
    sk_stop(&server);
}

static atomic_int aborted;

static int count_abort(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    if (skua_sleep(1) == 0) /* clean-up may wait */
        atomic_fetch_add(&aborted, 1);
    return 0;
}

static int block_until_released(void *arg)
{
    (void)arg;
    atomic_fetch_add(&reached, 1);
    while (!atomic_load(&released))
        usleep(1000);
    return 0;
}

static int work_early(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return skua_work(block_until_released, NULL);
}

static void a_reset_during_an_early_hook_ends_the_request(void **state)
{
    const struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct sk_server server;
    skua_app *app = sk_app();
    uint64_t give_up = sk_now() + 5000;
    int fd;

    (void)state;
    atomic_store(&aborted, 0);
    skua_hook(app, SKUA_ON_REQUEST, work_early);
    skua_hook(app, SKUA_ON_REQUEST_ABORT, count_abort);
    skua_post(app, "/", reply_after_waiting);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", 47);
    await_reached(1);
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
    close(fd);
    usleep(20000); /* the server has seen it */
    atomic_store(&released, true);
    while (atomic_load(&aborted) == 0 && sk_now() < give_up)
        usleep(1000);
    assert_int_equal(atomic_load(&aborted), 1);
    sk_stop(&server);
}

/* ---- one reply and no more ---- */

static int count_error(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    atomic_fetch_add(&reached, 1);
    return 0;
}

static void a_body_that_stalls_after_its_answer_gets_no_second_one(void **state)
{
    struct sk_server server;
    skua_app *app = sk_app_with((skua_app_opts){.request_timeout = 60});
    char *reply;
    int fd;

    (void)state;
    skua_hook(app, SKUA_ON_ERROR, count_error);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc", 58);
    reply = sk_read_all(fd, NULL);
    assert_int_equal(sk_count(reply, "HTTP/1.1 "), 1);
    assert_int_equal(sk_status(reply), 404);
    free(reply);
    close(fd);
    sk_stop(&server);
    assert_int_equal(atomic_load(&reached), 1);
}

static int send_much(skua_req *req, skua_reply *reply)
{
    size_t len = (size_t)3 << 20;
    char *bytes = skua_alloc(skua_req_arena(req), len);

    if (bytes == NULL)
        return SKUA_ERR_NOMEM;
    memset(bytes, 'm', len);
    return skua_reply_bytes_static(reply, bytes, len);
}

static void draining_does_not_cut_what_is_answered(void **state)
{
    struct sk_server server;
    skua_app *app = sk_app();
    size_t len = 0;
    char *reply;
    int fd;

    (void)state;
    skua_get(app, "/much", send_much);
    sk_start(&server, app);
    fd = sk_connect(&server);
    sk_send(fd, "GET /much HTTP/1.1\r\nHost: a\r\n\r\n", 31);
    usleep(50000); /* the socket is full, the rest is with the server */
    skua_app_stop(server.app);
    usleep(20000);
    reply = sk_read_all(fd, &len);
    assert_true(len > (size_t)3 << 20);
    assert_int_equal(sk_status(reply), 200);
    free(reply);
    close(fd);
    sk_stop(&server);
}

static void injection_tells_who_closed(void **state)
{
    skua_app *app = sk_app();
    skua_injected res;

    (void)state;
    skua_get(app, "/", reply_after_waiting);
    assert_int_equal(skua_inject(app, &res, .url = "/"), 0);
    assert_false(res.closed);
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res, .url = "/", .headers = "Connection: close\r\n"), 0);
    assert_true(res.closed);
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(app, &res, .raw = SKUA_STR("EVIL\r\n\r\n")), 0);
    assert_int_equal(res.status, 400);
    assert_true(res.closed);
    skua_injected_finish(&res);
    skua_app_free(app);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_body_stays_while_its_handler_waits, start_over),
        cmocka_unit_test_setup(streams_beside_one_another_do_not_mix, start_over),
        cmocka_unit_test_setup(a_piece_is_sent_before_the_next_is_waited_for, start_over),
        cmocka_unit_test_setup(a_stream_that_fails_is_a_500_or_cut, start_over),
        cmocka_unit_test_setup(a_hook_that_waits_does_not_keep_the_reply_back, start_over),
        cmocka_unit_test_setup(a_reset_during_an_early_hook_ends_the_request, start_over),
        cmocka_unit_test_setup(a_body_that_stalls_after_its_answer_gets_no_second_one, start_over),
        cmocka_unit_test_setup(draining_does_not_cut_what_is_answered, start_over),
        cmocka_unit_test_setup(injection_tells_who_closed, start_over),
    };

    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
