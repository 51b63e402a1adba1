/* SPDX-License-Identifier: MIT */
/*
 * Mustache templates: what is refused, with which words and where; and what the specification says
 * nothing of. What it does say is tested by mustache_spec_test.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "view/dialect.h"
#include "view/memory.h"
#include "view/views.h"

#include <skua/err.h>
#include <skua/json.h>
#include <skua/value.h>
#include <stdlib.h>

static skua_arena *arena;
static struct skua__view_error error;

static int set_up(void **state)
{
    (void)state;
    arena = skua_arena_new(0);
    memset(&error, 0, sizeof(error));
    return arena == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    skua_arena_free(arena);
    return 0;
}

/* ---- rendering ---- */

static struct memory memory;

/* Name, text, name, text…; the first is the page. */
#define FILES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void files(const char *const pairs[])
{
    memset(&memory, 0, sizeof(memory));
    for (size_t i = 0; pairs[i] != NULL; i += 2)
        memory_add(&memory, skua_str_c(pairs[i]), skua_str_c(pairs[i + 1]));
}

static int render_value(skua_str *out, const char *const pairs[], const skua_value *data)
{
    struct skua__loader loader = memory_loader(&memory);
    struct skua__views_opts opts = {.loader = &loader};
    struct skua__views *views;
    int err;

    files(pairs);
    assert_int_equal(skua__views_new(&views, &opts), 0);
    err = skua__views_render(out, views, arena, pairs[0], data, NULL, &error);
    skua__views_free(views);
    return err;
}

static const char *render_all(const char *const pairs[], const char *json)
{
    skua_value *data;
    skua_str out;

    assert_int_equal(skua_json_read(&data, arena, skua_str_c(json), NULL), 0);
    assert_int_equal(render_value(&out, pairs, data), 0);
    return out.ptr;
}

static const char *render(const char *text, const char *json)
{
    return render_all(FILES("page.html", text), json);
}

/* ---- what is refused ---- */

static void refused(const char *text, uint32_t line, uint32_t column, const char *words,
                    const char *excerpt)
{
    skua_str out;
    int err = render_value(&out, FILES("page.html", text), NULL);

    assert_int_equal(err, SKUA_ERR_TEMPLATE);
    assert_int_equal(error.code, SKUA_ERR_TEMPLATE);
    assert_string_equal(error.text, words);
    assert_string_equal(error.template, "page.html");
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    if (excerpt != NULL)
        assert_string_equal(error.excerpt, excerpt);
}

static void a_tag_that_is_not_closed(void **state)
{
    (void)state;
    refused("<p>\n  {{name </p>\n", 2, 3, "the tag is not closed: '}}' is missing",
            "  {{name </p>\n  ^");
    refused("{{{name}}", 1, 1, "the tag is not closed: '}}}' is missing", "{{{name}}\n^");
    refused("a {{", 1, 3, "the tag is not closed: '}}' is missing", "a {{\n  ^");
    refused("{{!", 1, 1, "the tag is not closed: '}}' is missing", NULL);
    refused("{{=<% %>}}", 1, 1, "the tag is not closed: '=}}' is missing", NULL);
    refused("{{=<% %>=}}\n<%x}}", 2, 1, "the tag is not closed: '%>' is missing", "<%x}}\n^");
}

static void a_tag_that_is_empty(void **state)
{
    (void)state;
    refused("a\n\tb {{}}", 2, 4, "the tag is empty", "\tb {{}}\n\t  ^");
    refused("{{  }}", 1, 1, "the tag is empty", NULL);
    refused("{{#}}", 1, 1, "the tag is empty", NULL);
    refused("{{/ }}", 1, 1, "the tag is empty", NULL);
    refused("{{>}}", 1, 1, "the tag is empty", NULL);
    refused("{{{ }}}", 1, 1, "the tag is empty", NULL);
    refused("{{&}}", 1, 1, "the tag is empty", NULL);
    refused("{{$}}", 1, 1, "the tag is empty", NULL);
}

static void a_section_that_is_not_closed_is_named_where_it_is_opened(void **state)
{
    (void)state;
    refused("one\n {{#list}}\n {{^other}}{{/other}}\nend\n", 2, 2,
            "'list' is opened here and never closed", " {{#list}}\n ^");
    refused("{{#a}}{{#b}}{{/b}}", 1, 1, "'a' is opened here and never closed", NULL);
    refused("{{<layout}}", 1, 1, "'layout' is opened here and never closed", NULL);
    refused("x{{$block}}", 1, 2, "'block' is opened here and never closed", NULL);
}

static void a_section_that_is_closed_by_another_name(void **state)
{
    (void)state;
    refused("{{#a}}\n{{#b}}\n{{/a}}\n{{/b}}", 3, 1, "'a' is closed here, but 'b' is open",
            "{{/a}}\n^");
    refused("text {{/a}}", 1, 6, "'a' is closed here, but nothing is open", "text {{/a}}\n     ^");
}

static void delimiters_that_are_none(void **state)
{
    const char *words = "delimiters are two words, as in {{=<% %>=}}";

    (void)state;
    refused("a\n{{=x=}}", 2, 1, words, "{{=x=}}\n^");
    refused("{{= =}}", 1, 1, words, NULL);
    refused("{{=a b c=}}", 1, 1, words, NULL);
    refused("{{=a= b=}}", 1, 1, words, NULL);
}

static void names_that_are_none(void **state)
{
    (void)state;
    refused("{{first name}}", 1, 1, "a name cannot hold white space: 'first name'", NULL);
    refused("{{#if x}}{{/if x}}", 1, 1, "a name cannot hold white space: 'if x'", NULL);
    refused("{{first\nname}}", 1, 1, "a name cannot hold white space: 'first'", NULL);
    refused("{{a..b}}", 1, 1, "a name has an empty part: 'a..b'", NULL);
    refused("{{.a}}", 1, 1, "a name has an empty part: '.a'", NULL);
    refused("{{a.}}", 1, 1, "a name has an empty part: 'a.'", NULL);
    refused("{{..}}", 1, 1, "a name has an empty part: '..'", NULL);
}

static void template_names_that_are_none(void **state)
{
    (void)state;
    refused(" {{>../x}}", 1, 2, "'../x' names no template: it has a part '.' or '..'", NULL);
    refused("{{>/etc/passwd}}", 1, 1, "'/etc/passwd' names no template: it begins with '/'", NULL);
    refused("{{>a\\b}}", 1, 1, "'a\\b' names no template: it holds a backslash", NULL);
    refused("{{>a//b}}", 1, 1, "'a//b' names no template: it has an empty part", NULL);
    refused("{{<./a}}{{/./a}}", 1, 1, "'./a' names no template: it has a part '.' or '..'", NULL);
}

/* `depth` sections inside each other, closed again if `closed`. */
static const char *nested(int depth, bool closed)
{
    const char *text = "";

    for (int i = 0; i < depth; i++)
        text = skua_format(arena, "%s{{#a}}", text);
    for (int i = 0; i < depth && closed; i++)
        text = skua_format(arena, "%s{{/a}}", text);
    return text;
}

static void sections_inside_each_other_have_a_bound(void **state)
{
    (void)state;
    assert_string_equal(render(nested(64, true), "{\"a\":1}"), "");
    refused(nested(65, true), 1, 64 * 6 + 1, "more than 64 tags are open inside each other", NULL);
}

static void a_long_line_is_shown_around_the_place(void **state)
{
    char text[400];

    (void)state;
    memset(text, 'x', sizeof(text));
    memcpy(text + 200, "{{}}", 4);
    text[sizeof(text) - 1] = '\0';
    refused(text, 1, 201, "the tag is empty", NULL);
    assert_int_equal(strcspn(error.excerpt, "\n"), 120);
    assert_int_equal(strspn(strchr(error.excerpt, '\n') + 1, " "), 60);
    assert_memory_equal(error.excerpt + 60, "{{}}xx", 6);
}

static void a_long_line_is_cut_between_characters(void **state)
{
    char text[400];

    (void)state;
    for (size_t i = 0; i + 3 <= sizeof(text); i += 3)
        memcpy(text + i, "\xe2\x82\xac", 3);
    memcpy(text + 202, "{{}}", 4); /* behind the first byte of a character */
    text[sizeof(text) - 1] = '\0';
    refused(text, 1, 203, "the tag is empty", NULL);
    assert_int_equal(skua__utf8_valid(skua_str_of(error.excerpt, 57)), 57);
    assert_memory_equal(error.excerpt, "\xe2\x82\xac", 3);
}

static void the_caret_counts_characters(void **state)
{
    (void)state;
    refused("\xc3\xa9\xe2\x82\xac{{}}\r\nnext", 1, 6, "the tag is empty",
            "\xc3\xa9\xe2\x82\xac{{}}\n  ^");
}

/* ---- what the specification leaves open ---- */

static void all_five_characters_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(render("{{v}} {{{v}}} {{&v}}", "{\"v\":\"<>&\\\"'\"}"),
                        "&lt;&gt;&amp;&quot;&#39; <>&\"' <>&\"'");
}

static void the_sigil_may_have_white_space_around_it(void **state)
{
    (void)state;
    assert_string_equal(render("{{ # a }}x{{ / a }}{{ {b }}}", "{\"a\":1,\"b\":\"<\"}"), "x<");
}

static void values_that_are_false(void **state)
{
    const char *text = "{{#v}}yes{{/v}}{{^v}}no{{/v}}";

    (void)state;
    assert_string_equal(render(text, "{\"v\":0}"), "no");
    assert_string_equal(render(text, "{\"v\":\"\"}"), "no");
    assert_string_equal(render(text, "{\"v\":[]}"), "no");
    assert_string_equal(render(text, "{\"v\":{}}"), "yes");
    assert_string_equal(render(text, "{\"v\":[0]}"), "yes");
}

static void a_member_that_is_null_hides_an_outer_one(void **state)
{
    (void)state;
    assert_string_equal(render("{{#in}}[{{x}}]{{/in}}", "{\"x\":1,\"in\":{\"x\":null}}"), "[]");
}

static skua_value *count(struct skua_call *call)
{
    return skua_int(call->arena, ++*(int *)call->ctx);
}

static skua_value *wrap(struct skua_call *call)
{
    return skua_string(call->arena,
                       skua_format(call->arena, "<b>%s</b>", skua_as_text(call->args[0])));
}

static skua_value *markup(struct skua_call *call)
{
    return skua_string(call->arena, ">");
}

static void functions_are_called(void **state)
{
    skua_value *data = skua_object(arena);
    int calls = 0;
    skua_str out;

    (void)state;
    skua_set(data, "count", skua_function(arena, count, &calls));
    skua_set(data, "wrap", skua_function(arena, wrap, NULL));
    skua_set(data, "markup", skua_function(arena, markup, NULL));
    skua_set(data, "name", "<Ada>");
    assert_int_equal(
        render_value(&out,
                     FILES("page.html", "{{count}} {{{count}}} {{count}} {{markup}}{{{markup}}} "
                                        "{{#wrap}}Hi {{name}}{{/wrap}} {{^wrap}}never{{/wrap}}"),
                     data),
        0);
    assert_string_equal(out.ptr, "1 2 3 &gt;> <b>Hi &lt;Ada&gt;</b> ");
}

static void a_partial_takes_the_extension_of_its_template(void **state)
{
    (void)state;
    assert_string_equal(render_all(FILES("page.html", "{{> head }}{{>a/b}}", "head.html", "H",
                                         "a/b.html", "B{{>c}}", "c", "C", "head", "wrong"),
                                   "{}"),
                        "HBC");
    assert_string_equal(
        render_all(FILES("page.mustache", "{{>head}}", "head.mustache", "M", "head.html", "H"),
                   "{}"),
        "M");
    assert_string_equal(
        render_all(FILES("page.mustache", "{{>icon.svg}}", "icon.svg", "<svg>{{x}}"), "{\"x\":1}"),
        "<svg>1");
}

static void a_partial_that_is_missing_is_an_error_at_its_tag(void **state)
{
    skua_str out;
    int err = render_value(&out, FILES("page.html", "one\ntwo {{>nowhere}}\n"), NULL);

    (void)state;
    assert_int_equal(err, SKUA_ERR_NO_TEMPLATE);
    assert_string_equal(error.text, "there is no template 'nowhere.html'");
    assert_string_equal(error.template, "page.html");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 5);
    assert_string_equal(error.excerpt, "two {{>nowhere}}\n    ^");
}

static void an_indented_partial_that_includes_itself(void **state)
{
    (void)state;
    assert_string_equal(
        render_all(FILES("page.html", "<ul>\n  {{>item}}\n</ul>\n", "item.html",
                         "<li>{{n}}\n{{#kids}}\n  {{>item}}\n{{/kids}}\n\n</li>\n"),
                   "{\"n\":1,\"kids\":[{\"n\":2,\"kids\":[{\"n\":3,\"kids\":[]}]}]}"),
        "<ul>\n"
        "  <li>1\n"
        "    <li>2\n"
        "      <li>3\n"
        "\n"
        "      </li>\n"
        "\n"
        "    </li>\n"
        "\n"
        "  </li>\n"
        "</ul>\n");
}

static void a_standalone_partial_takes_the_indentation_it_stands_in(void **state)
{
    (void)state;
    assert_string_equal(render_all(FILES("page.html", "  {{>outer}}\n.", "outer.html",
                                         "a\n{{>inner}}\nb\n", "inner.html", "x\n\ty\n"),
                                   "{}"),
                        "  a\n  x\n  \ty\n  b\n.");
}

static void a_partial_behind_something_is_not_indented(void **state)
{
    (void)state;
    assert_string_equal(render_all(FILES("page.html", "  {{>outer}}\n", "outer.html",
                                         "a {{>inner}}\n", "inner.html", "x\n{{$b}}\ny\n{{/b}}\nz"),
                                   "{}"),
                        "  a x\ny\nz\n");
}

static void a_block_behind_something_indents_all_lines_but_its_first(void **state)
{
    (void)state;
    assert_string_equal(
        render_all(FILES("page.html", "  {{>part}}\n", "part.html", "a {{$b}}x\ny{{/b}}\n"), "{}"),
        "  a x\n  y\n");
}

static void blocks_inside_each_other_keep_their_indentation(void **state)
{
    const char *text = "<ul>\n"
                       "  {{$outer}}\n"
                       "    one\n"
                       "    {{$inner}}\n"
                       "      two\n"
                       "    {{/inner}}\n"
                       "        three\n"
                       "  {{/outer}}\n"
                       "  four\n"
                       "</ul>\n";

    (void)state;
    assert_string_equal(render(text, "{}"), "<ul>\n"
                                            "    one\n"
                                            "      two\n"
                                            "        three\n"
                                            "  four\n"
                                            "</ul>\n");
}

static void an_error_in_an_indented_partial_has_its_own_place(void **state)
{
    skua_str out;
    int err = render_value(
        &out, FILES("page.html", "    {{>part}}\n", "part.html", "one\n {{#x}}\n"), NULL);

    (void)state;
    assert_int_equal(err, SKUA_ERR_TEMPLATE);
    assert_string_equal(error.template, "part.html");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
}

static void tags_between_the_blocks_of_a_parent_print_nothing(void **state)
{
    (void)state;
    assert_string_equal(
        render_all(FILES("page.html",
                         "{{<base}}{{x}}{{#x}}{{$a}}never{{/a}}{{/x}} text {{$b}}B{{/b}}{{/base}}",
                         "base.html", "[{{$a}}a{{/a}}{{$b}}b{{/b}}]"),
                   "{\"x\":1}"),
        "[aB]");
}

static void blocks_over_three_levels(void **state)
{
    (void)state;
    assert_string_equal(
        render_all(FILES("page.html", "{{<site}}{{$title}}Birds{{/title}}{{/site}}", "site.html",
                         "{{<base}}{{$title}}Site{{/title}}{{$foot}}S{{/foot}}{{/base}}",
                         "base.html",
                         "<h1>{{$title}}T{{/title}}</h1>{{$foot}}F{{/foot}}{{$x}}X{{/x}}"),
                   "{}"),
        "<h1>Birds</h1>SX");
}

static void a_template_that_includes_itself_for_ever_ends_at_the_limit(void **state)
{
    skua_str out;
    int err =
        render_value(&out, FILES("page.html", "{{>other}}", "other.html", "\n{{>page}}"), NULL);

    (void)state;
    assert_int_equal(err, SKUA_ERR_LIMIT);
    assert_string_equal(error.text, "templates are nested deeper than 256");
}

static void a_byte_order_mark_is_not_printed(void **state)
{
    (void)state;
    assert_string_equal(render("\xef\xbb\xbf{{! alone }}\nx", "{}"), "x");
}

/* ---- robustness ---- */

/* Compile a text that lies at the very end of its allocation; 0 or SKUA_ERR_TEMPLATE. */
static void compile(const char *text, size_t len, bool indented)
{
    skua_arena *own = skua_arena_new(0);
    char *copy = malloc(len + 1);
    struct skua__source source = {
        .arena = own, .name = "cut.html", .text = skua_str_of(copy + 1, len), .indented = indented};
    struct skua__program program;
    struct skua__view_error wrong = {0};
    int err;

    memcpy(copy + 1, text, len);
    err = skua__mustache_compile(&program, &source, &wrong);
    assert_true(err == 0 || err == SKUA_ERR_TEMPLATE);
    assert_int_equal(wrong.code, err);
    if (err < 0) {
        assert_true(wrong.line >= 1 && wrong.column >= 1);
        assert_non_null(wrong.excerpt);
    }
    free(copy);
    skua_arena_free(own);
}

static const char everything[] =
    "<html>{{! comment }}\r\n"
    "  {{#list}}\n"
    "  <li>{{name}} {{{ raw }}} {{& raw}} {{a.b.c}} {{.}}</li>\n"
    "  {{/list}}\n"
    "{{^list}}none{{/list}}\n"
    "  {{>part}}\n"
    "{{=<% %>=}}\n<% x %><%={{ }}=%>\n"
    "{{<base}}\n  {{$title}}\n    text {{x}}\n  {{/title}}\n{{/base}}\n"
    "  {{$block}}\n    default\n    {{>part}}\n  {{/block}}\n</html>";

static void a_template_cut_anywhere_is_compiled_or_refused(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof(everything); len++) {
        compile(everything, len, false);
        compile(everything, len, true);
    }
}

static void a_template_with_a_byte_changed_is_compiled_or_refused(void **state)
{
    static const char bytes[] = "{}#^/><$=!& .\n\r\t\0\xff";
    char text[sizeof(everything)];

    (void)state;
    for (size_t at = 0; at + 1 < sizeof(everything); at++) {
        for (size_t i = 0; i + 1 < sizeof(bytes); i++) {
            memcpy(text, everything, sizeof(text));
            text[at] = bytes[i];
            compile(text, sizeof(text) - 1, i % 2 == 0);
        }
    }
}

static void memory_may_end_anywhere_in_a_compilation(void **state)
{
    struct skua__source source = {.name = "page.html", .text = skua_str_c(everything)};
    struct skua__program program;
    size_t budget = 1;
    int err = SKUA_ERR_NOMEM;

    (void)state;
    for (; err == SKUA_ERR_NOMEM; budget += 256) {
        source.arena = skua_arena_new(budget);
        error.code = 0;
        err = skua__mustache_compile(&program, &source, &error);
        assert_int_equal(error.code, err);
        skua_arena_free(source.arena);
    }
    assert_int_equal(err, 0);
    assert_true(budget > 4096);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_tag_that_is_not_closed),
        test(a_tag_that_is_empty),
        test(a_section_that_is_not_closed_is_named_where_it_is_opened),
        test(a_section_that_is_closed_by_another_name),
        test(delimiters_that_are_none),
        test(names_that_are_none),
        test(template_names_that_are_none),
        test(sections_inside_each_other_have_a_bound),
        test(a_long_line_is_shown_around_the_place),
        test(a_long_line_is_cut_between_characters),
        test(the_caret_counts_characters),
        test(all_five_characters_are_escaped),
        test(the_sigil_may_have_white_space_around_it),
        test(values_that_are_false),
        test(a_member_that_is_null_hides_an_outer_one),
        test(functions_are_called),
        test(a_partial_takes_the_extension_of_its_template),
        test(a_partial_that_is_missing_is_an_error_at_its_tag),
        test(an_indented_partial_that_includes_itself),
        test(a_standalone_partial_takes_the_indentation_it_stands_in),
        test(a_partial_behind_something_is_not_indented),
        test(a_block_behind_something_indents_all_lines_but_its_first),
        test(blocks_inside_each_other_keep_their_indentation),
        test(an_error_in_an_indented_partial_has_its_own_place),
        test(tags_between_the_blocks_of_a_parent_print_nothing),
        test(blocks_over_three_levels),
        test(a_template_that_includes_itself_for_ever_ends_at_the_limit),
        test(a_byte_order_mark_is_not_printed),
        test(a_template_cut_anywhere_is_compiled_or_refused),
        test(a_template_with_a_byte_changed_is_compiled_or_refused),
        test(memory_may_end_anywhere_in_a_compilation),
    };

    return cmocka_run_group_tests_name("view/mustache", tests, NULL, NULL);
}
