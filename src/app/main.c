/* SPDX-License-Identifier: MIT */
/*
 * main.c - the command line that every application has
 *
 * One table of options gives the parsing and the help. Data goes to standard output, everything for
 * people to standard error. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
#include "app/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

/* What to do, when it is not to serve. */
enum action { ACTION_SERVE, ACTION_CHECK, ACTION_ROUTES, ACTION_HELP };

struct command {
    skua_app_opts *opts;
    enum action action;
};

struct option {
    const char *name;
    const char *argument; /* NULL: it takes none */
    const char *help;
    const char *takes; /* what its value may be */
    bool (*set)(struct command *command, const char *value);
};

static bool set_number(int *out, const char *value, long least, long most)
{
    char *end;
    long number = strtol(value, &end, 10);

    if (end == value || *end != '\0' || number < least || number > most)
        return false;
    *out = (int)number;
    return true;
}

static bool set_port(struct command *command, const char *value)
{
    int port;

    if (!set_number(&port, value, 0, 65535))
        return false;
    command->opts->port = port != 0 ? port : -1;
    return true;
}

static bool set_host(struct command *command, const char *value)
{
    command->opts->host = value;
    return value[0] != '\0';
}

static bool set_workers(struct command *command, const char *value)
{
    return set_number(&command->opts->workers, value, 1, 1024);
}

static bool set_log(struct command *command, const char *value)
{
    static const char *const names[] = {"", "debug", "info", "warn", "error", "silent"};

    for (int level = SKUA_LOG_DEBUG; level <= SKUA_LOG_SILENT; level++) {
        if (strcasecmp(value, names[level]) == 0) {
            command->opts->log = (enum skua_log_level)level;
            return true;
        }
    }
    return false;
}

static bool set_development(struct command *command, const char *value)
{
    (void)value;
    command->opts->development = true;
    return true;
}

static bool set_check(struct command *command, const char *value)
{
    (void)value;
    command->action = ACTION_CHECK;
    return true;
}

static bool set_routes(struct command *command, const char *value)
{
    (void)value;
    command->action = ACTION_ROUTES;
    return true;
}

static bool set_help(struct command *command, const char *value)
{
    (void)value;
    command->action = ACTION_HELP;
    return true;
}

static const struct option options[] = {
    {"--port", "N", "listen on this port (0: any free one)", "a number from 0 to 65535", set_port},
    {"--host", "ADDRESS", "listen on this address (0.0.0.0: all of the machine)", "an address",
     set_host},
    {"--workers", "N", "so many threads serve", "a number from 1 to 1024", set_workers},
    {"--log", "LEVEL", "debug, info (also each request), warn, error or silent",
     "one of these words", set_log},
    {"--dev", NULL, "development: error pages show causes, templates are read anew", NULL,
     set_development},
    {"--check", NULL, "look for mistakes in routes and templates, then exit", NULL, set_check},
    {"--routes", NULL, "print the routes, then exit", NULL, set_routes},
    {"--help", NULL, "print this, then exit", NULL, set_help},
};

#define OPTION_COUNT (sizeof(options) / sizeof(options[0]))

static void print_help(const char *program, const skua_app_opts *opts)
{
    printf("Usage: %s [options]\n\nServes on http://%s:%d with %d worker%s, until Ctrl-C or "
           "SIGTERM.\n\n",
           program, opts->host, opts->port > 0 ? opts->port : 0, opts->workers,
           opts->workers == 1 ? "" : "s");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];
        int width =
            printf("  %s %s", option->name, option->argument != NULL ? option->argument : "");

        printf("%*s%s\n", width < 21 ? 21 - width : 1, "", option->help);
    }
}

/* Take one option off the command line: how many arguments it used, or -1 after a message. */
static int take_option(struct command *command, int left, char **argv)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &options[i];
        size_t len = strlen(option->name);
        bool joined = strncmp(argv[0], option->name, len) == 0 && argv[0][len] == '=';
        const char *value = joined ? argv[0] + len + 1 : left > 1 ? argv[1] : NULL;

        if (!joined && strcmp(argv[0], option->name) != 0)
            continue;
        if (option->argument == NULL && joined) {
            fprintf(stderr, "%s takes no value\n", option->name);
            return -1;
        }
        if (option->argument != NULL && value == NULL) {
            fprintf(stderr, "%s needs a value: %s %s\n", option->name, option->name,
                    option->argument);
            return -1;
        }
        if (!option->set(command, value)) {
            fprintf(stderr, "%s takes %s, and '%s' is none\n", option->name, option->takes, value);
            return -1;
        }
        return option->argument != NULL && !joined ? 2 : 1;
    }
    fprintf(stderr, "there is no option '%s'", argv[0]);
    if (argv[0][0] >= '0' && argv[0][0] <= '9')
        fprintf(stderr, "; did you mean '--port %s'?", argv[0]);
    fputc('\n', stderr);
    return -1;
}

static int read_command(struct command *command, int argc, char **argv)
{
    for (int at = 1; at < argc;) {
        int used = take_option(command, argc - at, argv + at);

        if (used < 0) {
            fprintf(stderr, "try '%s --help'\n", argv[0]);
            return -1;
        }
        at += used;
    }
    return 0;
}

static void tell_listening(struct skua__root *root)
{
    const char *host = strcmp(root->opts.host, "0.0.0.0") == 0 ? "localhost" : root->opts.host;
    bool v6 = strchr(host, ':') != NULL;

    fprintf(stderr, "listening on http://%s%s%s:%d\n", v6 ? "[" : "", host, v6 ? "]" : "",
            atomic_load(&root->port));
}

static int report(const skua_app *app, int err)
{
    const skua_app_opts *opts = app != NULL ? &app->root->opts : NULL;

    if (err == SKUA_ERR_SETUP || opts == NULL)
        fprintf(stderr, "the application cannot start:\n\n%s", skua_app_mistakes(app));
    else if (err == -EADDRINUSE)
        fprintf(stderr, "port %d is taken: stop the other program, or choose another with --port\n",
                opts->port);
    else if (err == -EACCES)
        fprintf(stderr, "port %d is not yours to take: choose one from 1024 on with --port\n",
                opts->port);
    else if (err == -EADDRNOTAVAIL)
        fprintf(stderr, "this machine has no address '%s': try --host localhost\n", opts->host);
    else
        fprintf(stderr, "the application cannot serve: %s (%s)\n", skua_err_text(err),
                skua_err_name(err));
    return 1;
}

static int act(skua_app *app, const struct command *command, const char *program)
{
    int err;

    if (command->action == ACTION_HELP) {
        print_help(program, command->opts);
        return 0;
    }
    app->root->check = command->action == ACTION_CHECK;
    err = command->action == ACTION_SERVE ? skua__app_serve(app->root, tell_listening)
                                          : skua_app_ready(app);
    if (err < 0)
        return report(app, err);
    if (command->action == ACTION_ROUTES)
        fputs(skua_app_routes(app), stdout);
    else if (command->action == ACTION_CHECK)
        fputs("everything is in order\n", stderr);
    return 0;
}

/* A program started with one of its standard descriptors closed would open a socket in its place. */
static void open_standard_files(void)
{
    int fd;

    do {
        fd = open("/dev/null", O_RDWR);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd > STDERR_FILENO)
        close(fd);
}

int skua_main(skua_app *app, int argc, char **argv)
{
    struct command command = {.opts = app != NULL ? &app->root->opts : NULL};
    int code;

    if (app == NULL)
        return report(NULL, SKUA_ERR_NOMEM);
    open_standard_files();
    signal(SIGPIPE, SIG_IGN); /* a log whose reader has gone is no reason to die */
    code = read_command(&command, argc, argv) < 0 ? 2 : act(app, &command, argv[0]);
    skua_app_free(app);
    return code;
}
