/* SPDX-License-Identifier: MIT */
/*
 * h1_feed.h - plays a connection to the codec and writes down all that it read
 *
 * Bytes arrive in pieces of any size. Each time all unread bytes move into a block of their exact
 * size, so the reader has to stand a rebase at every step and a read past the end is found. The
 * transcript holds a line for each event; two runs over the same bytes must give equal transcripts,
 * however the bytes were cut.
 */
#ifndef H1_FEED_H
#define H1_FEED_H

#include "http/h1.h"

#include <skua/err.h>
#include <stdlib.h>

#define FEED_EVENTS 32

struct feed {
    struct skua__h1 h1;
    char *data; /* what the reader has not used up */
    size_t len;
    bool in_body;
    int result;        /* of the last call; SKUA__H1_END once the peer wants to close */
    unsigned messages; /* completed */
    struct skua__buf body;
    struct skua__buf transcript;
    unsigned events;          /* heads and complete bodies */
    size_t ends[FEED_EVENTS]; /* of their lines in the transcript, as far as there is room */
};

static inline void feed_init(struct feed *feed, const struct skua__h1_limits *limits)
{
    memset(feed, 0, sizeof(*feed));
    skua__h1_init(&feed->h1, limits != NULL ? limits : &skua__h1_default_limits);
    skua__buf_init(&feed->body, NULL);
    skua__buf_init(&feed->transcript, NULL);
}

static inline void feed_finish(struct feed *feed)
{
    free(feed->data);
    skua__buf_finish(&feed->body);
    skua__buf_finish(&feed->transcript);
}

/* The unread bytes from `from` on and `more` into a block of their own. */
static inline void feed_move(struct feed *feed, size_t from, const char *more, size_t count)
{
    size_t len = feed->len - from + count;
    char *data = malloc(len > 0 ? len : 1);

    assert_non_null(data);
    if (feed->len > from)
        memcpy(data, feed->data + from, feed->len - from);
    if (count > 0)
        memcpy(data + feed->len - from, more, count);
    if (from == 0 && feed->data != NULL)
        skua__h1_rebase(&feed->h1, feed->data, data);
    free(feed->data);
    feed->data = data;
    feed->len = len;
}

static inline void feed_note(struct feed *feed, skua_str text)
{
    skua__buf_put_str(&feed->transcript, text);
}

static inline void feed_note_event(struct feed *feed)
{
    if (feed->events < FEED_EVENTS)
        feed->ends[feed->events] = feed->transcript.len;
    feed->events++;
}

static inline void feed_note_head(struct feed *feed)
{
    const struct skua__h1_head *head = &feed->h1.head;

    assert_int_equal(head->method_text.ptr[head->method_text.len], 0);
    assert_int_equal(head->target.ptr[head->target.len], 0);
    skua__buf_printf(&feed->transcript, "%s(%d) %s 1.%d", head->method_text.ptr, (int)head->method,
                     head->target.ptr, head->minor);
    skua__buf_printf(&feed->transcript, "%s%s%s%s length %lld\n", head->keep_alive ? " keep" : "",
                     head->chunked ? " chunked" : "", head->expect_continue ? " expect" : "",
                     head->upgrade ? " upgrade" : "", (long long)head->content_length);
    for (unsigned i = 0; i < head->field_count; i++) {
        const struct skua__field *field = &head->fields[i];

        assert_int_equal(field->value.ptr[field->value.len], 0);
        assert_int_equal(field->id, skua__field_id_of(field->name));
        feed_note(feed, field->name);
        skua__buf_printf(&feed->transcript, "=[%s]\n", field->value.ptr);
    }
    feed_note_event(feed);
}

static inline void feed_head(struct feed *feed)
{
    size_t used;

    feed->result = skua__h1_head(&feed->h1, feed->data, feed->len, &used);
    if (feed->result != SKUA__H1_END)
        return;
    feed_note_head(feed);
    feed_move(feed, used, NULL, 0);
    feed->in_body = true;
    feed->result = SKUA__H1_DATA; /* go on */
}

static inline void feed_body(struct feed *feed)
{
    size_t used;
    skua_str piece;

    feed->result = skua__h1_body(&feed->h1, feed->data, feed->len, &used, &piece);
    assert_true(used <= feed->len);
    assert_int_equal(piece.len > 0, feed->result == SKUA__H1_DATA);
    skua__buf_put_str(&feed->body, piece);
    if (feed->result < 0)
        return;
    feed_move(feed, used, NULL, 0);
    if (feed->result != SKUA__H1_END)
        return;
    skua__buf_put_literal(&feed->transcript, "body [");
    feed_note(feed, skua__buf_str(&feed->body));
    skua__buf_put_literal(&feed->transcript, "]\n");
    feed_note_event(feed);
    skua__buf_finish(&feed->body);
    feed->messages++;
    if (!feed->h1.head.keep_alive)
        return; /* whatever comes behind is not looked at */
    skua__h1_next(&feed->h1);
    feed->in_body = false;
    feed->result = SKUA__H1_DATA;
}

/* Let `count` bytes arrive. */
static inline void feed_bytes(struct feed *feed, const char *bytes, size_t count)
{
    if (feed->result < 0 || feed->result == SKUA__H1_END)
        return;
    feed_move(feed, 0, bytes, count);
    do {
        if (feed->in_body)
            feed_body(feed);
        else
            feed_head(feed);
    } while (feed->result == SKUA__H1_DATA);
    if (feed->result < 0)
        skua__buf_printf(&feed->transcript, "%s\n", skua_err_name(feed->result));
}

/* In two pieces. */
static inline void feed_cut(struct feed *feed, skua_str wire, size_t cut)
{
    feed_bytes(feed, wire.ptr, cut);
    feed_bytes(feed, wire.ptr + cut, wire.len - cut);
}

static inline void feed_one_by_one(struct feed *feed, skua_str wire)
{
    for (size_t i = 0; i < wire.len; i++)
        feed_bytes(feed, wire.ptr + i, 1);
}

static inline void assert_same_feed(struct feed *a, struct feed *b)
{
    assert_string_equal(skua__buf_str(&a->transcript).ptr, skua__buf_str(&b->transcript).ptr);
    assert_true(skua_str_eq(skua__buf_str(&a->transcript), skua__buf_str(&b->transcript)));
    assert_true(skua_str_eq(skua__buf_str(&a->body), skua__buf_str(&b->body)));
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->messages, b->messages);
}

/* Run `wire` whole, cut in two at each byte, and byte by byte: all must agree. */
static inline void assert_same_at_every_cut(skua_str wire, const struct skua__h1_limits *limits)
{
    struct feed whole, other;

    feed_init(&whole, limits);
    feed_bytes(&whole, wire.ptr, wire.len);
    for (size_t cut = 0; cut <= wire.len; cut++) {
        feed_init(&other, limits);
        if (cut < wire.len)
            feed_cut(&other, wire, cut);
        else
            feed_one_by_one(&other, wire);
        assert_same_feed(&whole, &other);
        feed_finish(&other);
    }
    feed_finish(&whole);
}

#endif
