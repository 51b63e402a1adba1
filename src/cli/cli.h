/* SPDX-License-Identifier: MIT */
#ifndef SKUA__CLI_CLI_H
#define SKUA__CLI_CLI_H

/* The exit codes of every command. */
enum { SKUA__EXIT_DONE = 0, SKUA__EXIT_FAILED = 1, SKUA__EXIT_USAGE = 2 };

/* Each gets the arguments behind its own name: argv[0] is the first of them, argv[argc] is NULL. */
int skua__cli_render(int argc, char **argv);
int skua__cli_routes(int argc, char **argv);
int skua__cli_version(int argc, char **argv);

#endif
