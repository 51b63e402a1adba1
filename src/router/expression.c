/* SPDX-License-Identifier: MIT */
/*
 * expression.c - regular expressions of routes, on PCRE2
 *
 * Only what the application's author wrote is compiled, but it runs on what anybody sends. So each
 * match has a bound of steps, past which it is a miss: a bad expression costs a tenth of a
 * millisecond, not the worker.
 *
 * The compiled form is only read, and what a match needs is allocated for it, so any number of
 * threads may match at once. The JIT compiler is left off: it would save 70 ns a match, which is
 * little beside a request, and would need memory that can be written and run.
 */
#include "router/expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <skua/err.h>

#define MOST_STEPS 10000

struct skua__expression {
    pcre2_code *code;
    pcre2_match_context *limits;
    uint16_t groups;
};

static void free_expression(void *ptr)
{
    struct skua__expression *expression = ptr;

    pcre2_code_free(expression->code);
    pcre2_match_context_free(expression->limits);
}

/* Say what PCRE2 says. */
static int refuse(int code, skua_arena *scratch, const char **why)
{
    char text[256];

    if (code == PCRE2_ERROR_HEAP_FAILED)
        return SKUA_ERR_NOMEM;
    pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof(text));
    *why = skua_format(scratch, "%s (man pcre2pattern tells how they are written)", text);
    return *why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
}

/* Groups of the author's own would shift the numbers. Without names none are counted, so these and
 * what refers to groups is all that can be wrong. */
static int check_groups(const struct skua__expression *expression, const char **why)
{
    uint32_t groups = 0;
    uint32_t references = 0;

    pcre2_pattern_info(expression->code, PCRE2_INFO_CAPTURECOUNT, &groups);
    pcre2_pattern_info(expression->code, PCRE2_INFO_BACKREFMAX, &references);
    if (groups == expression->groups && references == 0)
        return 0;
    *why =
        "it names a group or refers to one: write '(?:…)' for groups, and compare in the handler";
    return SKUA_ERR_SETUP;
}

int skua__expression_new(struct skua__expression **out, skua_arena *arena, skua_str source,
                         uint16_t groups, skua_arena *scratch, const char **why)
{
    uint32_t options = PCRE2_UTF | PCRE2_DOTALL | PCRE2_NO_AUTO_CAPTURE | PCRE2_NEVER_BACKSLASH_C;
    struct skua__expression *expression = skua_alloc_zero(arena, 1, sizeof(*expression));
    PCRE2_SIZE offset;
    int code;

    if (expression == NULL || skua_defer(arena, free_expression, expression) != 0)
        return SKUA_ERR_NOMEM;
    expression->groups = groups;
    if (groups > 0)
        options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
    expression->code =
        pcre2_compile((PCRE2_SPTR)source.ptr, source.len, options, &code, &offset, NULL);
    if (expression->code == NULL)
        return refuse(code, scratch, why);
    expression->limits = pcre2_match_context_create(NULL);
    if (expression->limits == NULL)
        return SKUA_ERR_NOMEM;
    pcre2_set_match_limit(expression->limits, MOST_STEPS);
    *out = expression;
    return check_groups(expression, why);
}

int skua__expression_match(const struct skua__expression *expression, skua_str text,
                           skua_str *taken)
{
    pcre2_match_data *data = pcre2_match_data_create(expression->groups + 1u, NULL);
    const PCRE2_SIZE *bounds;
    int count;

    if (data == NULL)
        return SKUA_ERR_NOMEM;
    count = pcre2_match(expression->code, (PCRE2_SPTR)text.ptr, text.len, 0, 0, data,
                        expression->limits);
    bounds = pcre2_get_ovector_pointer(data);
    for (int i = 1; i < count; i++)
        taken[i - 1] = skua_str_of(text.ptr + bounds[2 * i], bounds[2 * i + 1] - bounds[2 * i]);
    pcre2_match_data_free(data);
    if (count == PCRE2_ERROR_NOMEMORY)
        return SKUA_ERR_NOMEM;
    return count == expression->groups + 1; /* less: a verb such as (*ACCEPT) left groups out */
}
