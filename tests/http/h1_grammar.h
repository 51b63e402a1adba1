/* SPDX-License-Identifier: MIT */
/*
 * h1_grammar.h - random requests: mostly well formed, oddly or not at all where chance has it
 *
 * Every part of a request is picked from a list whose front is usual and whose end is odd. What comes
 * out is a function of the seed.
 */
#ifndef H1_GRAMMAR_H
#define H1_GRAMMAR_H

#include "base/buf.h"

struct grammar {
    uint64_t seed;
    unsigned odd; /* how many parts of this request may still be picked from odd ends */
    struct skua__buf out;
};

/* From 0 to `below` - 1. */
static inline size_t grammar_random(struct grammar *g, size_t below)
{
    uint64_t mixed = g->seed += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((mixed ^ mixed >> 31) % below);
}

static inline bool grammar_one_in(struct grammar *g, size_t count)
{
    return grammar_random(g, count) == 0;
}

/* A list: `usual` of its strings are usual. */
struct list {
    const skua_str *strings;
    size_t usual;
    size_t count;
};

#define LIST(name, usual, ...)                              \
    static const skua_str name##_strings[] = {__VA_ARGS__}; \
    static const struct list name = {name##_strings, usual, \
                                     sizeof(name##_strings) / sizeof(name##_strings[0])}
#define S(text)                \
    {                          \
        text, sizeof(text) - 1 \
    }

static inline bool grammar_is_odd(struct grammar *g)
{
    if (g->odd == 0 || !grammar_one_in(g, 10))
        return false;
    g->odd--;
    return true;
}

static inline void grammar_put(struct grammar *g, const struct list *list)
{
    size_t at = grammar_is_odd(g) ? list->usual + grammar_random(g, list->count - list->usual)
                                  : grammar_random(g, list->usual);

    skua__buf_put_str(&g->out, list->strings[at]);
}

LIST(methods, 8, S("GET"), S("POST"), S("PUT"), S("HEAD"), S("DELETE"), S("OPTIONS"), S("PATCH"),
     S("PROPFIND"), S("M-SEARCH"), S("CONNECT"), S("TRACE"), S("QUERY"), S("FOO"), S("get"),
     S("GE"), S("PRI"), S("SOURCE"), S(""), S("G\tT"), S(" GET"), S("\r\nGET"), S("\r\n\r\nPUT"),
     S("\nGET"), S("\r\n\r\n\r\n\r\n\r\nGET"));

LIST(targets, 6, S("/"), S("/a/b?c=d"), S("/%41%2f"), S("http://h/x?y"), S("/a;b=c,d:e@f"),
     S("/\"<>|^`{}"), S("*"), S("http://h"), S("https://h:8/"), S("/a b"), S("/a#b"), S("h:80"),
     S("?q"), S("ftp://h/"), S("http://u@h/"), S("http:///"), S("//"), S("/\\"), S("/\xc3\xa9"),
     S("/\x01"), S("/\x7f"), S(""), S("/%zz"), S("/%00"), S("*a"), S("a"), S("http:/x"));

LIST(versions, 3, S("HTTP/1.1"), S("HTTP/1.1"), S("HTTP/1.0"), S("HTTP/0.9"), S("HTTP/2.0"),
     S("HTTP/1.2"), S("HTTP/9.9"), S("http/1.1"), S("HTTP/1.1 "), S(" HTTP/1.1"), S("ICE/1.0"),
     S("RTSP/1.0"), S("HTTP/1"), S("HTTP/11"), S("HTTP/01.1"), S(""));

LIST(line_ends, 1, S("\r\n"), S("\n"), S("\r"), S("\r\r\n"), S("\n\r\n"), S(" \r\n"));

LIST(hosts, 3, S("Host: h\r\n"), S("host:h:80\r\n"), S("HOST: \t[::1]:1 \t\r\n"), S(""),
     S("Host:\r\n"), S("Host: a\r\nHost: b\r\n"), S("Host: a b\r\n"), S("Host : a\r\n"),
     S("Host: a,b\r\n"), S("Host: u@a\r\n"), S("Host\t: a\r\n"));

LIST(names, 5, S("X"), S("Accept"), S("X-Long-Name-Of-More-Than-Sixteen"), S("User-Agent"),
     S("Content-Type"), S("X_Y"), S("Content_Length"), S("!#$%&'*+.^`|~"), S("Content-Lengt"),
     S("Content-Lengths"), S("Transfer-Encodin"), S("Connectio"), S("Upgrad"),
     S("Proxy-Connection"), S("X "), S("X\t"), S(""), S(" X"), S("X(Y"), S("X\xc3\xa9"), S("X\0Y"));

LIST(values, 6, S("a"), S(" a b "), S("\ta\tb\t"), S(""), S(" \xc3\xa9\xff"),
     S(" Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101"), S(" a\r\n b"), S("\r\n a"),
     S(" a\rb"), S(" a\nb"), S(" a\x01"), S(" a\x7f"), S(" a\0"), S(" \x0b"), S(":"), S(" \"\\"));

LIST(connections, 4, S("close"), S("keep-alive"), S("Keep-Alive"), S("upgrade"), S("CLOSE, x"),
     S("x,close"), S(" x , Upgrade,"), S("keep-alive, close"), S("closed"), S("clos"), S("x close"),
     S("keep-alive\t"), S("close\t,"), S(",close"), S(",,\tclose ,"), S("\"close\""), S(""),
     S("upgrade, close"), S("upgradex"), S("keep_alive"), S("close\x0b"), S("a,\r\n close"));

LIST(lengths, 1, S("\r\n"), S(" \r\n"), S("0\r\n"), S("\t\r\n"), S(" 0\r\n"), S(",5\r\n"),
     S("x\r\n"), S("\r\nContent-Length: 3\r\n"), S("\r\nTransfer-Encoding: chunked\r\n"),
     S("\r\nTransfer-Encoding: x\r\n"), S("0000000000000000000000\r\n"));

LIST(codings, 2, S("chunked"), S("Chunked"), S("chunked "), S("chunked\t"), S("gzip, chunked"),
     S("gzip"), S("identity"), S("chunked, chunked"), S("chunked, gzip"), S("chunked,"),
     S(",chunked"), S("xchunked"), S("chunkedx"), S("chunked;q=1"), S("\"chunked\""), S(""),
     S("\x0b"
       "chunked"),
     S("chunked\r\nTransfer-Encoding: chunked"), S("chunked\r\nTransfer-Encoding: x"),
     S("x\r\nTransfer-Encoding: chunked"), S("chunked\r\nContent-Length: 3"), S("\r\n chunked"),
     S("chunked\0"), S("chunke"));

LIST(extensions, 4, S(""), S(""), S(";a=b"), S(";a=\"b\";c=d"), S(";a"), S(";a=b;c"),
     S(";a=\"b c;\\\"\""), S(";"), S(";;a"), S(";a="), S(";=b"), S(" ;a"), S("; a"), S(" "),
     S("\t"), S(";a=b=c"), S(";a=\"b"), S(";a=\"\\"), S(";a(b"), S(";\x01"), S(";\0"), S(";\n"),
     S("x"), S("_0"), S("."), S(";a\rb"));

LIST(trailers, 3, S(""), S("X: y\r\n"), S("X:\r\nY: \t\xff\r\n"), S("Content-Length: 3\r\n"),
     S("Transfer-Encoding: chunked\r\n"), S("Connection: close\r\n"), S("Host: x\r\n"),
     S("X: a\r\n b\r\n"), S("X : a\r\n"), S("X\r\n"), S(": a\r\n"), S("X: a\n"), S("X: a\rb\r\n"),
     S("X: a\0\r\n"), S("\n"), S("Upgrade: x\r\n"));

static inline void grammar_field(struct grammar *g, const char *name, const struct list *list)
{
    skua__buf_put_str(&g->out, skua_str_c(name));
    grammar_put(g, list);
    grammar_put(g, &line_ends);
}

static inline void grammar_put_fields(struct grammar *g)
{
    for (size_t left = grammar_random(g, 4); left > 0; left--) {
        grammar_put(g, &names);
        grammar_field(g, ":", &values);
    }
    if (grammar_one_in(g, 4))
        grammar_field(g, "Connection: ", &connections);
    if (grammar_one_in(g, 8))
        skua__buf_put_literal(&g->out, "Upgrade: websocket\r\n");
    if (grammar_one_in(g, 20))
        skua__buf_put_literal(&g->out, "Expect: 100-continue\r\n");
}

/* Any bytes, line ends more often than by chance. */
static inline void grammar_put_bytes(struct grammar *g, size_t count)
{
    while (count-- > 0)
        skua__buf_put_char(&g->out, grammar_one_in(g, 8) ? "\r\n"[grammar_random(g, 2)]
                                                         : (char)grammar_random(g, 256));
}

static inline void grammar_put_length_body(struct grammar *g)
{
    size_t size = grammar_random(g, 20);

    grammar_put_fields(g);
    skua__buf_printf(&g->out, "Content-Length: %zu", size);
    grammar_put(g, &lengths);
    grammar_put_fields(g);
    grammar_put(g, &line_ends);
    grammar_put_bytes(g, size);
}

static inline void grammar_put_chunk(struct grammar *g, size_t size)
{
    static const char *const usual[] = {"%zx", "%zX", "0%zx", "00000%zx"};
    static const char *const odd[] = {"0x%zx", "+%zx", " %zx", "-%zx", "%zx ", "0%zxh"};
    const char *format =
        grammar_is_odd(g) ? odd[grammar_random(g, 6)] : usual[grammar_random(g, 4)];

    skua__buf_printf(&g->out, format, size);
    grammar_put(g, &extensions);
    grammar_put(g, &line_ends);
}

static inline void grammar_put_chunked_body(struct grammar *g)
{
    grammar_put_fields(g);
    grammar_field(g, "Transfer-Encoding: ", &codings);
    grammar_put_fields(g);
    grammar_put(g, &line_ends);
    g->odd += (unsigned)grammar_random(g, 2);
    for (size_t left = grammar_random(g, 4); left > 0; left--) {
        size_t size = 1 + grammar_random(g, 20);

        grammar_put_chunk(g, size);
        grammar_put_bytes(g, size);
        grammar_put(g, &line_ends);
    }
    grammar_put_chunk(g, 0);
    grammar_put(g, &trailers);
    grammar_put(g, &line_ends);
}

static inline void grammar_put_request(struct grammar *g)
{
    g->odd = (unsigned)grammar_random(g, 3);
    grammar_put(g, &methods);
    skua__buf_put_char(&g->out, ' ');
    grammar_put(g, &targets);
    skua__buf_put_char(&g->out, ' ');
    grammar_put(g, &versions);
    grammar_put(g, &line_ends);
    grammar_put(g, &hosts);
    switch (grammar_random(g, 3)) {
    case 0:
        grammar_put_fields(g);
        grammar_put(g, &line_ends);
        break;
    case 1:
        grammar_put_length_body(g);
        break;
    default:
        grammar_put_chunked_body(g);
        break;
    }
}

/* ---- mutations ---- */

static inline char grammar_odd_byte(struct grammar *g)
{
    static const char bytes[] = "\r\n\r\n \t:;,=\"\\0123afxA-+\0\x01\x0b\x7f\x80\xff";

    return bytes[grammar_random(g, sizeof(bytes) - 1)];
}

static inline void grammar_insert(struct grammar *g, size_t at, char c)
{
    skua__buf_put_char(&g->out, c);
    memmove(g->out.ptr + at + 1, g->out.ptr + at, g->out.len - 1 - at);
    g->out.ptr[at] = c;
}

static inline void grammar_remove(struct grammar *g, size_t at, size_t count)
{
    memmove(g->out.ptr + at, g->out.ptr + at + count, g->out.len - at - count);
    g->out.len -= count;
}

static inline void grammar_mutate(struct grammar *g)
{
    size_t at = grammar_random(g, g->out.len);
    size_t rest = g->out.len - at;

    switch (grammar_random(g, 5)) {
    case 0:
        g->out.ptr[at] = grammar_odd_byte(g);
        break;
    case 1:
        grammar_insert(g, at, grammar_odd_byte(g));
        break;
    case 2:
        grammar_remove(g, at, 1);
        break;
    case 3:
        grammar_remove(g, at, 1 + grammar_random(g, rest < 20 ? rest : 20));
        break;
    default:
        g->out.ptr[at] ^= 0x20;
        break;
    }
}

/* One to three requests behind each other, in half of the cases with up to three mutations. */
static inline void grammar_put_case(struct grammar *g)
{
    g->out.len = 0;
    for (size_t left = 1 + grammar_random(g, 3); left > 0; left--)
        grammar_put_request(g);
    if (grammar_one_in(g, 2))
        return;
    for (size_t left = 1 + grammar_random(g, 3); left > 0 && g->out.len > 0; left--)
        grammar_mutate(g);
}

#endif
