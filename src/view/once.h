/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_ONCE_H
#define SKUA__VIEW_ONCE_H

#include "view/views.h"

/*
 * Render one page where no loop runs, as a command does: as skua__views_render, with a set of
 * templates and a loop that live for this call. Also fails as skua__views_new does.
 */
int skua__render_once(skua_str *out, const struct skua__views_opts *opts, skua_arena *arena,
                      const char *name, const skua_value *data, struct skua__view_error *error);

#endif
