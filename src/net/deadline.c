/* SPDX-License-Identifier: MIT */
/*
 * deadline.c - deadlines of connections, a queue for each kind
 *
 * Setting one appends it to the queue of its kind, so each queue is sorted by expiry without any
 * comparison. A timer looks at the heads a few times in the shortest timeout; a deadline may thus
 * pass a fraction late, never early.
 *
 * Owns the timer, none of the deadlines.
 */
#include "net/deadline.h"

#include <skua/err.h>
#include <stdlib.h>
#include <uv.h>

#define SHORTEST_TICK 5u /* ms */
#define LONGEST_TICK  500u

static void expire(uv_timer_t *timer)
{
    struct skua__deadlines *deadlines = timer->data;
    uint64_t now = skua__loop_now(deadlines->loop);

    for (int kind = 0; kind < SKUA__DEADLINE_COUNT; kind++) {
        struct skua__link *queue = &deadlines->queues[kind];

        while (!skua__link_alone(queue)) {
            struct skua__deadline *first = SKUA__OWNER(queue->next, struct skua__deadline, link);

            if (first->at > now)
                break;
            skua__link_remove(&first->link);
            deadlines->passed(first);
        }
    }
}

static uint64_t choose_tick(const uint32_t timeouts[SKUA__DEADLINE_COUNT])
{
    uint32_t tick = LONGEST_TICK;

    for (int kind = 0; kind < SKUA__DEADLINE_COUNT; kind++) {
        if (timeouts[kind] / 4 < tick)
            tick = timeouts[kind] / 4;
    }
    return tick < SHORTEST_TICK ? SHORTEST_TICK : tick;
}

int skua__deadlines_init(struct skua__deadlines *deadlines, struct skua__loop *loop,
                         const uint32_t timeouts[SKUA__DEADLINE_COUNT],
                         void (*passed)(struct skua__deadline *deadline))
{
    uint64_t tick = choose_tick(timeouts);
    int err;

    deadlines->loop = loop;
    deadlines->passed = passed;
    for (int kind = 0; kind < SKUA__DEADLINE_COUNT; kind++) {
        skua__link_init(&deadlines->queues[kind]);
        deadlines->timeouts[kind] = timeouts[kind];
    }
    deadlines->timer = malloc(sizeof(*deadlines->timer));
    if (deadlines->timer == NULL)
        return SKUA_ERR_NOMEM;
    err = uv_timer_init(skua__loop_uv(loop), deadlines->timer);
    if (err < 0) {
        free(deadlines->timer);
        deadlines->timer = NULL;
        return err;
    }
    deadlines->timer->data = deadlines;
    uv_timer_start(deadlines->timer, expire, tick, tick);
    uv_unref((uv_handle_t *)deadlines->timer);
    return 0;
}

static void free_timer(uv_handle_t *handle)
{
    free(handle);
}

void skua__deadlines_finish(struct skua__deadlines *deadlines)
{
    if (deadlines->timer != NULL)
        uv_close((uv_handle_t *)deadlines->timer, free_timer);
    deadlines->timer = NULL;
}

void skua__deadline_init(struct skua__deadline *deadline)
{
    skua__link_init(&deadline->link);
    deadline->kind = SKUA__DEADLINE_COUNT;
}

void skua__deadline_set(struct skua__deadlines *deadlines, struct skua__deadline *deadline,
                        enum skua__deadline_kind kind)
{
    skua__link_remove(&deadline->link);
    deadline->kind = kind;
    uv_update_time(skua__loop_uv(deadlines->loop)); /* or a long turn would shorten it */
    deadline->at = skua__loop_now(deadlines->loop) + deadlines->timeouts[kind];
    skua__link_append(&deadlines->queues[kind], &deadline->link);
}

void skua__deadline_clear(struct skua__deadline *deadline)
{
    skua__link_remove(&deadline->link);
    deadline->kind = SKUA__DEADLINE_COUNT;
}
