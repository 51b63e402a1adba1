/* SPDX-License-Identifier: MIT */
#ifndef SKUA__NET_DEADLINE_H
#define SKUA__NET_DEADLINE_H

#include "async/loop.h"
#include "base/list.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Deadlines of connections in O(1): there are few kinds, each with one length, so a queue per kind
 * in the order of setting is a queue in the order of expiry. One timer looks at the heads.
 */
enum skua__deadline_kind {
    SKUA__DEADLINE_IDLE,    /* nothing has come since the last reply, or since the start */
    SKUA__DEADLINE_REQUEST, /* a request has begun and is not complete */
    SKUA__DEADLINE_WRITE,   /* bytes wait to be sent, and none went */
    SKUA__DEADLINE_LINGER,  /* closing: waiting for the peer to read the last reply */
    SKUA__DEADLINE_COUNT
};

struct skua__deadline {
    struct skua__link link;
    uint64_t at;
    enum skua__deadline_kind kind;
};

struct skua__deadlines {
    struct skua__loop *loop;
    struct skua__link queues[SKUA__DEADLINE_COUNT];
    uint32_t timeouts[SKUA__DEADLINE_COUNT]; /* ms */
    void (*passed)(struct skua__deadline *deadline);
    struct uv_timer_s *timer;
};

/* `passed` is called for each deadline that passes, after it has been cleared. */
int skua__deadlines_init(struct skua__deadlines *deadlines, struct skua__loop *loop,
                         const uint32_t timeouts[SKUA__DEADLINE_COUNT],
                         void (*passed)(struct skua__deadline *deadline));
void skua__deadlines_finish(struct skua__deadlines *deadlines);

void skua__deadline_init(struct skua__deadline *deadline);

/* Start or restart: it passes after the kind's timeout from now, not earlier. */
void skua__deadline_set(struct skua__deadlines *deadlines, struct skua__deadline *deadline,
                        enum skua__deadline_kind kind);
void skua__deadline_clear(struct skua__deadline *deadline);

#endif
