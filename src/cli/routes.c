/* SPDX-License-Identifier: MIT */
/*
 * routes.c - `skua routes`: print the routes of an application
 *
 * The routes are known to the application's own program, which prints them when it is started with
 * --routes (skua_main). This command starts it so, in its own place.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: skua routes PROGRAM [arguments]\n\n"
    "Prints the routes of an application that was built with Skua, as a tree.\n"
    "PROGRAM is its executable, such as ./hello; it is started with --routes.\n";

int skua__cli_routes(int argc, char **argv)
{
    char **args;

    if (argc < 1) {
        fputs(help, stderr);
        return SKUA__EXIT_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0) {
        fputs(help, stdout);
        return SKUA__EXIT_DONE;
    }
    args = calloc((size_t)argc + 2, sizeof(*args));
    if (args == NULL) {
        fprintf(stderr, "skua routes: out of memory\n");
        return SKUA__EXIT_FAILED;
    }
    memcpy(args, argv, (size_t)argc * sizeof(*args));
    args[argc] = (char[]){"--routes"};
    execvp(args[0], args);
    fprintf(stderr, "skua routes: '%s' cannot be started: %s\n", argv[0], strerror(errno));
    free(args);
    return SKUA__EXIT_FAILED;
}
