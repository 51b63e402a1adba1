/* SPDX-License-Identifier: MIT */
/*
 * fs_test.c - reading files, and what a root keeps in
 */
#include "async/on_loop.h"

#include "async/fs.h"
#include "async/open.h"

#include <skua/err.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define LARGE ((size_t)300000)

static char base[64]; /* a folder for the whole group */

/*
 * base/
 *   secret huge         not below root
 *   root/
 *     hello  empty  large  pipe  socket
 *     sub/page  sub/deep/leaf
 *     out -> ../secret       out_abs -> base/secret      out_dir -> ..
 *     in -> sub/page         in_dir -> sub               loop -> loop
 *     .hidden  .git/config
 */
static const char *at(const char *name)
{
    static char path[4][256];
    static int turn;

    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof(path[turn]), "%s/%s", base, name);
    return path[turn];
}

static void write_file(const char *name, const char *bytes, size_t len)
{
    FILE *file = fopen(at(name), "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static void make_socket(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof(address.sun_path), "%s", at(name));
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    close(fd);
}

static int set_up(void **state)
{
    static const char *const folders[] = {"root", "root/sub", "root/sub/deep", "root/.git"};
    static char large[LARGE];

    (void)state;
    strcpy(base, "/tmp/skua-fs-XXXXXX");
    if (mkdtemp(base) == NULL)
        return -1;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        assert_int_equal(mkdir(at(folders[i]), 0755), 0);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * 7 + i / 256);
    write_file("secret", "secret", 6);
    write_file("huge", "", 0);
    assert_int_equal(truncate(at("huge"), (off_t)1 << 40), 0); /* takes no space */
    write_file("root/hello", "hello\0world", 11);
    write_file("root/empty", "", 0);
    write_file("root/large", large, LARGE);
    write_file("root/sub/page", "page", 4);
    write_file("root/sub/deep/leaf", "leaf", 4);
    write_file("root/.hidden", "", 0);
    write_file("root/.git/config", "", 0);
    assert_int_equal(mkfifo(at("root/pipe"), 0600), 0);
    make_socket("root/socket");
    assert_int_equal(symlink("../secret", at("root/out")), 0);
    assert_int_equal(symlink(at("secret"), at("root/out_abs")), 0);
    assert_int_equal(symlink("..", at("root/out_dir")), 0);
    assert_int_equal(symlink("sub/page", at("root/in")), 0);
    assert_int_equal(symlink("sub", at("root/in_dir")), 0);
    assert_int_equal(symlink("loop", at("root/loop")), 0);
    return 0;
}

static int tear_down(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", base);
    return system(command);
}

/* ---- reading a whole file ---- */

struct read {
    const char *root;
    const char *path;
    size_t limit;
    skua_arena *arena;
    skua_str bytes;
    int err;
};

static void read_it(void *arg)
{
    struct read *read = arg;

    if (read->root != NULL)
        read->err = skua_fs_read_in(&read->bytes, read->arena, read->root, read->path, read->limit);
    else
        read->err = skua_fs_read(&read->bytes, read->arena, read->path, read->limit);
}

static struct read read_with(skua_arena *arena, const char *root, const char *path, size_t limit)
{
    struct read read = {root, path, limit, arena, SKUA_STR("untouched"), 1};

    on_loop(read_it, &read);
    return read;
}

static void assert_read(const char *root, const char *path, const char *bytes, size_t len)
{
    skua_arena *arena = skua_arena_new(0);
    struct read read = read_with(arena, root, path, 0);

    assert_int_equal(read.err, 0);
    assert_int_equal(read.bytes.len, len);
    assert_memory_equal(read.bytes.ptr, bytes, len);
    assert_int_equal(read.bytes.ptr[len], 0);
    skua_arena_free(arena);
}

static void assert_read_fails(const char *root, const char *path, size_t limit, int err)
{
    skua_arena *arena = skua_arena_new(0);
    struct read read = read_with(arena, root, path, limit);

    assert_int_equal(read.err, err);
    assert_int_equal(read.bytes.len, 0);
    assert_false(skua_arena_failed(arena));
    skua_arena_free(arena);
}

static void a_whole_file_is_read(void **state)
{
    char *large = malloc(LARGE);

    (void)state;
    assert_read(NULL, at("root/hello"), "hello\0world", 11);
    assert_read(NULL, at("root/empty"), "", 0);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)(i * 7 + i / 256);
    assert_read(NULL, at("root/large"), large, LARGE);
    free(large);
}

static void a_file_that_does_not_know_its_size_is_read(void **state)
{
    struct stat stat_of;
    skua_arena *arena = skua_arena_new(0);
    struct read read;

    (void)state;
    assert_int_equal(stat("/proc/self/status", &stat_of), 0);
    assert_int_equal(stat_of.st_size, 0);
    read = read_with(arena, NULL, "/proc/self/status", 0);
    assert_int_equal(read.err, 0);
    assert_memory_equal(read.bytes.ptr, "Name:", 5);
    assert_int_equal(read.bytes.ptr[read.bytes.len], 0);
    read = read_with(arena, NULL, "/proc/self/status", 10);
    assert_int_equal(read.err, SKUA_ERR_TOO_LARGE);
    skua_arena_free(arena);
}

static void the_limit_is_the_last_byte_that_is_taken(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    struct read read = read_with(arena, NULL, at("root/hello"), 11);

    (void)state;
    assert_int_equal(read.err, 0);
    assert_int_equal(read.bytes.len, 11);
    read = read_with(arena, NULL, at("root/hello"), SIZE_MAX);
    assert_int_equal(read.err, 0);
    assert_int_equal(read.bytes.len, 11);
    skua_arena_free(arena);
    assert_read_fails(NULL, at("root/hello"), 10, SKUA_ERR_TOO_LARGE);
    assert_read_fails(NULL, at("root/hello"), 1, SKUA_ERR_TOO_LARGE);
    assert_read_fails(NULL, at("huge"), 0, SKUA_ERR_TOO_LARGE); /* and is not tried */
}

static void what_is_read_counts_against_the_arenas_budget(void **state)
{
    skua_arena *arena = skua_arena_new(LARGE);
    struct read read = read_with(arena, NULL, at("root/large"), 0);

    (void)state;
    assert_int_equal(read.err, SKUA_ERR_NOMEM); /* there is a zero byte behind */
    assert_int_equal(read.bytes.len, 0);
    assert_true(skua_arena_failed(arena));
    skua_arena_free(arena);

    arena = skua_arena_new(LARGE + 1 + 4096);
    read = read_with(arena, NULL, at("root/large"), 0);
    assert_int_equal(read.err, 0);
    read = read_with(arena, NULL, at("root/large"), 0);
    assert_int_equal(read.err, SKUA_ERR_NOMEM);
    skua_arena_free(arena);

    read = read_with(NULL, NULL, at("root/hello"), 0);
    assert_int_equal(read.err, SKUA_ERR_NOMEM);
}

static void what_is_no_regular_file_is_refused(void **state)
{
    (void)state;
    assert_read_fails(NULL, at("root/sub"), 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(NULL, at("root/pipe"), 0, SKUA_ERR_NOT_FILE); /* and does not hang */
    assert_read_fails(NULL, at("root/socket"), 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(NULL, "/dev/zero", 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(NULL, at("root/nothing"), 0, -ENOENT);
    assert_read_fails(NULL, at("root/hello/more"), 0, -ENOTDIR);
    assert_read_fails(NULL, "", 0, -ENOENT);
    assert_read_fails(at("root"), "sub", 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(at("root"), "sub/", 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(at("root"), "pipe", 0, SKUA_ERR_NOT_FILE);
    assert_read_fails(at("root"), "nothing", 0, -ENOENT);
    assert_read_fails(at("root"), "hello/", 0, -ENOTDIR);
    assert_read_fails(at("root"), "", 0, -ENOENT);
    assert_read_fails(at("nothing"), "hello", 0, -ENOENT);
    assert_read_fails(at("secret"), "hello", 0, -ENOTDIR);
}

static void nothing_leads_out_of_the_root(void **state)
{
    (void)state;
    assert_read_fails(at("root"), "../secret", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "sub/../../secret", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), at("secret"), 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), at("root/hello"), 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "out", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "out_abs", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "out_dir/secret", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "in_dir/../../secret", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails(at("root"), "loop", 0, SKUA_ERR_OUTSIDE);
    assert_read_fails("/proc/self", "exe", 0, SKUA_ERR_OUTSIDE);
}

static bool has_openat2(void)
{
    struct stat stat_of;
    int fd = skua__open_file(at("root"), "in", &stat_of);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static void paths_inside_the_root_work(void **state)
{
    (void)state;
    assert_read(at("root"), "hello", "hello\0world", 11);
    assert_read(at("root"), "sub/page", "page", 4);
    assert_read(at("root"), "./sub//deep/leaf", "leaf", 4);
    if (!has_openat2()) {
        print_message("SKIPPED: without openat2, links and \"..\" are refused\n");
        skip();
    }
    assert_read(at("root"), "in", "page", 4);
    assert_read(at("root"), "in_dir/page", "page", 4);
    assert_read(at("root"), "sub/../hello", "hello\0world", 11);
}

static int open_stepwise(const char *path)
{
    int root_fd = open(at("root"), O_PATH | O_DIRECTORY | O_CLOEXEC);
    int fd = skua__open_stepwise(root_fd, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    struct stat before, after;

    if (fd >= 0) {
        assert_int_equal(fstatat(root_fd, path, &before, AT_SYMLINK_NOFOLLOW), 0);
        assert_int_equal(fstat(fd, &after), 0);
        assert_int_equal(before.st_ino, after.st_ino);
        close(fd);
        fd = 0;
    }
    assert_int_equal(fcntl(root_fd, F_GETFD), FD_CLOEXEC); /* still open */
    close(root_fd);
    return fd;
}

static void the_walk_in_steps_is_stricter(void **state)
{
    static const struct {
        const char *path;
        int result;
    } cases[] = {
        {"hello", 0},
        {"sub/page", 0},
        {"sub//deep///leaf", 0},
        {"./sub/./page", 0},
        {"sub/", 0}, /* the folder; that it is no file is seen later */
        {"hello/", -ENOTDIR},
        {"nothing", -ENOENT},
        {"nothing/page", -ENOENT},
        {"", -ENOENT},
        {"/", -EXDEV},
        {"/etc/passwd", -EXDEV},
        {"..", -EXDEV},
        {"../secret", -EXDEV},
        {"sub/../hello", -EXDEV},
        {"sub/..", -EXDEV},
        {"out", -ELOOP},
        {"in", -ELOOP},
        {"in_dir/page", -ELOOP},
        {"out_dir/secret", -ELOOP},
    };
    char name[400];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(open_stepwise(cases[i].path), cases[i].result);
    memset(name, 'x', sizeof(name) - 1);
    name[255] = '\0';
    assert_int_equal(open_stepwise(name), -ENOENT);
    name[255] = 'x';
    name[256] = '\0';
    assert_int_equal(open_stepwise(name), -ENAMETOOLONG);
}

/* ---- an open file ---- */

struct pieces {
    skua_arena *arena;
    int open_err, read_err[4];
    size_t got[4];
    int64_t size, mtime;
    char buf[4][16];
    skua_file *file;
};

static void read_pieces(void *arg)
{
    static const struct {
        size_t cap;
        int64_t offset;
    } piece[4] = {{5, 0}, {16, 6}, {4, 11}, {4, -1}};
    struct pieces *pieces = arg;

    pieces->open_err = skua_file_open(&pieces->file, pieces->arena, at("root"), "hello");
    if (pieces->open_err != 0)
        return;
    pieces->size = skua_file_size(pieces->file);
    pieces->mtime = skua_file_mtime(pieces->file);
    for (int i = 0; i < 4; i++)
        pieces->read_err[i] = skua_file_read(pieces->file, &pieces->got[i], pieces->buf[i],
                                             piece[i].cap, piece[i].offset);
}

static int count_open_files(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) != -1;
    return count;
}

static void an_open_file_is_read_in_pieces_and_closes_with_its_arena(void **state)
{
    struct pieces pieces = {.arena = skua_arena_new(0)};
    struct stat stat_of;
    int before = count_open_files();

    (void)state;
    on_loop(read_pieces, &pieces);
    assert_int_equal(pieces.open_err, 0);
    assert_int_equal(stat(at("root/hello"), &stat_of), 0);
    assert_int_equal(pieces.size, 11);
    assert_true(pieces.mtime ==
                stat_of.st_mtim.tv_sec * INT64_C(1000000000) + stat_of.st_mtim.tv_nsec);
    assert_int_equal(pieces.read_err[0], 0);
    assert_int_equal(pieces.got[0], 5);
    assert_memory_equal(pieces.buf[0], "hello\0", 6);
    assert_int_equal(pieces.read_err[1], 0);
    assert_int_equal(pieces.got[1], 5); /* the end of the file */
    assert_memory_equal(pieces.buf[1], "world", 5);
    assert_int_equal(pieces.read_err[2], 0);
    assert_int_equal(pieces.got[2], 0);
    assert_int_equal(pieces.read_err[3], -EINVAL);
    assert_int_equal(pieces.got[3], 0);
    assert_int_equal(count_open_files(), before + 1);
    skua_arena_free(pieces.arena);
    assert_int_equal(count_open_files(), before);
}

static void open_without_memory(void *arg)
{
    struct pieces *pieces = arg;

    pieces->open_err = skua_file_open(&pieces->file, NULL, NULL, at("root/hello"));
}

static void a_file_that_finds_no_memory_is_closed(void **state)
{
    struct pieces pieces = {.arena = NULL};
    int before = count_open_files();

    (void)state;
    on_loop(open_without_memory, &pieces);
    assert_int_equal(pieces.open_err, SKUA_ERR_NOMEM);
    assert_null(pieces.file);
    assert_int_equal(count_open_files(), before);
}

static int never(void *arg, skua_str name)
{
    (void)arg;
    (void)name;
    return 1;
}

static void outside_a_fiber_nothing_is_done(void **state)
{
    skua_arena *arena = skua_arena_new(0);
    skua_str bytes;
    skua_file *file;

    (void)state;
    assert_int_equal(skua_fs_read(&bytes, arena, at("root/hello"), 0), SKUA_ERR_NO_FIBER);
    assert_int_equal(bytes.len, 0);
    assert_int_equal(skua_file_open(&file, arena, NULL, at("root/hello")), SKUA_ERR_NO_FIBER);
    assert_null(file);
    assert_int_equal(skua__fs_list(base, arena, never, NULL), SKUA_ERR_NO_FIBER);
    skua_arena_free(arena);
}

/* ---- the names below a folder ---- */

struct names {
    const char *root;
    skua_arena *arena;
    char text[4096];
    int count;
    int stop_at;
    skua_str last;
    int err;
};

static int add_name(void *arg, skua_str name)
{
    struct names *names = arg;

    names->count++;
    if (strlen(names->text) + name.len + 2 < sizeof(names->text)) {
        strcat(names->text, name.ptr);
        strcat(names->text, " ");
    }
    names->last = name;
    return names->count == names->stop_at ? 77 : 0;
}

static void list_it(void *arg)
{
    struct names *names = arg;

    names->err = skua__fs_list(names->root, names->arena, add_name, names);
}

static void the_files_below_a_folder_are_listed_sorted(void **state)
{
    struct names names = {.root = at("root"), .arena = skua_arena_new(0)};

    (void)state;
    on_loop(list_it, &names);
    assert_int_equal(names.err, 0);
    assert_string_equal(names.text, "empty hello large sub/deep/leaf sub/page ");
    assert_string_equal(names.last.ptr, "sub/page");
    assert_int_equal(names.last.len, 8);
    skua_arena_free(names.arena);
}

static void a_result_of_the_callback_stops_the_list(void **state)
{
    struct names names = {.root = at("root"), .arena = skua_arena_new(0), .stop_at = 2};

    (void)state;
    on_loop(list_it, &names);
    assert_int_equal(names.err, 77);
    assert_string_equal(names.text, "empty hello ");
    skua_arena_free(names.arena);
}

static int err_of_list(const char *root)
{
    struct names names = {.root = root, .arena = skua_arena_new(0)};

    on_loop(list_it, &names);
    skua_arena_free(names.arena);
    assert_int_equal(names.count, 0);
    return names.err;
}

static void only_a_folder_can_be_listed(void **state)
{
    (void)state;
    assert_int_equal(err_of_list(at("nothing")), -ENOENT);
    assert_int_equal(err_of_list(at("secret")), -ENOTDIR);
    assert_int_equal(err_of_list(at("root/pipe")), -ENOTDIR); /* and does not hang */
}

static void a_tree_is_listed_down_to_32_folders(void **state)
{
    struct names names = {.arena = skua_arena_new(0)};
    char path[128] = "tree";
    int before = count_open_files();

    (void)state;
    assert_int_equal(mkdir(at(path), 0755), 0);
    assert_int_equal(err_of_list(at("tree")), 0);
    for (int i = 0; i < 32; i++) {
        strcat(path, "/d");
        assert_int_equal(mkdir(at(path), 0755), 0);
    }
    strcat(path, "/f");
    write_file(path, "", 0);
    names.root = at("tree");
    on_loop(list_it, &names);
    assert_int_equal(names.err, 0);
    assert_int_equal(names.count, 1);
    assert_int_equal(names.last.len, 65);
    skua_arena_free(names.arena);

    strcpy(strrchr(path, '/'), "/d");
    assert_int_equal(mkdir(at(path), 0755), 0);
    assert_int_equal(err_of_list(at("tree")), SKUA_ERR_TOO_DEEP);
    assert_int_equal(count_open_files(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_file_is_read),
        cmocka_unit_test(a_file_that_does_not_know_its_size_is_read),
        cmocka_unit_test(the_limit_is_the_last_byte_that_is_taken),
        cmocka_unit_test(what_is_read_counts_against_the_arenas_budget),
        cmocka_unit_test(what_is_no_regular_file_is_refused),
        cmocka_unit_test(nothing_leads_out_of_the_root),
        cmocka_unit_test(paths_inside_the_root_work),
        cmocka_unit_test(the_walk_in_steps_is_stricter),
        cmocka_unit_test(an_open_file_is_read_in_pieces_and_closes_with_its_arena),
        cmocka_unit_test(a_file_that_finds_no_memory_is_closed),
        cmocka_unit_test(outside_a_fiber_nothing_is_done),
        cmocka_unit_test(the_files_below_a_folder_are_listed_sorted),
        cmocka_unit_test(a_result_of_the_callback_stops_the_list),
        cmocka_unit_test(only_a_folder_can_be_listed),
        cmocka_unit_test(a_tree_is_listed_down_to_32_folders),
    };

    return cmocka_run_group_tests_name("async/fs", tests, set_up, tear_down);
}
