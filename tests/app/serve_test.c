/* SPDX-License-Identifier: MIT */
/*
 * serve_test.c - connections, workers, draining
 */
#include "support/support.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int say_hello(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "Hello");
}

static int sleep_long(skua_req *req, skua_reply *reply)
{
    int err = skua_sleep((uint64_t)skua_query_int(req, "ms", 1000));

    return err < 0 ? err : skua_reply_text(reply, "slept");
}

static skua_app *small_app(skua_app_opts opts)
{
    skua_app *app = sk_app_with(opts);

    skua_get(app, "/", say_hello);
    skua_get(app, "/sleep", sleep_long);
    return app;
}

#define HELLO "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

static void a_handler_that_sleeps_delays_nobody(void **state)
{
    struct sk_server server;
    uint64_t start;
    char *reply;
    int fd;

    (void)state;
    sk_start(&server, small_app((skua_app_opts){0}));
    fd = sk_connect(&server);
    sk_send(fd, "GET /sleep?ms=2000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 59);
    start = sk_now();
    for (int i = 0; i < 200; i++) {
        reply = sk_exchange(&server, HELLO);
        assert_int_equal(sk_status(reply), 200);
        free(reply);
    }
    /* All two hundred came while the sleeper, which was first, still slept. */
    assert_true(sk_now() - start < 2000);
    reply = sk_read_all(fd, NULL);
    assert_non_null(strstr(reply, "slept"));
    assert_true(sk_now() - start >= 1990);
    free(reply);
    close(fd);
    sk_stop(&server);
}

static void replies_keep_the_order_of_requests(void **state)
{
    struct sk_server server;
    char *reply, *slept;

    (void)state;
    sk_start(&server, small_app((skua_app_opts){0}));
    reply = sk_exchange(&server, HELLO "GET /sleep?ms=50 HTTP/1.1\r\nHost: a\r\n\r\n" HELLO);
    assert_int_equal(sk_count(reply, "HTTP/1.1 200 OK\r\n"), 3);
    slept = strstr(reply, "slept");
    assert_non_null(slept);
    assert_int_equal(sk_count(slept, "Hello"), 1);
    free(reply);
    sk_stop(&server);
}

/* ---- worker state ---- */

static atomic_int opened, closed;
static int slot;

static int open_state(void **out, skua_app *app)
{
    int err = skua_sleep(1); /* it may wait */

    (void)app;
    *out = malloc(16);
    if (err < 0 || *out == NULL)
        return SKUA_ERR_NOMEM;
    snprintf(*out, 16, "state %d", atomic_fetch_add(&opened, 1));
    return 0;
}

static void close_state(void *data)
{
    free(data);
    atomic_fetch_add(&closed, 1);
}

static int fail_state(void **out, skua_app *app)
{
    (void)out;
    (void)app;
    return -EIO;
}

static int say_state(skua_req *req, skua_reply *reply)
{
    return skua_reply_text(reply, skua_worker_data(req, slot));
}

static void each_worker_has_a_state_of_its_own(void **state)
{
    skua_app *app = small_app((skua_app_opts){.workers = 2});
    struct sk_server server;
    bool seen[2] = {false, false};

    (void)state;
    opened = closed = 0;
    slot = skua_on_worker(app, open_state, close_state);
    skua_get(app, "/state", say_state);
    sk_start(&server, app);
    for (int i = 0; i < 200 && !(seen[0] && seen[1]); i++) {
        char *reply = sk_exchange(&server, "GET /state HTTP/1.1\r\nHost: a\r\n\r\n");

        seen[0] = seen[0] || strstr(reply, "state 0") != NULL;
        seen[1] = seen[1] || strstr(reply, "state 1") != NULL;
        free(reply);
    }
    sk_stop(&server);
    assert_true(seen[0] && seen[1]);
    assert_int_equal(opened, 2);
    assert_int_equal(closed, 2);
}

static void a_worker_that_cannot_start_ends_the_application(void **state)
{
    skua_app *app = small_app((skua_app_opts){.workers = 2});

    (void)state;
    opened = closed = 0;
    skua_on_worker(app, open_state, close_state);
    skua_on_worker(app, fail_state, close_state);
    assert_int_equal(skua_app_run(app), -EIO);
    assert_int_equal(opened, 2);
    assert_int_equal(closed, 2);
    skua_app_free(app);
}

static void a_taken_port_is_an_error(void **state)
{
    struct sk_server server;
    skua_app *second;

    (void)state;
    for (int workers = 1; workers <= 2; workers++) {
        sk_start(&server, small_app((skua_app_opts){.workers = workers}));
        second = small_app((skua_app_opts){.port = server.port, .workers = 2});
        assert_int_equal(skua_app_run(second), -EADDRINUSE);
        skua_app_free(second);
        sk_stop(&server);
    }
}

/* ---- draining ---- */

/* Run an app in a child process, as skua_main does; returns its pid, and its port. */
static pid_t spawn(int workers, int *port)
{
    char line[128] = "";
    int ends[2];
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        char program[] = "app", port_is[] = "--port=0", workers_are[] = "--workers=1";
        char *args[] = {program, port_is, workers_are, NULL};

        prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves no server behind */
        workers_are[10] = (char)('0' + workers);

        dup2(ends[1], STDERR_FILENO);
        _exit(skua_main(small_app((skua_app_opts){0}), 3, args));
    }
    close(ends[1]);
    for (size_t at = 0; at < sizeof(line) - 1 && (at == 0 || line[at - 1] != '\n'); at++)
        assert_int_equal(read(ends[0], line + at, 1), 1);
    close(ends[0]);
    assert_int_equal(sscanf(line, "listening on http://localhost:%d\n", port), 1);
    return pid;
}

/* It has been told to end: see that it ends well. */
static void await_end(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void check_drain(int workers)
{
    struct sk_server server = {0};
    int busy, idle;
    char *reply;
    pid_t pid = spawn(workers, &server.port);

    busy = sk_connect(&server);
    idle = sk_connect(&server);
    sk_send(idle, HELLO, strlen(HELLO));
    free(sk_read_reply(idle));
    sk_send(busy, "GET /sleep?ms=300 HTTP/1.1\r\nHost: a\r\n\r\n", 39);
    usleep(100000);
    assert_int_equal(kill(pid, SIGTERM), 0);
    reply = sk_read_all(idle, NULL); /* an idle connection is closed at once */
    assert_string_equal(reply, "");
    free(reply);
    reply = sk_read_all(busy, NULL); /* one in flight is answered, and told that it was the last */
    assert_int_equal(sk_status(reply), 200);
    assert_non_null(strstr(reply, "\r\nconnection: close\r\n"));
    assert_non_null(strstr(reply, "slept"));
    free(reply);
    close(idle);
    close(busy);
    await_end(pid);
}

static void sigterm_drains(void **state)
{
    (void)state;
    check_drain(1);
    check_drain(2);
}

static void what_does_not_end_is_cut_after_the_drain_timeout(void **state)
{
    struct sk_server server;
    char *reply;
    int fd;

    (void)state;
    sk_start(&server, small_app((skua_app_opts){.drain_timeout = 50}));
    fd = sk_connect(&server);
    sk_send(fd, "GET /sleep?ms=60000 HTTP/1.1\r\nHost: a\r\n\r\n", 41);
    usleep(50000);
    sk_stop(&server);
    reply = sk_read_all(fd, NULL);
    assert_string_equal(reply, "");
    free(reply);
    close(fd);
}

/* ---- many connections ---- */

static void open_and_close(const struct sk_server *server, int count)
{
    int *fds = malloc((size_t)count * sizeof(*fds));

    assert_non_null(fds);
    for (int i = 0; i < count; i++) {
        fds[i] = sk_connect(server);
        sk_send(fds[i], HELLO, strlen(HELLO));
        free(sk_read_reply(fds[i]));
    }
    for (int i = 0; i < count; i++)
        close(fds[i]);
    free(fds);
}

/* Under a sanitizer freed memory is kept aside on purpose, so what comes back cannot be seen there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* What a worker may keep in spare buffers, in KiB. Thirty thousand connections that leave a hundred bytes
 * each are more. */
#define SPARE 2560

static void memory_returns_after_ten_thousand_connections(void **state)
{
    struct sk_server server = {0};
    long before, after = 0;
    pid_t pid;

    (void)state;
    sk_allow_descriptors(10100); /* the server has as many in its own process */
    pid = spawn(1, &server.port);
    open_and_close(&server, 10000);
    usleep(200000);
    before = sk_resident(pid);
    for (int round = 0; round < (SANITIZED ? 1 : 3); round++)
        open_and_close(&server, 10000);
    for (int i = 0; i < 50; i++) { /* the last of them are still being closed */
        usleep(100000);
        after = sk_resident(pid);
        if (SANITIZED || after <= before + SPARE)
            break;
    }
    if (!SANITIZED)
        assert_in_range(after, 0, before + SPARE);
    assert_int_equal(kill(pid, SIGTERM), 0);
    await_end(pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handler_that_sleeps_delays_nobody),
        cmocka_unit_test(replies_keep_the_order_of_requests),
        cmocka_unit_test(each_worker_has_a_state_of_its_own),
        cmocka_unit_test(a_worker_that_cannot_start_ends_the_application),
        cmocka_unit_test(a_taken_port_is_an_error),
        cmocka_unit_test(sigterm_drains),
        cmocka_unit_test(what_does_not_end_is_cut_after_the_drain_timeout),
        cmocka_unit_test(memory_returns_after_ten_thousand_connections),
    };

    return cmocka_run_group_tests_name("serve", tests, NULL, NULL);
}
