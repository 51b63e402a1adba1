/* SPDX-License-Identifier: MIT */
/*
 * skua/err.h - the one table of error codes
 *
 * Every call that can fail returns 0 or a negative code: one of Skua's own (from -20001 downwards)
 * or a negated errno of the system (-1 to -4095), passed on unchanged. There is no "last error"
 * anywhere: with fibers it would be somebody else's.
 *
 * A handler may simply `return err;`: the table gives the HTTP status and the text of the reply.
 */
#ifndef SKUA_ERR_H
#define SKUA_ERR_H

#include <skua/attr.h>

SKUA_C_BEGIN

/* X(name, code, HTTP status, text for people) */
#define SKUA_ERR_MAP(X)                                                                   \
    X(NOMEM, -20001, 503, "out of memory")                                                \
    X(CANCELED, -20002, 499, "the peer went away")                                        \
    X(TIMEOUT, -20003, 408, "the deadline passed")                                        \
    X(BAD_INPUT, -20004, 400, "malformed input")                                          \
    X(STATE, -20005, 500, "the call is not valid in this state")                          \
    X(NO_FIBER, -20006, 500, "a call that waits was made outside a fiber")                \
    X(NOT_FOUND, -20007, 404, "there is nothing here")                                    \
    X(METHOD, -20008, 405, "this address does not take that method")                      \
    X(TOO_LARGE, -20009, 413, "the body is larger than the limit")                        \
    X(URI_TOO_LONG, -20010, 414, "the address is longer than the limit")                  \
    X(MEDIA_TYPE, -20011, 415, "the body's media type is not taken here")                 \
    X(EXPECT, -20012, 417, "only 100-continue can be expected")                           \
    X(HEADERS_TOO_LARGE, -20013, 431, "the header fields are larger than the limit")      \
    X(NOT_IMPLEMENTED, -20014, 501, "the method or coding is not known here")             \
    X(VERSION, -20015, 505, "the HTTP version is not spoken here")                        \
    X(BAD_JSON, -20016, 400, "the body is not valid JSON")                                \
    X(BAD_FORM, -20017, 400, "the body is not a valid form")                              \
    X(TOO_DEEP, -20018, 400, "the input is nested too deeply")                            \
    X(REPLIED, -20019, 500,                                                               \
      "the request has its reply already: return after the first skua_reply_…")           \
    X(NO_REPLY, -20020, 500,                                                              \
      "the handler returned without a reply: end it with one of skua_reply_…")            \
    X(TEMPLATE, -20021, 500, "the template is broken")                                    \
    X(NO_TEMPLATE, -20022, 500, "there is no such template")                              \
    X(OUTSIDE, -20023, 404, "the path leads out of its root")                             \
    X(NOT_FILE, -20024, 404, "not a regular file")                                        \
    X(LIMIT, -20025, 500, "a limit was passed")                                           \
    X(BAD_HEADER, -20026, 500, "a header name or value holds a byte that is not allowed") \
    X(SETUP, -20027, 500, "the application was set up wrongly")                           \
    X(UNAVAILABLE, -20028, 503, "the server is too busy or is stopping")                  \
    X(FAILED, -20029, 500, "the request failed")

enum skua_err {
#define SKUA_ERR_ENUM(name, code, status, text) SKUA_ERR_##name = code,
    SKUA_ERR_MAP(SKUA_ERR_ENUM)
#undef SKUA_ERR_ENUM
};

/**
 * The stable name of a code, such as "SKUA_ERR_NOMEM" or "ENOENT".
 *
 * @param code  any value; one that no table knows gives "SKUA_ERR_UNKNOWN"
 * @return a constant string, never NULL
 */
SKUA_API const char *skua_err_name(int code);

/** One line for people, lower case, without a full stop. Never NULL, lives for ever. */
SKUA_API const char *skua_err_text(int code);

/** The HTTP status that a bare code is answered with: from the table; of the errnos, 503
 * for ENOMEM, EMFILE and ENFILE; 500 for anything else. */
SKUA_API int skua_err_status(int code);

SKUA_C_END

#endif
