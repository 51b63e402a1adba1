/* SPDX-License-Identifier: MIT */
/*
 * render.c - `skua render`: fill a template with data
 *
 * The template goes through the same loader, compiler and machine as a page of a served application;
 * its partials are looked for beside it, or below --root.
 */
#include "cli/cli.h"

#include "view/error.h"
#include "view/once.h"

#include <errno.h>
#include <skua/err.h>
#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: skua render TEMPLATE [DATA] [--root DIR] [--layout FILE]\n\n"
    "Prints TEMPLATE filled with the JSON in the file DATA ('-': standard input; none: no "
    "data).\n\n"
    "  --root DIR     the folder of the templates; names are relative to it (default: the one "
    "that\n"
    "                 TEMPLATE is in)\n"
    "  --layout FILE  render the page into this template, which prints it with {{{body}}}\n"
    "  --help         print this\n\n"
    "Exit codes: 0 done, 1 the template or the data is broken, 2 wrong usage.\n";

struct job {
    const char *page;
    const char *data;
    const char *root;
    const char *layout;
    skua_arena *arena;
};

/* ---- the command line ---- */

/* Without --root, the folder of the template is it, and the template is named in it. */
static int split_page(struct job *job)
{
    const char *slash = strrchr(job->page, '/');
    size_t len = slash != NULL ? (size_t)(slash - job->page) : 0;

    if (job->root != NULL)
        return 0;
    job->root = slash == NULL        ? "."
                : slash == job->page ? "/"
                                     : skua_strdup(job->arena, skua_str_of(job->page, len));
    if (slash != NULL)
        job->page = slash + 1;
    return job->root != NULL ? 0 : SKUA_ERR_NOMEM;
}

static int take_word(struct job *job, const char *word)
{
    const char **place = job->page == NULL ? &job->page : &job->data;

    if (*place != NULL) {
        fprintf(stderr, "skua render: what is '%s'? One template and one data file are enough\n",
                word);
        return -1;
    }
    *place = word;
    return 0;
}

/* Take "--name VALUE" or "--name=VALUE": how many arguments it used, 0 if it is not this option, -1 after a
 * message. */
static int take_option(const char **place, const char *name, char **argv)
{
    size_t len = strlen(name);

    if (strncmp(argv[0], name, len) != 0 || (argv[0][len] != '\0' && argv[0][len] != '='))
        return 0;
    *place = argv[0][len] == '=' ? argv[0] + len + 1 : argv[1];
    if (*place != NULL)
        return argv[0][len] == '=' ? 1 : 2;
    fprintf(stderr, "skua render: %s needs a value\n", name);
    return -1;
}

/* How many arguments were used, or -1 after a message. */
static int take_argument(struct job *job, char **argv)
{
    int used = take_option(&job->root, "--root", argv);

    if (used == 0)
        used = take_option(&job->layout, "--layout", argv);
    if (used != 0)
        return used;
    if (argv[0][0] == '-' && argv[0][1] != '\0') {
        fprintf(stderr, "skua render: there is no option '%s'\n", argv[0]);
        return -1;
    }
    return take_word(job, argv[0]) < 0 ? -1 : 1;
}

static int read_arguments(struct job *job, int argc, char **argv)
{
    for (int at = 0; at < argc;) {
        int used = take_argument(job, argv + at);

        if (used < 0)
            return -1;
        at += used;
    }
    if (job->page == NULL)
        fprintf(stderr, "skua render: which template?\n");
    return job->page != NULL ? 0 : -1;
}

/* ---- the work ---- */

/* Read a stream to its end into one block, which doubles. NULL after a message. */
static char *read_stream(FILE *file, const char *name, size_t *len)
{
    size_t cap = 65536, have = 0;
    char *text = malloc(cap);

    while (text != NULL && !feof(file) && !ferror(file)) {
        char *more = have == cap ? realloc(text, cap * 2) : text;

        if (more == NULL) {
            free(text);
            text = NULL;
            break;
        }
        text = more;
        cap = have == cap ? cap * 2 : cap;
        have += fread(text + have, 1, cap - have, file);
    }
    if (text != NULL && !ferror(file)) {
        *len = have;
        return text;
    }
    fprintf(stderr, "skua render: '%s' cannot be read: %s\n", name, strerror(errno));
    free(text);
    return NULL;
}

static int read_data(const struct job *job, skua_value **data)
{
    bool input = strcmp(job->data, "-") == 0;
    FILE *file = input ? stdin : fopen(job->data, "rb");
    struct skua_json_error error = {0};
    size_t len = 0;
    char *text;
    int err;

    if (file == NULL) {
        fprintf(stderr, "skua render: '%s' cannot be read: %s\n", job->data, strerror(errno));
        return -errno;
    }
    text = read_stream(file, job->data, &len);
    if (!input)
        fclose(file);
    if (text == NULL)
        return -EIO;
    err = skua_json_read(data, job->arena, skua_str_of(text, len), &error);
    free(text);
    if (err < 0 && error.text != NULL)
        fprintf(stderr, "%s:%zu:%zu: %s\n", job->data, error.line, error.column, error.text);
    else if (err < 0)
        fprintf(stderr, "skua render: %s\n", skua_err_text(err));
    return err;
}

static void report(const struct job *job, int err, const struct skua__view_error *error)
{
    const char *text = error->text != NULL ? skua__view_error_format(error, job->arena) : NULL;

    if (text != NULL)
        fprintf(stderr, "%s\n", text);
    else
        fprintf(stderr, "skua render: '%s': %s\n", job->page, skua_err_text(err));
    if (err == SKUA_ERR_NO_TEMPLATE)
        fprintf(stderr, "names are looked for in '%s'; --root names another folder\n", job->root);
}

static int render(struct job *job)
{
    const struct skua__views_opts opts = {.root = job->root, .layout = job->layout};
    struct skua__view_error error = {0};
    skua_value *data = NULL;
    skua_str page;
    int err;

    if (job->data != NULL && read_data(job, &data) < 0)
        return SKUA__EXIT_FAILED;
    err = skua__render_once(&page, &opts, job->arena, job->page, data, &error);
    if (err < 0) {
        report(job, err, &error);
        return SKUA__EXIT_FAILED;
    }
    if (fwrite(page.ptr, 1, page.len, stdout) != page.len || fflush(stdout) != 0) {
        fprintf(stderr, "skua render: the page cannot be written: %s\n", strerror(errno));
        return SKUA__EXIT_FAILED;
    }
    return SKUA__EXIT_DONE;
}

int skua__cli_render(int argc, char **argv)
{
    struct job job = {0};
    int code = SKUA__EXIT_FAILED;

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return SKUA__EXIT_DONE;
        }
    }
    if (read_arguments(&job, argc, argv) < 0) {
        fprintf(stderr, "try 'skua render --help'\n");
        return SKUA__EXIT_USAGE;
    }
    job.arena = skua_arena_new(0);
    if (job.arena != NULL && split_page(&job) == 0)
        code = render(&job);
    else
        fprintf(stderr, "skua render: out of memory\n");
    skua_arena_free(job.arena);
    return code;
}
