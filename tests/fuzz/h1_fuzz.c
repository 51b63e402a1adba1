/* SPDX-License-Identifier: MIT */
/*
 * h1_fuzz.c - the request codec on any bytes, cut anywhere
 *
 * The input is what a peer sends; a FUZZ_CUT in it ends a write and is not sent. It is read
 *
 *   whole, byte by byte, and cut as the input says      all three have to read the same
 *   with the usual limits and with tighter ones         the same too, up to the limit
 *   and the complete messages written out plainly       once more the same
 *
 * What was read is kept as a transcript, a line for each event. On the way every promise of h1.h is
 * checked. The unread bytes move into a block of their exact size at each write, so that a read past
 * the end and a slice that was not rebased are found.
 */
#include "fuzz.h"

#include "base/buf.h"
#include "http/h1.h"

static const struct skua__h1_limits tight[] = {
    {.target = 24, .head = 192, .fields = 4},
    {.head = 96},
    {.line = 32, .chunk_line = 12, .chunk_overhead = 40, .trailer = 40, .trailer_fields = 2},
};

struct play {
    struct skua__h1 h1; /* with its limits, complete */
    char *data;         /* what the reader has not used up */
    char *sent;         /* the same as it was sent: the reader may edit its own */
    size_t len;
    bool in_body;
    bool over; /* after an error, or after the last request of the connection */
    int result;
    struct skua__buf body;       /* of the present message */
    struct skua__buf trailer;    /* likewise */
    struct skua__buf transcript; /* of everything */
    size_t complete;             /* bytes of it up to the last complete message */
    struct skua__buf message;    /* the present message, written plainly */
    struct skua__buf plain;      /* the complete ones */
};

static void init_play(struct play *play, const struct skua__h1_limits *limits)
{
    memset(play, 0, sizeof(*play));
    skua__h1_init(&play->h1, limits);
}

static void finish_play(struct play *play)
{
    free(play->data);
    free(play->sent);
    skua__buf_finish(&play->body);
    skua__buf_finish(&play->trailer);
    skua__buf_finish(&play->transcript);
    skua__buf_finish(&play->message);
    skua__buf_finish(&play->plain);
}

/* What is behind `from`, and `more`, in a block of its own. */
static char *join(const char *old, size_t from, size_t len, skua_str more)
{
    size_t kept = len - from;
    char *block = fuzz_have(malloc(kept + more.len > 0 ? kept + more.len : 1));

    if (kept > 0)
        memcpy(block, old + from, kept);
    if (more.len > 0)
        memcpy(block + kept, more.ptr, more.len);
    return block;
}

/* Throw away what is before `from`, append `more`, and move everything. */
static void move(struct play *play, size_t from, skua_str more)
{
    char *data = join(play->data, from, play->len, more);
    char *sent = join(play->sent, from, play->len, more);

    if (from == 0 && play->data != NULL && !play->in_body)
        skua__h1_rebase(&play->h1, play->data, data);
    free(play->data);
    free(play->sent);
    play->data = data;
    play->sent = sent;
    play->len += more.len - from;
}

/* ---- what holds for a head ---- */

static void check_list(skua_str value)
{
    skua_str element, rest = value;
    const char *behind = value.ptr;

    while (skua__list_next(&element, &rest)) {
        fuzz_check(element.len > 0 && element.ptr >= behind && fuzz_within(element, value));
        fuzz_check(skua__field_value_valid(element) && element.ptr[0] != ',');
        behind = element.ptr + element.len;
    }
    fuzz_check(rest.len == 0);
}

/* A name goes up to the colon and not further, a value from the first to the last that is not blank. */
static void check_ends(skua_str name, skua_str value)
{
    char before = value.ptr[-1];

    fuzz_check(skua__token_valid(name) && name.ptr[name.len] == ':');
    fuzz_check(!skua__token_valid(skua_str_of(name.ptr, name.len + 1)));
    fuzz_check(skua__field_value_valid(value) && value.ptr[value.len] == '\0');
    fuzz_check(!skua__field_value_valid(skua_str_of(value.ptr, value.len + 1)));
    fuzz_check(before == ':' || before == ' ' || before == '\t');
    fuzz_check(skua__field_value_valid(skua_str_of(value.ptr - 1, value.len + 1)) ==
               (before == ':'));
}

static void check_field(const struct skua__h1_head *head, unsigned index, skua_str read)
{
    const struct skua__field *field = &head->fields[index];
    skua_str first = skua__h1_field_named(head, field->name);

    fuzz_check(fuzz_within(field->name, read) && fuzz_within(field->value, read));
    fuzz_check(field->value.ptr > field->name.ptr + field->name.len);
    check_ends(field->name, field->value);
    fuzz_check(field->id == skua__field_id_of(field->name));
    fuzz_check(first.ptr != NULL && first.ptr <= field->value.ptr);
    if (field->id != SKUA__FIELD_OTHER)
        fuzz_check(first.ptr == skua__h1_field(head, field->id).ptr);
    check_list(field->value);
}

static void check_method(const struct skua__h1_head *head)
{
    const char *name = skua_method_name(head->method);

    fuzz_check(head->method_text.ptr[head->method_text.len] == '\0');
    fuzz_check(head->method == SKUA_METHOD_UNKNOWN || strcmp(name, head->method_text.ptr) == 0);
    fuzz_check(head->method != SKUA_METHOD_UNKNOWN || name[0] == '\0');
}

static void check_framing(const struct skua__h1_head *head)
{
    fuzz_check(head->content_length >= -1 && (head->content_length == -1 || !head->chunked));
    fuzz_check(head->chunked == (head->first[SKUA__FIELD_TRANSFER_ENCODING] != 0));
    fuzz_check((head->content_length >= 0) == (head->first[SKUA__FIELD_CONTENT_LENGTH] != 0));
    fuzz_check(head->minor == 1 || (head->minor == 0 && !head->chunked && !head->expect_continue));
    fuzz_check(head->minor == 0 || head->first[SKUA__FIELD_HOST] != 0);
}

/* Lines end in CR LF, and there is no CR, LF or zero byte but for that. */
static skua_str take_line(skua_str *rest)
{
    const char *end = fuzz_have(memchr(rest->ptr, '\n', rest->len));
    size_t len = (size_t)(end - rest->ptr) + 1;
    skua_str line = skua_str_of(rest->ptr, len);

    fuzz_check(len > 1 && end[-1] == '\r');
    fuzz_check(memchr(line.ptr, '\r', len - 2) == NULL && memchr(line.ptr, '\0', len) == NULL);
    *rest = skua_str_of(line.ptr + len, rest->len - len);
    return line;
}

/* A head as it was sent: empty lines, the request line, fields, an empty line. */
static void check_lines(skua_str sent, const struct skua__h1_limits *limits)
{
    skua_str line;

    while ((line = take_line(&sent)).len == 2)
        continue;
    fuzz_check(line.len <= limits->target + 64);
    while (sent.len > 0)
        fuzz_check((line = take_line(&sent)).len <= limits->line);
    fuzz_check(line.len == 2);
}

static void check_head(struct play *play, size_t used)
{
    const struct skua__h1_head *head = &play->h1.head;
    skua_str read = skua_str_of(play->data, used);
    size_t ignored;

    fuzz_check(used > 0 && used <= play->len && used <= play->h1.limits.head);
    check_lines(skua_str_of(play->sent, used), &play->h1.limits);
    fuzz_check(fuzz_within(head->method_text, read) && fuzz_within(head->target, read));
    fuzz_check(head->target.ptr[head->target.len] == '\0');
    fuzz_check(head->target.len > 0 && head->target.len <= play->h1.limits.target);
    fuzz_check(head->field_count <= play->h1.limits.fields);
    for (unsigned i = 0; i < head->field_count; i++)
        check_field(head, i, read);
    fuzz_check(skua__h1_field_named(head, SKUA_STR("no token")).ptr == NULL);
    check_method(head);
    check_framing(head);
    fuzz_check(skua__h1_head(&play->h1, play->data, play->len, &ignored) == SKUA_ERR_STATE);
}

/* ---- the transcript ---- */

static void put_head(struct skua__buf *out, const struct skua__h1_head *head, const char *colon)
{
    skua__buf_printf(out, "%s %s HTTP/1.%d\r\n", head->method_text.ptr, head->target.ptr,
                     head->minor);
    for (unsigned i = 0; i < head->field_count; i++) {
        skua__buf_put_str(out, head->fields[i].name);
        skua__buf_printf(out, "%s%s\r\n", colon, head->fields[i].value.ptr);
    }
    skua__buf_put_literal(out, "\r\n");
}

static void note_head(struct play *play)
{
    const struct skua__h1_head *head = &play->h1.head;

    skua__buf_printf(&play->transcript, "%d %d%d%d%d %lld ", (int)head->method, head->chunked,
                     head->keep_alive, head->expect_continue, head->upgrade,
                     (long long)head->content_length);
    put_head(&play->transcript, head, "=");
    play->message.len = 0;
    put_head(&play->message, head, ":");
}

static void note_piece(struct play *play, skua_str piece)
{
    skua__buf_put_str(&play->body, piece);
    if (play->h1.head.chunked)
        skua__h1_write_chunk(&play->message, piece);
    else
        skua__buf_put_str(&play->message, piece);
}

static void note_body(struct play *play)
{
    skua__buf_printf(&play->transcript, "%zu bytes: ", play->body.len);
    skua__buf_put(&play->transcript, play->body.ptr, play->body.len);
    skua__buf_put_literal(&play->transcript, "\n");
    play->body.len = 0;
}

static void note_trailer_field(struct play *play, const struct skua__field *field)
{
    fuzz_check(skua__token_valid(field->name) && skua__field_value_valid(field->value));
    fuzz_check(field->id == skua__field_id_of(field->name));
    skua__buf_put_str(&play->transcript, field->name);
    skua__buf_put_literal(&play->transcript, "=");
    skua__buf_put_str(&play->transcript, field->value);
    skua__buf_put_literal(&play->transcript, "\n");
    skua__buf_put_str(&play->message, field->name);
    skua__buf_put_literal(&play->message, ":");
    skua__buf_put_str(&play->message, field->value);
    skua__buf_put_literal(&play->message, "\r\n");
}

static void note_trailer(struct play *play)
{
    skua_str all = skua__buf_str(&play->trailer), rest = all;
    struct skua__field field;
    uint32_t count = 0;

    skua__buf_put_literal(&play->message, "0\r\n");
    while (skua__h1_trailer_next(&field, &rest)) {
        fuzz_check(fuzz_within(field.name, all) && fuzz_within(field.value, all));
        note_trailer_field(play, &field);
        count++;
    }
    skua__buf_put_literal(&play->message, "\r\n");
    fuzz_check(rest.len == 0 && count <= play->h1.limits.trailer_fields);
    fuzz_check(all.len <= play->h1.limits.trailer);
}

static void note_message(struct play *play)
{
    note_body(play);
    if (play->h1.head.chunked)
        note_trailer(play);
    skua__buf_put(&play->plain, play->message.ptr, play->message.len);
    play->complete = play->transcript.len;
}

/* ---- reading ---- */

/* Whether the reader can go on at once. */
static bool read_head(struct play *play)
{
    size_t used = SIZE_MAX, ignored;
    skua_str piece;

    fuzz_check(skua__h1_body(&play->h1, play->data, play->len, &ignored, &piece) == SKUA_ERR_STATE);
    play->result = skua__h1_head(&play->h1, play->data, play->len, &used);
    fuzz_check(play->result == SKUA__H1_END || used == 0);
    fuzz_check(play->result != SKUA__H1_MORE || play->len < play->h1.limits.head);
    if (play->result != SKUA__H1_END)
        return false;
    check_head(play, used);
    note_head(play);
    play->trailer.len = 0;
    skua__h1_keep_trailer(&play->h1, &play->trailer);
    move(play, used, SKUA_STR(""));
    play->in_body = true;
    return true;
}

static void end_message(struct play *play)
{
    const struct skua__h1_head *head = &play->h1.head;

    fuzz_check(head->chunked ||
               (int64_t)play->body.len == (head->content_length > 0 ? head->content_length : 0));
    note_message(play);
    play->in_body = false;
    if (head->keep_alive)
        skua__h1_next(&play->h1);
    else
        play->over = true;
}

static bool read_body(struct play *play)
{
    size_t used = SIZE_MAX;
    skua_str piece;

    play->result = skua__h1_body(&play->h1, play->data, play->len, &used, &piece);
    fuzz_check(used <= play->len);
    fuzz_check((piece.len > 0) == (play->result == SKUA__H1_DATA));
    fuzz_check(play->result != SKUA__H1_MORE || used == play->len);
    if (play->result == SKUA__H1_DATA) {
        fuzz_check(fuzz_within(piece, skua_str_of(play->data, used)));
        note_piece(play, piece);
    }
    if (play->result < 0)
        return false;
    move(play, used, SKUA_STR(""));
    if (play->result == SKUA__H1_END)
        end_message(play);
    return play->result != SKUA__H1_MORE && !play->over;
}

/* An error is for good. */
static void note_error(struct play *play)
{
    size_t used;
    skua_str piece;

    skua__buf_printf(&play->transcript, "%s\n", skua_err_name(play->result));
    fuzz_check(skua__h1_head(&play->h1, play->data, play->len, &used) == SKUA_ERR_STATE);
    fuzz_check(skua__h1_body(&play->h1, play->data, play->len, &used, &piece) == SKUA_ERR_STATE);
    play->over = true;
}

static void write_bytes(struct play *play, skua_str bytes)
{
    if (play->over)
        return;
    move(play, 0, bytes);
    while (play->in_body ? read_body(play) : read_head(play))
        continue;
    if (play->result < 0)
        note_error(play);
}

static void write_one_by_one(struct play *play, skua_str wire)
{
    for (size_t i = 0; i < wire.len; i++)
        write_bytes(play, skua_str_of(wire.ptr + i, 1));
}

static void write_parts(struct play *play, skua_str parts)
{
    while (parts.len > 0)
        write_bytes(play, fuzz_take_part(&parts));
}

/* ---- comparing ---- */

static skua_str all_of(struct play *play)
{
    note_body(play); /* also of a message that did not end */
    return skua_str_of(play->transcript.ptr, play->transcript.len);
}

/* Perhaps: some of these errors have other causes, too. */
static bool is_over_limit(const struct play *play)
{
    switch (play->result) {
    case SKUA_ERR_URI_TOO_LONG:
    case SKUA_ERR_HEADERS_TOO_LARGE:
    case SKUA_ERR_NOT_IMPLEMENTED: /* a method that goes on and on */
        return true;
    case SKUA_ERR_BAD_INPUT:
        return play->in_body;
    default:
        return false;
    }
}

/* What was read has to read the same when it is written without anything that may be left out. */
static void check_plain(struct play *whole)
{
    struct play again;

    init_play(&again, &whole->h1.limits);
    write_bytes(&again, skua_str_of(whole->plain.ptr, whole->plain.len));
    fuzz_check(again.complete == again.transcript.len);
    fuzz_check(skua_str_eq(skua_str_of(again.transcript.ptr, again.transcript.len),
                           skua_str_of(whole->transcript.ptr, whole->complete)));
    finish_play(&again);
}

/* Read the whole wire, which stays in `whole`, and see that it is the same however it is cut. */
static void check_cuts(struct play *whole, skua_str wire, skua_str parts)
{
    struct play bytewise, cut;

    write_bytes(whole, wire);
    check_plain(whole);
    init_play(&bytewise, &whole->h1.limits);
    write_one_by_one(&bytewise, wire);
    init_play(&cut, &whole->h1.limits);
    write_parts(&cut, parts);
    all_of(whole);
    fuzz_check(
        skua_str_eq(all_of(&bytewise), skua_str_of(whole->transcript.ptr, whole->transcript.len)));
    fuzz_check(
        skua_str_eq(all_of(&cut), skua_str_of(whole->transcript.ptr, whole->transcript.len)));
    finish_play(&bytewise);
    finish_play(&cut);
}

/* With tighter limits it reads the same as `usual`, perhaps not as far. */
static void check_tight(const struct skua__h1_limits *limits, const struct play *usual,
                        skua_str wire, skua_str parts)
{
    struct play small;
    size_t same;

    init_play(&small, limits);
    check_cuts(&small, wire, parts);
    same = is_over_limit(&small) ? small.complete : usual->transcript.len;
    fuzz_check(same <= usual->transcript.len && same <= small.transcript.len);
    fuzz_check(memcmp(small.transcript.ptr, usual->transcript.ptr, same) == 0);
    finish_play(&small);
}

static void check_wire(skua_str wire, skua_str parts)
{
    struct play usual;

    init_play(&usual, &skua__h1_default_limits);
    check_cuts(&usual, wire, parts);
    for (size_t i = 0; i < sizeof(tight) / sizeof(tight[0]); i++)
        check_tight(&tight[i], &usual, wire, parts);
    finish_play(&usual);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    skua_str parts = skua_str_of((const char *)data, size), rest = parts;
    struct skua__buf wire;

    skua__buf_init(&wire, NULL);
    while (rest.len > 0)
        skua__buf_put_str(&wire, fuzz_take_part(&rest));
    check_wire(skua_str_of(wire.ptr, wire.len), parts);
    skua__buf_finish(&wire);
    return 0;
}
