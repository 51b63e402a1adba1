/* SPDX-License-Identifier: MIT */
/*
 * vm_print.c - values as text
 *
 *   undefined, null     nothing
 *   bool, numbers       as JavaScript writes them
 *   string, bytes       their bytes, escaped
 *   safe string         its bytes
 *   array, object       JSON, escaped
 *   callable            what it returns when called without arguments
 *
 * All output passes through here or through skua__vm_put, which bound it.
 */
#include "value/decimal.h"
#include "value/json.h"
#include "view/escape.h"
#include "view/machine.h"

#include <math.h>

/* Long text is escaped piece by piece, so that the limit is overrun by little before it is seen. */
#define PIECE ((size_t)65536)

int skua__vm_fail_output(struct skua__vm *vm)
{
    return skua__vm_fail(vm, SKUA_ERR_LIMIT, "the output is larger than %zu bytes",
                         vm->limits->output);
}

/* Look at what was appended to the buffer itself. */
static int check_output(struct skua__vm *vm)
{
    if (vm->out.failed)
        return skua__vm_fail_memory(vm);
    return vm->out.len > vm->limits->output ? skua__vm_fail_output(vm) : 0;
}

static int print_escaped(struct skua__vm *vm, skua_str text)
{
    int err = 0;

    while (text.len > 0 && err == 0) {
        size_t len = text.len < PIECE ? text.len : PIECE;

        skua__escape_html(&vm->out, skua_str_of(text.ptr, len));
        text = skua_str_of(text.ptr + len, text.len - len);
        err = check_output(vm);
    }
    return err;
}

static int print_text(struct skua__vm *vm, skua_str text, bool escape)
{
    if (escape)
        return print_escaped(vm, text);
    return text.len > 0 ? skua__vm_put(vm, text) : 0;
}

static int print_double(struct skua__vm *vm, double number)
{
    char text[SKUA__DECIMAL_TEXT];

    if (isnan(number))
        return skua__vm_put(vm, SKUA_STR("NaN"));
    if (isinf(number))
        return skua__vm_put(vm, number > 0 ? SKUA_STR("Infinity") : SKUA_STR("-Infinity"));
    return skua__vm_put(vm, skua_str_of(text, skua__decimal_text(text, number)));
}

static int print_json(struct skua__vm *vm, const skua_value *value, bool escape)
{
    size_t start = vm->out.len;
    skua_value text;
    int err;

    if (skua__json_append(&vm->out, value) == SKUA_ERR_TOO_DEEP)
        return skua__vm_fail(vm, SKUA_ERR_LIMIT, "the value is nested too deeply to be printed");
    err = check_output(vm);
    if (err == 0 && escape && (err = skua__vm_cut(vm, start, &text)) == 0)
        err = print_escaped(vm, skua__text(&text));
    return err;
}

static int print_result(struct skua__vm *vm, const struct skua__function *function, bool escape)
{
    skua_value result = skua__vm_call(vm, function, NULL, 0);

    /* A function that returns a function is not followed: it could go on for ever. */
    return skua__kind(&result) == SKUA_CALLABLE ? 0 : skua__vm_print(vm, &result, escape);
}

int skua__vm_print(struct skua__vm *vm, const skua_value *value, bool escape)
{
    switch (skua__kind(value)) {
    case SKUA_BOOL:
        return skua__vm_put(vm, value->as.integer != 0 ? SKUA_STR("true") : SKUA_STR("false"));
    case SKUA_INT:
        skua__buf_put_int(&vm->out, value->as.integer);
        return check_output(vm);
    case SKUA_DOUBLE:
        return print_double(vm, value->as.number);
    case SKUA_STRING:
    case SKUA_BYTES:
        return print_text(vm, skua__text(value), escape);
    case SKUA_SAFE:
        return print_text(vm, skua__text(value), false);
    case SKUA_ARRAY:
    case SKUA_OBJECT:
        return print_json(vm, value, escape);
    case SKUA_CALLABLE:
        return print_result(vm, value->as.function, escape);
    default:
        return 0;
    }
}
