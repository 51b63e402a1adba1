/* SPDX-License-Identifier: MIT */
#ifndef SKUA__HTTP_H1_H
#define SKUA__HTTP_H1_H

#include "base/buf.h"
#include "http/field.h"
#include <skua/method.h>
#include <stdint.h>

/*
 * The HTTP/1 codec (RFC 9112). It does no I/O and owns no memory: bytes in, slices out.
 *
 * A reader goes
 *
 *   HEAD --skua__h1_head--> BODY --skua__h1_body--> ... SKUA__H1_END --skua__h1_next--> HEAD
 *
 * The caller keeps the bytes of an unfinished head in one place, may append to them, and calls
 * again with the longer run: the reader resumes at the line it stopped in, so a head that comes
 * byte by byte costs linear time. All slices point into the caller's bytes. If they must move, call
 * skua__h1_rebase.
 */

#define SKUA__H1_MAX_FIELDS 100

/* What a peer may send; 0 means the number in brackets. Sizes count the bytes of all line ends. */
struct skua__h1_limits {
    uint32_t target;     /* of the request target [8192]: 414; its line may have 64 bytes more */
    uint32_t line;       /* of the line of a field [16384]: 431 */
    uint32_t head;       /* of the head, empty lines before it included [16384]: 431 */
    uint32_t fields;     /* how many, at most SKUA__H1_MAX_FIELDS [100]: 431 */
    uint32_t chunk_line; /* of a chunk's size and extensions [1024]: 400 */
    uint32_t chunk_overhead; /* of all that a chunked body has beside its data [102400]: past it,
                              * less than a quarter of it being data is 400 */
    uint32_t trailer;        /* of the trailer [16384]: 431 */
    uint32_t trailer_fields; /* how many [100]: 431 */
};

/* The numbers in brackets. */
extern const struct skua__h1_limits skua__h1_default_limits;

/* The limits with each 0 made the default. */
struct skua__h1_limits skua__h1_limits_complete(const struct skua__h1_limits *limits);

/*
 * One request head. The framing has been read once, strictly, and nothing else may read it again:
 * content_length is -1 when there is none, and 0 or more only if !chunked. Every field value, the
 * method and the target are followed by a zero byte in the caller's buffer.
 */
struct skua__h1_head {
    enum skua_method method;
    skua_str method_text;
    skua_str target;
    int minor; /* HTTP/1.x: 0 or 1 */
    bool chunked;
    bool keep_alive;      /* the peer allows another request after this one */
    bool expect_continue; /* Expect: 100-continue on HTTP/1.1 */
    bool upgrade;         /* on HTTP/1.1: Connection lists "upgrade", and there is an Upgrade */
    int64_t content_length;
    uint16_t field_count;
    uint8_t first[SKUA__FIELD_ID_COUNT]; /* 1 + index of the first field with that number, or 0 */
    struct skua__field fields[SKUA__H1_MAX_FIELDS];
};

/*
 * Where a reader stands:
 *
 *   REQUEST -line-> FIELDS -empty line-> LENGTH or CHUNKED -last byte-> DONE -next-> REQUEST
 *                                    \-> DONE, when there is no body
 *   any -error-> FAILED
 */
enum skua__h1_phase {
    SKUA__H1_REQUEST,
    SKUA__H1_FIELDS,
    SKUA__H1_BODY_LENGTH,
    SKUA__H1_BODY_CHUNKED,
    SKUA__H1_DONE,
    SKUA__H1_FAILED
};

/* Private states of the reader; layout here so that it can live in the connection's buffer. */
struct skua__h1 {
    struct skua__h1_limits limits; /* complete */
    uint32_t line;                 /* where the unfinished line starts */
    uint32_t seen;                 /* line <= seen < limits.head: bytes between them are text */
    uint64_t most;                 /* bytes that the line may have */
    uint8_t phase;                 /* enum skua__h1_phase */
    uint8_t empty_lines;           /* before the request line */
    uint8_t notes; /* what the fields said that counts only once all of them are known */
    /* body */
    uint8_t chunk_phase;
    uint8_t chunk_digits;
    uint32_t run;            /* bytes of this chunk's size line, or of the trailer, so far */
    uint32_t trailer_fields; /* whole ones so far */
    uint64_t left;           /* bytes of body (or of this chunk) still to come */
    uint64_t framing;        /* bytes of chunk framing so far, bounded against `payload` */
    uint64_t payload;
    struct skua__buf *trailer; /* the caller's, or NULL: where its fields are kept */
    struct skua__h1_head head;
};

enum skua__h1_result {
    SKUA__H1_MORE = 0, /* everything given was used (head: kept); more bytes are needed */
    SKUA__H1_DATA = 1, /* body only: `piece` holds bytes of the body */
    SKUA__H1_END = 2   /* head: complete; body: complete */
};

/* Start reading. */
void skua__h1_init(struct skua__h1 *h1, const struct skua__h1_limits *limits);

/*
 * Read a head from `data` of `len` bytes, which begin at the same byte in each call until it ends.
 * May write zero bytes into `data` at the ends of values. Empty lines before the request line are
 * skipped (RFC 9112, 2.2), a bounded number.
 *
 * Returns SKUA__H1_END and sets *used; SKUA__H1_MORE; or a negative error, after which the
 * connection must be answered and closed. On an error, `head` holds what was read before it.
 *
 *   SKUA_ERR_BAD_INPUT          400: anything malformed or ambiguous: bare CR or LF, space before a
 *                               colon, obs-fold, NUL or control byte, missing Host on 1.1, empty, bad
 *                               or second Host, bad or second Content-Length, second Content-Type,
 *                               Content-Length with Transfer-Encoding
 *   SKUA_ERR_URI_TOO_LONG       414
 *   SKUA_ERR_HEADERS_TOO_LARGE  431
 *   SKUA_ERR_NOT_IMPLEMENTED    501: a transfer coding other than exactly "chunked"; any coding on 1.0
 *                               is 400. A method as long as a line may be (an unknown one of less is
 *                               no error of the codec)
 *   SKUA_ERR_VERSION            505: a version other than 1.0 and 1.1
 *   SKUA_ERR_EXPECT             417: Expect other than 100-continue
 */
int skua__h1_head(struct skua__h1 *h1, char *data, size_t len, size_t *used);

/* The bytes moved from `from` to `to`: shift every slice. */
void skua__h1_rebase(struct skua__h1 *h1, const char *from, const char *to);

/*
 * Read the body. Each call uses a prefix of `data` (*used bytes, always set: on success the caller
 * may throw them away once it is done with the piece) and returns
 * SKUA__H1_DATA with a `piece` of it, SKUA__H1_MORE when all of it was framing or it was empty,
 * SKUA__H1_END after the last byte of the body and trailer, or SKUA_ERR_BAD_INPUT,
 * SKUA_ERR_HEADERS_TOO_LARGE for a trailer over its limits. A request without a body gives
 * SKUA__H1_END at once, with `len` 0 too. Trailer fields are checked and dropped, unless they are
 * to be kept.
 *
 * Both readers return SKUA_ERR_STATE when it is not their turn, and after an error. In particular
 * nothing behind the request is touched before skua__h1_next: with `upgrade` the bytes that are left
 * belong to the other protocol, if the caller goes over to it.
 */
int skua__h1_body(struct skua__h1 *h1, const char *data, size_t len, size_t *used, skua_str *piece);

/* ---- trailers ---- */

/*
 * Keep the fields of this request's trailer in `keep`: between its head and its body. They stay apart
 * from those of the head, since they come behind what has been decided on them (RFC 9110, 6.5.1).
 */
void skua__h1_keep_trailer(struct skua__h1 *h1, struct skua__buf *keep);

/*
 * Walk a kept trailer, after SKUA__H1_END: the next field, pointing into `rest`; no zero byte follows
 * its value. false at the end. Start with *rest = the bytes of `keep`.
 */
bool skua__h1_trailer_next(struct skua__field *field, skua_str *rest);

/* The next request: after SKUA__H1_END of a body. */
void skua__h1_next(struct skua__h1 *h1);

/* The first field with this number, or the empty slice with ptr NULL. */
skua_str skua__h1_field(const struct skua__h1_head *head, enum skua__field_id id);

/* The first field with this name in any case, or the empty slice with ptr NULL. */
skua_str skua__h1_field_named(const struct skua__h1_head *head, skua_str name);

/* ---- writing ---- */

/* How the end of a reply's body is told. */
enum skua__h1_framing {
    SKUA__H1_LENGTH,  /* content-length */
    SKUA__H1_CHUNKED, /* transfer-encoding: chunked */
    SKUA__H1_CLOSE,   /* to an HTTP/1.0 peer: until the connection closes */
    SKUA__H1_NONE     /* no framing fields at all: 1xx, 204 and 304 */
};

struct skua__h1_reply {
    int status; /* 100 to 999 */
    int minor;  /* of the request: keep-alive is spelled out to a 1.0 peer */
    bool keep_alive;
    enum skua__h1_framing framing;
    uint64_t length; /* for SKUA__H1_LENGTH */
    skua_str date;   /* SKUA__DATE_LEN bytes; empty for none, as in a 1xx */
};

/*
 * Append a reply head: status line, date, the caller's fields (validated by the caller; lower-case
 * names), framing, connection, and the empty line. Out of memory is sticky in `out`.
 */
void skua__h1_write_head(struct skua__buf *out, const struct skua__h1_reply *reply,
                         const struct skua__field *fields, size_t count);

/* Append one chunk (nothing for an empty slice, which would end the body) and the last chunk. */
void skua__h1_write_chunk(struct skua__buf *out, skua_str data);
void skua__h1_write_last_chunk(struct skua__buf *out);

#endif
