/* SPDX-License-Identifier: MIT */
/*
 * static_test.c - files from a folder, and everything that is not to be had from it
 */
#include "support/support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct site {
    char folder[64];
    skua_app *app;
    char *large; /* the bytes of large.bin */
};

#define LARGE ((size_t)3 << 20)

static void write_file(const struct site *site, const char *name, const char *data, size_t len)
{
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", site->folder, name);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void make_path(char out[128], const struct site *site, const char *name)
{
    snprintf(out, 128, "%s/%s", site->folder, name);
}

static int open_site(void **state)
{
    struct site *site = calloc(1, sizeof(*site));
    char path[128];

    assert_non_null(site);
    strcpy(site->folder, "/tmp/skua-static-XXXXXX");
    assert_non_null(mkdtemp(site->folder));
    make_path(path, site, "files");
    assert_int_equal(mkdir(path, 0700), 0);
    make_path(path, site, "files/sub");
    assert_int_equal(mkdir(path, 0700), 0);
    site->large = malloc(LARGE);
    assert_non_null(site->large);
    for (size_t i = 0; i < LARGE; i++)
        site->large[i] = (char)(i * 31 + i / 4096);
    write_file(site, "secret.txt", "secret", 6);
    write_file(site, "files/hello.txt", "hello", 5);
    write_file(site, "files/sub/index.html", "<p>index</p>", 12);
    write_file(site, "files/.hidden", "secret", 6);
    write_file(site, "files/empty.css", "", 0);
    write_file(site, "files/large.bin", site->large, LARGE);
    make_path(path, site, "files/link.txt");
    assert_int_equal(symlink("../secret.txt", path), 0);
    make_path(path, site, "files/pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    site->app = sk_app();
    make_path(path, site, "files");
    skua_static(site->app, .root = path, .prefix = "/files");
    *state = site;
    return 0;
}

static int close_site(void **state)
{
    static const char *const names[] = {"secret.txt",     "files/hello.txt", "files/sub/index.html",
                                        "files/.hidden",  "files/empty.css", "files/large.bin",
                                        "files/link.txt", "files/pipe"};
    struct site *site = *state;
    char path[128];

    skua_app_free(site->app);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        make_path(path, site, names[i]);
        unlink(path);
    }
    make_path(path, site, "files/sub");
    rmdir(path);
    make_path(path, site, "files");
    rmdir(path);
    assert_int_equal(rmdir(site->folder), 0);
    free(site->large);
    free(site);
    return 0;
}

static void files_are_served_with_type_and_validator(void **state)
{
    const struct site *site = *state;
    skua_injected res;

    assert_int_equal(skua_inject(site->app, &res, .url = "/files/hello.txt"), 0);
    assert_int_equal(res.status, 200);
    assert_int_equal(res.body.len, 5);
    assert_memory_equal(res.body.ptr, "hello", 5);
    assert_non_null(strstr(res.raw.ptr, "\r\ncontent-type: text/plain; charset=utf-8\r\n"));
    assert_non_null(strstr(res.raw.ptr, "\r\nx-content-type-options: nosniff\r\n"));
    assert_non_null(strstr(res.raw.ptr, "\r\ncache-control: no-cache\r\n"));
    assert_non_null(strstr(res.raw.ptr, "\r\netag: \""));
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(site->app, &res, .url = "/files/sub/"), 0);
    assert_int_equal(res.status, 200);
    assert_memory_equal(res.body.ptr, "<p>index</p>", 12);
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(site->app, &res, .url = "/files/empty.css"), 0);
    assert_int_equal(res.status, 200);
    assert_int_equal(res.body.len, 0);
    skua_injected_finish(&res);
}

static void a_known_validator_gives_304(void **state)
{
    const struct site *site = *state;
    skua_injected res;
    char headers[128];
    const char *etag;

    assert_int_equal(skua_inject(site->app, &res, .url = "/files/hello.txt"), 0);
    etag = strstr(res.raw.ptr, "\r\netag: ") + 8;
    snprintf(headers, sizeof(headers), "If-None-Match: W/\"x\", %.*s\r\n", (int)strcspn(etag, "\r"),
             etag);
    skua_injected_finish(&res);
    assert_int_equal(skua_inject(site->app, &res, .url = "/files/hello.txt", .headers = headers),
                     0);
    assert_int_equal(res.status, 304);
    assert_int_equal(res.body.len, 0);
    assert_null(strstr(res.raw.ptr, "content-length"));
    skua_injected_finish(&res);
}

static void head_has_the_length_and_no_body(void **state)
{
    const struct site *site = *state;
    skua_injected res;

    assert_int_equal(skua_inject(site->app, &res, .method = "HEAD", .url = "/files/large.bin"), 0);
    assert_int_equal(res.status, 200);
    assert_non_null(strstr(res.raw.ptr, "\r\ncontent-length: 3145728\r\n"));
    assert_int_equal(res.body.len, 0);
    skua_injected_finish(&res);
}

static void a_large_file_comes_whole(void **state)
{
    const struct site *site = *state;
    skua_injected res;

    assert_int_equal(skua_inject(site->app, &res, .url = "/files/large.bin"), 0);
    assert_int_equal(res.status, 200);
    assert_int_equal(res.body.len, LARGE);
    assert_memory_equal(res.body.ptr, site->large, LARGE);
    skua_injected_finish(&res);
}

static void a_slow_reader_gets_a_large_file_whole(void **state)
{
    const struct site *site = *state;
    struct sk_server server = {.app = sk_app()};
    char path[128], *got = malloc(LARGE + 65536);
    size_t have = 0;
    int fd;

    assert_non_null(got);
    make_path(path, site, "files");
    skua_static(server.app, .root = path, .prefix = "/files");
    sk_start(&server, server.app);
    fd = sk_connect(&server);
    sk_send(fd, "GET /files/large.bin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 62);
    for (;;) {
        ssize_t n = read(fd, got + have, 65536);

        if (n <= 0)
            break;
        have += (size_t)n;
        usleep(500);
    }
    close(fd);
    assert_true(have > LARGE);
    assert_memory_equal(got + have - LARGE, site->large, LARGE);
    sk_stop(&server);
    free(got);
}

static void what_is_not_to_be_had_is_404(void **state)
{
    static const char *const urls[] = {
        "/files/none.txt",
        "/files/../secret.txt",
        "/files/sub/../../secret.txt",
        "/files/%2e%2e/secret.txt",
        "/files/..%2fsecret.txt",
        "/files/sub%2findex.html",
        "/files/.hidden",
        "/files/sub/.hidden",
        "/files/link.txt",
        "/files/pipe",
        "/files/sub",
        "/files//hello.txt",
        "/files/hello.txt/",
        "/files/..%5csecret.txt",
        "/files/",
        "/files/%252e%252e/secret.txt",
        "/files/./hello.txt",
    };
    const struct site *site = *state;

    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        skua_injected res;

        assert_int_equal(skua_inject(site->app, &res, .url = urls[i]), 0);
        if (res.status != 404 || strstr(res.raw.ptr, "secret") != NULL)
            fail_msg("%s gave: %s", urls[i], res.raw.ptr);
        skua_injected_finish(&res);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_served_with_type_and_validator),
        cmocka_unit_test(a_known_validator_gives_304),
        cmocka_unit_test(head_has_the_length_and_no_body),
        cmocka_unit_test(a_large_file_comes_whole),
        cmocka_unit_test(a_slow_reader_gets_a_large_file_whole),
        cmocka_unit_test(what_is_not_to_be_had_is_404),
    };

    return cmocka_run_group_tests_name("static", tests, open_site, close_site);
}
