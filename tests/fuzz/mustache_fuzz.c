/* SPDX-License-Identifier: MIT */
/*
 * mustache_fuzz.c - Mustache templates, compiled and rendered within limits
 *
 *   template "a" CUT template "b" CUT data as JSON
 *
 * Both templates are compiled as they are and as partials that are indented, and each may name the
 * other or itself; any other name prints nothing. "a" is rendered alone and with "b" as its layout.
 * What is refused, at whatever stage, has to name a place inside the template. If the data is an
 * object, it gets a function `f`.
 */
#include "fuzz.h"

#include "view/dialect.h"
#include "view/verify.h"
#include "view/vm.h"

#include <skua/json.h>

static const struct skua__vm_limits limits = {.output = 16384, .depth = 20, .steps = 5000};

struct template
{
    const char *name;
    skua_str text;
    bool compiled[2];                /* as it is, and indented */
    struct skua__program program[2]; /* if compiled */
};

/* ---- what is refused ---- */

/* Whether line and column are those of a byte of the text, or of its end. */
static bool is_place_in(skua_str text, const struct skua__view_error *error)
{
    size_t at = 0, column = 1;

    for (uint32_t line = 1; line < error->line; line++) {
        const char *newline = memchr(text.ptr + at, '\n', text.len - at);

        if (newline == NULL)
            return false;
        at = (size_t)(newline - text.ptr) + 1;
    }
    while (column < error->column && at < text.len && text.ptr[at] != '\n') {
        at++;
        column++;
    }
    return error->line > 0 && column == error->column;
}

static bool has_zero(skua_str text)
{
    return memchr(text.ptr, 0, text.len) != NULL;
}

static void check_error(const struct template *templates, int err,
                        const struct skua__view_error *error)
{
    const struct template *template = &templates[strcmp(error->template, "b") == 0];

    fuzz_check(err == SKUA_ERR_TEMPLATE || err == SKUA_ERR_LIMIT);
    fuzz_check(error->code == err && strcmp(error->template, template->name) == 0);
    fuzz_check(error->text[0] != '\0' && strchr(error->text, '\n') == NULL);
    if (error->line == 0) { /* of the template as a whole */
        fuzz_check(err == SKUA_ERR_LIMIT && error->excerpt == NULL);
        return;
    }
    fuzz_check(is_place_in(template->text, error));
    fuzz_check(has_zero(template->text) || error->excerpt[strlen(error->excerpt) - 1] == '^');
}

/* ---- compiling ---- */

static const struct skua__program *program_of(const struct template *templates, skua_str name,
                                              bool indented)
{
    for (int i = 0; i < 2; i++) {
        if (skua_str_eq(name, skua_str_c(templates[i].name)) && templates[i].compiled[indented])
            return &templates[i].program[indented];
    }
    return NULL;
}

static void compile(struct template *templates, int index, bool indented, skua_arena *arena)
{
    struct template *template = &templates[index];
    struct skua__program *program = &template->program[indented];
    struct skua__view_error error = {0};
    struct skua__source source = {
        .arena = arena,
        .name = template->name,
        .text = template->text,
        .indented = indented,
    };
    int err = skua__mustache_compile(program, &source, &error);

    template->compiled[indented] = err == 0;
    if (err != 0)
        check_error(templates, err, &error);
    else
        fuzz_check(skua__program_verify(program) == 0);
}

static void resolve(const struct template *templates, const struct skua__program *program)
{
    for (uint32_t i = 0; i < program->dep_count; i++) {
        struct skua__dep *dep = &program->deps[i];

        fuzz_check(dep->offset <= program->source.len);
        atomic_store(&dep->program, program_of(templates, dep->name, dep->indented));
    }
}

static void compile_all(struct template *templates, skua_arena *arena)
{
    for (int i = 0; i < 4; i++)
        compile(templates, i / 2, i % 2 != 0, arena);
    for (int i = 0; i < 4; i++) {
        if (templates[i / 2].compiled[i % 2])
            resolve(templates, &templates[i / 2].program[i % 2]);
    }
    /* Indentation does not decide whether a template is well-formed. */
    fuzz_check(templates[0].compiled[0] == templates[0].compiled[1]);
    fuzz_check(templates[1].compiled[0] == templates[1].compiled[1]);
}

/* ---- rendering ---- */

static int run(skua_str *out, const struct template *templates, bool layout, const skua_value *data,
               skua_arena *arena, struct skua__view_error *error)
{
    const struct skua__vm_job job = {
        .page = &templates[0].program[0],
        .layout = layout ? &templates[1].program[0] : NULL,
        .data = data,
        .limits = &limits,
        .arena = arena,
    };

    return skua__vm_run(out, &job, error);
}

static bool has_tag(skua_str text)
{
    return memmem(text.ptr, text.len, "{{", 2) != NULL;
}

static void check_output(const struct template *templates, bool layout, const skua_value *data,
                         skua_arena *arena)
{
    struct skua__view_error error = {0};
    skua_str out, again;
    int err = run(&out, templates, layout, data, arena, &error);

    if (err != 0) {
        fuzz_check(out.len == 0);
        check_error(templates, err, &error);
        return;
    }
    fuzz_check(out.len <= limits.output && out.ptr[out.len] == '\0');
    fuzz_check(run(&again, templates, layout, data, arena, &error) == 0);
    fuzz_check(skua_str_eq(out, again));
    if (!has_tag(templates[layout].text))
        fuzz_check(skua_str_eq(out, templates[layout].text));
}

struct starved {
    const struct template *templates;
    const skua_value *data;
};

static int compile_and_run(skua_arena *arena, void *arg)
{
    const struct starved *starved = arg;
    struct skua__view_error error = {0};
    struct skua__source source = {
        .arena = arena,
        .name = "a",
        .text = starved->templates[0].text,
    };
    struct skua__program program;
    skua_str out;
    int err = skua__mustache_compile(&program, &source, &error);

    if (err == 0)
        err = run(&out, starved->templates, false, starved->data, arena, &error);
    fuzz_check(err == error.code);
    fuzz_check(err == 0 || error.text != NULL);
    return err;
}

/* The text in capitals: a function that looks at what it gets. */
static skua_value *call_f(struct skua_call *call)
{
    skua_str text = call->count > 0 ? skua_as_str(call->args[0]) : SKUA_STR("<f>");
    char *copy = skua_alloc(call->arena, text.len);

    for (size_t i = 0; copy != NULL && i < text.len; i++)
        copy[i] = (char)(text.ptr[i] ^ ' ');
    return copy != NULL ? skua_string_of(call->arena, skua_str_of(copy, text.len)) : NULL;
}

static const skua_value *read_data(skua_arena *arena, skua_str text)
{
    skua_value *data;

    if (skua_json_read(&data, arena, text, NULL) != 0)
        return NULL;
    if (skua_kind_of(data) == SKUA_OBJECT)
        skua_set_value(data, "f", skua_function(arena, call_f, NULL));
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str rest = skua_str_of((const char *)data, size);
    skua_str a = fuzz_take_part(&rest), b = fuzz_take_part(&rest);
    char *texts[] = {fuzz_copy(a), fuzz_copy(b)};
    struct template templates[] = {
        {.name = "a", .text = {texts[0], a.len}},
        {.name = "b", .text = {texts[1], b.len}},
    };
    skua_arena *arena = fuzz_have(skua_arena_new(0));
    const skua_value *value = read_data(arena, rest);

    compile_all(templates, arena);
    if (templates[0].compiled[0]) {
        check_output(templates, false, value, arena);
        if (templates[1].compiled[0])
            check_output(templates, true, value, arena);
        fuzz_starve(compile_and_run, &(struct starved){templates, value});
    }
    skua_arena_free(arena);
    free(texts[0]);
    free(texts[1]);
    return 0;
}
