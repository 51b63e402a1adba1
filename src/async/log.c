/* SPDX-License-Identifier: MIT */
/*
 * log.c - one line of the log
 *
 *   2026-11-30T16:20:00.123Z error the text, on one line
 *
 * Much of what is logged came from a peer, so a line is made safe here: control characters (also
 * those of Latin-1, which some terminals obey) and bytes that are no UTF-8 become \xNN, and what
 * does not fit ends in an ellipsis. With its newline a line has at most 4,096 bytes, which a pipe
 * takes as one piece (PIPE_BUF): lines of several threads do not run into each other.
 *
 * The line is built on the stack. Nothing is allocated, waited for or kept.
 */
#include "async/log.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_MOST 4096
#define ELLIPSIS  "\xe2\x80\xa6"
#define TAIL      (sizeof(ELLIPSIS "\n") - 1)

static const char *const level_names[] = {[SKUA_LOG_DEBUG] = "debug",
                                          [SKUA_LOG_INFO] = "info",
                                          [SKUA_LOG_WARN] = "warn",
                                          [SKUA_LOG_ERROR] = "error"};

static void write_to_stderr(void *ctx, enum skua_log_level level, const char *line)
{
    (void)ctx;
    (void)level;
    if (write(STDERR_FILENO, line, strlen(line)) < 0) {
        /* A log that cannot be written has nowhere to say so. */
    }
}

void skua__log_init(struct skua__log *log, enum skua_log_level level)
{
    log->level = level == SKUA_LOG_DEFAULT ? SKUA_LOG_WARN : level;
    log->write = write_to_stderr;
    log->ctx = NULL;
}

/* Time and level. Returns the length. */
static size_t put_head(char *line, size_t cap, enum skua_log_level level)
{
    struct timespec now;
    struct tm utc;
    size_t len;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    len = strftime(line, cap, "%Y-%m-%dT%H:%M:%S", &utc);
    return len + (size_t)snprintf(line + len, cap - len, ".%03ldZ %s ", now.tv_nsec / 1000000,
                                  level_names[level]);
}

/* How many bytes at `text` are one character that can be shown as it is; 0 if none. */
static size_t plain_length(skua_str text)
{
    unsigned char c = (unsigned char)text.ptr[0];
    size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    if (c < 0x20 || c == 0x7f || len > text.len)
        return 0;
    if (skua__utf8_valid(skua_str_of(text.ptr, len)) != len)
        return 0;
    return c == 0xc2 && (unsigned char)text.ptr[1] < 0xa0 ? 0 : len; /* U+0080 to U+009F */
}

/* Append the text, made safe, and the newline; `len` bytes are there already. */
static void put_text(char line[LINE_MOST + 1], size_t len, skua_str text)
{
    while (text.len > 0) {
        size_t plain = plain_length(text);
        size_t need = plain > 0 ? plain : sizeof("\\xNN") - 1;

        if (len + need > LINE_MOST - TAIL) {
            memcpy(line + len, ELLIPSIS, TAIL - 1);
            len += TAIL - 1;
            break;
        }
        if (plain > 0)
            memcpy(line + len, text.ptr, plain);
        else
            snprintf(line + len, need + 1, "\\x%02X", (unsigned)(unsigned char)text.ptr[0]);
        len += need;
        text.ptr += plain > 0 ? plain : 1;
        text.len -= plain > 0 ? plain : 1;
    }
    line[len] = '\n';
    line[len + 1] = '\0';
}

void skua__log(const struct skua__log *log, enum skua_log_level level, const char *format, ...)
{
    char text[LINE_MOST + 1]; /* longer than what fits behind the head, so a cut is seen */
    char line[LINE_MOST + 1];
    int kept = errno;
    va_list args;
    size_t len;

    if (level < log->level || level <= SKUA_LOG_DEFAULT || level >= SKUA_LOG_SILENT)
        return;
    va_start(args, format);
    if (vsnprintf(text, sizeof(text), format, args) < 0)
        text[0] = '\0';
    va_end(args);
    len = strlen(text);
    if (len > 0 && text[len - 1] == '\n')
        len--; /* out of habit with printf */
    put_text(line, put_head(line, sizeof(line), level), skua_str_of(text, len));
    log->write(log->ctx, level, line);
    errno = kept;
}
