/* SPDX-License-Identifier: MIT */
/*
 * same_answers_test.c - one request, one answer, whichever way it comes in
 */
#include "support/birds_app.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static char *ask_bytewise(const struct sk_server *server, const char *bytes)
{
    int fd = sk_connect(server);
    char *reply;

    sk_send_bytewise(fd, bytes, strlen(bytes));
    shutdown(fd, SHUT_WR);
    reply = sk_read_all(fd, NULL);
    close(fd);
    return reply;
}

static char *ask_inject(skua_app *app, const char *bytes)
{
    skua_injected res;
    char *reply;

    assert_int_equal(skua_inject(app, &res, .raw = skua_str_c(bytes)), 0);
    reply = strndup(res.raw.ptr, res.raw.len);
    assert_non_null(reply);
    skua_injected_finish(&res);
    return reply;
}

static void there_are_forty_requests(void **state)
{
    (void)state;
    assert_int_equal(birds_request_count, 40);
}

static void same_answer_by_socket_by_single_bytes_and_by_injection(void **state)
{
    skua_app *injected = sk_app();
    struct sk_server server;

    (void)state;
    birds_describe(injected);
    server.app = sk_app();
    birds_describe(server.app);
    sk_start(&server, server.app);
    for (size_t i = 0; i < birds_request_count; i++) {
        const struct birds_request *request = &birds_requests[i];
        char *whole = sk_exchange(&server, request->bytes);
        char *bytewise = ask_bytewise(&server, request->bytes);
        char *inject = ask_inject(injected, request->bytes);

        sk_mask_dates(whole);
        sk_mask_dates(bytewise);
        sk_mask_dates(inject);
        if (sk_status(whole) != request->status)
            fail_msg("%s: expected %d, got: %s", request->name, request->status, whole);
        if (strcmp(whole, bytewise) != 0)
            fail_msg("%s: byte by byte it is: %s\ninstead of: %s", request->name, bytewise, whole);
        if (strcmp(whole, inject) != 0)
            fail_msg("%s: by injection it is: %s\ninstead of: %s", request->name, inject, whole);
        free(whole);
        free(bytewise);
        free(inject);
    }
    sk_stop(&server);
    skua_app_free(injected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_forty_requests),
        cmocka_unit_test(same_answer_by_socket_by_single_bytes_and_by_injection),
    };

    return cmocka_run_group_tests_name("same answers", tests, NULL, NULL);
}
