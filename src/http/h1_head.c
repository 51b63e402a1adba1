/* SPDX-License-Identifier: MIT */
/*
 * h1_head.c - reader of an HTTP/1 request head (RFC 9112, 2 to 6)
 *
 *   data   GET / HTTP/1.1 CR LF Host: a CR LF Acc...
 *                                             ^line  ^seen
 *
 * One pass, line by line. A line is text up to its CR LF, and one scan both finds that end and proves
 * that nothing else is in it; then the whole line is read at once and never again. An unfinished line
 * is scanned on from `seen`, so a head that comes byte by byte costs linear time. Since nothing before
 * `line` is read again, zero bytes may be written there: behind the method, the target and each value,
 * over the blank or CR that stands there.
 *
 * It is strict on purpose. A bare LF, a space before a colon, a folded line, a second length: a
 * proxy in front of us may read them another way, and two readings of one request are how requests
 * get smuggled. What a single byte or line shows is refused with it; what only all fields together
 * show (framing, Host, Expect) is decided at the empty line, so the order of fields does not matter.
 *
 * Limits: each line has to end within limits.head, a field's also within limits.line of its start, the
 * request line within limits.target plus LINE_SLACK. As soon as it cannot any more it is refused.
 *
 * The caller owns the bytes; every slice points into them.
 */
#include "http/h1.h"

#include "http/method.h"
#include "text/host.h"
#include "text/scan.h"

#include <skua/err.h>

#define MAX_EMPTY_LINES 4
#define LINE_SLACK      64 /* of a request line: method, two spaces, version, CR LF */

enum note {
    NOTE_CLOSE = 1,      /* Connection: close */
    NOTE_KEEP_ALIVE = 2, /* Connection: keep-alive */
    NOTE_CONTINUE = 4,   /* Expect: 100-continue */
    NOTE_EXPECT = 8,     /* Expect: something else */
    NOTE_UPGRADE = 16    /* Connection: upgrade */
};

const struct skua__h1_limits skua__h1_default_limits = {
    .target = 8192,
    .line = 16384,
    .head = 16384,
    .fields = SKUA__H1_MAX_FIELDS,
    .chunk_line = 1024,
    .chunk_overhead = 102400,
    .trailer = 16384,
    .trailer_fields = 100,
};

/* ---- beginning ---- */

static uint32_t or_usual(uint32_t limit, uint32_t usual)
{
    return limit != 0 ? limit : usual;
}

struct skua__h1_limits skua__h1_limits_complete(const struct skua__h1_limits *limits)
{
    const struct skua__h1_limits *usual = &skua__h1_default_limits;
    struct skua__h1_limits complete = {
        .target = or_usual(limits->target, usual->target),
        .line = or_usual(limits->line, usual->line),
        .head = or_usual(limits->head, usual->head),
        .fields = or_usual(limits->fields, usual->fields),
        .chunk_line = or_usual(limits->chunk_line, usual->chunk_line),
        .chunk_overhead = or_usual(limits->chunk_overhead, usual->chunk_overhead),
        .trailer = or_usual(limits->trailer, usual->trailer),
        .trailer_fields = or_usual(limits->trailer_fields, usual->trailer_fields),
    };

    if (complete.fields > SKUA__H1_MAX_FIELDS)
        complete.fields = SKUA__H1_MAX_FIELDS;
    return complete;
}

void skua__h1_init(struct skua__h1 *h1, const struct skua__h1_limits *limits)
{
    h1->limits = skua__h1_limits_complete(limits);
    skua__h1_next(h1);
}

void skua__h1_next(struct skua__h1 *h1)
{
    struct skua__h1_head *head = &h1->head;

    h1->line = h1->seen = 0;
    h1->empty_lines = h1->notes = 0;
    h1->phase = SKUA__H1_REQUEST;
    h1->most = (uint64_t)h1->limits.target + LINE_SLACK;
    h1->trailer = NULL;
    head->method = SKUA_METHOD_UNKNOWN;
    head->method_text = head->target = skua_str_of(NULL, 0);
    head->minor = 1;
    head->chunked = head->keep_alive = head->expect_continue = head->upgrade = false;
    head->content_length = -1;
    head->field_count = 0;
    memset(head->first, 0, sizeof(head->first));
}

/* ---- the request line ---- */

static bool is_version(const char *text)
{
    return memcmp(text, "HTTP/", 5) == 0 && skua__char_is_digit(text[5]) && text[6] == '.' &&
           skua__char_is_digit(text[7]);
}

static int read_version(struct skua__h1_head *head, const char *text, size_t len)
{
    if (len != 8)
        return SKUA_ERR_BAD_INPUT;
    if (memcmp(text, "HTTP/1.1", 8) != 0 && memcmp(text, "HTTP/1.0", 8) != 0)
        return is_version(text) ? SKUA_ERR_VERSION : SKUA_ERR_BAD_INPUT;
    head->minor = text[7] - '0';
    return 0;
}

/* `line[len]` is its CR, which ends every scan. They may look as far as the LF behind it. */
static int read_request_line(struct skua__h1 *h1, char *line, size_t len)
{
    struct skua__h1_head *head = &h1->head;
    size_t method = skua__scan_token(line, len + 2);
    char *target = line + method + 1;
    size_t size;

    if (method == 0 || line[method] != ' ')
        return SKUA_ERR_BAD_INPUT;
    head->method_text = skua_str_of(line, method);
    head->method = skua__method_read(head->method_text);
    line[method] = '\0';

    size = skua__scan_visible(target, len - method + 1);
    if (size > h1->limits.target)
        return SKUA_ERR_URI_TOO_LONG;
    if (size == 0 || target[size] != ' ')
        return SKUA_ERR_BAD_INPUT;
    head->target = skua_str_of(target, size);
    target[size] = '\0';
    return read_version(head, target + size + 1, len - method - size - 2);
}

/* ---- fields ---- */

static int read_content_length(struct skua__h1_head *head, skua_str value)
{
    int64_t length = 0;

    if (value.len == 0)
        return SKUA_ERR_BAD_INPUT;
    for (size_t i = 0; i < value.len; i++) {
        if (!skua__char_is_digit(value.ptr[i]) || __builtin_mul_overflow(length, 10, &length) ||
            __builtin_add_overflow(length, value.ptr[i] - '0', &length))
            return SKUA_ERR_BAD_INPUT;
    }
    head->content_length = length;
    return 0;
}

static void note_connection(struct skua__h1 *h1, skua_str value)
{
    skua_str option;

    while (skua__list_next(&option, &value)) {
        if (skua__equal_nocase(option, SKUA_STR("close")))
            h1->notes |= NOTE_CLOSE;
        else if (skua__equal_nocase(option, SKUA_STR("keep-alive")))
            h1->notes |= NOTE_KEEP_ALIVE;
        else if (skua__equal_nocase(option, SKUA_STR("upgrade")))
            h1->notes |= NOTE_UPGRADE;
    }
}

/* A field that the codec itself looks at. `again`: one with this number has been there already. */
static int read_known(struct skua__h1 *h1, const struct skua__field *field, bool again)
{
    skua_str value = field->value;

    switch (field->id) {
    case SKUA__FIELD_HOST: /* no http address has an empty one (RFC 9110, 4.2.1) */
        return again || value.len == 0 || skua__host_length(value.ptr, value.len + 2) != value.len
                   ? SKUA_ERR_BAD_INPUT
                   : 0;
    case SKUA__FIELD_CONTENT_LENGTH:
        return again ? SKUA_ERR_BAD_INPUT : read_content_length(&h1->head, value);
    case SKUA__FIELD_CONTENT_TYPE:
    case SKUA__FIELD_TRANSFER_ENCODING:
        return again ? SKUA_ERR_BAD_INPUT : 0;
    case SKUA__FIELD_CONNECTION:
        note_connection(h1, value);
        return 0;
    case SKUA__FIELD_EXPECT:
        h1->notes |=
            skua__equal_nocase(value, SKUA_STR("100-continue")) ? NOTE_CONTINUE : NOTE_EXPECT;
        return 0;
    default:
        return 0;
    }
}

/* A line that begins with a blank has no name, so folded lines end here too. */
static int read_field(struct skua__h1 *h1, char *line, size_t len)
{
    struct skua__h1_head *head = &h1->head;
    struct skua__field *field = &head->fields[head->field_count];
    size_t name = skua__scan_token(line, len + 2);
    char *value = line + name + 1, *end = line + len;
    bool again;
    int err;

    if (head->field_count >= h1->limits.fields)
        return SKUA_ERR_HEADERS_TOO_LARGE;
    if (name == 0 || line[name] != ':')
        return SKUA_ERR_BAD_INPUT;
    while (skua__char_is_blank(*value))
        value++;
    while (end > value && skua__char_is_blank(end[-1]))
        end--;
    field->name = skua_str_of(line, name);
    field->value = skua_str_of(value, (size_t)(end - value));

    field->id = skua__field_id_of(field->name);
    again = head->first[field->id] != 0;
    head->field_count++;
    if (!again)
        head->first[field->id] = (uint8_t)head->field_count;
    err = read_known(h1, field, again);
    *end = '\0'; /* last: a block that holds a byte just written is slow to load */
    return err;
}

/* ---- the empty line ---- */

/* Exactly "chunked" is spoken. Whatever else makes the end of the body ambiguous is malformed. */
static int read_transfer_encoding(struct skua__h1_head *head)
{
    skua_str value = skua__h1_field(head, SKUA__FIELD_TRANSFER_ENCODING);
    bool chunked = false, other = false;
    skua_str coding;

    if (value.ptr == NULL)
        return 0;
    if (head->minor == 0 || head->content_length >= 0)
        return SKUA_ERR_BAD_INPUT;
    head->chunked = skua__equal_nocase(value, SKUA_STR("chunked"));
    if (head->chunked)
        return 0;
    while (skua__list_next(&coding, &value)) {
        if (chunked) /* not the last one */
            return SKUA_ERR_BAD_INPUT;
        chunked = skua__equal_nocase(coding, SKUA_STR("chunked"));
        other |= !chunked;
    }
    return other ? SKUA_ERR_NOT_IMPLEMENTED : SKUA_ERR_BAD_INPUT;
}

static void start_body(struct skua__h1 *h1)
{
    const struct skua__h1_head *head = &h1->head;

    h1->phase = head->chunked              ? SKUA__H1_BODY_CHUNKED
                : head->content_length > 0 ? SKUA__H1_BODY_LENGTH
                                           : SKUA__H1_DONE;
    h1->left = head->content_length > 0 ? (uint64_t)head->content_length : 0;
    h1->chunk_phase = h1->chunk_digits = 0;
    h1->run = h1->trailer_fields = 0;
    h1->framing = h1->payload = 0;
}

static int finish_head(struct skua__h1 *h1)
{
    struct skua__h1_head *head = &h1->head;
    int err;

    if (head->minor == 1 && head->first[SKUA__FIELD_HOST] == 0)
        return SKUA_ERR_BAD_INPUT;
    err = read_transfer_encoding(head);
    if (err != 0)
        return err;
    if (h1->notes & NOTE_EXPECT)
        return SKUA_ERR_EXPECT;
    head->expect_continue = head->minor == 1 && (h1->notes & NOTE_CONTINUE);
    head->upgrade = head->minor == 1 && (h1->notes & NOTE_UPGRADE) &&
                    skua__h1_field(head, SKUA__FIELD_UPGRADE).len > 0;
    head->keep_alive =
        !(h1->notes & NOTE_CLOSE) && (head->minor == 1 || (h1->notes & NOTE_KEEP_ALIVE));
    start_body(h1);
    return SKUA__H1_END;
}

/* ---- lines ---- */

static int read_line(struct skua__h1 *h1, char *line, size_t len)
{
    if (h1->phase == SKUA__H1_FIELDS)
        return len == 0 ? finish_head(h1) : read_field(h1, line, len);
    if (len == 0)
        return ++h1->empty_lines > MAX_EMPTY_LINES ? SKUA_ERR_BAD_INPUT : 0;
    h1->phase = SKUA__H1_FIELDS;
    h1->most = h1->limits.line;
    return read_request_line(h1, line, len);
}

/* The line that starts at `line` cannot end within its limits: the one it meets first counts. Of a
 * request line the target is too long, unless there is nothing yet but a method. */
static int refuse_long(const struct skua__h1 *h1, const char *data, size_t line)
{
    if (h1->phase != SKUA__H1_REQUEST || line + h1->most >= h1->limits.head)
        return SKUA_ERR_HEADERS_TOO_LARGE;
    return memchr(data + line, ' ', h1->most - 2) != NULL ? SKUA_ERR_URI_TOO_LONG
                                                          : SKUA_ERR_NOT_IMPLEMENTED;
}

/* At `at` the text of the line has no CR LF behind it: not yet, or it is something else. */
static int wait_for_end(struct skua__h1 *h1, const char *data, size_t len, size_t at)
{
    size_t left = len - at;

    if (left > 1 || (left == 1 && data[at] != '\r'))
        return SKUA_ERR_BAD_INPUT;
    h1->seen = (uint32_t)at;
    return SKUA__H1_MORE;
}

/* Read each line that has its end. */
static int read_lines(struct skua__h1 *h1, char *data, size_t len)
{
    size_t line = h1->line, at = h1->seen;
    int result;

    do {
        at += skua__scan_value(data + at, len - at);
        if (at + 2 > h1->limits.head || at + 2 - line > h1->most)
            return refuse_long(h1, data, line);
        if (len - at < 2 || memcmp(data + at, "\r\n", 2) != 0)
            return wait_for_end(h1, data, len, at);
        result = read_line(h1, data + line, at - line);
        line = at += 2;
        h1->line = (uint32_t)line;
    } while (result == SKUA__H1_MORE);
    return result;
}

int skua__h1_head(struct skua__h1 *h1, char *data, size_t len, size_t *used)
{
    int result;

    *used = 0;
    if (h1->phase > SKUA__H1_FIELDS)
        return SKUA_ERR_STATE;
    result = read_lines(h1, data, len);
    if (result < 0)
        h1->phase = SKUA__H1_FAILED;
    else if (result == SKUA__H1_END)
        *used = h1->line;
    return result;
}

/* ---- looking at a head ---- */

static void shift(skua_str *slice, const char *from, const char *to)
{
    if (slice->ptr != NULL)
        slice->ptr = to + (slice->ptr - from);
}

void skua__h1_rebase(struct skua__h1 *h1, const char *from, const char *to)
{
    struct skua__h1_head *head = &h1->head;

    shift(&head->method_text, from, to);
    shift(&head->target, from, to);
    for (unsigned i = 0; i < head->field_count; i++) {
        shift(&head->fields[i].name, from, to);
        shift(&head->fields[i].value, from, to);
    }
}

skua_str skua__h1_field(const struct skua__h1_head *head, enum skua__field_id id)
{
    unsigned first = head->first[id];

    return first != 0 ? head->fields[first - 1].value : skua_str_of(NULL, 0);
}

skua_str skua__h1_field_named(const struct skua__h1_head *head, skua_str name)
{
    for (unsigned i = 0; i < head->field_count; i++) {
        if (skua__equal_nocase(head->fields[i].name, name))
            return head->fields[i].value;
    }
    return skua_str_of(NULL, 0);
}
