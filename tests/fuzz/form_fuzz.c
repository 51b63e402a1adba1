/* SPDX-License-Identifier: MIT */
/*
 * form_fuzz.c - application/x-www-form-urlencoded
 *
 *   text --read--> object --write, all escaped--> text' --read--> the same object
 *
 * Every piece between ampersands that is not empty is one value; none may be lost.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "http/form.h"
#include "text/percent.h"

#include <skua/json.h>

/* Fields, counted without reading them. */
static size_t count_fields(skua_str text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] != '&' && (i == 0 || text.ptr[i - 1] == '&');
    return count;
}

static void check_text(skua_str text)
{
    fuzz_check(skua__utf8_valid(text) == text.len);
    fuzz_check(strlen(text.ptr) == text.len);
}

static void put_field(struct skua__buf *out, skua_str name, const skua_value *value)
{
    fuzz_check(skua_kind_of(value) == SKUA_STRING);
    check_text(skua_as_str(value));
    if (out->len > 0)
        skua__buf_put_char(out, '&');
    skua__percent_encode(out, name);
    skua__buf_put_char(out, '=');
    skua__percent_encode(out, skua_as_str(value));
}

/* Write a form anew; returns how many fields it has. */
static size_t put_form(struct skua__buf *out, const skua_value *form)
{
    struct skua_each member = {0};
    size_t count = 0;

    while (skua_each(&member, form)) {
        struct skua_each element = {0};

        check_text(member.key);
        if (skua_kind_of(member.value) != SKUA_ARRAY) {
            put_field(out, member.key, member.value);
            count++;
            continue;
        }
        fuzz_check(skua_count(member.value) >= 2);
        while (skua_each(&element, member.value))
            put_field(out, member.key, element.value);
        count += skua_count(member.value);
    }
    return count;
}

static skua_str as_json(skua_arena *arena, const skua_value *value)
{
    skua_str text;

    fuzz_check(skua_json_write(&text, arena, value) == 0);
    return text;
}

static void check_round_trip(skua_arena *arena, skua_str text, const skua_value *form)
{
    struct skua__buf plain;
    skua_value *again;

    skua__buf_init(&plain, arena);
    fuzz_check(put_form(&plain, form) == count_fields(text));
    fuzz_check(skua__form_read(&again, arena, skua__buf_str(&plain)) == 0);
    fuzz_check(skua_str_eq(as_json(arena, form), as_json(arena, again)));
}

static int read_form(skua_arena *arena, void *arg)
{
    skua_value *form;
    int err = skua__form_read(&form, arena, *(skua_str *)arg);

    fuzz_check((err == 0) == (form != NULL));
    return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str text = skua_str_of((const char *)data, size);
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    skua_value *form;
    int err = skua__form_read(&form, arena, text);

    fuzz_check(err == 0 || err == SKUA_ERR_BAD_FORM || err == SKUA_ERR_TOO_LARGE);
    fuzz_check(err != SKUA_ERR_TOO_LARGE || count_fields(text) > SKUA__FORM_MAX_FIELDS);
    fuzz_check(err != 0 || count_fields(text) <= SKUA__FORM_MAX_FIELDS);
    if (err == 0)
        check_round_trip(arena, text, form);
    fuzz_check(fuzz_starve(read_form, &text) == err);
    skua_arena_free(arena);
    return 0;
}
