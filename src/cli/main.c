/* SPDX-License-Identifier: MIT */
/*
 * main.c - the skua command: finds the sub-command
 *
 * Data goes to standard output, everything for people to standard error, so that output can be piped.
 */
#include "cli/cli.h"

#include <skua/version.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    const char *help;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"render", "fill a template with data", skua__cli_render},
    {"routes", "print the routes of an application", skua__cli_routes},
    {"version", "print the version", skua__cli_version},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out)
{
    fprintf(out, "Usage: skua COMMAND [arguments]\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    fprintf(out, "\n'skua COMMAND --help' tells more about one.\n");
}

int skua__cli_version(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "--help") == 0) {
        printf("Usage: skua version\n\nPrints the version of Skua.\n");
        return SKUA__EXIT_DONE;
    }
    if (argc > 0) {
        fprintf(stderr, "skua version takes no arguments\n");
        return SKUA__EXIT_USAGE;
    }
    printf("%s\n", skua_version());
    return SKUA__EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return SKUA__EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return SKUA__EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return skua__cli_version(0, argv + 2);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    }
    fprintf(stderr, "skua: there is no command '%s'\n\n", argv[1]);
    print_usage(stderr);
    return SKUA__EXIT_USAGE;
}
