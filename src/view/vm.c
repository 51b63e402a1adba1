/* SPDX-License-Identifier: MIT */
/*
 * vm.c - the machine that renders templates
 *
 * One loop takes an instruction and calls the function of its name; what they mean is written in
 * ir.h, what they work on in machine.h. The functions are here (output, values, jumps), in
 * vm_scope.c, vm_loop.c and vm_call.c.
 *
 *   page:    run page's program                                    -> output
 *   layout:  run page's program, cut the output, bind it as `body`, run the layout's  -> output
 *
 * The machine reads programs and data and writes only into the arena. It does not check what
 * verify.c has proved.
 */
#include "view/machine.h"

#include "base/arena.h"
#include "view/error.h"
#include "view/verify.h"

#include <stdarg.h>

const struct skua__vm_limits skua__vm_limits = {
    .output = (size_t)64 << 20,
    .depth = 256,
    .steps = 100000000,
};

/* ---- failing ---- */

int skua__vm_fail(struct skua__vm *vm, int code, const char *format, ...)
{
    const struct skua__program *program = vm->program;
    uint32_t at = (uint32_t)(vm->next - program->code) - 1;
    va_list args;
    char *text;

    va_start(args, format);
    text = skua__format_v(vm->arena, format, args);
    va_end(args);
    skua__view_error_set(vm->error, vm->arena, code, program->name, "%s",
                         text != NULL ? text : skua_err_text(code));
    skua__view_error_place(vm->error, vm->arena, program->source, program->offsets[at]);
    return code;
}

int skua__vm_fail_memory(struct skua__vm *vm)
{
    return skua__vm_fail(vm, SKUA_ERR_NOMEM, "%s", skua_err_text(SKUA_ERR_NOMEM));
}

/* ---- helpers of the instructions ---- */

void *skua__vm_grow(struct skua__vm *vm, const void *items, uint32_t *cap, size_t size)
{
    void *larger = skua_alloc(vm->arena, *cap * 2 * size);

    if (larger == NULL) {
        skua__vm_fail_memory(vm);
        return NULL;
    }
    memcpy(larger, items, *cap * size);
    *cap *= 2;
    return larger;
}

struct skua__frame *skua__vm_push_frame(struct skua__vm *vm, enum skua__frame_kind kind)
{
    struct skua__frame *frame;

    if (vm->frame_count == vm->frame_cap) {
        frame = skua__vm_grow(vm, vm->frames, &vm->frame_cap, sizeof(*frame));
        if (frame == NULL)
            return NULL;
        vm->frames = frame;
    }
    frame = &vm->frames[vm->frame_count++];
    frame->kind = kind;
    frame->scopes = vm->scope_count;
    return frame;
}

skua_value skua__vm_call(struct skua__vm *vm, const struct skua__function *function,
                         const skua_value *const *args, size_t count)
{
    struct skua_call call = {
        .arena = vm->arena, .ctx = function->ctx, .args = args, .count = count};

    return *skua__resolve(function->fn(&call));
}

int skua__vm_cut(struct skua__vm *vm, size_t start, skua_value *text)
{
    size_t len = vm->out.len - start;
    const char *copy = skua_strdup(vm->arena, skua_str_of(vm->out.ptr + start, len));

    *text = (skua_value){0};
    if (copy == NULL)
        return skua__vm_fail_memory(vm);
    *text = skua__text_cell(SKUA_SAFE, skua_str_of(copy, len));
    vm->out.len = start;
    return 0;
}

/* ---- output ---- */

int skua__run_text(struct skua__vm *vm, struct skua__ins ins)
{
    return skua__vm_put(vm, vm->program->texts[ins.b]);
}

int skua__run_print(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    return skua__vm_print(vm, --vm->top, true);
}

int skua__run_print_raw(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    return skua__vm_print(vm, --vm->top, false);
}

int skua__run_indent(struct skua__vm *vm, struct skua__ins ins)
{
    const struct skua__buf *out = &vm->out;

    (void)ins;
    /* A block may stand behind something on its line: then its first line is not indented. */
    if (vm->indent.len == 0 || (out->len > 0 && out->ptr[out->len - 1] != '\n'))
        return 0;
    return skua__vm_put(vm, vm->indent);
}

int skua__run_capture(struct skua__vm *vm, struct skua__ins ins)
{
    struct skua__frame *frame = skua__vm_push_frame(vm, SKUA__FRAME_CAPTURE);

    (void)ins;
    if (frame == NULL)
        return SKUA_ERR_NOMEM;
    frame->as.capture.start = vm->out.len;
    return 0;
}

int skua__run_end_capture(struct skua__vm *vm, struct skua__ins ins)
{
    skua_value text;
    int err;

    (void)ins;
    err = skua__vm_cut(vm, skua__vm_top_frame(vm)->as.capture.start, &text);
    vm->frame_count--; /* the scopes stay: a capture is none */
    skua__vm_push(vm, text);
    return err;
}

/* ---- values ---- */

int skua__run_const(struct skua__vm *vm, struct skua__ins ins)
{
    skua__vm_push(vm, *vm->program->consts[ins.b]);
    return 0;
}

int skua__run_member(struct skua__vm *vm, struct skua__ins ins)
{
    skua_value object = skua__vm_pop(vm);

    skua__vm_push(vm, *skua__resolve(skua_get_key(&object, vm->program->names[ins.b])));
    return 0;
}

int skua__run_index(struct skua__vm *vm, struct skua__ins ins)
{
    skua_value key = skua__vm_pop(vm);
    skua_value container = skua__vm_pop(vm);
    const skua_value *found;

    (void)ins;
    if (skua__kind(&container) == SKUA_ARRAY)
        found = skua_at(&container, (size_t)skua_as_int(&key, -1)); /* below 0 is past the end */
    else
        found = skua_get_key(&container, skua_as_str(&key));
    skua__vm_push(vm, *skua__resolve(found));
    return 0;
}

int skua__run_require(struct skua__vm *vm, struct skua__ins ins)
{
    skua_str name = vm->program->names[ins.b];

    if (skua__kind(vm->top - 1) != SKUA_UNDEFINED)
        return 0;
    return skua__vm_fail(vm, SKUA_ERR_TEMPLATE, "'%.*s' is not defined", (int)name.len, name.ptr);
}

int skua__run_dup(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    skua__vm_push(vm, vm->top[-1]);
    return 0;
}

int skua__run_pop(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    skua__vm_pop(vm);
    return 0;
}

/* Call with the `count` topmost values, and leave the result in their place. */
static void call_with_values(struct skua__vm *vm, const struct skua__function *function,
                             uint16_t count)
{
    const skua_value *args[SKUA__MAX_ARGS];
    skua_value result;

    vm->top -= count;
    for (uint16_t i = 0; i < count; i++)
        args[i] = &vm->top[i];
    result = skua__vm_call(vm, function, args, count);
    skua__vm_push(vm, result);
}

int skua__run_filter(struct skua__vm *vm, struct skua__ins ins)
{
    const struct skua__function function = {.fn = vm->program->filters[ins.b]->fn};

    call_with_values(vm, &function, ins.a);
    return 0;
}

int skua__run_call(struct skua__vm *vm, struct skua__ins ins)
{
    skua_value *callee = vm->top - ins.a - 1;

    if (skua__kind(callee) != SKUA_CALLABLE)
        return skua__vm_fail(vm, SKUA_ERR_TEMPLATE, "what is called here is not a function");
    call_with_values(vm, callee->as.function, ins.a);
    callee[0] = skua__vm_pop(vm);
    return 0;
}

/* ---- jumps ---- */

static bool is_true(const skua_value *value, enum skua__truth truth)
{
    if (truth == SKUA__TRUTH_FULL && skua__kind(value) == SKUA_ARRAY)
        return skua_count(value) > 0;
    return skua_truthy(value);
}

int skua__run_jump(struct skua__vm *vm, struct skua__ins ins)
{
    skua__vm_jump(vm, ins.b);
    return 0;
}

int skua__run_jump_true(struct skua__vm *vm, struct skua__ins ins)
{
    if (is_true(--vm->top, ins.a))
        skua__vm_jump(vm, ins.b);
    return 0;
}

int skua__run_jump_false(struct skua__vm *vm, struct skua__ins ins)
{
    if (!is_true(--vm->top, ins.a))
        skua__vm_jump(vm, ins.b);
    return 0;
}

/* ---- running ---- */

static int step(struct skua__vm *vm, struct skua__ins ins)
{
    switch ((enum skua__op)ins.op) {
#define CASE(NAME, name, takes, leaves, way, operand) \
    case SKUA__OP_##NAME:                             \
        return skua__run_##name(vm, ins);
        SKUA__OP_MAP(CASE)
#undef CASE
    default:
        return SKUA_ERR_STATE; /* verified programs have no other */
    }
}

static int run_program(struct skua__vm *vm, const struct skua__program *program)
{
    int err = skua__vm_start(vm, program, 0);

    while (err == 0) {
        struct skua__ins ins = *vm->next++;

        if (vm->steps-- == 0)
            return skua__vm_fail(vm, SKUA_ERR_LIMIT, "the template takes more than %llu steps",
                                 (unsigned long long)vm->limits->steps);
        err = step(vm, ins);
    }
    return err == SKUA__VM_DONE ? 0 : err;
}

static int run_layout(struct skua__vm *vm, const struct skua__program *layout)
{
    static const skua_str name = {"body", 4};
    skua_value body;
    int err;

    vm->scope_count = 1; /* what the page has bound is its own */
    err = skua__vm_cut(vm, 0, &body);
    if (err == 0)
        err = skua__vm_bind(vm, &name, body);
    return err == 0 ? run_program(vm, layout) : err;
}

int skua__vm_run(skua_str *out, const struct skua__vm_job *job, struct skua__view_error *error)
{
    skua_value values[16];
    struct skua__scope scopes[16];
    struct skua__frame frames[8];
    struct skua__vm vm = {
        .program = job->page,
        .next = job->page->code + 1, /* a failure before the first step is put there */
        .steps = job->limits->steps,
        .top = values,
        .values = values,
        .value_cap = sizeof(values) / sizeof(values[0]),
        .scopes = scopes,
        .scope_cap = sizeof(scopes) / sizeof(scopes[0]),
        .frames = frames,
        .frame_cap = sizeof(frames) / sizeof(frames[0]),
        .arena = job->arena,
        .limits = job->limits,
        .error = error,
    };
    int err;

    *out = SKUA_STR("");
    skua__buf_init(&vm.out, job->arena);
    if (!skua__buf_reserve(&vm.out, job->expected + 1))
        return skua__vm_fail_memory(&vm);
    skua__vm_enter(&vm, SKUA__SCOPE_CONTEXT, *skua__resolve(job->data));
    err = run_program(&vm, job->page);
    if (err == 0 && job->layout != NULL)
        err = run_layout(&vm, job->layout);
    if (err < 0)
        return err;
    *out = skua__buf_str(&vm.out);
    if (!skua_arena_failed(job->arena))
        return 0;
    *out = SKUA_STR("");
    return skua__vm_fail_memory(&vm);
}
