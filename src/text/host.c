/* SPDX-License-Identifier: MIT */
/*
 * host.c - the characters of a host and port (RFC 3986, 3.2)
 *
 *   host[:port]  =  "[" hex digits, ':' and '.' "]"  or  reg-name,  then nothing or ":" *DIGIT
 *
 * Only the alphabet is checked, so that no blank, slash, '@' or control byte gets into a log, a
 * redirect or a route's constraint. Whether the name resolves, or whether the numbers make an
 * address, is not asked: nothing here connects anywhere.
 */
#include "text/host.h"

#include "text/percent.h"
#include "text/scan.h"

/* The length of "[...]" at the start, 0 if there is none. */
static size_t literal_length(skua_str text)
{
    for (size_t at = 1; at < text.len; at++) {
        char c = text.ptr[at];

        if (c == ']')
            return at > 2 ? at + 1 : 0; /* the shortest address is "::" */
        if (skua__hex_value(c) < 0 && c != ':' && c != '.')
            break;
    }
    return 0;
}

/* The length of the reg-name at the start, which also covers dotted addresses. */
static size_t name_length(skua_str text)
{
    size_t at = skua__scan_host(text.ptr, text.len);

    while (at < text.len && text.ptr[at] == '%' && skua__escape_value(text, at) >= 0) {
        at += 3;
        at += skua__scan_host(text.ptr + at, text.len - at);
    }
    return at;
}

size_t skua__host_length(const char *ptr, size_t len)
{
    skua_str text = skua_str_of(ptr, len);
    size_t at = len > 0 && ptr[0] == '[' ? literal_length(text) : name_length(text);

    if (at == 0 || at == len || ptr[at] != ':')
        return at;
    do
        at++;
    while (at < len && skua__char_is_digit(ptr[at]));
    return at;
}

bool skua__host_valid(skua_str text)
{
    return text.len > 0 && skua__host_length(text.ptr, text.len) == text.len;
}
