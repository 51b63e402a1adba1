/* SPDX-License-Identifier: MIT */
/*
 * llhttp_diff_test.c - the codec against llhttp (strict mode), on random requests
 *
 * Each case is given to both whole and in pieces. Both write a transcript of what they read: a head or
 * a complete body is an event. Nothing may be taken here that llhttp refuses, and what both take has to
 * read the same. That this codec refuses more is as it should be; how much is printed.
 *
 * The classes in which it may differ are in the table below, each with its reason; a case belongs to the
 * class of its first difference. A class in which no case falls any more has to be taken out.
 *
 * Where one of them reads no further on purpose, the other is not asked further: behind a message that
 * ends the connection, and behind one that llhttp hands over to another protocol.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "h1_feed.h"
#include "http/method.h"
#include "text/percent.h"
#include "text/scan.h"
#include "text/target.h"

#include "h1_grammar.h"

#include <llhttp.h>
#include <stdio.h>

/* ---- llhttp, writing the same transcript ---- */

#define MOST_FIELDS 200

struct oracle {
    llhttp_t parser;
    struct skua__buf target;
    struct skua__buf names[MOST_FIELDS], values[MOST_FIELDS];
    unsigned fields;
    bool in_value;
    bool upgrade; /* of the message that is being read, as the codec tells it */
    bool keep;
    size_t taken; /* bytes, up to the error if there is one */
    int error;    /* of llhttp_execute, which has stopped, or HPE_OK */
    struct skua__buf body;
    struct skua__buf transcript;
    unsigned events;
    size_t ends[FEED_EVENTS];
};

static void forget_message(struct oracle *oracle)
{
    skua__buf_finish(&oracle->target);
    skua__buf_finish(&oracle->body);
    for (unsigned i = 0; i < oracle->fields; i++) {
        skua__buf_finish(&oracle->names[i]);
        skua__buf_finish(&oracle->values[i]);
    }
    oracle->fields = 0;
    oracle->in_value = true;
}

static void note_event(struct oracle *oracle)
{
    if (oracle->events < FEED_EVENTS)
        oracle->ends[oracle->events] = oracle->transcript.len;
    oracle->events++;
}

static int begin_message(llhttp_t *parser)
{
    forget_message(parser->data);
    return 0;
}

static int take_target(llhttp_t *parser, const char *ptr, size_t len)
{
    struct oracle *oracle = parser->data;

    skua__buf_put(&oracle->target, ptr, len);
    return 0;
}

static int take_name(llhttp_t *parser, const char *ptr, size_t len)
{
    struct oracle *oracle = parser->data;

    if (oracle->in_value) {
        assert_true(oracle->fields < MOST_FIELDS);
        skua__buf_init(&oracle->names[oracle->fields], NULL);
        skua__buf_init(&oracle->values[oracle->fields], NULL);
        oracle->fields++;
        oracle->in_value = false;
    }
    skua__buf_put(&oracle->names[oracle->fields - 1], ptr, len);
    return 0;
}

static int take_value(llhttp_t *parser, const char *ptr, size_t len)
{
    struct oracle *oracle = parser->data;

    oracle->in_value = true;
    skua__buf_put(&oracle->values[oracle->fields - 1], ptr, len);
    return 0;
}

static skua_str trimmed(struct skua__buf *buf)
{
    skua_str text = skua__buf_str(buf);

    while (text.len > 0 && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t'))
        text.len--;
    return text;
}

static bool expects_continue(struct oracle *oracle)
{
    for (unsigned i = 0; i < oracle->fields; i++) {
        if (skua__field_name_eq(skua__buf_str(&oracle->names[i]), SKUA_STR("expect")))
            return skua__field_name_eq(trimmed(&oracle->values[i]), SKUA_STR("100-continue"));
    }
    return false;
}

static int take_head(llhttp_t *parser)
{
    struct oracle *oracle = parser->data;
    struct skua__buf *out = &oracle->transcript;
    const char *method = llhttp_method_name((llhttp_method_t)parser->method);
    int flags = parser->flags, minor = parser->http_minor;
    bool upgrades = (flags & F_UPGRADE) != 0 && (flags & F_CONNECTION_UPGRADE) != 0;

    oracle->keep = llhttp_should_keep_alive(parser);
    skua__buf_printf(out, "%s(%d) ", method, (int)skua__method_read(skua_str_c(method)));
    skua__buf_put_str(out, skua__buf_str(&oracle->target));
    skua__buf_printf(out, " %d.%d%s%s", parser->http_major, minor, oracle->keep ? " keep" : "",
                     (flags & F_CHUNKED) != 0 ? " chunked" : "");
    skua__buf_printf(out, "%s%s length %lld\n",
                     minor == 1 && expects_continue(oracle) ? " expect" : "",
                     minor == 1 && upgrades ? " upgrade" : "",
                     (flags & F_CONTENT_LENGTH) != 0 ? (long long)parser->content_length : -1LL);
    for (unsigned i = 0; i < oracle->fields; i++) {
        skua__buf_put_str(out, skua__buf_str(&oracle->names[i]));
        skua__buf_put_literal(out, "=[");
        skua__buf_put_str(out, trimmed(&oracle->values[i]));
        skua__buf_put_literal(out, "]\n");
    }
    note_event(oracle);
    return 0;
}

static int take_body(llhttp_t *parser, const char *ptr, size_t len)
{
    struct oracle *oracle = parser->data;

    skua__buf_put(&oracle->body, ptr, len);
    return 0;
}

/* Behind the last message of a connection llhttp is not asked. */
static int end_message(llhttp_t *parser)
{
    struct oracle *oracle = parser->data;

    skua__buf_put_literal(&oracle->transcript, "body [");
    skua__buf_put_str(&oracle->transcript, skua__buf_str(&oracle->body));
    skua__buf_put_literal(&oracle->transcript, "]\n");
    note_event(oracle);
    skua__buf_finish(&oracle->body);
    return oracle->keep ? 0 : HPE_PAUSED;
}

static const llhttp_settings_t settings = {
    .on_message_begin = begin_message,
    .on_url = take_target,
    .on_header_field = take_name,
    .on_header_value = take_value,
    .on_headers_complete = take_head,
    .on_body = take_body,
    .on_message_complete = end_message,
};

static void oracle_init(struct oracle *oracle)
{
    memset(oracle, 0, sizeof(*oracle));
    llhttp_init(&oracle->parser, HTTP_REQUEST, &settings);
    oracle->parser.data = oracle;
}

static void oracle_finish(struct oracle *oracle)
{
    forget_message(oracle);
    skua__buf_finish(&oracle->transcript);
}

static void oracle_bytes(struct oracle *oracle, const char *bytes, size_t count)
{
    if (oracle->error != HPE_OK)
        return;
    oracle->error = (int)llhttp_execute(&oracle->parser, bytes, count);
    oracle->taken +=
        oracle->error == HPE_OK ? count : (size_t)(llhttp_get_error_pos(&oracle->parser) - bytes);
}

/* ---- comparing ---- */

struct run {
    skua_str wire;
    struct feed feed;
    struct oracle oracle;
};

/* The lines of event `i`, which both have. */
static skua_str event_of(const struct skua__buf *transcript, const size_t *ends, unsigned i)
{
    size_t start = i > 0 ? ends[i - 1] : 0;

    return skua_str_of(transcript->ptr + start, ends[i] - start);
}

static bool stopped_on_purpose(int error)
{
    return error == HPE_PAUSED || error == HPE_PAUSED_UPGRADE;
}

/* The first event that differs, or the number of those that both have. */
static unsigned first_difference(const struct run *run)
{
    const struct feed *feed = &run->feed;
    const struct oracle *oracle = &run->oracle;
    unsigned both = feed->events < oracle->events ? feed->events : oracle->events;

    assert_true(feed->events < FEED_EVENTS && oracle->events < FEED_EVENTS);
    for (unsigned i = 0; i < both; i++) {
        if (!skua_str_eq(event_of(&feed->transcript, feed->ends, i),
                         event_of(&oracle->transcript, oracle->ends, i)))
            return i;
    }
    return both;
}

enum verdict {
    SAME,
    STRICTER, /* refused here, taken by llhttp */
    LAXER,    /* taken here, refused by llhttp */
    OTHER     /* taken by both, and read in two ways */
};

/* Of a message that neither has read to its end. */
static bool partial_bodies_agree(const struct run *run)
{
    const struct skua__buf *here = &run->feed.body, *there = &run->oracle.body;

    return run->feed.result != SKUA__H1_MORE || run->oracle.error != HPE_OK ||
           skua_str_eq(skua_str_of(here->ptr, here->len), skua_str_of(there->ptr, there->len));
}

static enum verdict judge(const struct run *run, unsigned at)
{
    const struct feed *feed = &run->feed;
    const struct oracle *oracle = &run->oracle;

    if (at < feed->events && at < oracle->events)
        return OTHER;
    if (stopped_on_purpose(oracle->error) && at == oracle->events)
        return SAME;
    if (feed->result == SKUA__H1_END && at == feed->events)
        return SAME; /* llhttp would have stopped there, too, or the head would differ */
    if (at < feed->events)
        return oracle->error != HPE_OK ? LAXER : OTHER;
    if (feed->result < 0)
        return oracle->error != HPE_OK && at == oracle->events ? SAME : STRICTER;
    return at == oracle->events && partial_bodies_agree(run) ? SAME : OTHER;
}

/* ---- classes of differences ---- */

/* The head of the message that differs, as it was read here; empty if it was not. */
static skua_str head_of(const struct run *run, unsigned at)
{
    unsigned head = at & ~1u;

    if (head >= run->feed.events)
        return SKUA_STR("");
    return event_of(&run->feed.transcript, run->feed.ends, head);
}

static bool has(skua_str text, const char *needle)
{
    return memmem(text.ptr, text.len, needle, strlen(needle)) != NULL;
}

static bool starts_with(skua_str text, const char *start)
{
    return text.len >= strlen(start) && memcmp(text.ptr, start, strlen(start)) == 0;
}

/* "METHOD(number) target 1.1 ...": the target. */
static skua_str target_of(skua_str head)
{
    const char *start = memchr(head.ptr, ' ', head.len);
    const char *end = memchr(start + 1, ' ', head.len - (size_t)(start + 1 - head.ptr));

    return skua_str_of(start + 1, (size_t)(end - start - 1));
}

static bool method_is_in_no_table(const struct run *run, unsigned at)
{
    skua_str head = head_of(run, at);
    skua_str method =
        skua_str_of(head.ptr, (size_t)((char *)memchr(head.ptr, '(', head.len) - head.ptr));

    for (int i = HTTP_DELETE; i <= HTTP_FLUSH; i++) {
        if (skua_str_eq(method, skua_str_c(llhttp_method_name((llhttp_method_t)i))))
            return false;
    }
    return true;
}

static bool target_is_refused_later(const struct run *run, unsigned at)
{
    skua_arena *arena = skua_arena_new(0);
    struct skua__target target;
    int err = skua__target_read(&target, arena, target_of(head_of(run, at)));

    skua_arena_free(arena);
    return err < 0;
}

static bool preface_is_cut_short(const struct run *run, unsigned at)
{
    return starts_with(head_of(run, at), "PRI(");
}

/* llhttp has stopped behind the size of a chunk, in its line. */
static bool extension_is_not_known(const struct run *run, unsigned at)
{
    skua_str wire = run->wire;
    size_t start = run->oracle.taken, end;

    while (start > 0 && wire.ptr[start - 1] != '\n')
        start--;
    for (end = start; end < wire.len && skua__hex_value(wire.ptr[end]) >= 0; end++)
        continue;
    return has(head_of(run, at), " chunked") && end > start && end < run->oracle.taken &&
           wire.ptr[end] == ';';
}

/* The field that starts with `name` and a colon has a tab behind the first byte of its value. */
static bool has_tab_in(skua_str wire, skua_str name)
{
    for (size_t at = 0; at + name.len < wire.len; at++) {
        const char *value = wire.ptr + at + name.len, *end = wire.ptr + wire.len;

        if (!skua__equal_nocase(skua_str_of(wire.ptr + at, name.len), name))
            continue;
        while (value < end && skua__char_is_blank(*value))
            value++;
        for (; value < end && *value != '\n'; value++) {
            if (*value == '\t')
                return true;
        }
    }
    return false;
}

static bool tab_is_blank(const struct run *run, unsigned at)
{
    (void)at;
    return has_tab_in(run->wire, SKUA_STR("connection:")) ||
           has_tab_in(run->wire, SKUA_STR("content-length:")) ||
           has_tab_in(run->wire, SKUA_STR("transfer-encoding:"));
}

/* The heads differ in nothing but that llhttp keeps the connection. */
static bool close_beats_keep_alive(const struct run *run, unsigned at)
{
    static const char keep[] = " keep";
    skua_str here = head_of(run, at), there;
    const char *more;
    size_t start;

    if (at % 2 != 0 || at >= run->oracle.events || !has(here, " 1.0 "))
        return false;
    there = event_of(&run->oracle.transcript, run->oracle.ends, at);
    more = memmem(there.ptr, there.len, keep, sizeof(keep) - 1);
    if (more == NULL || there.len != here.len + sizeof(keep) - 1)
        return false;
    start = (size_t)(more - there.ptr);
    return memcmp(here.ptr, there.ptr, start) == 0 &&
           memcmp(here.ptr + start, more + sizeof(keep) - 1, here.len - start) == 0;
}

/* llhttp has read the head, and looked at a field behind the body. */
static bool trailer_is_dropped(const struct run *run, unsigned at)
{
    int error = run->oracle.error;

    return has(head_of(run, at), " chunked") && run->oracle.events % 2 == 1 &&
           (error == HPE_INVALID_TRANSFER_ENCODING || error == HPE_INVALID_CONTENT_LENGTH);
}

/* The same of the message before. */
static bool last_trailer_is_dropped(const struct run *run, unsigned at)
{
    return at > 0 && has(head_of(run, at - 1), " chunked");
}

static bool connect_has_a_body(const struct run *run, unsigned at)
{
    return starts_with(head_of(run, at), "CONNECT(");
}

struct difference {
    int error; /* of llhttp, or -1 for any and none */
    bool (*holds)(const struct run *run, unsigned at);
    const char *reason;
};

static const struct difference classes[] = {
    {HPE_INVALID_METHOD, method_is_in_no_table,
     "any token is a method (RFC 9110, 9.1); one that is not known is answered with 501"},
    {-1, preface_is_cut_short, "PRI is one of these; llhttp takes it for the beginning of HTTP/2"},
    {-1, connect_has_a_body,
     "so is CONNECT, with a body like any other; llhttp takes it for the start of a tunnel"},
    {HPE_INVALID_URL, target_is_refused_later,
     "the form of a target is looked at by skua__target_read, which refuses it"},
    {HPE_INVALID_CHUNK_SIZE, extension_is_not_known,
     "a chunk extension needs no value (RFC 9112, 7.1.1)"},
    {HPE_STRICT, extension_is_not_known,
     "a quoted value of a chunk extension may have quoted pairs (RFC 9110, 5.6.4)"},
    {-1, trailer_is_dropped,
     "a field of a trailer decides nothing, whatever it is called (RFC 9110, 6.5.1)"},
    {HPE_CLOSED_CONNECTION, last_trailer_is_dropped, "the same for Connection: close"},
    {-1, close_beats_keep_alive,
     "close counts even if HTTP/1.0 is asked to keep the connection alive (RFC 9112, 9.3)"},
    {-1, tab_is_blank,
     "a tab behind a length, coding or option is white space like any other (RFC 9110, 5.6.3)"},
};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

/* The class of a case, or CLASSES; one whose head was not read here has none. */
static size_t class_of_case(const struct run *run, unsigned at)
{
    if (head_of(run, at).len == 0)
        return CLASSES;
    for (size_t i = 0; i < CLASSES; i++) {
        const struct difference *one = &classes[i];

        if ((one->error == -1 || one->error == run->oracle.error) && one->holds(run, at))
            return i;
    }
    return CLASSES;
}

/* ---- the run ---- */

static void print_bytes(const char *label, const char *ptr, size_t len)
{
    printf("%s: ", label);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)ptr[i];

        if (c == '\r')
            printf("\\r");
        else if (c == '\n')
            printf("\\n");
        else if (c < 0x20 || c > 0x7e || c == '\\')
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    putchar('\n');
}

static void print_case(const struct run *run, enum verdict verdict, unsigned at)
{
    static const char *const verdicts[] = {"same", "stricter", "laxer", "read in another way"};

    printf("---- %s from event %u; here %d, llhttp %s\n", verdicts[verdict], at, run->feed.result,
           llhttp_errno_name((llhttp_errno_t)run->oracle.error));
    print_bytes("wire", run->wire.ptr, run->wire.len);
    print_bytes("here", run->feed.transcript.ptr, run->feed.transcript.len);
    print_bytes("llhttp", run->oracle.transcript.ptr, run->oracle.transcript.len);
}

/* In pieces of less than `most` bytes, whole if it is longer. */
static void run_case(struct run *run, struct grammar *g, size_t most)
{
    skua_str wire = run->wire;

    feed_init(&run->feed, NULL);
    oracle_init(&run->oracle);
    for (size_t at = 0; at < wire.len;) {
        size_t left = wire.len - at;
        size_t size = most > wire.len ? wire.len : 1 + grammar_random(g, most < left ? most : left);

        feed_bytes(&run->feed, wire.ptr + at, size);
        oracle_bytes(&run->oracle, wire.ptr + at, size);
        at += size;
    }
}

static void finish_run(struct run *run)
{
    feed_finish(&run->feed);
    oracle_finish(&run->oracle);
}

struct tally {
    size_t verdicts[4];
    size_t classes[CLASSES + 1];
};

/* What is refused here is refused, and what differs is one of the classes. */
static void check_case(const struct run *run, struct tally *tally)
{
    unsigned at = first_difference(run);
    enum verdict verdict = judge(run, at);
    size_t class;

    tally->verdicts[verdict]++;
    if (verdict <= STRICTER)
        return;
    class = class_of_case(run, at);
    if (class == CLASSES && tally->classes[CLASSES] < 10)
        print_case(run, verdict, at);
    tally->classes[class]++;
}

static void check_random_case(struct grammar *g, struct tally *tally)
{
    struct run run;

    grammar_put_case(g);
    run.wire = skua_str_of(g->out.ptr, g->out.len);
    for (size_t most = run.wire.len + 1; most > 0; most /= 16) {
        run_case(&run, g, most);
        check_case(&run, tally);
        finish_run(&run);
    }
}

static void print_tally(const struct tally *tally)
{
    printf("llhttp: %zu the same, %zu stricter\n", tally->verdicts[SAME],
           tally->verdicts[STRICTER]);
    for (size_t i = 0; i < CLASSES; i++)
        printf("  %zu: %s\n", tally->classes[i], classes[i].reason);
}

static void nothing_is_taken_that_llhttp_refuses_or_reads_in_another_way(void **state)
{
    struct grammar g = {.seed = 20240611};
    size_t cases = getenv("SKUA_LONG") != NULL ? 5000000 : 200000;
    struct tally tally = {{0}, {0}};

    (void)state;
    for (size_t i = 0; i < cases; i++)
        check_random_case(&g, &tally);
    skua__buf_finish(&g.out);
    print_tally(&tally);
    assert_int_equal(tally.classes[CLASSES], 0);
    for (size_t i = 0; i < CLASSES; i++)
        assert_int_not_equal(tally.classes[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_taken_that_llhttp_refuses_or_reads_in_another_way),
    };

    return cmocka_run_group_tests_name("llhttp diff", tests, NULL, NULL);
}
