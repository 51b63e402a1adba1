/* SPDX-License-Identifier: MIT */
#ifndef SKUA__ASYNC_LOG_H
#define SKUA__ASYNC_LOG_H

#include <skua/log.h>

/*
 * Where an app's lines go. Shared read-only by all workers; `write` must be safe to call from
 * several threads (the default makes one write(2) per line).
 */
struct skua__log {
    enum skua_log_level level; /* lines below it are dropped before formatting */
    void (*write)(void *ctx, enum skua_log_level level, const char *line); /* ends in a newline */
    void *ctx;
};

/* Lines of `level` and above, to standard error: time, level, text. */
void skua__log_init(struct skua__log *log, enum skua_log_level level);

/* Control bytes in the text are written as \xNN, so nobody can forge a line. */
SKUA_PRINTF(3, 4)
void skua__log(const struct skua__log *log, enum skua_log_level level, const char *format, ...);

#endif
