/* SPDX-License-Identifier: MIT */
/*
 * scan.c - character classes and the scanning of runs
 *
 * The table is computed by the compiler out of the grammar's own words, one predicate a class, so
 * it can be read against the RFC instead of being trusted.
 *
 * A scanner skips the commonest members of its class in blocks of sixteen bytes, which a few
 * comparisons tell for all sixteen at once. Where that ends the table decides about one byte, and it
 * alone reads a rest that is shorter than a block. So the comparisons have to stop at every byte
 * that is not of the class, and may stop at rare ones that are. No byte past `len` is read, and
 * nothing has to be aligned.
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

/* The lanes that are set, LANE_BITS for each, the first lowest. A lane is all ones or 0. */
#if defined(__SSE2__)
#define LANE_BITS 1

static inline uint64_t set_lanes(block lanes)
{
    return (unsigned)_mm_movemask_epi8((__m128i)lanes);
}
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LANE_BITS 4

static inline uint64_t set_lanes(block lanes)
{
    return vget_lane_u64((uint64x1_t)vshrn_n_u16((uint16x8_t)lanes, 4), 0);
}
#else
#define LANE_BITS 1

static inline uint64_t set_lanes(block lanes)
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < BLOCK; i++)
        bits |= (uint64_t)(lanes[i] != 0) << i;
    return bits;
}
#endif

/*
 * What may end a run. A byte that wraps below 0 is a large one.
 */

/* All but letters, digits, '-' and '.', of which names and hosts are made. */
static inline block ends_word(block c)
{
    return ~(block)(((c - '-' <= 12) & (c != '/')) | ((c | 0x20) - 'a' <= 25));
}

/* All that is not VISIBLE. */
static inline block ends_visible(block c)
{
    return ~(block)(c - 0x21 <= 0x5d);
}

/* All that is not VALUE, and the tab. */
static inline block ends_text(block c)
{
    return (block)((c <= 0x1f) | (c == 0x7f));
}

/* ---- scanners ---- */

static inline size_t scan(const char *ptr, size_t len, enum skua__char_class class,
                          block (*ends)(block))
{
    size_t at = 0;

    while (len - at >= BLOCK) {
        block bytes;
        uint64_t found;

        memcpy(&bytes, ptr + at, BLOCK);
        found = set_lanes(ends(bytes));
        if (found == 0) {
            at += BLOCK;
            continue;
        }
        at += (size_t)__builtin_ctzll(found) / LANE_BITS;
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
    return scan(ptr, len, SKUA__CHAR_TOKEN, ends_word);
}

size_t skua__scan_value(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VALUE, ends_text);
}

size_t skua__scan_visible(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_VISIBLE, ends_visible);
}

size_t skua__scan_host(const char *ptr, size_t len)
{
    return scan(ptr, len, SKUA__CHAR_HOST, ends_word);
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
