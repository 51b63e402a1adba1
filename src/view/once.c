/* SPDX-License-Identifier: MIT */
/*
 * once.c - one page, on a loop of its own
 *
 * Templates are read through calls that wait, so even a single page needs a fiber and a loop.
 */
#include "view/once.h"

#include "async/run.h"

struct once {
    skua_str *out;
    struct skua__views *views;
    skua_arena *arena;
    const char *name;
    const skua_value *data;
    struct skua__view_error *error;
    int err;
};

static void render(void *arg)
{
    struct once *once = arg;

    once->err = skua__views_render(once->out, once->views, once->arena, once->name, once->data,
                                   NULL, once->error);
}

int skua__render_once(skua_str *out, const struct skua__views_opts *opts, skua_arena *arena,
                      const char *name, const skua_value *data, struct skua__view_error *error)
{
    struct once once = {.out = out, .arena = arena, .name = name, .data = data, .error = error};
    struct skua__loop *loop = NULL;
    int err = skua__views_new(&once.views, opts);

    if (err == 0)
        err = skua__loop_new(&loop, NULL);
    if (err == 0)
        err = skua__run_fiber(loop, render, &once);
    skua__loop_free(loop);
    skua__views_free(once.views);
    return err < 0 ? err : once.err;
}
