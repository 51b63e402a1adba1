/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FUZZ_JSON_GRAMMAR_H
#define TESTS_FUZZ_JSON_GRAMMAR_H

#include "base/utf8.h"

#include <math.h>
#include <skua/str.h>
#include <stdlib.h>

/*
 * The grammar of RFC 8259 written down rule by rule, to say of a text whether it is JSON, and nothing
 * else. Each rule takes what it describes off the front of `at`, or returns false. The text is
 * zero-terminated, which no rule goes past.
 */
struct grammar {
    const char *at;
    unsigned depth;
};

static inline bool grammar_value(struct grammar *g);

static inline bool grammar_char(struct grammar *g, char c)
{
    bool here = *g->at == c;

    g->at += here;
    return here;
}

static inline bool grammar_one_of(struct grammar *g, const char *set)
{
    return *g->at != '\0' && strchr(set, *g->at) != NULL && g->at++ != NULL;
}

static inline bool grammar_word(struct grammar *g, const char *word)
{
    bool here = strncmp(g->at, word, strlen(word)) == 0;

    g->at += here ? strlen(word) : 0;
    return here;
}

static inline bool grammar_space(struct grammar *g)
{
    g->at += strspn(g->at, " \t\n\r");
    return true;
}

/* ---- strings ---- */

static inline bool grammar_hex(struct grammar *g, long *unit)
{
    char digits[5] = {0};

    *unit = 0;
    for (int i = 0; i < 4; i++) {
        digits[i] = *g->at;
        if (!grammar_one_of(g, "0123456789abcdefABCDEF"))
            return false;
    }
    *unit = strtol(digits, NULL, 16);
    return true;
}

static inline bool grammar_escape(struct grammar *g)
{
    long high, low;

    if (grammar_one_of(g, "\"\\/bfnrt"))
        return true;
    if (!grammar_char(g, 'u') || !grammar_hex(g, &high))
        return false;
    if (high < 0xd800 || high > 0xdfff)
        return true;
    return high < 0xdc00 && grammar_word(g, "\\u") && grammar_hex(g, &low) && low >= 0xdc00 &&
           low <= 0xdfff;
}

static inline bool grammar_string(struct grammar *g)
{
    if (!grammar_char(g, '"'))
        return false;
    while (!grammar_char(g, '"')) {
        if ((unsigned char)*g->at < ' ')
            return false;
        if (*g->at++ == '\\' && !grammar_escape(g))
            return false;
    }
    return true;
}

/* ---- numbers ---- */

static inline bool grammar_digits(struct grammar *g)
{
    size_t count = strspn(g->at, "0123456789");

    g->at += count;
    return count > 0;
}

static inline bool grammar_number(struct grammar *g)
{
    const char *start = g->at;

    grammar_char(g, '-');
    if (!grammar_char(g, '0') && !grammar_digits(g))
        return false;
    if (grammar_char(g, '.') && !grammar_digits(g))
        return false;
    if (grammar_one_of(g, "eE")) {
        grammar_one_of(g, "+-");
        if (!grammar_digits(g))
            return false;
    }
    return isfinite(strtod(start, NULL)) != 0;
}

/* ---- containers ---- */

static inline bool grammar_item(struct grammar *g, char bracket)
{
    if (bracket == '}' &&
        !(grammar_space(g) && grammar_string(g) && grammar_space(g) && grammar_char(g, ':')))
        return false;
    return grammar_value(g);
}

/* Behind the opening bracket. */
static inline bool grammar_items(struct grammar *g, char bracket)
{
    grammar_space(g);
    if (grammar_char(g, bracket))
        return true;
    do {
        if (!grammar_item(g, bracket))
            return false;
    } while (grammar_char(g, ','));
    return grammar_char(g, bracket);
}

static inline bool grammar_container(struct grammar *g, char bracket)
{
    bool fits = ++g->depth <= 512 && grammar_items(g, bracket);

    g->depth--;
    return fits;
}

static inline bool grammar_value(struct grammar *g)
{
    bool fits;

    grammar_space(g);
    if (grammar_char(g, '{'))
        fits = grammar_container(g, '}');
    else if (grammar_char(g, '['))
        fits = grammar_container(g, ']');
    else if (*g->at == '"')
        fits = grammar_string(g);
    else
        fits = grammar_word(g, "true") || grammar_word(g, "false") || grammar_word(g, "null") ||
               grammar_number(g);
    return fits && grammar_space(g);
}

/* Whether the text, a zero byte behind it, is JSON that Skua has to take. */
static inline bool grammar_takes(skua_str text)
{
    struct grammar g = {.at = text.ptr};

    return grammar_value(&g) && g.at == text.ptr + text.len && skua__utf8_valid(text) == text.len;
}

#endif
