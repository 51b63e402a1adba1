/* SPDX-License-Identifier: MIT */
/*
 * vm_loop.c - the machine's loops
 *
 *   LOOP/SECTION --no turns--> behind the loop
 *        `-----> turn --NEXT--> turn --NEXT--> … --NEXT--> behind the loop
 *
 * A loop is a frame with its place in the array or object, and one scope that is renewed every turn.
 * In a LOOP the scope is a mark, and the program binds what it wants (LOOP_VAR, SET).
 *
 * A SECTION is Mustache's: an array is a loop whose items become the context; a callable gets the
 * text of the section, and its result is printed instead; anything else that is true is one turn
 * with itself as the context.
 */
#include "view/machine.h"

/* How many turns a SECTION takes. */
static size_t count_section(const skua_value *subject)
{
    if (skua__kind(subject) == SKUA_ARRAY)
        return skua_count(subject);
    return skua_truthy(subject) ? 1 : 0;
}

static bool is_lambda(const struct skua__frame *frame)
{
    return skua__kind(&frame->as.loop.subject) == SKUA_CALLABLE;
}

/* What the present turn is about. */
static skua_value item_of(const struct skua__frame *frame)
{
    const skua_value *value = frame->as.loop.each.value;

    return value != NULL ? *skua__resolve(value) : frame->as.loop.subject;
}

/* Renew the loop's scope for a turn. */
static int begin_turn(struct skua__vm *vm, const struct skua__frame *frame)
{
    vm->scope_count = frame->scopes;
    if (!frame->as.loop.section || is_lambda(frame))
        return skua__vm_enter(vm, SKUA__SCOPE_MARK, (skua_value){0});
    return skua__vm_enter(vm, SKUA__SCOPE_CONTEXT, item_of(frame));
}

static int begin_loop(struct skua__vm *vm, struct skua__ins ins, bool section)
{
    skua_value subject = skua__vm_pop(vm);
    size_t turns = section ? count_section(&subject) : skua_count(&subject);
    struct skua__frame *frame;

    if (turns == 0) {
        skua__vm_jump(vm, ins.b);
        return 0;
    }
    frame = skua__vm_push_frame(vm, SKUA__FRAME_LOOP);
    if (frame == NULL)
        return SKUA_ERR_NOMEM;
    memset(&frame->as.loop, 0, sizeof(frame->as.loop));
    frame->as.loop.subject = subject;
    frame->as.loop.left = turns - 1;
    frame->as.loop.section = section;
    frame->as.loop.start = vm->out.len;
    if (!section || skua__kind(&subject) == SKUA_ARRAY)
        skua_each(&frame->as.loop.each, &subject);
    return begin_turn(vm, frame);
}

int skua__run_loop(struct skua__vm *vm, struct skua__ins ins)
{
    return begin_loop(vm, ins, false);
}

int skua__run_section(struct skua__vm *vm, struct skua__ins ins)
{
    return begin_loop(vm, ins, true);
}

/* The text of the section goes to the callable, its result takes the place of the text. */
static int end_lambda(struct skua__vm *vm, const struct skua__frame *frame)
{
    const struct skua__function *function = frame->as.loop.subject.as.function;
    skua_value text, result;
    int err;

    err = skua__vm_cut(vm, frame->as.loop.start, &text);
    if (err < 0)
        return err;
    result = skua__vm_call(vm, function, (const skua_value *const[]){&text}, 1);
    return skua__kind(&result) == SKUA_CALLABLE ? 0 : skua__vm_print(vm, &result, false);
}

int skua__run_next(struct skua__vm *vm, struct skua__ins ins)
{
    struct skua__frame *frame = skua__vm_top_frame(vm);
    int err = 0;

    if (frame->as.loop.left > 0) {
        frame->as.loop.left--;
        skua_each(&frame->as.loop.each, &frame->as.loop.subject);
        skua__vm_jump(vm, ins.b);
        return begin_turn(vm, frame);
    }
    if (is_lambda(frame))
        err = end_lambda(vm, frame);
    skua__vm_pop_frame(vm);
    return err;
}

/* The loop `out` loops further out than the innermost of this program, or NULL. */
static const struct skua__frame *find_loop(const struct skua__vm *vm, uint32_t out)
{
    for (uint32_t i = vm->frame_count; i > 0; i--) {
        const struct skua__frame *frame = &vm->frames[i - 1];

        if (frame->kind == SKUA__FRAME_CALL || frame->kind == SKUA__FRAME_BLOCK)
            return NULL;
        if (frame->kind == SKUA__FRAME_LOOP && out-- == 0)
            return frame;
    }
    return NULL;
}

static skua_value key_of(const struct skua__frame *frame)
{
    if (skua__kind(&frame->as.loop.subject) != SKUA_OBJECT)
        return (skua_value){0};
    return skua__text_cell(SKUA_STRING, frame->as.loop.each.key);
}

int skua__run_loop_var(struct skua__vm *vm, struct skua__ins ins)
{
    const struct skua__frame *frame = find_loop(vm, ins.b);
    skua_value value = {0};

    if (frame != NULL) {
        switch ((enum skua__loop_var)ins.a) {
        case SKUA__LOOP_ITEM:
            value = item_of(frame);
            break;
        case SKUA__LOOP_KEY:
            value = key_of(frame);
            break;
        case SKUA__LOOP_INDEX:
            value = skua__int_cell(SKUA_INT, (int64_t)frame->as.loop.each.index);
            break;
        case SKUA__LOOP_FIRST:
            value = skua__int_cell(SKUA_BOOL, frame->as.loop.each.index == 0);
            break;
        case SKUA__LOOP_LAST:
            value = skua__int_cell(SKUA_BOOL, frame->as.loop.left == 0);
            break;
        }
    }
    skua__vm_push(vm, value);
    return 0;
}
