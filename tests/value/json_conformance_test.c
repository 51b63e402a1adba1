/* SPDX-License-Identifier: MIT */
/*
 * JSONTestSuite (Nicolas Seriot, MIT): files named y_ must be read, files named n_ refused; those
 * named i_ may be either. What is read must be written and read again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <skua/err.h>
#include <skua/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "value/arena_support.h"

#define DATA SKUA_SOURCE_DIR "/../shared/conformance/json-parsing/"

struct tally {
    size_t total;
    size_t accepted;
};

/* The whole file in memory of exactly its size. */
static skua_str load(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size;
    char *bytes;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    bytes = malloc(size > 0 ? (size_t)size : 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)size, file), size);
    fclose(file);
    return skua_str_of(bytes, (size_t)size);
}

static bool reads(skua_str text)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua_json_error error = {0};
    skua_value *value, *again;
    int err = skua_json_read(&value, arena, text, &error);
    skua_str written;

    if (err == 0) {
        assert_int_equal(skua_json_write(&written, arena, value), 0);
        assert_int_equal(skua_json_read(&again, arena, written, NULL), 0);
    } else {
        assert_true(err == SKUA_ERR_BAD_JSON || err == SKUA_ERR_TOO_DEEP);
        assert_in_range(error.offset, 0, text.len);
        assert_non_null(error.text);
    }
    skua_arena_free(arena);
    return err == 0;
}

static void run_file(const char *folder, const char *name, struct tally *tally)
{
    char path[1024];
    skua_str text;
    bool accepted;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    text = load(path);
    accepted = reads(text);
    free((char *)(uintptr_t)text.ptr);
    if (strncmp(name, "y_", 2) == 0 && !accepted)
        print_error("refused: %s\n", name);
    if (strncmp(name, "n_", 2) == 0 && accepted)
        print_error("accepted: %s\n", name);
    tally->total++;
    tally->accepted += accepted;
}

/* Run every file of the folder; tallies are kept by the first letter of the names. */
static void run_folder(const char *folder, struct tally tallies[256])
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (dir == NULL) {
        print_message("SKIPPED: conformance data not found\n");
        if (getenv("SKUA_CI") != NULL)
            fail_msg("conformance data not found: %s", folder);
        skip();
    }
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] != '.')
            run_file(folder, entry->d_name, &tallies[(unsigned char)entry->d_name[0]]);
    }
    closedir(dir);
}

static void the_parsing_suite_is_passed_in_full(void **state)
{
    static struct tally tallies[256];
    const struct tally *yes = &tallies['y'], *no = &tallies['n'], *either = &tallies['i'];

    (void)state;
    run_folder(DATA "test_parsing", tallies);
    print_message("JSONTestSuite y_: %zu/%zu\n", yes->accepted, yes->total);
    print_message("JSONTestSuite n_: %zu/%zu\n", no->total - no->accepted, no->total);
    print_message("JSONTestSuite i_: %zu/%zu (%zu accepted)\n", either->total, either->total,
                  either->accepted);
    assert_int_equal(yes->total, 95);
    assert_int_equal(yes->accepted, 95);
    assert_int_equal(no->total, 188);
    assert_int_equal(no->accepted, 0);
    assert_int_equal(either->total, 35);
}

/* Three of them hold lone surrogates in escapes, three the same as bytes; the rest is JSON. */
static void the_transform_suite_is_read_but_for_surrogates(void **state)
{
    static struct tally tallies[256];
    size_t total = 0, accepted = 0;

    (void)state;
    run_folder(DATA "test_transform", tallies);
    for (size_t i = 0; i < 256; i++) {
        total += tallies[i].total;
        accepted += tallies[i].accepted;
    }
    print_message("JSONTestSuite transform: %zu read of %zu\n", accepted, total);
    assert_int_equal(total, 22);
    assert_int_equal(accepted, 16);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parsing_suite_is_passed_in_full),
        cmocka_unit_test(the_transform_suite_is_read_but_for_surrogates),
    };

    return cmocka_run_group_tests_name("json_conformance", tests, NULL, NULL);
}
