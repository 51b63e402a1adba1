/* SPDX-License-Identifier: MIT */
/*
 * media_type_test.c - Content-Type, Accept and file names
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "text/media_type.h"

#include <skua/err.h>
#include <stdlib.h>

struct row {
    const char *text;
    const char *essence; /* NULL: malformed */
    const char *charset;
};

static const struct row rows[] = {
    {"text/html", "text/html", ""},
    {"Application/JSON", "application/json", ""},
    {" text/html\t", "text/html", ""},
    {"text/html;charset=UTF-8", "text/html", "utf-8"},
    {"text/html ; a=b ;\tCharSet=\"U\\TF-8\" ", "text/html", "utf-8"},
    {"text/html; charset=a; charset=b", "text/html", "a"},
    {"text/html; charset=\"\"; charset=b", "text/html", ""},
    {"text/html;", "text/html", ""},
    {"text/html;;; charset=x;", "text/html", "x"},
    {"text/plain; content-type=\"application/json; charset=x\"", "text/plain", ""},
    {"text/plain; a=\"\xc3\xa9\"", "text/plain", ""},
    {"", NULL, NULL},
    {"text", NULL, NULL},
    {"text/", NULL, NULL},
    {"/html", NULL, NULL},
    {"text /html", NULL, NULL},
    {"text/html/x", NULL, NULL},
    {"text/html x", NULL, NULL},
    {"application/json\ta", NULL, NULL},
    {"a/b, c/d", NULL, NULL},
    {"a/b; c=d, c/d", NULL, NULL},
    {"a/b;,", NULL, NULL},
    {"a/b; c", NULL, NULL},
    {"a/b; c=", NULL, NULL},
    {"a/b; =d", NULL, NULL},
    {"a/b; c =d", NULL, NULL},
    {"a/b; c= d", NULL, NULL},
    {"a/b; c=\"d", NULL, NULL},
    {"a/b; c=\"d\\", NULL, NULL},
    {"a/b; c=\"d\"e", NULL, NULL},
    {"a/b; c=\"\x01\"", NULL, NULL},
    {"a/b; c=\"\\\x7f\"", NULL, NULL},
    {"a/b; charset=x; c", NULL, NULL},
};

static void content_type_has_one_reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        skua_arena *arena = skua_arena_new(0);
        size_t len = strlen(rows[i].text);
        char *block = malloc(len > 0 ? len : 1); /* a read past the end is found */
        struct skua__media_type type;
        int err;

        assert_non_null(block);
        memcpy(block, rows[i].text, len);
        err = skua__media_type_read(&type, arena, skua_str_of(block, len));
        if (rows[i].essence == NULL) {
            assert_int_equal(err, SKUA_ERR_MEDIA_TYPE);
        } else {
            assert_int_equal(err, 0);
            assert_true(skua_str_eq(type.essence, skua_str_c(rows[i].essence)));
            assert_true(skua_str_eq(type.charset, skua_str_c(rows[i].charset)));
        }
        free(block);
        skua_arena_free(arena);
    }
}

static void only_what_changes_is_copied(void **state)
{
    static const char lower[] = "text/html; charset=utf-8";
    struct skua__media_type type;

    (void)state;
    assert_int_equal(skua__media_type_read(&type, NULL, skua_str_c(lower)), 0);
    assert_ptr_equal(type.essence.ptr, lower);
    assert_ptr_equal(type.charset.ptr, lower + 19);
    assert_int_equal(skua__media_type_read(&type, NULL, SKUA_STR("Text/html")), SKUA_ERR_NOMEM);
    assert_int_equal(skua__media_type_read(&type, NULL, SKUA_STR("a/b;charset=A")), SKUA_ERR_NOMEM);
}

static void browsers_prefer_html(void **state)
{
    static const char *const yes[] = {
        "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "text/html",
        "TEXT/HTML",
        "text/*",
        "text/html, application/json",
        ",, text/html ,",
        "application/json;q=0.9, text/html",
        "application/json;q=0.999, text/html;q=1.000",
        "application/*, text/html",
        "text/html;q=0.5, */*;q=0.4",
        "*/*;q=0.5, text/html;q=0.5",
        "application/json;q=0, */*",
        "text/html;level=1;q=0.7, application/json;q=0.6",
        "text/*;q=0.3, application/*;q=0.3",
        "text/html;q=1.",
        "text/html;charset=\"a,b\"",
        "text/html;Q=0.001",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        assert_true(skua__accept_prefers_html(skua_str_c(yes[i])));
}

static void everybody_else_does_not(void **state)
{
    static const char *const no[] = {
        "",
        "*/*",
        ",",
        "application/json",
        "application/json, text/html",
        "image/png",
        "text/html;q=0",
        "text/html;q=0, */*",
        "text/html;q=0.000",
        "text/html;q=0.",
        "text/html;q=0.5, */*;q=0.6",
        "application/json, text/*",
        "text/*, application/json",
        "text/plain",
        /* the exact range decides, however little it says */
        "text/*, text/html;q=0.1, application/json;q=0.2",
        /* malformed anywhere */
        "text",
        "text/html, x",
        "text/html;q=2",
        "text/html;q=1.001",
        "text/html;q=0.1234",
        "text/html;q=.5",
        "text/html;q=-0",
        "text/html;q=1.x",
        "text/html;q=",
        "text/html;q",
        "text/html;q=\"1\"",
        "text/html;q=0,5",
        "text/html application/json",
        "text/html;a=\"b",
        "text/html;q=01",
        "text/html, */html;q=x",
        "text/html; q = 1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        assert_false(skua__accept_prefers_html(skua_str_c(no[i])));
    assert_false(skua__accept_prefers_html(skua_str_of(NULL, 0)));
}

static void the_extension_of_a_file_gives_its_type(void **state)
{
    static const struct {
        const char *name, *type;
    } files[] = {
        {"index.html", "text/html; charset=utf-8"},
        {"/a.b/INDEX.HTM", "text/html; charset=utf-8"},
        {"style.css", "text/css; charset=utf-8"},
        {"app.min.js", "text/javascript; charset=utf-8"},
        {"logo.svg", "image/svg+xml"},
        {"data.json", "application/json"},
        {"a.woff2", "font/woff2"},
        {"archive.tar.gz", "application/gzip"},
        {"README", "application/octet-stream"},
        {".html", "application/octet-stream"},
        {"/x/.html", "application/octet-stream"},
        {"a.html/b", "application/octet-stream"},
        {"a.", "application/octet-stream"},
        {"", "application/octet-stream"},
        {"a.exe", "application/octet-stream"},
        {"html", "application/octet-stream"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        assert_string_equal(skua__media_type_of_file(skua_str_c(files[i].name)).ptr, files[i].type);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(content_type_has_one_reading),
        cmocka_unit_test(only_what_changes_is_copied),
        cmocka_unit_test(browsers_prefer_html),
        cmocka_unit_test(everybody_else_does_not),
        cmocka_unit_test(the_extension_of_a_file_gives_its_type),
    };

    return cmocka_run_group_tests_name("media type", tests, NULL, NULL);
}
