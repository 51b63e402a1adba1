/* SPDX-License-Identifier: MIT */
/*
 * condition.c - header fields that decide between routes of one place
 *
 * A route may ask for a host and for a version; routes of one place are kept in the order of
 * skua__condition_compare, so the first that holds is the right one:
 *
 *   GET /   example.com:8080                a request for example.com with "Accept-Version: 2.x"
 *           example.com       2.1.0         tries them from the top
 *           example.com
 *           /[.]com$/
 *           -                 2.3.0
 *           -
 *
 * A version is asked for by the route and by the request alike or by neither: "Accept-Version: 9"
 * must not be answered by a route that knows of no versions (and be cached for those who ask for
 * none). A host is compared without regard to case (RFC 9110, 4.2.3), and its port only counts for
 * routes that name one, since an application is not told apart by where it listens.
 */
#include "router/condition.h"

#include "base/arena.h"
#include "router/expression.h"
#include "text/host.h"
#include "text/scan.h"

#include <skua/err.h>

/* ---- versions ---- */

#define ANY     UINT32_MAX /* neither is the part of a version: those have nine digits at most */
#define MISSING (ANY - 1)

/* Take a number of one to nine digits, or (if `any` is allowed) "x" or "*", off the front. */
static bool take_number(uint32_t *out, skua_str *rest, bool any)
{
    size_t len = 0;

    *out = 0;
    while (len < rest->len && len < 9 && skua__char_is_digit(rest->ptr[len]))
        *out = *out * 10 + (uint32_t)(rest->ptr[len++] - '0');
    if (any && len == 0 && rest->len > 0 && (rest->ptr[0] == 'x' || rest->ptr[0] == '*')) {
        *out = ANY;
        len = 1;
    }
    *rest = skua_str_of(rest->ptr + len, rest->len - len);
    return len > 0;
}

/* Read up to three numbers with dots between them; `out` is as it was where there are no more. */
static bool read_version(uint32_t out[3], skua_str text, bool any)
{
    for (int i = 0; i < 3; i++) {
        if (!take_number(&out[i], &text, any))
            return false;
        if (text.len == 0)
            return true;
        if (text.ptr[0] != '.')
            return false;
        text = skua_str_of(text.ptr + 1, text.len - 1);
    }
    return false;
}

/* Whether "1.2.x" and the like, or exactly three numbers, ask for `version`. */
static bool asks_for(skua_str wanted, const uint32_t version[3])
{
    uint32_t parts[3] = {MISSING, MISSING, MISSING};
    bool any = false;

    if (!read_version(parts, wanted, true))
        return false;
    for (int i = 0; i < 3; i++) {
        if (any && parts[i] < MISSING)
            return false; /* "1.x.3" */
        any |= parts[i] == ANY;
        if (!any && parts[i] != version[i])
            return false;
    }
    return true;
}

/* ---- hosts ---- */

static skua_str drop_port(skua_str host)
{
    size_t at = host.len;

    while (at > 0 && skua__char_is_digit(host.ptr[at - 1]))
        at--;
    return at > 0 && host.ptr[at - 1] == ':' ? skua_str_of(host.ptr, at - 1) : host;
}

static bool has_port(skua_str host)
{
    return drop_port(host).len < host.len;
}

static bool is_expression(skua_str host)
{
    return host.len > 2 && host.ptr[0] == '/' && host.ptr[host.len - 1] == '/';
}

/* ---- reading ---- */

static SKUA_PRINTF(3, 4) int refuse(skua_arena *scratch, const char **why, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    *why = skua__format_v(scratch, format, args);
    va_end(args);
    return *why != NULL ? SKUA_ERR_SETUP : SKUA_ERR_NOMEM;
}

/* "/…/" as an expression that does not regard case. */
static int read_hosts(struct skua__condition *out, skua_arena *arena, skua_arena *scratch,
                      const char **why)
{
    const char *source =
        skua_format(scratch, "(?i)%.*s", (int)out->host.len - 2, out->host.ptr + 1);
    int err;

    if (source == NULL)
        return SKUA_ERR_NOMEM;
    err = skua__expression_new(&out->hosts, arena, skua_str_c(source), 0, scratch, why);
    if (err == SKUA_ERR_SETUP)
        return refuse(scratch, why, "asks for hosts by an expression that is not valid, %s: %s",
                      out->host.ptr, *why);
    return err;
}

static int read_host(struct skua__condition *out, skua_arena *arena, const char *host,
                     skua_arena *scratch, const char **why)
{
    out->reads |= SKUA__READS_HOST;
    out->host = skua_str_c(skua_strdup(arena, skua_str_c(host)));
    if (out->host.ptr == NULL)
        return SKUA_ERR_NOMEM;
    if (is_expression(out->host))
        return read_hosts(out, arena, scratch, why);
    if (skua__host_valid(out->host))
        return 0;
    return refuse(scratch, why,
                  "asks for a host that is not one, '%s': write it as 'example.com' or "
                  "'example.com:8080', or an expression for hosts as '/[.]example[.]com$/'",
                  host);
}

static int read_own_version(struct skua__condition *out, const char *version, skua_arena *scratch,
                            const char **why)
{
    out->reads |= SKUA__READS_VERSION;
    if (read_version(out->version, skua_str_c(version), false))
        return 0;
    return refuse(
        scratch, why,
        "asks for a version that is not one, '%s': write three numbers, such as '1.2.0', as only "
        "requests ask for '1.x'",
        version);
}

int skua__condition_read(struct skua__condition **out, skua_arena *arena,
                         const struct skua__constraints *constraints, skua_arena *scratch,
                         const char **why)
{
    struct skua__condition *condition;
    int err = 0;

    *out = NULL;
    if (constraints == NULL || (constraints->host == NULL && constraints->version == NULL))
        return 0;
    condition = skua_alloc_zero(arena, 1, sizeof(*condition));
    if (condition == NULL)
        return SKUA_ERR_NOMEM;
    if (constraints->host != NULL)
        err = read_host(condition, arena, constraints->host, scratch, why);
    if (err == 0 && constraints->version != NULL)
        err = read_own_version(condition, constraints->version, scratch, why);
    *out = condition;
    return err;
}

/* ---- order ---- */

/* An exact host with a port is the narrowest. */
static int width_of(const struct skua__condition *condition)
{
    if (condition == NULL || (condition->reads & SKUA__READS_HOST) == 0)
        return 3;
    if (condition->hosts != NULL)
        return 2;
    return has_port(condition->host) ? 0 : 1;
}

/* 0 for no version, which is below all others. */
static uint64_t rank_of(const struct skua__condition *condition, int part)
{
    if (condition == NULL || (condition->reads & SKUA__READS_VERSION) == 0)
        return 0;
    return (uint64_t)condition->version[part] + 1;
}

int skua__condition_compare(const struct skua__condition *a, const struct skua__condition *b)
{
    int order = width_of(a) - width_of(b);

    for (int part = 0; order == 0 && part < 3; part++) {
        uint64_t left = rank_of(a, part), right = rank_of(b, part);

        order = (left < right) - (left > right); /* the highest first */
    }
    return order;
}

bool skua__condition_equal(const struct skua__condition *a, const struct skua__condition *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->reads == b->reads && skua__condition_compare(a, b) == 0 &&
           (a->hosts == NULL ? skua__equal_nocase(a->host, b->host)
                             : skua_str_eq(a->host, b->host));
}

/* ---- printing ---- */

static void put_quoted(struct skua__buf *out, skua_str text, bool lower)
{
    skua__buf_put_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"' || text.ptr[i] == '\\')
            skua__buf_put_char(out, '\\');
        skua__buf_put_char(out, lower ? skua__char_lower(text.ptr[i]) : text.ptr[i]);
    }
    skua__buf_put_char(out, '"');
}

void skua__condition_print(const struct skua__condition *condition, struct skua__buf *out)
{
    const char *before = "{";

    if (condition == NULL)
        return;
    if ((condition->reads & SKUA__READS_HOST) != 0) {
        skua__buf_put_literal(out, "{\"host\":");
        put_quoted(out, condition->host, condition->hosts == NULL);
        before = ",";
    }
    if ((condition->reads & SKUA__READS_VERSION) != 0)
        skua__buf_printf(out, "%s\"version\":\"%u.%u.%u\"", before, condition->version[0],
                         condition->version[1], condition->version[2]);
    skua__buf_put_char(out, '}');
}

/* ---- meeting ---- */

static int meets_host(const struct skua__condition *condition, skua_str host)
{
    skua_str name = drop_port(host);

    if (host.ptr == NULL)
        return 0;
    if (condition->hosts != NULL)
        return skua__expression_match(condition->hosts, name, NULL);
    return skua__equal_nocase(condition->host, has_port(condition->host) ? host : name);
}

int skua__condition_met(const struct skua__condition *condition, const struct skua__lookup *lookup)
{
    bool versioned = (condition->reads & SKUA__READS_VERSION) != 0;

    if (versioned != (lookup->version.ptr != NULL) ||
        (versioned && !asks_for(lookup->version, condition->version)))
        return 0;
    return (condition->reads & SKUA__READS_HOST) != 0 ? meets_host(condition, lookup->host) : 1;
}
