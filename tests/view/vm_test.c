/* SPDX-License-Identifier: MIT */
/*
 * The machine, on programs written by hand: what every template language can count on, whether or
 * not one uses it already.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "view/emit.h"
#include "view/filter.h"
#include "view/vm.h"

#include <math.h>
#include <skua/err.h>
#include <skua/json.h>

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

/* ---- writing programs ---- */

static struct skua__emit *begin(void)
{
    struct skua__emit *e = skua_alloc(arena, sizeof(*e));

    skua__emit_init(e, arena);
    return e;
}

static struct skua__program *finish(struct skua__emit *e, const char *name)
{
    struct skua__program *program = skua_alloc(arena, sizeof(*program));

    assert_int_equal(skua__emit_finish(e, program, name, SKUA_STR("one\ntwo\n")), 0);
    return program;
}

static void text(struct skua__emit *e, const char *words)
{
    skua__emit_text(e, skua_str_c(words));
}

static void load(struct skua__emit *e, const char *name)
{
    skua__emit_name(e, SKUA__OP_LOAD, skua_str_c(name));
}

static void set(struct skua__emit *e, const char *name)
{
    skua__emit_name(e, SKUA__OP_SET, skua_str_c(name));
}

static void op(struct skua__emit *e, enum skua__op op, uint16_t a)
{
    skua__emit_op(e, op, a, 0);
}

static void print(struct skua__emit *e, const char *name)
{
    load(e, name);
    op(e, SKUA__OP_PRINT, 0);
}

static void print_var(struct skua__emit *e, enum skua__loop_var var, uint32_t out)
{
    skua__emit_op(e, SKUA__OP_LOOP_VAR, (uint16_t)var, out);
    op(e, SKUA__OP_PRINT, 0);
}

static void constant(struct skua__emit *e, const char *words)
{
    skua__emit_const(e, skua_string(arena, words));
}

static void filter(struct skua__emit *e, const char *name, uint16_t args)
{
    const struct skua__filter *found = skua__filter_find(skua_str_c(name));

    assert_non_null(found);
    assert_in_range(args, found->least, found->most);
    skua__emit_filter(e, found, args);
}

static void include(struct skua__emit *e, const char *name, uint16_t set)
{
    skua__emit_include(e, &(struct skua__dep){.name = skua_str_c(name)}, set);
}

static void resolve(struct skua__program *program, uint32_t dep, struct skua__program *target)
{
    atomic_store(&program->deps[dep].program, target);
}

/* ---- running them ---- */

static const skua_value *json(const char *words)
{
    skua_value *value;

    assert_int_equal(skua_json_read(&value, arena, skua_str_c(words), NULL), 0);
    return value;
}

static int run_with(skua_str *out, const struct skua__program *page, const skua_value *data,
                    const struct skua__vm_limits *limits)
{
    const struct skua__vm_job job = {.page = page, .data = data, .limits = limits, .arena = arena};

    return skua__vm_run(out, &job, &error);
}

static const char *run(const struct skua__program *page, const skua_value *data)
{
    skua_str out;

    assert_int_equal(run_with(&out, page, data, &skua__vm_limits), 0);
    assert_int_equal(strlen(out.ptr), out.len);
    return out.ptr;
}

static const char *run_json(struct skua__emit *e, const char *data)
{
    return run(finish(e, "page"), json(data));
}

static int fails_with(const struct skua__program *page, const skua_value *data, int code,
                      const char *words)
{
    skua_str out;
    int err = run_with(&out, page, data, &skua__vm_limits);

    assert_int_equal(err, code);
    assert_int_equal(error.code, code);
    assert_int_equal(out.len, 0);
    assert_string_equal(error.text, words);
    return err;
}

/* ---- output ---- */

static void text_and_an_escaped_value(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    text(e, "<p>");
    print(e, "name");
    text(e, "</p>");
    load(e, "name");
    op(e, SKUA__OP_PRINT_RAW, 0);
    assert_string_equal(run_json(e, "{\"name\":\"a<b&c>\\\"'\"}"),
                        "<p>a&lt;b&amp;c&gt;&quot;&#39;</p>a<b&c>\"'");
}

static const char *printed(const skua_value *value)
{
    struct skua__emit *e = begin();
    skua_value *data = skua_object(arena);

    skua_set_value(data, "v", value);
    text(e, "[");
    print(e, "v");
    text(e, "]");
    return run(finish(e, "page"), data);
}

static skua_value *greet(struct skua_call *call)
{
    assert_int_equal(call->count, 0);
    return skua_string(call->arena, "<hi>");
}

static skua_value *return_self(struct skua_call *call)
{
    return skua_function(call->arena, return_self, NULL);
}

static skua_value *produce(skua_arena *a, void *ctx)
{
    ++*(int *)ctx;
    return skua_string(a, "late");
}

static void each_kind_is_printed_in_its_own_way(void **state)
{
    int produced = 0;

    (void)state;
    assert_string_equal(printed(NULL), "[]");
    assert_string_equal(printed(skua_null(arena)), "[]");
    assert_string_equal(printed(skua_bool(arena, true)), "[true]");
    assert_string_equal(printed(skua_bool(arena, false)), "[false]");
    assert_string_equal(printed(skua_int(arena, INT64_MIN)), "[-9223372036854775808]");
    assert_string_equal(printed(skua_double(arena, 1.5)), "[1.5]");
    assert_string_equal(printed(skua_double(arena, NAN)), "[NaN]");
    assert_string_equal(printed(skua_double(arena, -INFINITY)), "[-Infinity]");
    assert_string_equal(printed(skua_double(arena, INFINITY)), "[Infinity]");
    assert_string_equal(printed(skua_string(arena, "")), "[]");
    assert_string_equal(printed(skua_safe(arena, SKUA_STR("<b>"))), "[<b>]");
    assert_string_equal(printed(skua_bytes(arena, "<", 1)), "[&lt;]");
    assert_string_equal(printed(json("[1,\"a\"]")), "[[1,&quot;a&quot;]]");
    assert_string_equal(printed(skua_function(arena, greet, NULL)), "[&lt;hi&gt;]");
    assert_string_equal(printed(skua_function(arena, return_self, NULL)), "[]");
    assert_string_equal(printed(skua_lazy(arena, produce, &produced)), "[late]");
    assert_int_equal(produced, 1);
}

static void a_value_that_holds_itself_is_not_printed(void **state)
{
    struct skua__emit *e = begin();
    skua_value *data = skua_object(arena);

    (void)state;
    skua_set(data, "self", data);
    text(e, "before");
    print(e, "self");
    fails_with(finish(e, "page"), data, SKUA_ERR_LIMIT,
               "the value is nested too deeply to be printed");
}

static void captured_output_is_a_safe_string(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    text(e, "before ");
    op(e, SKUA__OP_CAPTURE, 0);
    text(e, "<i>");
    print(e, "v");
    text(e, "</i>");
    op(e, SKUA__OP_END_CAPTURE, 0);
    set(e, "part");
    text(e, "after ");
    print(e, "part");
    print(e, "part");
    assert_string_equal(run_json(e, "{\"v\":\"&\"}"), "before after <i>&amp;</i><i>&amp;</i>");
}

/* ---- values ---- */

static void members_and_elements_are_reached(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "user");
    skua__emit_name(e, SKUA__OP_MEMBER, SKUA_STR("name"));
    op(e, SKUA__OP_PRINT, 0);
    load(e, "list");
    skua__emit_const(e, skua_int(arena, 1));
    op(e, SKUA__OP_INDEX, 0);
    op(e, SKUA__OP_PRINT, 0);
    load(e, "user");
    constant(e, "name");
    op(e, SKUA__OP_INDEX, 0);
    op(e, SKUA__OP_PRINT, 0);
    assert_string_equal(run_json(e, "{\"user\":{\"name\":\"Ada\"},\"list\":[\"x\",\"y\"]}"),
                        "AdayAda");
}

static void what_is_not_there_is_undefined_and_prints_nothing(void **state)
{
    struct skua__emit *e = begin();
    const skua_value *indices[] = {skua_int(arena, -1), skua_int(arena, 9), skua_double(arena, 0.5),
                                   skua_string(arena, "0")};

    (void)state;
    text(e, "[");
    print(e, "nobody");
    load(e, "nobody");
    skua__emit_name(e, SKUA__OP_MEMBER, SKUA_STR("name"));
    op(e, SKUA__OP_PRINT, 0);
    for (size_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
        load(e, "list");
        skua__emit_const(e, indices[i]);
        op(e, SKUA__OP_INDEX, 0);
        op(e, SKUA__OP_PRINT, 0);
    }
    op(e, SKUA__OP_CONTEXT, 7);
    op(e, SKUA__OP_PRINT, 0);
    print_var(e, SKUA__LOOP_INDEX, 0);
    text(e, "]");
    assert_string_equal(run_json(e, "{\"list\":[\"x\"]}"), "[]");
}

static void a_page_without_data_runs(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    text(e, "[");
    print(e, "v");
    op(e, SKUA__OP_CONTEXT, 0);
    op(e, SKUA__OP_PRINT, 0);
    text(e, "]");
    assert_string_equal(run(finish(e, "page"), NULL), "[]");
}

static void a_required_name_fails_with_its_place(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    text(e, "never seen");
    e->offset = 5;
    load(e, "v");
    skua__emit_name(e, SKUA__OP_REQUIRE, SKUA_STR("v"));
    op(e, SKUA__OP_PRINT, 0);
    fails_with(finish(e, "strict"), json("{}"), SKUA_ERR_TEMPLATE, "'v' is not defined");
    assert_string_equal(error.template, "strict");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 2);
    assert_string_equal(error.excerpt, "two\n ^");
}

static void a_required_name_may_be_null(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "v");
    skua__emit_name(e, SKUA__OP_REQUIRE, SKUA_STR("v"));
    op(e, SKUA__OP_PRINT, 0);
    assert_string_equal(run_json(e, "{\"v\":null}"), "");
}

static skua_value *add(struct skua_call *call)
{
    int64_t sum = *(int *)call->ctx;

    for (size_t i = 0; i < call->count; i++)
        sum += skua_as_int(call->args[i], 0);
    return skua_int(call->arena, sum);
}

static void a_function_is_called_with_arguments(void **state)
{
    struct skua__emit *e = begin();
    skua_value *data = skua_object(arena);
    int base = 100;

    (void)state;
    skua_set(data, "add", skua_function(arena, add, &base));
    skua_set(data, "x", 20);
    text(e, "= ");
    load(e, "add");
    load(e, "x");
    skua__emit_const(e, skua_int(arena, 3));
    load(e, "nothing");
    op(e, SKUA__OP_CALL, 3);
    op(e, SKUA__OP_PRINT, 0);
    assert_string_equal(run(finish(e, "page"), data), "= 123");
}

static void what_is_no_function_cannot_be_called(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "x");
    op(e, SKUA__OP_CALL, 0);
    op(e, SKUA__OP_PRINT, 0);
    fails_with(finish(e, "page"), json("{\"x\":1}"), SKUA_ERR_TEMPLATE,
               "what is called here is not a function");
}

static void filters_take_arguments(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "list");
    constant(e, ", ");
    filter(e, "join", 2);
    filter(e, "upper", 1);
    op(e, SKUA__OP_PRINT, 0);
    text(e, " ");
    load(e, "nobody");
    constant(e, "<none>");
    filter(e, "default", 2);
    op(e, SKUA__OP_PRINT, 0);
    text(e, " ");
    load(e, "list");
    filter(e, "length", 1);
    op(e, SKUA__OP_PRINT, 0);
    assert_string_equal(run_json(e, "{\"list\":[\"a<\",\"b\",3]}"), "A&lt;, B, 3 &lt;none&gt; 3");
}

static void many_values_are_kept_at_once_also_over_an_include(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *page, *partial;
    skua_value *data = skua_object(arena);
    int base = 0;

    (void)state;
    skua_set(data, "add", skua_function(arena, add, &base));
    load(e, "add");
    for (int i = 1; i <= 30; i++)
        skua__emit_const(e, skua_int(arena, i));
    op(e, SKUA__OP_CALL, 30);
    op(e, SKUA__OP_PRINT, 0);
    text(e, " ");
    partial = finish(e, "partial");
    e = begin();
    for (int i = 0; i < 10; i++)
        skua__emit_const(e, skua_int(arena, i));
    include(e, "partial", 0);
    include(e, "partial", 0);
    for (int i = 0; i < 10; i++)
        op(e, SKUA__OP_PRINT, 0);
    page = finish(e, "page");
    resolve(page, 0, partial);
    resolve(page, 1, partial);
    assert_string_equal(run(page, data), "465 465 9876543210");
}

static void values_are_doubled_and_dropped(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "v");
    op(e, SKUA__OP_DUP, 0);
    op(e, SKUA__OP_DUP, 0);
    op(e, SKUA__OP_POP, 0);
    op(e, SKUA__OP_PRINT, 0);
    op(e, SKUA__OP_PRINT, 0);
    assert_string_equal(run_json(e, "{\"v\":7}"), "77");
}

/* ---- scopes ---- */

static void a_binding_hides_the_data_and_ends_with_its_scope(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    print(e, "v");
    op(e, SKUA__OP_SCOPE, 0);
    constant(e, "inner");
    set(e, "v");
    print(e, "v");
    constant(e, "again");
    set(e, "v");
    print(e, "v");
    op(e, SKUA__OP_LEAVE, 0);
    print(e, "v");
    assert_string_equal(run_json(e, "{\"v\":\"data\"}"), "datainneragaindata");
}

static void contexts_are_searched_from_the_innermost_outwards(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    load(e, "in");
    op(e, SKUA__OP_ENTER, 0);
    print(e, "a");
    print(e, "b");
    print(e, "c");
    op(e, SKUA__OP_CONTEXT, 1);
    skua__emit_name(e, SKUA__OP_MEMBER, SKUA_STR("a"));
    op(e, SKUA__OP_PRINT, 0);
    op(e, SKUA__OP_LEAVE, 0);
    print(e, "a");
    assert_string_equal(
        run_json(e, "{\"a\":\"A\",\"b\":\"B\",\"c\":\"C\",\"in\":{\"a\":\"a\",\"c\":null}}"),
        "aBAA");
}

static void many_scopes_inside_each_other(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    for (int i = 0; i < 100; i++) {
        op(e, SKUA__OP_SCOPE, 0);
        skua__emit_const(e, skua_int(arena, i));
        set(e, i % 2 == 0 ? "even" : "odd");
    }
    print(e, "even");
    for (int i = 0; i < 99; i++)
        op(e, SKUA__OP_LEAVE, 0);
    text(e, " ");
    print(e, "even");
    print(e, "odd");
    op(e, SKUA__OP_LEAVE, 0);
    print(e, "even");
    assert_string_equal(run(finish(e, "page"), NULL), "98 0");
}

/* ---- jumps and loops ---- */

static const char *if_else(uint16_t truth, enum skua__op jump, const char *data)
{
    struct skua__emit *e = begin();
    uint32_t other, end;

    load(e, "v");
    other = skua__emit_jump(e, jump, truth);
    text(e, "stay");
    end = skua__emit_jump(e, SKUA__OP_JUMP, 0);
    skua__emit_land(e, other);
    text(e, "jump");
    skua__emit_land(e, end);
    text(e, "!");
    return run_json(e, data);
}

static void one_of_two_ways_is_taken(void **state)
{
    (void)state;
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_FALSE, "{\"v\":1}"), "stay!");
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_FALSE, "{\"v\":0}"), "jump!");
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_FALSE, "{}"), "jump!");
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_TRUE, "{\"v\":\"x\"}"), "jump!");
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_TRUE, "{\"v\":\"\"}"), "stay!");
}

static void an_empty_array_is_true_or_false_as_one_likes(void **state)
{
    (void)state;
    assert_string_equal(if_else(SKUA__TRUTH_JS, SKUA__OP_JUMP_TRUE, "{\"v\":[]}"), "jump!");
    assert_string_equal(if_else(SKUA__TRUTH_FULL, SKUA__OP_JUMP_TRUE, "{\"v\":[]}"), "stay!");
    assert_string_equal(if_else(SKUA__TRUTH_FULL, SKUA__OP_JUMP_TRUE, "{\"v\":[0]}"), "jump!");
    assert_string_equal(if_else(SKUA__TRUTH_FULL, SKUA__OP_JUMP_FALSE, "{\"v\":{}}"), "stay!");
}

/* for item in list: [index:key=item(first)(last)] else: none */
static struct skua__program *for_program(void)
{
    struct skua__emit *e = begin();
    uint32_t other, start, end;

    load(e, "list");
    other = skua__emit_jump(e, SKUA__OP_LOOP, 0);
    start = skua__emit_here(e);
    skua__emit_op(e, SKUA__OP_LOOP_VAR, SKUA__LOOP_ITEM, 0);
    set(e, "item");
    text(e, "[");
    print_var(e, SKUA__LOOP_INDEX, 0);
    text(e, ":");
    print_var(e, SKUA__LOOP_KEY, 0);
    text(e, "=");
    print(e, "item");
    text(e, " ");
    print_var(e, SKUA__LOOP_FIRST, 0);
    text(e, " ");
    print_var(e, SKUA__LOOP_LAST, 0);
    text(e, "]");
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    end = skua__emit_jump(e, SKUA__OP_JUMP, 0);
    skua__emit_land(e, other);
    text(e, "none");
    skua__emit_land(e, end);
    print(e, "item");
    return finish(e, "page");
}

static void a_loop_goes_through_an_array(void **state)
{
    (void)state;
    assert_string_equal(run(for_program(), json("{\"list\":[\"a\",\"b\",\"c\"]}")),
                        "[0:=a true false][1:=b false false][2:=c false true]");
    assert_string_equal(run(for_program(), json("{\"list\":[\"a\"]}")), "[0:=a true true]");
}

static void a_loop_goes_through_an_object(void **state)
{
    (void)state;
    assert_string_equal(run(for_program(), json("{\"list\":{\"x\":1,\"<y>\":2}}")),
                        "[0:x=1 true false][1:&lt;y&gt;=2 false true]");
}

static void a_loop_over_nothing_takes_the_other_way(void **state)
{
    (void)state;
    assert_string_equal(run(for_program(), json("{\"list\":[]}")), "none");
    assert_string_equal(run(for_program(), json("{\"list\":{}}")), "none");
    assert_string_equal(run(for_program(), json("{\"list\":\"text\"}")), "none");
    assert_string_equal(run(for_program(), json("{}")), "none");
}

static void an_inner_loop_sees_the_variables_of_the_outer_one(void **state)
{
    struct skua__emit *e = begin();
    uint32_t outer, inner, outer_start, inner_start;

    (void)state;
    load(e, "rows");
    outer = skua__emit_jump(e, SKUA__OP_LOOP, 0);
    outer_start = skua__emit_here(e);
    skua__emit_op(e, SKUA__OP_LOOP_VAR, SKUA__LOOP_ITEM, 0);
    inner = skua__emit_jump(e, SKUA__OP_LOOP, 0);
    inner_start = skua__emit_here(e);
    print_var(e, SKUA__LOOP_INDEX, 1);
    print_var(e, SKUA__LOOP_INDEX, 0);
    print_var(e, SKUA__LOOP_INDEX, 2);
    print_var(e, SKUA__LOOP_ITEM, 0);
    text(e, " ");
    skua__emit_op(e, SKUA__OP_NEXT, 0, inner_start);
    skua__emit_land(e, inner);
    skua__emit_op(e, SKUA__OP_NEXT, 0, outer_start);
    skua__emit_land(e, outer);
    assert_string_equal(run_json(e, "{\"rows\":[[\"a\",\"b\"],[],[\"c\"]]}"), "00a 01b 20c ");
}

static void what_a_turn_binds_is_gone_in_the_next(void **state)
{
    struct skua__emit *e = begin();
    uint32_t loop, start, known;

    (void)state;
    load(e, "list");
    loop = skua__emit_jump(e, SKUA__OP_LOOP, 0);
    start = skua__emit_here(e);
    print(e, "seen");
    load(e, "seen");
    known = skua__emit_jump(e, SKUA__OP_JUMP_TRUE, 0);
    constant(e, "x");
    set(e, "seen");
    skua__emit_land(e, known);
    print(e, "seen");
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    skua__emit_land(e, loop);
    assert_string_equal(run_json(e, "{\"list\":[1,2,3]}"), "xxx");
}

static const char *section(const skua_value *value)
{
    struct skua__emit *e = begin();
    skua_value *data = skua_object(arena);
    uint32_t end, start;

    skua_set_value(data, "v", value);
    skua_set(data, "name", "outer");
    load(e, "v");
    end = skua__emit_jump(e, SKUA__OP_SECTION, 0);
    start = skua__emit_here(e);
    text(e, "(");
    op(e, SKUA__OP_CONTEXT, 0);
    skua__emit_name(e, SKUA__OP_MEMBER, SKUA_STR("name"));
    op(e, SKUA__OP_PRINT, 0);
    print(e, "name");
    text(e, ")");
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    skua__emit_land(e, end);
    return run(finish(e, "page"), data);
}

static skua_value *embolden(struct skua_call *call)
{
    assert_int_equal(call->count, 1);
    assert_int_equal(skua_kind_of(call->args[0]), SKUA_SAFE);
    return skua_string(call->arena,
                       skua_format(call->arena, "<b>%s</b>", skua_as_text(call->args[0])));
}

static void a_section_depends_on_its_value(void **state)
{
    (void)state;
    assert_string_equal(section(NULL), "");
    assert_string_equal(section(skua_bool(arena, false)), "");
    assert_string_equal(section(json("[]")), "");
    assert_string_equal(section(skua_string(arena, "")), "");
    assert_string_equal(section(skua_bool(arena, true)), "(outer)");
    assert_string_equal(section(json("{\"name\":\"in\"}")), "(inin)");
    assert_string_equal(section(json("{}")), "(outer)");
    assert_string_equal(section(json("[{\"name\":\"a\"},1,{\"name\":\"b\"}]")), "(aa)(outer)(bb)");
    assert_string_equal(section(skua_function(arena, embolden, NULL)), "<b>(outerouter)</b>");
}

/* ---- other templates ---- */

static struct skua__program *greeting(void)
{
    struct skua__emit *e = begin();

    text(e, "Hello ");
    print(e, "name");
    constant(e, "partial");
    set(e, "name");
    constant(e, "left over");
    set(e, "other");
    text(e, ", I am ");
    print(e, "name");
    return finish(e, "greeting");
}

static void a_partial_sees_the_scopes_and_leaves_nothing_behind(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *page;

    (void)state;
    op(e, SKUA__OP_SCOPE, 0);
    constant(e, "Ada");
    set(e, "name");
    include(e, "greeting", 0);
    text(e, " | ");
    print(e, "name");
    print(e, "other");
    op(e, SKUA__OP_LEAVE, 0);
    page = finish(e, "page");
    resolve(page, 0, greeting());
    assert_string_equal(run(page, NULL), "Hello Ada, I am partial | Ada");
}

static void a_partial_that_does_not_exist_prints_nothing(void **state)
{
    struct skua__emit *e = begin();

    (void)state;
    text(e, "[");
    include(e, "nowhere", 0);
    text(e, "]");
    assert_string_equal(run(finish(e, "page"), NULL), "[]");
}

static void a_partial_may_be_included_any_number_of_times_in_a_row(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *page, *dot;

    (void)state;
    text(e, ".");
    dot = finish(e, "dot");
    e = begin();
    for (int i = 0; i < 300; i++)
        include(e, "dot", 0);
    page = finish(e, "page");
    for (uint32_t i = 0; i < 300; i++)
        resolve(page, i, dot);
    assert_int_equal(strlen(run(page, NULL)), 300);
}

static void a_partial_includes_itself(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *tree;
    uint32_t end, start;

    (void)state;
    print(e, "n");
    load(e, "kids");
    end = skua__emit_jump(e, SKUA__OP_SECTION, 0);
    start = skua__emit_here(e);
    text(e, "(");
    include(e, "tree", 0);
    text(e, ")");
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    skua__emit_land(e, end);
    tree = finish(e, "tree");
    resolve(tree, 0, tree);
    assert_string_equal(run(tree, json("{\"n\":1,\"kids\":[{\"n\":2,\"kids\":[{\"n\":3,"
                                       "\"kids\":[]}]},{\"n\":4,\"kids\":false}]}")),
                        "1(2(3))(4)");
}

/* A program with one block, that calls SUPER before its own text if `super`; extends `parent`. */
static struct skua__program *derived(const char *name, bool super, struct skua__program *parent)
{
    struct skua__emit *e = begin();
    struct skua__program *program;
    uint32_t over, block;

    over = skua__emit_jump(e, SKUA__OP_JUMP, 0);
    block = skua__emit_block(e, SKUA_STR("title"), SKUA_STR(""), 1);
    if (super)
        op(e, SKUA__OP_SUPER, 0);
    text(e, name);
    skua__emit_end_block(e, block);
    skua__emit_land(e, over);
    include(e, "parent", 1);
    program = finish(e, name);
    resolve(program, 0, parent);
    return program;
}

static struct skua__program *base(void)
{
    struct skua__emit *e = begin();
    uint32_t block;

    text(e, "<h1>");
    block = skua__emit_block(e, SKUA_STR("title"), SKUA_STR(""), 0);
    text(e, "base");
    op(e, SKUA__OP_SUPER, 0); /* there is nothing below the base */
    skua__emit_end_block(e, block);
    text(e, "</h1>");
    block = skua__emit_block(e, SKUA_STR("foot"), SKUA_STR(""), 0);
    text(e, "foot of ");
    print(e, "site");
    skua__emit_end_block(e, block);
    return finish(e, "base");
}

static void blocks_are_overridden_over_three_levels(void **state)
{
    (void)state;
    assert_string_equal(run(base(), json("{\"site\":\"S\"}")), "<h1>base</h1>foot of S");
    assert_string_equal(run(derived(" middle", false, base()), NULL), "<h1> middle</h1>foot of ");
    assert_string_equal(run(derived(" top", false, derived(" middle", false, base())), NULL),
                        "<h1> top</h1>foot of ");
}

static void super_runs_what_a_block_overrides(void **state)
{
    (void)state;
    assert_string_equal(run(derived(" top", true, derived(" middle", true, base())), NULL),
                        "<h1>base middle top</h1>foot of ");
    assert_string_equal(run(derived(" top", true, derived(" middle", false, base())), NULL),
                        "<h1> middle top</h1>foot of ");
    assert_string_equal(run(derived(" top", false, derived(" middle", true, base())), NULL),
                        "<h1> top</h1>foot of ");
}

static void super_is_found_from_inside_a_loop_and_nowhere_outside_a_block(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *page;
    uint32_t over, block, end, start;

    (void)state;
    op(e, SKUA__OP_SUPER, 0);
    over = skua__emit_jump(e, SKUA__OP_JUMP, 0);
    block = skua__emit_block(e, SKUA_STR("title"), SKUA_STR(""), 1);
    load(e, "list");
    end = skua__emit_jump(e, SKUA__OP_LOOP, 0);
    start = skua__emit_here(e);
    op(e, SKUA__OP_CAPTURE, 0);
    op(e, SKUA__OP_SUPER, 0);
    op(e, SKUA__OP_END_CAPTURE, 0);
    op(e, SKUA__OP_PRINT, 0);
    text(e, ".");
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    skua__emit_land(e, end);
    skua__emit_end_block(e, block);
    skua__emit_land(e, over);
    include(e, "base", 1);
    page = finish(e, "page");
    resolve(page, 0, base());
    assert_string_equal(run(page, json("{\"list\":[1,2]}")), "<h1>base.base.</h1>foot of ");
}

static void overrides_end_with_the_include_they_belong_to(void **state)
{
    struct skua__emit *e = begin();
    struct skua__program *page;

    (void)state;
    include(e, "derived", 0);
    text(e, " ");
    include(e, "base", 0);
    page = finish(e, "page");
    resolve(page, 0, derived("mine", false, base()));
    resolve(page, 1, base());
    assert_string_equal(run(page, NULL), "<h1>mine</h1>foot of  <h1>base</h1>foot of ");
}

static void the_layout_sees_the_data_and_the_body(void **state)
{
    struct skua__emit *page = begin();
    struct skua__emit *layout = begin();
    struct skua__vm_job job = {.limits = &skua__vm_limits, .arena = arena};
    skua_str out;

    (void)state;
    constant(page, "bound by the page");
    set(page, "title");
    text(page, "<i>");
    print(page, "title");
    text(page, "</i>");
    print(layout, "title");
    text(layout, ":");
    print(layout, "body");
    job.page = finish(page, "page");
    job.layout = finish(layout, "layout");
    job.data = json("{\"title\":\"data\",\"body\":\"hidden\"}");
    assert_int_equal(skua__vm_run(&out, &job, &error), 0);
    assert_string_equal(out.ptr, "data:<i>bound by the page</i>");
    assert_string_equal(skua_as_text(skua_get_value(job.data, "body")), "hidden");
}

/* ---- limits ---- */

static int run_limited(const struct skua__program *page, const skua_value *data,
                       struct skua__vm_limits limits)
{
    skua_str out;

    return run_with(&out, page, data, &limits);
}

static void the_limits_of_a_render(void **state)
{
    (void)state;
    assert_int_equal(skua__vm_limits.output, 64 * 1024 * 1024);
    assert_int_equal(skua__vm_limits.depth, 256);
    assert_int_equal(skua__vm_limits.steps, 100000000);
}

static void output_of_exactly_the_limit_is_fine_and_one_byte_more_is_not(void **state)
{
    const char *const data[] = {"{\"v\":\"12345678\"}", "{\"v\":\"<<\"}", "{\"v\":12345678}",
                                "{\"v\":1234567.8}", "{\"v\":[1,2345]}"};
    struct skua__vm_limits limits = {.depth = 1, .steps = 100};

    (void)state;
    for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
        struct skua__emit *e = begin();
        const struct skua__program *page;
        size_t len;

        text(e, "<");
        print(e, "v");
        text(e, ">");
        page = finish(e, "page");
        len = strlen(run(page, json(data[i])));
        limits.output = len;
        assert_int_equal(run_limited(page, json(data[i]), limits), 0);
        for (limits.output = 0; limits.output < len; limits.output++)
            assert_int_equal(run_limited(page, json(data[i]), limits), SKUA_ERR_LIMIT);
        assert_string_equal(error.text,
                            skua_format(arena, "the output is larger than %zu bytes", len - 1));
    }
}

static void steps_of_exactly_the_limit_are_fine_and_one_more_is_not(void **state)
{
    struct skua__emit *e = begin();
    struct skua__vm_limits limits = {.output = 100, .depth = 1};
    struct skua__program *page;

    (void)state;
    text(e, "a");
    text(e, "b");
    page = finish(e, "page");
    limits.steps = 3; /* TEXT TEXT RETURN */
    assert_int_equal(run_limited(page, NULL, limits), 0);
    limits.steps = 2;
    assert_int_equal(run_limited(page, NULL, limits), SKUA_ERR_LIMIT);
    assert_string_equal(error.text, "the template takes more than 2 steps");
}

static void an_endless_program_ends(void **state)
{
    struct skua__emit *e = begin();
    struct skua__vm_limits limits = {.output = 100, .depth = 1, .steps = 1000};

    (void)state;
    skua__emit_op(e, SKUA__OP_JUMP, 0, 0);
    assert_int_equal(run_limited(finish(e, "page"), NULL, limits), SKUA_ERR_LIMIT);
}

/* A program that includes itself as often as `left` says. */
static struct skua__program *nest(const char *name)
{
    struct skua__emit *e = begin();
    struct skua__program *program;
    uint32_t end, start;

    load(e, "in");
    end = skua__emit_jump(e, SKUA__OP_SECTION, 0);
    start = skua__emit_here(e);
    e->offset = 4;
    include(e, name, 0);
    skua__emit_op(e, SKUA__OP_NEXT, 0, start);
    skua__emit_land(e, end);
    text(e, ".");
    program = finish(e, name);
    resolve(program, 0, program);
    return program;
}

static const skua_value *nested_data(int depth)
{
    const skua_value *inner = skua_set_bool(skua_object(arena), "in", false);

    for (int i = 0; i < depth; i++)
        inner = skua_set_value(skua_object(arena), "in", inner);
    return inner;
}

static void templates_of_exactly_the_depth_are_fine_and_one_deeper_is_not(void **state)
{
    struct skua__program *page = nest("nest");
    struct skua__vm_limits limits = {.output = 1000, .depth = 20, .steps = 10000};

    (void)state;
    assert_int_equal(run_limited(page, nested_data(20), limits), 0);
    assert_int_equal(run_limited(page, nested_data(21), limits), SKUA_ERR_LIMIT);
    assert_string_equal(error.text, "templates are nested deeper than 20");
    assert_string_equal(error.template, "nest");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    assert_int_equal(strlen(run(page, nested_data(256))), 257);
    fails_with(page, nested_data(257), SKUA_ERR_LIMIT, "templates are nested deeper than 256");
}

static void a_block_in_itself_ends_at_the_depth(void **state)
{
    struct skua__emit *e = begin();
    uint32_t block;

    (void)state;
    block = skua__emit_block(e, SKUA_STR("b"), SKUA_STR(""), 0);
    skua__emit_op(e, SKUA__OP_BLOCK, 0, 0);
    skua__emit_end_block(e, block);
    fails_with(finish(e, "page"), NULL, SKUA_ERR_LIMIT, "templates are nested deeper than 256");
}

static void indentation_has_a_bound(void **state)
{
    struct skua__emit *e = begin();
    struct skua__dep dep = {.name = SKUA_STR("self"), .indented = true};
    struct skua__program *page;
    char spaces[100];

    (void)state;
    memset(spaces, ' ', sizeof(spaces));
    dep.indent = skua_str_of(spaces, sizeof(spaces));
    skua__emit_include(e, &dep, 0);
    page = finish(e, "page");
    resolve(page, 0, page);
    fails_with(page, NULL, SKUA_ERR_LIMIT, "the indentation is longer than 4096 bytes");
}

static void memory_may_end_anywhere(void **state)
{
    struct skua__program *page = nest("nest");
    struct skua__program *layout = derived(" top", true, derived(" middle", true, base()));
    struct skua__vm_job job = {.page = page, .layout = layout, .limits = &skua__vm_limits};
    size_t budget = 1;
    skua_str out;
    int err = SKUA_ERR_NOMEM;

    (void)state;
    job.data = nested_data(200);
    for (; err == SKUA_ERR_NOMEM; budget += 512) {
        job.arena = skua_arena_new(budget);
        err = skua__vm_run(&out, &job, &error);
        if (err != 0)
            assert_string_equal(error.text, skua_err_text(SKUA_ERR_NOMEM));
        skua_arena_free(job.arena);
    }
    assert_int_equal(err, 0);
    assert_true(budget > 4096);
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(text_and_an_escaped_value),
        test(each_kind_is_printed_in_its_own_way),
        test(a_value_that_holds_itself_is_not_printed),
        test(captured_output_is_a_safe_string),
        test(members_and_elements_are_reached),
        test(what_is_not_there_is_undefined_and_prints_nothing),
        test(a_page_without_data_runs),
        test(a_required_name_fails_with_its_place),
        test(a_required_name_may_be_null),
        test(a_function_is_called_with_arguments),
        test(what_is_no_function_cannot_be_called),
        test(filters_take_arguments),
        test(many_values_are_kept_at_once_also_over_an_include),
        test(values_are_doubled_and_dropped),
        test(a_binding_hides_the_data_and_ends_with_its_scope),
        test(contexts_are_searched_from_the_innermost_outwards),
        test(many_scopes_inside_each_other),
        test(one_of_two_ways_is_taken),
        test(an_empty_array_is_true_or_false_as_one_likes),
        test(a_loop_goes_through_an_array),
        test(a_loop_goes_through_an_object),
        test(a_loop_over_nothing_takes_the_other_way),
        test(an_inner_loop_sees_the_variables_of_the_outer_one),
        test(what_a_turn_binds_is_gone_in_the_next),
        test(a_section_depends_on_its_value),
        test(a_partial_sees_the_scopes_and_leaves_nothing_behind),
        test(a_partial_that_does_not_exist_prints_nothing),
        test(a_partial_may_be_included_any_number_of_times_in_a_row),
        test(a_partial_includes_itself),
        test(blocks_are_overridden_over_three_levels),
        test(super_runs_what_a_block_overrides),
        test(super_is_found_from_inside_a_loop_and_nowhere_outside_a_block),
        test(overrides_end_with_the_include_they_belong_to),
        test(the_layout_sees_the_data_and_the_body),
        test(the_limits_of_a_render),
        test(output_of_exactly_the_limit_is_fine_and_one_byte_more_is_not),
        test(steps_of_exactly_the_limit_are_fine_and_one_more_is_not),
        test(an_endless_program_ends),
        test(templates_of_exactly_the_depth_are_fine_and_one_deeper_is_not),
        test(a_block_in_itself_ends_at_the_depth),
        test(indentation_has_a_bound),
        test(memory_may_end_anywhere),
    };

    return cmocka_run_group_tests_name("view/vm", tests, NULL, NULL);
}
