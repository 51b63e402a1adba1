/* SPDX-License-Identifier: MIT */
/*
 * probe_test.c - the requests of probes.h, each on a connection of its own with a good one behind it
 *
 * Our answer to each is compared exactly, and what becomes of the connection. Then it is held against
 * the list: where the standard says MUST our answer has to be one that the list wants; elsewhere it may
 * be another that the standard allows, and is then printed.
 */
#include "support/support.h"

#include "probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int say_ok(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "OK");
}

static int give_back(skua_req *req, skua_reply *reply)
{
    skua_str body = skua_req_body(req);

    skua_reply_type(reply, "text/plain");
    return skua_reply_bytes(reply, body.ptr, body.len);
}

static int say_options(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_status(reply, 204);
    skua_reply_header(reply, "allow", "GET, HEAD, POST, OPTIONS");
    return skua_reply_empty(reply);
}

/* The fields that decide the framing, as a handler sees them. */
static int say_framing(skua_req *req, skua_reply *reply)
{
    const char *length = skua_req_header(req, "Content-Length");
    const char *coding = skua_req_header(req, "Transfer-Encoding");
    char text[100];

    snprintf(text, sizeof(text), "Content-Length: %s\nTransfer-Encoding: %s\n",
             length != NULL ? length : "", coding != NULL ? coding : "");
    return skua_reply_text(reply, text);
}

/* ---- one probe ---- */

static void send_text(int fd, const char *text)
{
    sk_send(fd, text, strlen(text));
}

static char *ask(const struct sk_server *server, const struct probe *probe)
{
    const struct bytes *bytes = &probe->bytes;
    int fd = sk_connect(server);
    char *reply;

    sk_send(fd, bytes->start.ptr, bytes->start.len);
    for (size_t i = 0; i < bytes->times; i++)
        send_text(fd, bytes->fill);
    if (bytes->end != NULL)
        send_text(fd, bytes->end);
    if (probe->after != ENDS)
        send_text(fd, GET "\r\n");
    shutdown(fd, SHUT_WR);
    reply = sk_read_all(fd, NULL);
    close(fd);
    return reply;
}

#define STATUS "HTTP/1.1 "

/* The statuses of the replies, but for interim ones; at most `most`. */
static size_t read_statuses(const char *reply, int *statuses, size_t most)
{
    size_t count = 0;

    for (const char *at = reply; (at = strstr(at, STATUS)) != NULL; at += sizeof(STATUS) - 1) {
        int status = sk_status(at);

        if (status >= 200 && count < most)
            statuses[count++] = status;
    }
    return count;
}

static bool is_one_of(const char *answers, int status)
{
    char number[8], not_it[8], kind[8];
    char list[64];

    snprintf(number, sizeof(number), "%03d", status);
    snprintf(not_it, sizeof(not_it), "!%03d", status);
    snprintf(kind, sizeof(kind), "%dxx", status / 100 % 10);
    snprintf(list, sizeof(list), "%s", answers != NULL ? answers : "");
    for (char *one = strtok(list, " "); one != NULL; one = strtok(NULL, " ")) {
        if (strcmp(one, status == 0 ? "close" : number) == 0 || strcmp(one, kind) == 0 ||
            (one[0] == '!' && strcmp(one, not_it) != 0 && status != 0))
            return true;
    }
    return false;
}

static bool went_on(const struct probe *probe, const char *reply, const int *statuses, size_t count)
{
    bool said_close = strstr(reply, "\r\nconnection: close\r\n") != NULL;

    switch (probe->after) {
    case CLOSES:
        return count == 1 && said_close;
    case KEEPS:
        return count == 2 && statuses[1] == 200 && !said_close;
    case POISONS:
        return count == 2 && statuses[1] >= 400;
    default:
        return count <= 1;
    }
}

/* Whether our answer is the one that is written down. */
static bool answer_is_ours(const struct probe *probe, const char *reply, int *status)
{
    int statuses[4] = {0};
    size_t count = read_statuses(reply, statuses, 4);

    *status = statuses[0];
    return *status == probe->ours && went_on(probe, reply, statuses, count) &&
           (probe->has == NULL || strstr(reply, probe->has) != NULL) &&
           (probe->lacks == NULL || strstr(reply, probe->lacks) == NULL);
}

/* ---- all ---- */

static const char *const level_names[] = {"MUST", "SHOULD", "MAY", "noted"};

struct score {
    size_t passed;
    size_t total;
};

static void print_score(const struct score scores[4])
{
    size_t passed = 0, total = 0;

    for (size_t level = MUST; level <= NOTED; level++) {
        passed += scores[level].passed;
        total += scores[level].total;
        printf("  %s: %zu/%zu\n", level_names[level], scores[level].passed, scores[level].total);
    }
    printf("probes: %zu/%zu\n", passed, total);
}

static void probe_all(const struct sk_server *server, struct score scores[4], size_t *wrong)
{
    for (size_t i = 0; i < PROBES; i++) {
        const struct probe *probe = &probes[i];
        char *reply = ask(server, probe);
        int status = 0;

        if (!answer_is_ours(probe, reply, &status)) {
            printf("%s gave: %.600s\n", probe->id, reply);
            ++*wrong;
        }
        scores[probe->level].total++;
        if (is_one_of(probe->good, status)) {
            scores[probe->level].passed++;
        } else {
            bool fair = is_one_of(probe->fair, status);

            printf("  %s: %s, wanted: %s; given: %d, which is %s\n", probe->id,
                   level_names[probe->level], probe->good, status, fair ? "allowed" : "wrong");
            *wrong += !fair;
        }
        free(reply);
    }
}

static void every_probe_is_answered_as_the_standard_wants(void **state)
{
    skua_app *app = sk_app();
    struct sk_server server;
    struct score scores[4] = {{0, 0}};
    size_t wrong = 0;

    (void)state;
    skua_get(app, "/", say_ok);
    skua_post(app, "/", give_back);
    skua_options(app, "/", say_options);
    skua_post(app, "/echo", say_framing);
    sk_start(&server, app);
    probe_all(&server, scores, &wrong);
    sk_stop(&server);
    print_score(scores);
    assert_int_equal(wrong, 0);
    assert_int_equal(scores[MUST].passed, scores[MUST].total);
    assert_int_equal(PROBES, 194);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_probe_is_answered_as_the_standard_wants),
    };

    return cmocka_run_group_tests_name("probes", tests, NULL, NULL);
}
