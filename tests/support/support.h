/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_SUPPORT_H
#define SKUA__TESTS_SUPPORT_H

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <skua.h>
#include <sys/types.h>

/*
 * What black-box tests of applications share: a server on a thread of its own and a blocking client.
 * Every call fails the test itself when something is wrong, so tests read as the exchange they are.
 */

/* An app on any free port with the default limits, silent. */
skua_app *sk_app(void);
/* The same with settings: port and log are set for you if they are 0. */
skua_app *sk_app_with(skua_app_opts opts);

struct sk_server {
    skua_app *app;
    pthread_t thread;
    int port;
    int result; /* of skua_app_run, after sk_stop */
};

/* Serve `app` on a thread; it belongs to the server from now on. */
void sk_start(struct sk_server *server, skua_app *app);
/* Drain, join, check that it ended well, free the app. */
void sk_stop(struct sk_server *server);

int sk_connect(const struct sk_server *server);
void sk_send(int fd, const char *bytes, size_t len);
/* One write(2) for each byte. */
void sk_send_bytewise(int fd, const char *bytes, size_t len);
/* Everything until the peer closes, zero-terminated; free it. Fails after ten seconds. */
char *sk_read_all(int fd, size_t *len);
/* Exactly one reply with a content-length, zero-terminated; free it. */
char *sk_read_reply(int fd);

/* Connect, send, say that nothing follows, read everything: free it. */
char *sk_exchange(const struct sk_server *server, const char *bytes);

/* Overwrite what differs from run to run: the dates. */
void sk_mask_dates(char *reply);

/* The status of the first reply. */
int sk_status(const char *reply);
/* How often `needle` stands in `text`. */
size_t sk_count(const char *text, const char *needle);

/* Let this process have so many descriptors; fails the test if the machine does not allow it. */
void sk_allow_descriptors(unsigned long count);

/* The resident memory of a process, in KiB. */
long sk_resident(pid_t pid);

/* Monotonic milliseconds. */
uint64_t sk_now(void);

/* The folder of a test's files. */
#define SK_DIR(path) SKUA_SOURCE_DIR "/tests/" path

#endif
