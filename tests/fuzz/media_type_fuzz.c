/* SPDX-License-Identifier: MIT */
/*
 * media_type_fuzz.c - Content-Type, Accept and the extensions of file names
 *
 * One input is read as each of the three. A media type that was read is written plainly and read
 * again; what the grammar leaves free (case, blanks around, empty elements) may change nothing.
 */
#include "fuzz.h"

#include "base/buf.h"
#include "http/field.h"
#include "text/media_type.h"
#include "text/scan.h"

static skua_str put_around(skua_arena *arena, const char *before, skua_str text, const char *behind)
{
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    skua__buf_put_str(&buf, skua_str_c(before));
    skua__buf_put_str(&buf, text);
    skua__buf_put_str(&buf, skua_str_c(behind));
    return skua__buf_str(&buf);
}

static skua_str upper(skua_arena *arena, skua_str text)
{
    char *copy = fuzz_have(skua_alloc(arena, text.len));

    for (size_t i = 0; i < text.len; i++)
        copy[i] = (char)(text.ptr[i] - (text.ptr[i] >= 'a' && text.ptr[i] <= 'z' ? 0x20 : 0));
    return skua_str_of(copy, text.len);
}

static bool is_lower(skua_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != skua__char_lower(text.ptr[i]))
            return false;
    }
    return true;
}

/* ---- Content-Type ---- */

static void check_same(skua_arena *arena, const struct skua__media_type *type, skua_str text)
{
    struct skua__media_type again;

    fuzz_check(skua__media_type_read(&again, arena, text) == 0);
    fuzz_check(skua_str_eq(again.essence, type->essence));
    fuzz_check(skua_str_eq(again.charset, type->charset));
}

static void check_essence(skua_str essence)
{
    const char *slash = fuzz_have(memchr(essence.ptr, '/', essence.len));
    size_t at = (size_t)(slash - essence.ptr);

    fuzz_check(is_lower(essence));
    fuzz_check(skua__token_valid(skua_str_of(essence.ptr, at)));
    fuzz_check(skua__token_valid(skua_str_of(slash + 1, essence.len - at - 1)));
}

/* type/subtype;charset="…" */
static skua_str write_plainly(skua_arena *arena, const struct skua__media_type *type)
{
    struct skua__buf buf;

    skua__buf_init(&buf, arena);
    skua__buf_put_str(&buf, type->essence);
    skua__buf_put_literal(&buf, ";charset=\"");
    for (size_t i = 0; i < type->charset.len; i++)
        skua__buf_put(&buf, (const char[]){'\\', type->charset.ptr[i]}, 2);
    skua__buf_put_literal(&buf, "\"");
    return skua__buf_str(&buf);
}

static void check_type(skua_arena *arena, skua_str text)
{
    struct skua__media_type type;
    int err = skua__media_type_read(&type, arena, text);

    fuzz_check(err == 0 || err == SKUA_ERR_MEDIA_TYPE);
    if (err != 0)
        return;
    check_essence(type.essence);
    fuzz_check(is_lower(type.charset));
    check_same(arena, &type, write_plainly(arena, &type));
    check_same(arena, &type, put_around(arena, " \t", text, "\t ;; "));
    check_same(arena, &type, upper(arena, text));
    fuzz_check(skua__media_type_read(&type, arena, put_around(arena, "", text, ",a/b")) ==
               SKUA_ERR_MEDIA_TYPE);
}

/* ---- Accept ---- */

static void check_accept(skua_arena *arena, skua_str text)
{
    bool html = skua__accept_prefers_html(text);

    fuzz_check(skua__accept_prefers_html(upper(arena, text)) == html);
    fuzz_check(skua__accept_prefers_html(put_around(arena, ", ,\t", text, "")) == html);
    fuzz_check(!skua__accept_prefers_html(put_around(arena, "", text, ",(")));
    fuzz_check(!skua__accept_prefers_html(put_around(arena, "", text, ",a/b;q=1.001")));
    fuzz_check(!skua__accept_prefers_html(put_around(arena, "", text, ",a/b;q=0.1234")));
    /* Only a well-formed one prefers anything, so another range can be put behind it. */
    fuzz_check(skua__accept_prefers_html(put_around(arena, "", text, ",a/b;c=\"d,\\\"\";q=0 ,")) ==
               html);
}

/* ---- file names ---- */

static void check_name(skua_str name)
{
    skua_str type = skua__media_type_of_file(name);

    fuzz_check(type.len > 0 && type.ptr[type.len] == '\0');
    fuzz_check(memchr(type.ptr, '/', type.len) != NULL);
}

static int read_type(skua_arena *arena, void *arg)
{
    struct skua__media_type type;

    return skua__media_type_read(&type, arena, *(skua_str *)arg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str text = skua_str_of((const char *)data, size);
    skua_arena *arena = fuzz_have(skua_arena_new(0));

    check_type(arena, text);
    check_accept(arena, text);
    check_name(text);
    fuzz_starve(read_type, &text);
    skua_arena_free(arena);
    return 0;
}
