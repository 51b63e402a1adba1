/* SPDX-License-Identifier: MIT */
/*
 * status.c - status codes, their phrases and their lines (IANA registry; RFC 9110, 15)
 *
 * The line is one constant, and the phrase is a part of it. The table is indexed by the status, so
 * that writing a reply looks for nothing.
 */
#include "http/status.h"

#define LOWEST 100
#define PHRASE (sizeof("HTTP/1.1 200 ") - 1) /* where the phrase starts in the line */

/* X(status, reason phrase) */
#define STATUS_MAP(X)                         \
    X(100, "Continue")                        \
    X(101, "Switching Protocols")             \
    X(102, "Processing")                      \
    X(103, "Early Hints")                     \
    X(200, "OK")                              \
    X(201, "Created")                         \
    X(202, "Accepted")                        \
    X(203, "Non-Authoritative Information")   \
    X(204, "No Content")                      \
    X(205, "Reset Content")                   \
    X(206, "Partial Content")                 \
    X(207, "Multi-Status")                    \
    X(208, "Already Reported")                \
    X(226, "IM Used")                         \
    X(300, "Multiple Choices")                \
    X(301, "Moved Permanently")               \
    X(302, "Found")                           \
    X(303, "See Other")                       \
    X(304, "Not Modified")                    \
    X(305, "Use Proxy")                       \
    X(307, "Temporary Redirect")              \
    X(308, "Permanent Redirect")              \
    X(400, "Bad Request")                     \
    X(401, "Unauthorized")                    \
    X(402, "Payment Required")                \
    X(403, "Forbidden")                       \
    X(404, "Not Found")                       \
    X(405, "Method Not Allowed")              \
    X(406, "Not Acceptable")                  \
    X(407, "Proxy Authentication Required")   \
    X(408, "Request Timeout")                 \
    X(409, "Conflict")                        \
    X(410, "Gone")                            \
    X(411, "Length Required")                 \
    X(412, "Precondition Failed")             \
    X(413, "Content Too Large")               \
    X(414, "URI Too Long")                    \
    X(415, "Unsupported Media Type")          \
    X(416, "Range Not Satisfiable")           \
    X(417, "Expectation Failed")              \
    X(421, "Misdirected Request")             \
    X(422, "Unprocessable Content")           \
    X(423, "Locked")                          \
    X(424, "Failed Dependency")               \
    X(425, "Too Early")                       \
    X(426, "Upgrade Required")                \
    X(428, "Precondition Required")           \
    X(429, "Too Many Requests")               \
    X(431, "Request Header Fields Too Large") \
    X(451, "Unavailable For Legal Reasons")   \
    X(500, "Internal Server Error")           \
    X(501, "Not Implemented")                 \
    X(502, "Bad Gateway")                     \
    X(503, "Service Unavailable")             \
    X(504, "Gateway Timeout")                 \
    X(505, "HTTP Version Not Supported")      \
    X(506, "Variant Also Negotiates")         \
    X(507, "Insufficient Storage")            \
    X(508, "Loop Detected")                   \
    X(510, "Not Extended")                    \
    X(511, "Network Authentication Required")

#define LINE(status, reason) "HTTP/1.1 " #status " " reason "\r\n"

static const skua_str lines[] = {
#define ROW(status, reason) \
    [(status)-LOWEST] = {LINE(status, reason), sizeof(LINE(status, reason)) - 1},
    STATUS_MAP(ROW)
#undef ROW
};

skua_str skua__status_line(int status)
{
    if (status < LOWEST || status - LOWEST >= (int)(sizeof(lines) / sizeof(lines[0])) ||
        lines[status - LOWEST].ptr == NULL)
        return SKUA_STR("");
    return lines[status - LOWEST];
}

skua_str skua__status_reason(int status)
{
    skua_str line = skua__status_line(status);

    if (line.len == 0)
        return SKUA_STR("Unknown");
    return skua_str_of(line.ptr + PHRASE, line.len - PHRASE - 2);
}

bool skua__status_bodiless(int status)
{
    return (status >= 100 && status < 200) || status == 204 || status == 304;
}
