/* SPDX-License-Identifier: MIT */
/*
 * verify.c - proof that a program cannot hurt the machine
 *
 * Every operand is in range, and at every address the heights of the machine's stacks are the same
 * whichever way leads there. So the machine itself checks none of this while it runs.
 *
 * One pass from front to back carries the state along. It is enough because programs only ever jump
 * back to the start of a loop they are in: what is reached at all is first reached from before.
 * Instructions that are not reached (a language may jump over parts of a template) stay unchecked
 * but for their operands, and a jump back to one is refused.
 *
 *   state at an address: values on the stack, scopes begun, loops and captures begun
 */
#include "view/verify.h"

#include <skua/err.h>
#include <stdlib.h>

enum way { STEP, JUMP, BRANCH, OPEN, CLOSE, BEGIN, END, ENTER, LEAVE, RETURN };
enum operand { NONE, TEXT, CONST, NAME, CODE, FILTER, DEP, BLOCK };

static const struct {
    uint8_t takes;
    uint8_t leaves;
    uint8_t way;
    uint8_t operand;
} table[SKUA__OP_COUNT] = {
#define ROW(NAME_, name, takes, leaves, way, operand) {takes, leaves, way, operand},
    SKUA__OP_MAP(ROW)
#undef ROW
};

struct state {
    bool reached;
    uint16_t values;
    uint16_t scopes;
    uint16_t frames; /* loops and captures begun: bit n of `loops` says which the n-th is */
    uint64_t loops;
};

struct verifier {
    const struct skua__program *program;
    struct state *states; /* one for each address, and one behind the last */
    uint32_t at;
    uint16_t most; /* values */
};

static uint32_t operand_limit(const struct skua__program *program, enum operand operand)
{
    switch (operand) {
    case TEXT:
        return program->text_count;
    case CONST:
        return program->const_count;
    case NAME:
        return program->name_count;
    case CODE:
        return program->code_count;
    case FILTER:
        return program->filter_count;
    case DEP:
        return program->dep_count;
    case BLOCK:
        return program->block_count;
    default:
        return UINT32_MAX;
    }
}

static bool same(const struct state *a, const struct state *b)
{
    return a->values == b->values && a->scopes == b->scopes && a->frames == b->frames &&
           a->loops == b->loops;
}

/* Execution goes on at `to` in this state. */
static int reach(struct verifier *v, uint32_t to, struct state state)
{
    struct state *there = &v->states[to];

    if (there->reached)
        return same(there, &state) ? 0 : SKUA_ERR_STATE;
    if (to <= v->at)
        return SKUA_ERR_STATE;
    *there = state;
    return 0;
}

static int begin_frame(struct state *state, bool loop)
{
    if (state->frames == SKUA__MAX_NESTING)
        return SKUA_ERR_LIMIT;
    if (loop) {
        state->loops |= UINT64_C(1) << state->frames;
        state->scopes++;
    }
    state->frames++;
    return 0;
}

static int end_frame(struct state *state, bool loop)
{
    if (state->frames == 0)
        return SKUA_ERR_STATE;
    state->frames--;
    if ((state->loops >> state->frames & 1) != loop || (loop && state->scopes == 0))
        return SKUA_ERR_STATE;
    if (loop) {
        state->loops &= ~(UINT64_C(1) << state->frames);
        state->scopes--;
    }
    return 0;
}

/* Begin or end what the instruction begins or ends; *state is what holds behind it. */
static int change_nesting(struct state *state, enum way way)
{
    switch (way) {
    case OPEN:
    case BEGIN:
        return begin_frame(state, way == OPEN);
    case CLOSE:
    case END:
        return end_frame(state, way == CLOSE);
    case ENTER:
        state->scopes++;
        return state->scopes <= SKUA__MAX_STACK ? 0 : SKUA_ERR_LIMIT;
    case LEAVE:
        return state->scopes-- > 0 ? 0 : SKUA_ERR_STATE;
    case RETURN:
        return state->values + state->scopes + state->frames == 0 ? 0 : SKUA_ERR_STATE;
    default:
        return 0;
    }
}

/* Take and leave values. */
static int change_values(struct verifier *v, struct state *state, const struct skua__ins *ins)
{
    uint32_t takes = table[ins->op].takes;

    if (ins->op == SKUA__OP_FILTER || ins->op == SKUA__OP_CALL) {
        if (ins->a > SKUA__MAX_ARGS)
            return SKUA_ERR_LIMIT;
        takes += ins->a;
    }
    if (takes > state->values)
        return SKUA_ERR_STATE;
    state->values = (uint16_t)(state->values - takes + table[ins->op].leaves);
    if (state->values > SKUA__MAX_STACK)
        return SKUA_ERR_LIMIT;
    if (state->values > v->most)
        v->most = state->values;
    return 0;
}

static int check_instruction(struct verifier *v, const struct skua__ins *ins)
{
    enum way way = table[ins->op].way;
    struct state state = v->states[v->at];
    struct state elsewhere; /* on arrival at the address in the operand */
    int err;

    if ((err = change_values(v, &state, ins)) < 0)
        return err;
    elsewhere = state;
    if ((err = change_nesting(&state, way)) < 0)
        return err;
    if (way == JUMP || way == BRANCH || way == OPEN || way == CLOSE) {
        if ((err = reach(v, ins->b, elsewhere)) < 0)
            return err;
    }
    return way == JUMP || way == RETURN ? 0 : reach(v, v->at + 1, state);
}

/* Where execution starts: at the front and at every block. */
static int reach_starts(struct verifier *v)
{
    const struct skua__program *program = v->program;

    v->states[0].reached = true;
    for (uint32_t i = 0; i < program->block_count; i++) {
        if (program->blocks[i].code >= program->code_count)
            return SKUA_ERR_STATE;
        v->states[program->blocks[i].code].reached = true;
    }
    return 0;
}

static int check_code(struct verifier *v)
{
    const struct skua__program *program = v->program;
    int err = reach_starts(v);

    for (; v->at < program->code_count && err == 0; v->at++) {
        const struct skua__ins *ins = &program->code[v->at];

        if (ins->op >= SKUA__OP_COUNT || ins->b >= operand_limit(program, table[ins->op].operand))
            return SKUA_ERR_STATE;
        if (v->states[v->at].reached)
            err = check_instruction(v, ins);
    }
    if (err == 0 && v->states[program->code_count].reached)
        return SKUA_ERR_STATE; /* it runs past its end */
    return err;
}

int skua__program_verify(struct skua__program *program)
{
    struct verifier v = {.program = program};
    int err;

    v.states = calloc((size_t)program->code_count + 1, sizeof(*v.states));
    if (v.states == NULL)
        return SKUA_ERR_NOMEM;
    err = check_code(&v);
    program->stack = v.most;
    free(v.states);
    return err;
}
