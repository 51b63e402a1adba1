/* SPDX-License-Identifier: MIT */
/*
 * accept.c - what an Accept header prefers (RFC 9110, 12.5.1)
 *
 *   range *( ";" param ) [ ";" q=weight ] , ...      weight 0 to 1, at most three digits
 *
 * For each of the types that are compared, the most specific range over it decides: "text/html"
 * before "text/" with a star before "*" "/" "*"; of two equally specific ranges the first. Weights
 * are kept as thousandths. Parameters other than q are checked and ignored. One malformed element
 * makes the whole header malformed, and a malformed header prefers nothing.
 */
#include "text/media_range.h"
#include "text/media_type.h"
#include "text/scan.h"

/* How well a type is accepted. weight 0: not at all. */
struct match {
    int weight;      /* 0 to 1000 */
    int specificity; /* 3 exact, 2 type and star, 1 stars, 0 no range over it so far */
    int index;       /* of the deciding range in the header */
};

/* "0", "0.5", "1.000" in thousandths, or -1. */
static int read_weight(skua_str text)
{
    int weight, place = 100;

    if (text.len == 0 || text.len > 5 || (text.ptr[0] != '0' && text.ptr[0] != '1'))
        return -1;
    if (text.len > 1 && text.ptr[1] != '.')
        return -1;
    weight = (text.ptr[0] - '0') * 1000;
    for (size_t at = 2; at < text.len; at++, place /= 10) {
        if (!skua__char_is_digit(text.ptr[at]))
            return -1;
        weight += (text.ptr[at] - '0') * place;
    }
    return weight <= 1000 ? weight : -1;
}

/* The parameters of one range: its weight, or -1 when one of them is malformed. */
static int take_weight(skua_str *rest)
{
    struct skua__media_param param;
    int weight = 1000, more;

    while ((more = skua__media_param_take(&param, rest)) > 0) {
        if (skua__equal_nocase(param.name, SKUA_STR("q")))
            weight = param.quoted ? -1 : read_weight(param.value);
        if (weight < 0)
            return -1;
    }
    return more < 0 ? -1 : weight;
}

static int specificity_of(const struct skua__media_range *range, skua_str type, skua_str subtype)
{
    const skua_str star = SKUA_STR("*");

    if (skua_str_eq(range->type, star))
        return skua_str_eq(range->subtype, star) ? 1 : 0;
    if (!skua__equal_nocase(range->type, type))
        return 0;
    if (skua_str_eq(range->subtype, star))
        return 2;
    return skua__equal_nocase(range->subtype, subtype) ? 3 : 0;
}

static void offer(struct match *match, int specificity, int weight, int index)
{
    if (specificity > match->specificity)
        *match = (struct match){weight, specificity, index};
}

/* Take blanks and empty elements, of which a list may hold some (RFC 9110, 5.6.1). */
static void take_separators(skua_str *rest)
{
    while (rest->len > 0 && (skua__char_is_blank(rest->ptr[0]) || rest->ptr[0] == ','))
        *rest = skua_str_of(rest->ptr + 1, rest->len - 1);
}

bool skua__accept_prefers_html(skua_str accept)
{
    struct match html = {0}, json = {0};
    struct skua__media_range range;
    int weight;

    take_separators(&accept);
    for (int index = 0; accept.len > 0; index++) {
        if (!skua__media_range_take(&range, &accept) || (weight = take_weight(&accept)) < 0)
            return false;
        if (accept.len > 0 && accept.ptr[0] != ',')
            return false;
        offer(&html, specificity_of(&range, SKUA_STR("text"), SKUA_STR("html")), weight, index);
        offer(&json, specificity_of(&range, SKUA_STR("application"), SKUA_STR("json")), weight,
              index);
        take_separators(&accept);
    }
    if (html.weight != json.weight || html.weight == 0)
        return html.weight > json.weight;
    if (html.specificity != json.specificity)
        return html.specificity > json.specificity;
    return html.index < json.index;
}
