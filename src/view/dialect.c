/* SPDX-License-Identifier: MIT */
/*
 * dialect.c - the table of template languages, and what their compilers share
 *
 * A language is a name, the extensions of its files and one function from text to program. All
 * else (loading, caching, running, escaping, limits, errors) is the same for every language.
 */
#include "view/dialect.h"

#include "base/arena.h"
#include "view/emit.h"
#include "view/error.h"
#include "view/name.h"

#include <skua/err.h>
#include <stdarg.h>

static const struct skua__dialect dialects[] = {
    {
        .name = "mustache",
        .extensions = (const char *const[]){"html", "mustache", NULL},
        .compile = skua__mustache_compile,
    },
};

static bool has_extension(const struct skua__dialect *dialect, skua_str extension)
{
    for (const char *const *known = dialect->extensions; *known != NULL; known++) {
        if (skua_str_eq(skua_str_c(*known), extension))
            return true;
    }
    return false;
}

const struct skua__dialect *skua__dialect_of(skua_str name)
{
    skua_str extension = skua__name_extension(name);

    for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
        if (has_extension(&dialects[i], extension))
            return &dialects[i];
    }
    return NULL;
}

int skua__compile_fail(struct skua__view_error *error, const struct skua__source *source,
                       size_t offset, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = skua__format_v(source->arena, format, args);
    va_end(args);
    skua__view_error_set(error, source->arena, SKUA_ERR_TEMPLATE, source->name, "%s",
                         text != NULL ? text : skua_err_text(SKUA_ERR_TEMPLATE));
    skua__view_error_place(error, source->arena, source->text, offset);
    return SKUA_ERR_TEMPLATE;
}

int skua__compile_finish(struct skua__emit *emit, struct skua__program *program,
                         const struct skua__source *source, struct skua__view_error *error)
{
    int err = skua__emit_finish(emit, program, source->name, source->text);

    if (err < 0)
        skua__view_error_set(error, source->arena, err, source->name, "%s", skua_err_text(err));
    return err;
}
