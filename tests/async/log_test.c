/* SPDX-License-Identifier: MIT */
/*
 * log_test.c - what a line looks like, whatever is in the text
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "async/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HEAD_LEN 25 /* 2026-11-30T16:20:00.123Z and a space */

struct sink {
    char line[8192];
    int lines;
    enum skua_log_level level;
};

static void keep_line(void *ctx, enum skua_log_level level, const char *line)
{
    struct sink *sink = ctx;

    sink->lines++;
    sink->level = level;
    assert_true(strlen(line) < sizeof(sink->line));
    strcpy(sink->line, line);
}

static struct skua__log log_to(struct sink *sink, enum skua_log_level level)
{
    struct skua__log log;

    memset(sink, 0, sizeof(*sink));
    skua__log_init(&log, level);
    log.write = keep_line;
    log.ctx = sink;
    return log;
}

static void assert_text(const char *text, const char *expected)
{
    struct sink sink;
    struct skua__log log = log_to(&sink, SKUA_LOG_INFO);

    skua__log(&log, SKUA_LOG_INFO, "%s", text);
    assert_int_equal(sink.lines, 1);
    assert_string_equal(sink.line + HEAD_LEN, expected);
}

static void a_line_is_time_level_and_text(void **state)
{
    struct sink sink;
    struct skua__log log = log_to(&sink, SKUA_LOG_INFO);
    time_t before = time(NULL), at;
    struct tm utc = {0};
    const char *rest;

    (void)state;
    skua__log(&log, SKUA_LOG_ERROR, "cannot open '%s': %d", "a.html", 7);
    rest = strptime(sink.line, "%Y-%m-%dT%H:%M:%S", &utc);
    assert_non_null(rest);
    at = timegm(&utc);
    assert_true(at >= before && at <= time(NULL));
    assert_int_equal(rest - sink.line, 19);
    assert_int_equal(rest[0], '.');
    assert_int_equal(strspn(rest + 1, "0123456789"), 3);
    assert_string_equal(rest + 4, "Z error cannot open 'a.html': 7\n");
    assert_int_equal(sink.level, SKUA_LOG_ERROR);
}

static void nobody_can_forge_a_line(void **state)
{
    (void)state;
    assert_text(
        "GET /\n2026-01-01T00:00:00.000Z error bad\r\n",
        "info GET /\\x0A2026-01-01T00:00:00.000Z error bad\\x0D\n"); /* the last newline is dropped: a habit of printf */
    assert_text("\x1b[2Jgone \t\x7f", "info \\x1B[2Jgone \\x09\\x7F\n");
    assert_text("\xc2\x9b"
                "2J \xc2\x85",
                "info \\xC2\\x9B2J \\xC2\\x85\n"); /* C1 controls */
}

static void only_utf8_goes_through(void **state)
{
    (void)state;
    assert_text("Küstenseeschwalbe \xe2\x82\xac \xf0\x9f\x90\xa6 \xc2\xa0",
                "info Küstenseeschwalbe \xe2\x82\xac \xf0\x9f\x90\xa6 \xc2\xa0\n");
    assert_text("\xff \xc0\xaf \xed\xa0\x80 \xe2\x82",
                "info \\xFF \\xC0\\xAF \\xED\\xA0\\x80 \\xE2\\x82\n");
    assert_text("\xe2\x82"
                "a",
                "info \\xE2\\x82a\n");
    assert_text("", "info \n");
}

static void a_long_line_is_cut_at_4096_bytes(void **state)
{
    size_t room = 4096 - HEAD_LEN - strlen("info ") - strlen("\xe2\x80\xa6\n");
    char text[6000], expected[6100];

    (void)state;
    for (size_t len = room - 1; len <= room + 1; len++) {
        memset(text, 'x', len);
        text[len] = '\0';
        snprintf(expected, sizeof(expected), "info %.*s%s\n", (int)room, text,
                 len > room ? "\xe2\x80\xa6" : "");
        assert_text(text, expected);
    }
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    assert_text(text, expected);
}

static void a_cut_does_not_split_a_character(void **state)
{
    size_t room = 4096 - HEAD_LEN - strlen("info ") - strlen("\xe2\x80\xa6\n");
    char text[6000], expected[6100];

    (void)state;
    memset(text, 'x', room - 2);
    strcpy(text + room - 2, "\xe2\x82\xac"
                            "and more");
    snprintf(expected, sizeof(expected), "info %.*s\xe2\x80\xa6\n", (int)room - 2, text);
    assert_text(text, expected);
    strcpy(text + room - 3, "\xe2\x82\xac");
    snprintf(expected, sizeof(expected), "info %s\n", text);
    assert_text(text, expected);
    strcpy(text + room - 3, "\n"
                            "and more"); /* four bytes when it is written out */
    snprintf(expected, sizeof(expected), "info %.*s\xe2\x80\xa6\n", (int)room - 3, text);
    assert_text(text, expected);
}

static int lines_at(enum skua_log_level level)
{
    struct sink sink;
    struct skua__log log = log_to(&sink, level);

    skua__log(&log, SKUA_LOG_DEFAULT, "never");
    skua__log(&log, SKUA_LOG_DEBUG, "d");
    skua__log(&log, SKUA_LOG_INFO, "i");
    skua__log(&log, SKUA_LOG_WARN, "w");
    skua__log(&log, SKUA_LOG_ERROR, "e");
    skua__log(&log, SKUA_LOG_SILENT, "never");
    return sink.lines;
}

static void lines_below_the_level_are_dropped(void **state)
{
    (void)state;
    assert_int_equal(lines_at(SKUA_LOG_DEBUG), 4);
    assert_int_equal(lines_at(SKUA_LOG_INFO), 3);
    assert_int_equal(lines_at(SKUA_LOG_WARN), 2);
    assert_int_equal(lines_at(SKUA_LOG_DEFAULT), 2);
    assert_int_equal(lines_at(SKUA_LOG_ERROR), 1);
    assert_int_equal(lines_at(SKUA_LOG_SILENT), 0);
}

static void the_default_writes_to_standard_error(void **state)
{
    struct skua__log log;
    char line[256] = {0};
    int kept = dup(STDERR_FILENO);
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    skua__log_init(&log, SKUA_LOG_DEFAULT);
    dup2(ends[1], STDERR_FILENO);
    errno = 4711;
    skua__log(&log, SKUA_LOG_WARN, "to %s", "stderr");
    assert_int_equal(errno, 4711);
    dup2(kept, STDERR_FILENO);
    assert_int_equal(read(ends[0], line, sizeof(line) - 1), HEAD_LEN + strlen("warn to stderr\n"));
    assert_string_equal(line + HEAD_LEN, "warn to stderr\n");
    close(kept);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_time_level_and_text),
        cmocka_unit_test(nobody_can_forge_a_line),
        cmocka_unit_test(only_utf8_goes_through),
        cmocka_unit_test(a_long_line_is_cut_at_4096_bytes),
        cmocka_unit_test(a_cut_does_not_split_a_character),
        cmocka_unit_test(lines_below_the_level_are_dropped),
        cmocka_unit_test(the_default_writes_to_standard_error),
    };

    return cmocka_run_group_tests_name("async/log", tests, NULL, NULL);
}
