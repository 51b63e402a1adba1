/* SPDX-License-Identifier: MIT */
#ifndef SKUA__HTTP_FIELD_H
#define SKUA__HTTP_FIELD_H

#include <skua/str.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Header fields. Names that Skua itself looks at have a number, found once when the field is read,
 * so that looking one up later compares no text. X(NUMBER, "name in lower case")
 */
#define SKUA__FIELD_MAP(X)                    \
    X(ACCEPT, "accept")                       \
    X(CONNECTION, "connection")               \
    X(CONTENT_LENGTH, "content-length")       \
    X(CONTENT_TYPE, "content-type")           \
    X(COOKIE, "cookie")                       \
    X(EXPECT, "expect")                       \
    X(HOST, "host")                           \
    X(IF_MODIFIED_SINCE, "if-modified-since") \
    X(IF_NONE_MATCH, "if-none-match")         \
    X(TRANSFER_ENCODING, "transfer-encoding") \
    X(UPGRADE, "upgrade")                     \
    X(USER_AGENT, "user-agent")

enum skua__field_id {
    SKUA__FIELD_OTHER,
#define SKUA__FIELD_ENUM(id, name) SKUA__FIELD_##id,
    SKUA__FIELD_MAP(SKUA__FIELD_ENUM)
#undef SKUA__FIELD_ENUM
        SKUA__FIELD_ID_COUNT
};

struct skua__field {
    skua_str name;
    skua_str value; /* without surrounding white space; zero-terminated in a parsed head */
    enum skua__field_id id;
};

/* The number of a name, compared without regard to case. */
enum skua__field_id skua__field_id_of(skua_str name);

/* Equal without regard to ASCII case. */
bool skua__field_name_eq(skua_str a, skua_str b);

/* Whether the bytes are a token (RFC 9110, 5.6.2): a legal field name or method. */
bool skua__token_valid(skua_str name);

/* Whether the bytes may stand in a field value: no control byte but tab, no white space at the ends. */
bool skua__field_value_valid(skua_str value);

/*
 * Walk a comma-separated list (RFC 9110, 5.6.1): the next non-empty element, trimmed. Quoted strings
 * are kept whole. false at the end. Start with *rest = the field value.
 */
bool skua__list_next(skua_str *element, skua_str *rest);

#endif
