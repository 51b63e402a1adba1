/* SPDX-License-Identifier: MIT */
/* What is no program is refused before it is run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/emit.h"
#include "view/verify.h"

#include <skua/err.h>

/* A program of these instructions, with one of everything to refer to. */
static int verify(const struct skua__ins *code, uint32_t count, uint32_t *stack)
{
    static const skua_str word = {"w", 1};
    static const struct skua__filter filter = {"f", NULL, 1, 1};
    const struct skua__filter *const filters[] = {&filter};
    const struct skua__view_block block = {.name = {"b", 1}, .code = count - 1};
    struct skua__dep dep = {.name = {"d", 1}};
    const skua_value *const consts[] = {NULL};
    struct skua__program program = {
        .code = code,
        .code_count = count,
        .texts = &word,
        .text_count = 1,
        .names = &word,
        .name_count = 1,
        .consts = consts,
        .const_count = 1,
        .filters = filters,
        .filter_count = 1,
        .deps = &dep,
        .dep_count = 1,
        .blocks = &block,
        .block_count = 1,
    };
    int err = skua__program_verify(&program);

    if (stack != NULL)
        *stack = program.stack;
    return err;
}

#define OP(name, ...)                \
    {                                \
        SKUA__OP_##name, __VA_ARGS__ \
    }
#define COUNT(...)    (sizeof((const struct skua__ins[]){__VA_ARGS__}) / sizeof(struct skua__ins))
#define VERIFY(...)   verify((const struct skua__ins[]){__VA_ARGS__}, COUNT(__VA_ARGS__), NULL)
#define GOOD(...)     assert_int_equal(VERIFY(__VA_ARGS__), 0)
#define BAD(...)      assert_int_equal(VERIFY(__VA_ARGS__), SKUA_ERR_STATE)
#define TOO_MUCH(...) assert_int_equal(VERIFY(__VA_ARGS__), SKUA_ERR_LIMIT)

static void programs_that_are_fine(void **state)
{
    (void)state;
    GOOD(OP(RETURN, 0, 0));
    GOOD(OP(LOAD, 0, 0), OP(PRINT, 0, 0), OP(TEXT, 0, 0), OP(RETURN, 0, 0));
    GOOD(OP(LOAD, 0, 0), OP(JUMP_FALSE, 0, 3), OP(TEXT, 0, 0), OP(RETURN, 0, 0));
    GOOD(OP(LOAD, 0, 0), OP(LOOP, 0, 4), OP(TEXT, 0, 0), OP(NEXT, 0, 2), OP(RETURN, 0, 0));
    GOOD(OP(CAPTURE, 0, 0), OP(END_CAPTURE, 0, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
    GOOD(OP(SCOPE, 0, 0), OP(LEAVE, 0, 0), OP(RETURN, 0, 0));
    GOOD(OP(BLOCK, 0, 0), OP(INCLUDE, 0, 0), OP(SUPER, 0, 0), OP(RETURN, 0, 0));
    GOOD(OP(CONST, 0, 0), OP(DUP, 0, 0), OP(FILTER, 2, 0), OP(SET, 0, 0), OP(RETURN, 0, 0));
}

static void the_height_of_the_stack_is_known(void **state)
{
    const struct skua__ins code[] = {OP(LOAD, 0, 0), OP(LOAD, 0, 0),  OP(LOAD, 0, 0),
                                     OP(CALL, 2, 0), OP(PRINT, 0, 0), OP(RETURN, 0, 0)};
    uint32_t stack;

    (void)state;
    assert_int_equal(verify(code, 6, &stack), 0);
    assert_int_equal(stack, 3);
}

static void operands_out_of_range(void **state)
{
    (void)state;
    BAD(OP(TEXT, 0, 1), OP(RETURN, 0, 0));
    BAD(OP(CONST, 0, 1), OP(POP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 1), OP(POP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(JUMP, 0, 2), OP(RETURN, 0, 0));
    BAD(OP(JUMP, 0, UINT32_MAX), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(FILTER, 1, 1), OP(POP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(INCLUDE, 0, 1), OP(RETURN, 0, 0));
    BAD(OP(BLOCK, 0, 1), OP(RETURN, 0, 0));
    BAD({SKUA__OP_COUNT, 0, 0}, OP(RETURN, 0, 0));
}

static void stacks_that_run_under(void **state)
{
    (void)state;
    BAD(OP(PRINT, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(DUP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(INDEX, 0, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(CALL, 1, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LEAVE, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(NEXT, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(END_CAPTURE, 0, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
}

static void what_is_begun_and_not_ended(void **state)
{
    (void)state;
    BAD(OP(LOAD, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(SCOPE, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(CAPTURE, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(LOOP, 0, 3), OP(TEXT, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(TEXT, 0, 0));
}

static void what_is_ended_as_something_else(void **state)
{
    (void)state;
    BAD(OP(CAPTURE, 0, 0), OP(NEXT, 0, 1), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(LOOP, 0, 4), OP(END_CAPTURE, 0, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
}

static void ways_that_meet_with_different_stacks(void **state)
{
    (void)state;
    BAD(OP(LOAD, 0, 0), OP(JUMP_TRUE, 0, 3), OP(LOAD, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(JUMP_TRUE, 0, 3), OP(SCOPE, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(LOOP, 0, 4), OP(SCOPE, 0, 0), OP(NEXT, 0, 2), OP(RETURN, 0, 0));
    BAD(OP(LOAD, 0, 0), OP(LOOP, 0, 4), OP(LOAD, 0, 0), OP(NEXT, 0, 2), OP(RETURN, 0, 0));
}

static void a_loop_whose_scope_is_ended_inside_it(void **state)
{
    (void)state;
    BAD(OP(LOAD, 0, 0), OP(LOOP, 0, 6), OP(LEAVE, 0, 0), OP(TEXT, 0, 0), OP(NEXT, 0, 3),
        OP(SCOPE, 0, 0), OP(RETURN, 0, 0));
}

static void a_jump_back_to_what_is_not_reached(void **state)
{
    (void)state;
    BAD(OP(JUMP, 0, 2), OP(PRINT, 0, 0), OP(JUMP, 0, 1), OP(RETURN, 0, 0));
}

static void what_is_not_reached_may_be_anything_with_operands_in_range(void **state)
{
    (void)state;
    GOOD(OP(JUMP, 0, 2), OP(PRINT, 0, 0), OP(RETURN, 0, 0));
    BAD(OP(JUMP, 0, 2), OP(TEXT, 0, 9), OP(RETURN, 0, 0));
}

static void more_than_the_bounds(void **state)
{
    struct skua__ins loads[SKUA__MAX_STACK + 2];
    struct skua__ins captures[SKUA__MAX_NESTING + 2];

    (void)state;
    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++)
        loads[i] = (struct skua__ins)OP(LOAD, 0, 0);
    assert_int_equal(verify(loads, SKUA__MAX_STACK + 2, NULL), SKUA_ERR_LIMIT);
    for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]); i++)
        captures[i] = (struct skua__ins)OP(CAPTURE, 0, 0);
    assert_int_equal(verify(captures, SKUA__MAX_NESTING + 2, NULL), SKUA_ERR_LIMIT);
    TOO_MUCH(OP(LOAD, 0, 0), OP(FILTER, SKUA__MAX_ARGS + 1, 0), OP(POP, 0, 0), OP(RETURN, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_that_are_fine),
        cmocka_unit_test(the_height_of_the_stack_is_known),
        cmocka_unit_test(operands_out_of_range),
        cmocka_unit_test(stacks_that_run_under),
        cmocka_unit_test(what_is_begun_and_not_ended),
        cmocka_unit_test(what_is_ended_as_something_else),
        cmocka_unit_test(ways_that_meet_with_different_stacks),
        cmocka_unit_test(a_loop_whose_scope_is_ended_inside_it),
        cmocka_unit_test(a_jump_back_to_what_is_not_reached),
        cmocka_unit_test(what_is_not_reached_may_be_anything_with_operands_in_range),
        cmocka_unit_test(more_than_the_bounds),
    };

    return cmocka_run_group_tests_name("view/verify", tests, NULL, NULL);
}
