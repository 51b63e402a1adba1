/* SPDX-License-Identifier: MIT */
/*
 * socket_test.c - every socket call of the server fails in turn
 *
 * A call that is cut short, interrupted or not ready changes no byte of the answer. One that says that
 * the connection is lost loses this connection: what came is the beginning of the answer. Either way
 * the server answers the next connection as ever.
 */
#include "fault/socket.h"
#include "support/birds_app.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **answers;

static char *ask(const struct sk_server *server, size_t index)
{
    char *reply = sk_exchange(server, birds_requests[index].bytes);

    sk_mask_dates(reply);
    return reply;
}

static int open_server(void **state)
{
    struct sk_server *server = calloc(1, sizeof(*server));

    assert_non_null(server);
    server->app = sk_app();
    birds_describe(server->app);
    sk_start(server, server->app);
    answers = calloc(birds_request_count, sizeof(*answers));
    assert_non_null(answers);
    for (size_t i = 0; i < birds_request_count; i++)
        answers[i] = ask(server, i);
    *state = server;
    return 0;
}

static int close_server(void **state)
{
    sk_stop(*state);
    free(*state);
    for (size_t i = 0; i < birds_request_count; i++)
        free(answers[i]);
    free(answers);
    return 0;
}

static void check(const struct sk_server *server, enum fault_socket fault, long nth, int each,
                  bool may_cut)
{
    for (size_t i = 0; i < birds_request_count; i++) {
        char *reply;

        fault_socket_arm(fault, nth, each);
        reply = ask(server, i);
        fault_socket_disarm();
        if (may_cut ? strncmp(reply, answers[i], strlen(reply)) != 0
                    : strcmp(reply, answers[i]) != 0)
            fail_msg("%s, fault %d at call %ld: %s\ninstead of: %s", birds_requests[i].name,
                     (int)fault, nth, reply, answers[i]);
        free(reply);
        reply = ask(server, i);
        assert_string_equal(reply, answers[i]);
        free(reply);
    }
}

static void what_passes_changes_no_byte(void **state)
{
    static const enum fault_socket faults[] = {FAULT_SHORT, FAULT_EINTR, FAULT_EAGAIN};

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        for (long nth = 1; nth <= 6; nth++)
            check(*state, faults[i], nth, 0, false);
        check(*state, faults[i], 2, 1, false); /* every other call */
        check(*state, faults[i], 3, 1, false);
    }
    check(*state, FAULT_SHORT, 1, 1, false); /* each and every one: byte by byte both ways */
}

static void a_lost_connection_is_only_its_own_loss(void **state)
{
    static const enum fault_socket faults[] = {FAULT_ENOBUFS, FAULT_ECONNRESET, FAULT_EPIPE};

    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        for (long nth = 1; nth <= 6; nth++)
            check(*state, faults[i], nth, 0, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_changes_no_byte),
        cmocka_unit_test(a_lost_connection_is_only_its_own_loss),
    };

    return cmocka_run_group_tests_name("socket failures", tests, open_server, close_server);
}
