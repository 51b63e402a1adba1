/* SPDX-License-Identifier: MIT */
/*
 * conformance.h - the rows of a JSONL file of public test data
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#define CONFORMANCE SKUA_SOURCE_DIR "/../shared/conformance/"

struct rows {
    char *text;
    size_t len;
    size_t at;
    skua_arena *arena; /* of the present row */
};

/* The bytes of a file; the caller frees them. NULL when it is not there. */
static inline char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size = -1;

    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    if (text != NULL)
        *len = fread(text, 1, (size_t)size, file);
    fclose(file);
    return text;
}

/* Without the file: a failure where SKUA_CI is set, a skipped test elsewhere. */
static inline void rows_open(struct rows *rows, const char *path)
{
    memset(rows, 0, sizeof(*rows));
    rows->text = read_file(path, &rows->len);
    if (rows->text != NULL)
        return;
    printf("SKIPPED: conformance data not found: %s\n", path);
    if (getenv("SKUA_CI") != NULL)
        fail_msg("no conformance data");
    skip();
}

/* The next row, which lives until the one after it; NULL at the end. */
static inline const skua_value *rows_next(struct rows *rows)
{
    skua_value *row;
    size_t start = rows->at;

    skua_arena_free(rows->arena);
    rows->arena = NULL;
    if (start >= rows->len)
        return NULL;
    while (rows->at < rows->len && rows->text[rows->at] != '\n')
        rows->at++;
    rows->arena = skua_arena_new(0);
    assert_int_equal(
        skua_json_read(&row, rows->arena, skua_str_of(rows->text + start, rows->at - start), NULL),
        0);
    rows->at++;
    return row;
}

static inline void rows_close(struct rows *rows)
{
    skua_arena_free(rows->arena);
    free(rows->text);
}

#endif
