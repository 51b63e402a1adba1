/* SPDX-License-Identifier: MIT */
/*
 * A set of templates from files: layouts, confinement, errors, checking, and single flight from the
 * fibers of one loop and of two.
 */
#include "async/on_loop.h"

#include "base/arena.h"
#include "view/memory.h"
#include "view/views.h"

#include <errno.h>
#include <pthread.h>
#include <skua/err.h>
#include <skua/value.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static skua_arena *arena;
static char root[] = "/tmp/skua-views-XXXXXX";

/* ---- a folder of templates ---- */

static const char *path_of(const char *name)
{
    return skua_format(arena, "%s/%s", root, name);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    arena = skua_arena_new(0);
    memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
    if (mkdtemp(root) == NULL)
        return -1;
    assert_int_equal(mkdir(path_of("sub"), 0700), 0);
    write_file("home.html", "<p>{{title}}</p>\n");
    write_file("layout.html", "[{{title}}|{{{body}}}]");
    write_file("other.html", "({{{body}}})");
    write_file("sub/page.html", "{{>sub/part}}{{>home}}");
    write_file("sub/part.html", "part ");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    if (system(skua_format(arena, "rm -r '%s'", root)) != 0)
        return -1;
    skua_arena_free(arena);
    return 0;
}

/* ---- one render, on a fiber ---- */

struct render {
    struct skua__views *views;
    const char *name;
    const char *layout;
    const skua_value *data;
    skua_arena *arena;
    skua_str out;
    int err;
    struct skua__view_error error;
    struct skua__fiber *fiber;
};

static void render_on_fiber(void *arg)
{
    struct render *render = arg;
    struct skua__render_opts opts = {.layout = render->layout};

    render->err = skua__views_render(&render->out, render->views, render->arena, render->name,
                                     render->data, &opts, &render->error);
}

static struct render render_once(struct skua__views *views, const char *name, const char *layout)
{
    skua_value *data = skua_set_string(skua_object(arena), "title", "<T>");
    struct render render = {
        .views = views, .name = name, .layout = layout, .data = data, .arena = arena};

    on_loop(render_on_fiber, &render);
    return render;
}

static void renders(struct skua__views *views, const char *name, const char *layout,
                    const char *expected)
{
    struct render render = render_once(views, name, layout);

    assert_int_equal(render.err, 0);
    assert_int_equal(render.out.len, strlen(expected));
    assert_string_equal(render.out.ptr, expected);
}

/* No message shows where the root is. */
static void hides_root(const struct skua__view_error *error)
{
    assert_null(strstr(error->text, root));
    assert_true(error->template == NULL || strstr(error->template, root) == NULL);
    assert_true(error->excerpt == NULL || strstr(error->excerpt, root) == NULL);
}

static struct skua__view_error fails(struct skua__views *views, const char *name,
                                     const char *layout, int code, const char *text)
{
    struct render render = render_once(views, name, layout);

    assert_int_equal(render.err, code);
    assert_int_equal(render.error.code, code);
    assert_int_equal(render.out.len, 0);
    assert_string_equal(render.error.text, text);
    hides_root(&render.error);
    return render.error;
}

static struct skua__views *open_with(struct skua__views_opts opts)
{
    struct skua__views *views;

    assert_int_equal(skua__views_new(&views, &opts), 0);
    return views;
}

static struct skua__views *open_views(const char *layout)
{
    return open_with((struct skua__views_opts){.root = root, .layout = layout});
}

/* ---- pages and layouts ---- */

static void a_page_is_rendered(void **state)
{
    struct skua__views *views = open_views(NULL);

    (void)state;
    renders(views, "home.html", NULL, "<p>&lt;T&gt;</p>\n");
    renders(views, "sub/page.html", NULL, "part <p>&lt;T&gt;</p>\n");
    skua__views_free(views);
}

static void the_layout_stands_around_every_page(void **state)
{
    struct skua__views *views = open_views("layout.html");

    (void)state;
    renders(views, "home.html", NULL, "[&lt;T&gt;|<p>&lt;T&gt;</p>\n]");
    renders(views, "sub/page.html", NULL, "[&lt;T&gt;|part <p>&lt;T&gt;</p>\n]");
    skua__views_free(views);
}

static void a_render_may_have_another_layout_or_none(void **state)
{
    struct skua__views *views = open_views("layout.html");

    (void)state;
    renders(views, "home.html", "other.html", "(<p>&lt;T&gt;</p>\n)");
    renders(views, "home.html", "", "<p>&lt;T&gt;</p>\n");
    renders(views, "home.html", NULL, "[&lt;T&gt;|<p>&lt;T&gt;</p>\n]");
    skua__views_free(views);
}

static void a_set_is_not_made_without_its_folder(void **state)
{
    struct skua__views_opts opts = {.root = path_of("nowhere")};
    struct skua__views *views;

    (void)state;
    assert_int_equal(skua__views_new(&views, &opts), -ENOENT);
    assert_null(views);
    opts.root = path_of("home.html");
    assert_int_equal(skua__views_new(&views, &opts), -ENOTDIR);
    opts.root = NULL;
    assert_int_equal(skua__views_new(&views, &opts), -ENOENT);
}

/* ---- what is not there ---- */

static void a_page_that_is_missing(void **state)
{
    struct skua__views *views = open_views("layout.html");
    struct skua__view_error error;

    (void)state;
    error = fails(views, "nowhere.html", NULL, SKUA_ERR_NO_TEMPLATE,
                  "there is no template 'nowhere.html'");
    assert_null(error.template);
    assert_int_equal(error.line, 0);
    fails(views, "home.html", "nowhere.html", SKUA_ERR_NO_TEMPLATE,
          "there is no template 'nowhere.html'");
    fails(views, "sub", NULL, SKUA_ERR_NO_TEMPLATE, "there is no template 'sub'");
    fails(views, "home.html/x.html", NULL, SKUA_ERR_NO_TEMPLATE,
          "there is no template 'home.html/x.html'");
    skua__views_free(views);
}

static void no_name_leads_out_of_the_root(void **state)
{
    struct skua__views *views;

    (void)state;
    write_file("secret.html", "secret");
    assert_int_equal(symlink("/etc/passwd", path_of("sub/passwd.html")), 0);
    assert_int_equal(symlink("..", path_of("sub/up")), 0);
    views = open_with((struct skua__views_opts){.root = path_of("sub")});
    renders(views, "part.html", NULL, "part ");
    fails(views, "../secret.html", NULL, SKUA_ERR_NO_TEMPLATE,
          "'../secret.html' names no template: it has a part '.' or '..'");
    fails(views, "/etc/passwd", NULL, SKUA_ERR_NO_TEMPLATE,
          "'/etc/passwd' names no template: it begins with '/'");
    fails(views, "up/secret.html", NULL, SKUA_ERR_NO_TEMPLATE,
          "there is no template 'up/secret.html'");
    fails(views, "passwd.html", NULL, SKUA_ERR_NO_TEMPLATE, "there is no template 'passwd.html'");
    fails(views, "part.html", "../secret.html", SKUA_ERR_NO_TEMPLATE,
          "'../secret.html' names no template: it has a part '.' or '..'");
    skua__views_free(views);
}

static void a_broken_template_is_the_same_error_for_all(void **state)
{
    struct skua__views *views = open_views(NULL);
    struct skua__view_error error;

    (void)state;
    write_file("bad.html", "one\n  {{#open}}\n");
    write_file("uses.html", "{{>bad}}");
    for (int i = 0; i < 2; i++) {
        error = fails(views, i == 0 ? "bad.html" : "uses.html", NULL, SKUA_ERR_TEMPLATE,
                      "'open' is opened here and never closed");
        assert_string_equal(error.template, "bad.html");
        assert_int_equal(error.line, 2);
        assert_int_equal(error.column, 3);
        assert_string_equal(error.excerpt, "  {{#open}}\n  ^");
    }
    assert_int_equal(skua__views_stats(views).loads, 2);
    skua__views_free(views);
}

static void a_folder_is_no_template(void **state)
{
    struct skua__views *views = open_views(NULL);

    (void)state;
    assert_int_equal(mkdir(path_of("folder.html"), 0700), 0);
    fails(views, "folder.html", NULL, SKUA_ERR_NO_TEMPLATE, "there is no template 'folder.html'");
    skua__views_free(views);
}

static void files_are_only_read_on_a_fiber(void **state)
{
    struct skua__views *views = open_views(NULL);
    struct render render = {.views = views, .name = "home.html", .arena = arena};

    (void)state;
    render_on_fiber(&render);
    assert_int_equal(render.err, SKUA_ERR_NO_FIBER);
    assert_int_equal(render.error.code, SKUA_ERR_NO_FIBER);
    assert_string_equal(render.error.text, skua_err_text(SKUA_ERR_NO_FIBER));
    renders(views, "home.html", NULL, "<p>&lt;T&gt;</p>\n");
    render_on_fiber(&render); /* nothing has to be read any more */
    assert_int_equal(render.err, 0);
    skua__views_free(views);
}

/* ---- when files change ---- */

static void a_set_keeps_what_it_has_read(void **state)
{
    struct skua__views *views = open_views(NULL);

    (void)state;
    renders(views, "home.html", NULL, "<p>&lt;T&gt;</p>\n");
    write_file("home.html", "new");
    renders(views, "home.html", NULL, "<p>&lt;T&gt;</p>\n");
    fails(views, "late.html", NULL, SKUA_ERR_NO_TEMPLATE, "there is no template 'late.html'");
    write_file("late.html", "late");
    fails(views, "late.html", NULL, SKUA_ERR_NO_TEMPLATE, "there is no template 'late.html'");
    assert_int_equal(skua__views_stats(views).loads, 2);
    assert_int_equal(skua__views_stats(views).compiles, 1);
    skua__views_free(views);
}

static void a_set_that_reloads_sees_every_change(void **state)
{
    struct skua__views *views =
        open_with((struct skua__views_opts){.root = root, .layout = "layout.html", .reload = true});

    (void)state;
    renders(views, "sub/page.html", NULL, "[&lt;T&gt;|part <p>&lt;T&gt;</p>\n]");
    assert_int_equal(skua__views_stats(views).loads, 4);
    write_file("sub/part.html", "changed ");
    write_file("layout.html", "{{{body}}}");
    renders(views, "sub/page.html", NULL, "changed <p>&lt;T&gt;</p>\n");
    assert_int_equal(skua__views_stats(views).loads, 8);
    write_file("sub/part.html", "{{");
    fails(views, "sub/page.html", NULL, SKUA_ERR_TEMPLATE,
          "the tag is not closed: '}}' is missing");
    write_file("sub/part.html", "mended ");
    renders(views, "sub/page.html", NULL, "mended <p>&lt;T&gt;</p>\n");
    skua__views_free(views);
}

/* ---- checking ---- */

struct check {
    struct skua__views *views;
    int err;
    int count;
    const char *lines; /* one for each report */
};

static void note(void *ctx, const struct skua__view_error *error)
{
    struct check *check = ctx;

    check->count++;
    check->lines = skua_format(arena, "%s%s:%u:%u %s\n", check->lines,
                               error->template != NULL ? error->template : "-",
                               (unsigned)error->line, (unsigned)error->column, error->text);
    if (strstr(error->text, root) != NULL)
        check->err = -1;
}

static void check_on_fiber(void *arg)
{
    struct check *check = arg;

    check->err = skua__views_check(check->views, note, check);
}

static struct check check_all(struct skua__views *views)
{
    struct check check = {.views = views, .lines = ""};

    on_loop(check_on_fiber, &check);
    return check;
}

static void a_check_of_good_templates_fills_the_cache(void **state)
{
    struct skua__views *views = open_views("layout.html");
    struct check check;

    (void)state;
    write_file("notes.txt", "{{ no template");
    check = check_all(views);
    assert_int_equal(check.err, 0);
    assert_string_equal(check.lines, "");
    assert_int_equal(skua__views_stats(views).loads, 5);
    renders(views, "sub/page.html", NULL, "[&lt;T&gt;|part <p>&lt;T&gt;</p>\n]");
    assert_int_equal(skua__views_stats(views).loads, 5);
    assert_int_equal(skua__views_stats(views).compiles, 5);
    skua__views_free(views);
}

static void a_check_reports_all_that_is_broken_once(void **state)
{
    struct skua__views *views = open_views("frame.html");
    struct check check;

    (void)state;
    write_file("a.html", "{{>bad}}{{>bad}} {{>gone}}\n{{>sub/gone}}");
    write_file("bad.html", "{{#x}}");
    write_file("worse.html", "\n {{/x}}");
    check = check_all(views);
    assert_int_equal(check.err, SKUA_ERR_SETUP);
    assert_string_equal(check.lines, "a.html:1:18 there is no template 'gone.html'\n"
                                     "a.html:2:1 there is no template 'sub/gone.html'\n"
                                     "bad.html:1:1 'x' is opened here and never closed\n"
                                     "worse.html:2:2 'x' is closed here, but nothing is open\n"
                                     "-:0:0 there is no template 'frame.html'\n");
    renders(views, "home.html", "", "<p>&lt;T&gt;</p>\n");
    fails(views, "a.html", "", SKUA_ERR_NO_TEMPLATE, "there is no template 'gone.html'");
    skua__views_free(views);
}

static void a_check_reports_a_layout_that_names_nothing(void **state)
{
    struct skua__views *views = open_views("../x.html");
    struct check check = check_all(views);

    (void)state;
    assert_int_equal(check.err, SKUA_ERR_SETUP);
    assert_string_equal(check.lines,
                        "-:0:0 '../x.html' names no template: it has a part '.' or '..'\n");
    skua__views_free(views);
}

static void a_check_without_a_fiber_says_so(void **state)
{
    struct check check = {.views = open_views(NULL), .lines = ""};

    (void)state;
    check_on_fiber(&check);
    assert_int_equal(check.err, SKUA_ERR_NO_FIBER);
    assert_int_equal(check.count, 0);
    skua__views_free(check.views);
}

static void a_check_of_a_folder_that_is_gone_reports_it(void **state)
{
    struct skua__views *views;
    struct check check;

    (void)state;
    assert_int_equal(mkdir(path_of("short"), 0700), 0);
    views = open_with((struct skua__views_opts){.root = path_of("short")});
    assert_int_equal(rmdir(path_of("short")), 0);
    check = check_all(views);
    assert_int_equal(check.err, SKUA_ERR_SETUP);
    assert_int_equal(check.count, 1);
    skua__views_free(views);
}

/* ---- many at once ---- */

#define MANY 1000

static struct memory memory;

/* A page, its layout, and partials that include each other in a circle. */
static struct skua__views *open_circle(void)
{
    static struct skua__loader loader;

    memset(&memory, 0, sizeof(memory));
    memory_add(&memory, SKUA_STR("layout.html"), SKUA_STR("<{{{body}}}>{{>foot}}"));
    memory_add(&memory, SKUA_STR("foot.html"), SKUA_STR("foot"));
    memory_add(&memory, SKUA_STR("a.html"), SKUA_STR("a{{#more}}{{>b}}{{/more}}"));
    memory_add(&memory, SKUA_STR("b.html"), SKUA_STR("b{{#more}}{{>a}}{{/more}}"));
    memory.delay = 1;
    loader = memory_loader(&memory);
    return open_with((struct skua__views_opts){.loader = &loader, .layout = "layout.html"});
}

/* Half of them ask for a.html, half for b.html. */
static void start_many(struct skua__loop *loop, struct skua__views *views, struct render *many)
{
    for (int i = 0; i < MANY; i++) {
        many[i] = (struct render){.views = views, .name = i % 2 == 0 ? "a.html" : "b.html"};
        many[i].arena = skua_arena_new(0);
        skua__fiber_start(loop, &many[i].fiber, render_on_fiber, NULL, &many[i]);
    }
}

static int count_right(struct render *many)
{
    int right = 0;

    for (int i = 0; i < MANY; i++) {
        right += many[i].err == 0 &&
                 skua_str_eq(many[i].out, i % 2 == 0 ? SKUA_STR("<a>foot") : SKUA_STR("<b>foot"));
        skua_arena_free(many[i].arena);
    }
    return right;
}

static void each_was_loaded_once(struct skua__views *views)
{
    for (size_t i = 0; i < memory.count; i++)
        assert_int_equal(atomic_load(&memory.items[i].loads), 1);
    assert_int_equal(atomic_load(&memory.asked), 4);
    assert_int_equal(skua__views_stats(views).loads, 4);
    assert_int_equal(skua__views_stats(views).compiles, 4);
}

static struct render storm[2][MANY];

static void a_thousand_first_manyload_and_compile_once(void **state)
{
    struct skua__views *views = open_circle();
    struct skua__loop *loop = new_loop();

    (void)state;
    start_many(loop, views, storm[0]);
    skua__loop_run(loop);
    skua__loop_free(loop);
    assert_int_equal(count_right(storm[0]), MANY);
    each_was_loaded_once(views);
    skua__views_free(views);
}

struct worker {
    pthread_t thread;
    pthread_barrier_t *start;
    struct skua__views *views;
    struct render *renders;
    bool ran;
};

static void *work(void *arg)
{
    struct worker *worker = arg;
    struct skua__loop *loop;

    worker->ran = skua__loop_new(&loop, NULL) == 0;
    pthread_barrier_wait(worker->start);
    if (!worker->ran)
        return NULL;
    start_many(loop, worker->views, worker->renders);
    skua__loop_run(loop);
    skua__loop_free(loop);
    return NULL;
}

static void first_manyon_two_threads_load_and_compile_once(void **state)
{
    struct skua__views *views = open_circle();
    struct worker workers[2];
    pthread_barrier_t start;

    (void)state;
    assert_int_equal(pthread_barrier_init(&start, NULL, 2), 0);
    for (int i = 0; i < 2; i++) {
        workers[i] = (struct worker){.start = &start, .views = views, .renders = storm[i]};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < 2; i++) {
        assert_true(workers[i].ran);
        assert_int_equal(count_right(storm[i]), MANY);
    }
    each_was_loaded_once(views);
    skua__views_free(views);
}

static void who_is_cancelled_is_told_and_the_others_get_their_page(void **state)
{
    struct skua__views *views = open_circle();
    struct skua__loop *loop = new_loop();

    (void)state;
    start_many(loop, views, storm[0]);
    skua__fiber_cancel(storm[0][2].fiber);
    skua__loop_run(loop);
    skua__loop_free(loop);
    assert_int_equal(storm[0][2].err, SKUA_ERR_CANCELED);
    assert_int_equal(storm[0][2].error.code, SKUA_ERR_CANCELED);
    assert_int_equal(count_right(storm[0]), MANY - 1);
    each_was_loaded_once(views);
    skua__views_free(views);
}

static void who_reloads_shares_nothing(void **state)
{
    struct skua__loader loader = memory_loader(&memory);
    struct skua__views *views;
    struct skua__loop *loop = new_loop();

    (void)state;
    skua__views_free(open_circle());
    views = open_with(
        (struct skua__views_opts){.loader = &loader, .layout = "layout.html", .reload = true});
    start_many(loop, views, storm[0]);
    skua__loop_run(loop);
    skua__loop_free(loop);
    assert_int_equal(count_right(storm[0]), MANY);
    assert_int_equal(skua__views_stats(views).loads, MANY * 4);
    skua__views_free(views);
}

static void a_failure_that_may_pass_is_not_remembered(void **state)
{
    struct skua__views *views = open_circle();
    struct render render = {.views = views, .name = "a.html", .arena = arena};

    (void)state;
    memory.delay = 0;
    atomic_store(&memory.failing, -EMFILE);
    render_on_fiber(&render);
    assert_int_equal(render.err, -EMFILE);
    assert_string_equal(render.error.text, skua_err_text(-EMFILE));
    assert_string_equal(render.error.template, "a.html");
    atomic_store(&memory.failing, 0);
    render_on_fiber(&render);
    assert_int_equal(render.err, 0);
    assert_string_equal(render.out.ptr, "<a>foot");
    skua__views_free(views);
}

/* ---- memory ---- */

static void memory_may_end_anywhere_in_a_render(void **state)
{
    struct skua__views *views = open_circle();
    struct render render = {.views = views, .name = "a.html", .err = SKUA_ERR_NOMEM};
    size_t budget = 1;

    (void)state;
    memory.delay = 0;
    for (; render.err == SKUA_ERR_NOMEM; budget += 256) {
        render.arena = skua_arena_new(budget);
        render_on_fiber(&render);
        if (render.err != 0)
            assert_string_equal(render.error.text, skua_err_text(SKUA_ERR_NOMEM));
        else
            assert_string_equal(render.out.ptr, "<a>foot");
        skua_arena_free(render.arena);
    }
    assert_int_equal(render.err, 0);
    each_was_loaded_once(views);
    skua__views_free(views);
}

static void a_render_that_is_ready_takes_one_chunk_and_nothing_else(void **state)
{
    struct skua__views *views = open_circle();
    struct render render = {.views = views, .name = "a.html"};

    (void)state;
    memory.delay = 0;
    for (int i = 0; i < 2; i++) {
        render.arena = skua_arena_new(i == 0 ? 0 : SKUA__CHUNK_SIZE);
        render_on_fiber(&render);
        assert_int_equal(render.err, 0);
        skua_arena_free(render.arena);
    }
    skua__views_free(views);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_page_is_rendered),
        test(the_layout_stands_around_every_page),
        test(a_render_may_have_another_layout_or_none),
        test(a_set_is_not_made_without_its_folder),
        test(a_page_that_is_missing),
        test(no_name_leads_out_of_the_root),
        test(a_broken_template_is_the_same_error_for_all),
        test(a_folder_is_no_template),
        test(files_are_only_read_on_a_fiber),
        test(a_set_keeps_what_it_has_read),
        test(a_set_that_reloads_sees_every_change),
        test(a_check_of_good_templates_fills_the_cache),
        test(a_check_reports_all_that_is_broken_once),
        test(a_check_reports_a_layout_that_names_nothing),
        test(a_check_without_a_fiber_says_so),
        test(a_check_of_a_folder_that_is_gone_reports_it),
        test(a_thousand_first_manyload_and_compile_once),
        test(first_manyon_two_threads_load_and_compile_once),
        test(who_is_cancelled_is_told_and_the_others_get_their_page),
        test(who_reloads_shares_nothing),
        test(a_failure_that_may_pass_is_not_remembered),
        test(memory_may_end_anywhere_in_a_render),
        test(a_render_that_is_ready_takes_one_chunk_and_nothing_else),
    };

    return cmocka_run_group_tests_name("view/views", tests, NULL, NULL);
}
