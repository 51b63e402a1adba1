/* SPDX-License-Identifier: MIT */
/*
 * measure.c - what a page costs that EJS renders for a fiber
 *
 * Prints microseconds for each render of the page "hello", from the value to the HTML: called on the
 * thread's own stack, where every turn is a plain call, and called on a fiber. The two take turns,
 * and of each the median is printed, as other work disturbs both.
 */
#include "js/engine.h"

#include "async/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15, RENDERS = 20000 };

struct measurement {
    struct engine *engine;
    double us; /* of the last round */
    int err;
};

static double read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int render(struct engine *engine)
{
    skua_arena *arena = skua_arena_new(0);
    skua_value *page = skua_object(arena), *birds = skua_array(arena), *bird;
    skua_str json, html;
    int err;

    skua_set(page, "title", "Terns & <others>");
    for (int i = 0; i < 2; i++) {
        bird = skua_add_object(birds);
        skua_set(bird, "name", "Arctic tern");
        skua_set(bird, "count", i);
    }
    skua_set(page, "birds", birds);
    err = skua_json_write(&json, arena, page);
    if (err == 0)
        err = engine_call(engine, arena, &html, "render", (const char *const[]){"hello", json.ptr},
                          2);
    skua_arena_free(arena);
    return err;
}

static void run_round(void *arg)
{
    struct measurement *m = arg;
    double start = read_clock();

    m->err = 0;
    for (int i = 0; i < RENDERS && m->err == 0; i++)
        m->err = render(m->engine);
    m->us = (read_clock() - start) / RENDERS;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int run_rounds(struct skua__loop *loop, struct engine *engine)
{
    struct measurement m = {.engine = engine};
    double plain[ROUNDS], fiber[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        run_round(&m);
        plain[i] = m.us;
        if (m.err == 0)
            m.err = skua__run_fiber(loop, run_round, &m);
        fiber[i] = m.us;
        if (m.err < 0)
            return m.err;
    }
    qsort(plain, ROUNDS, sizeof(*plain), compare);
    qsort(fiber, ROUNDS, sizeof(*fiber), compare);
    printf("on the thread's own stack %.2f us, on a fiber %.2f us\n", plain[ROUNDS / 2],
           fiber[ROUNDS / 2]);
    return 0;
}

int main(void)
{
    struct skua__loop *loop = NULL;
    struct engine *engine = NULL;
    int err = skua__loop_new(&loop, NULL);

    if (err == 0)
        err = engine_new(&engine);
    if (err == 0)
        err = engine_load(engine, SKUA_SOURCE_DIR "/build/npm/node_modules/ejs/ejs.min.js");
    if (err == 0)
        err = engine_load(engine, SKUA_SOURCE_DIR "/tests/js/pages.js");
    if (err == 0)
        err = run_rounds(loop, engine);
    if (err < 0)
        fprintf(stderr, "%s: %s\n", skua_err_name(err),
                err == SKUA_ERR_TEMPLATE ? engine_error(engine) : skua_err_text(err));
    engine_free(engine);
    skua__loop_free(loop);
    return err < 0;
}
