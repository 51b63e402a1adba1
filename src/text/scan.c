/* SPDX-License-Identifier: MIT */
/*
 * scan.c - character classes and the scanning of runs
 *
 * The table is computed by the compiler out of the grammar's own words, one predicate a class, so
 * it can be read against the RFC instead of being trusted.
 *
 * A scanner skips blocks of sixteen bytes that hold nothing but the commonest members of its class,
 * which a few comparisons tell for all sixteen at once. Where that ends the table decides about one
 * byte, and it alone reads the rest that is shorter than a block. So `common` has to be a part of
 * the class and need not be all of it. No byte past `len` is read, and no alignment is needed.
 *
 * The comparisons are written with the compiler's vectors and need no more than every x86-64 and
 * every aarch64 has.
 */
#include "text/scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define IS_DIGIT(c)   ((c) >= '0' && (c) <= '9')
#define IS_ALPHA(c)   (((c) >= 'A' && (c) <= 'Z') || ((c) >= 'a' && (c) <= 'z'))
#define IS_VISIBLE(c) ((c) >= 0x21 && (c) <= 0x7e)
#define IS_VALUE(c)   (IS_VISIBLE(c) || (c) == ' ' || (c) == '\t' || (c) >= 0x80)
#define IS_QUOTED(c)  (IS_VALUE(c) && (c) != '"' && (c) != '\\')
#define IS_QUERY(c)   (IS_VISIBLE(c) && (c) != '#')
#define IS_UNRESERVED(c) \
    (IS_ALPHA(c) || IS_DIGIT(c) || (c) == '-' || (c) == '.' || (c) == '_' || (c) == '~')
#define IS_SUB_DELIM(c)                                                                   \
    ((c) == '!' || (c) == '$' || (c) == '&' || (c) == '\'' || (c) == '(' || (c) == ')' || \
     (c) == '*' || (c) == '+' || (c) == ',' || (c) == ';' || (c) == '=')
#define IS_TOKEN(c)                                                                        \
    (IS_ALPHA(c) || IS_DIGIT(c) || (c) == '!' || (c) == '#' || (c) == '$' || (c) == '%' || \
     (c) == '&' || (c) == '\'' || (c) == '*' || (c) == '+' || (c) == '-' || (c) == '.' ||  \
     (c) == '^' || (c) == '_' || (c) == '`' || (c) == '|' || (c) == '~')
#define IS_RESERVED(c)                                                                   \
    ((c) == '#' || (c) == '$' || (c) == '&' || (c) == '+' || (c) == ',' || (c) == '/' || \
     (c) == ':' || (c) == ';' || (c) == '=' || (c) == '?' || (c) == '@' || (c) == '%')

#define CLASSES(c)                                                                       \
    ((IS_TOKEN(c) ? SKUA__CHAR_TOKEN : 0) | (IS_VALUE(c) ? SKUA__CHAR_VALUE : 0) |       \
     (IS_VISIBLE(c) ? SKUA__CHAR_VISIBLE : 0) | (IS_QUOTED(c) ? SKUA__CHAR_QUOTED : 0) | \
     (IS_UNRESERVED(c) ? SKUA__CHAR_UNRESERVED : 0) |                                    \
     (IS_UNRESERVED(c) || IS_SUB_DELIM(c) ? SKUA__CHAR_HOST : 0) |                       \
     (IS_RESERVED(c) ? SKUA__CHAR_RESERVED : 0) | (IS_QUERY(c) ? SKUA__CHAR_QUERY : 0))

#define ROW4(c)  CLASSES(c), CLASSES((c) + 1), CLASSES((c) + 2), CLASSES((c) + 3)
#define ROW16(c) ROW4(c), ROW4((c) + 4), ROW4((c) + 8), ROW4((c) + 12)
#define ROW64(c) ROW16(c), ROW16((c) + 16), ROW16((c) + 32), ROW16((c) + 48)

const uint8_t skua__char_classes[256] = {ROW64(0), ROW64(64), ROW64(128), ROW64(192)};

/* ---- blocks ---- */

#define BLOCK 16

typedef uint8_t block __attribute__((vector_size(BLOCK)));

/* How many lanes are set before the first that is not; each has all of its bits or none. */
static inline size_t leading_lanes(block lanes)
{
#if defined(__SSE2__)
    unsigned bits = (unsigned)_mm_movemask_epi8((__m128i)lanes);

    return (size_t)__builtin_ctz(~bits); /* the upper half of `bits` is 0 */
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint8x8_t nibbles = vshrn_n_u16((uint16x8_t)lanes, 4);
    uint64_t bits = vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);

    return bits != UINT64_MAX ? (size_t)__builtin_ctzll(~bits) / 4 : BLOCK;
#else
    size_t count = 0;

    while (count < BLOCK && lanes[count] != 0)
        count++;
    return count;
#endif
}

/* Letters, digits, '-' and '.': in names and hosts. A byte that wraps below 0 is a large one. */
static inline block is_word(block c)
{
    return (block)(((c - '-' < 13) & (c != '/')) | ((c | 0x20) - 'a' < 26));
}

/* VISIBLE, all of it. */
static inline block is_visible(block c)
{
    return (block)(c - 0x21 < 0x5e);
}

/* VALUE but for the tab. */
static inline block is_text(block c)
{
    return (block)((c >= 0x20) & (c != 0x7f));
}

/* ---- scanners ---- */

static inline size_t scan(const char *ptr, size_t len, enum skua__char_class class,
                          block (*common)(block))
{
    size_t at = 0;

    while (len - at >= BLOCK) {
        block bytes;
        size_t run;

        memcpy(&bytes, ptr + at, BLOCK);
        run = leading_lanes(common(bytes));
        at += run;
        if (run == BLOCK)
            continue;
        if (!skua__char_is(ptr[at], class))
            return at;
        at++;
    }
    while (at < len && skua__char_is(ptr[at], class))
        at++;
    return at;
}

size_t skua__scan_token(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_TOKEN, is_word);
}

size_t skua__scan_value(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VALUE, is_text);
}

size_t skua__scan_visible(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VISIBLE, is_visible);
}

size_t skua__scan_host(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_HOST, is_word);
}

bool skua__equal_nocase(skua_str a, skua_str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++) {
        if (a.ptr[i] != b.ptr[i] && skua__char_lower(a.ptr[i]) != skua__char_lower(b.ptr[i]))
            return false;
    }
    return true;
}
