/* SPDX-License-Identifier: MIT */
/*
 * h1_conn_fuzz.c - a whole application, asked with any bytes
 *
 *   bytes --> connection in memory --> codec, router, hooks, handlers --> replies
 *
 * What comes back is read strictly: each reply has to be well-formed to the byte, has to belong to a
 * request, and nothing may follow one that closes the connection. The bytes are then sent once more
 * in small pieces; apart from dates the same has to come back.
 *
 * The application has a route of each sort, and handlers that put what they were sent into heads and
 * bodies of replies.
 */
#include "fuzz.h"

#include "app/worker.h"
#include "http/h1.h"
#include "net/memory.h"
#include "text/percent.h"

#include <skua.h>

enum { MOST = 2048 }; /* requests in an input */

/* ---- the application ---- */

static int say_text(skua_req *req, skua_reply *reply)
{
    const char *rest = skua_param(req, "*");

    return skua_reply_text(reply, rest != NULL ? rest : "Hello");
}

static int say_header(skua_req *req, skua_reply *reply)
{
    const char *value = skua_req_header(req, "x-in");
    int err = skua_reply_header(reply, "x-out", value != NULL ? value : "");

    if (err == 0)
        err = skua_reply_header(reply, skua_query(req, "name", "x-name"), "1");
    return err < 0 ? err : skua_reply_bytes(reply, "", 0);
}

static int redirect(skua_req *req, skua_reply *reply)
{
    return skua_reply_redirect(reply, skua_query(req, "to", "/"),
                               (int)skua_query_int(req, "status", 303));
}

static int set_status(skua_req *req, skua_reply *reply)
{
    skua_reply_status(reply, (int)skua_query_int(req, "is", 204));
    return skua_reply_empty(reply);
}

static int show_number(skua_req *req, skua_reply *reply)
{
    int64_t number;
    int err = skua_param_int(req, &number, "id");

    if (err < 0)
        return err;
    return skua_reply_send(reply, skua_int(skua_req_arena(req), number));
}

static int show_query(skua_req *req, skua_reply *reply)
{
    return skua_reply_send(reply, skua_req_query(req));
}

static int show_body(skua_req *req, skua_reply *reply)
{
    return skua_reply_send(reply, skua_body(req));
}

static int show_field(skua_req *req, skua_reply *reply)
{
    return skua_reply_html(reply, skua_field(req, "name", "nobody"));
}

static int drop_body(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "no, thanks");
}

static int wait_a_turn(skua_req *req, skua_reply *reply)
{
    int err = skua_sleep(0);

    (void)req;
    return err < 0 ? err : skua_reply_text(reply, "waited");
}

struct countdown {
    int64_t left;
    char piece[2];
};

static int next_piece(void *ctx, skua_str *piece)
{
    struct countdown *countdown = ctx;

    if (countdown->left-- <= 0)
        return 0; /* the empty piece ends it */
    *piece = skua_str_of(countdown->piece, 2);
    return skua_sleep(0);
}

/* Three pieces, or ?from= so many, their length promised if there is ?exact. */
static int count_down(skua_req *req, skua_reply *reply)
{
    struct countdown *countdown = skua_alloc(skua_req_arena(req), sizeof(*countdown));
    bool exact = skua_query(req, "exact", NULL) != NULL;

    if (countdown == NULL)
        return SKUA_ERR_NOMEM;
    *countdown = (struct countdown){skua_query_int(req, "from", 3) & 15, {'-', '\n'}};
    return skua_reply_stream(reply, next_piece, countdown, exact ? countdown->left * 2 : -1);
}

static int forget(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return 0;
}

static int fail_by_query(skua_req *req, skua_reply *reply)
{
    (void)reply;
    return skua_fail(req, (int)skua_query_int(req, "status", 418), "FUZZ", "%s",
                     skua_query(req, "text", "no"));
}

static int stop_early(skua_req *req, skua_reply *reply)
{
    const char *how = skua_req_header(req, "x-stop");

    if (how == NULL)
        return 0;
    return strcmp(how, "fail") == 0 ? SKUA_ERR_UNAVAILABLE : skua_reply_text(reply, how);
}

static int answer_failure(const skua_error *error, skua_req *req, skua_reply *reply)
{
    (void)req;
    return error->status == 400 ? error->code : skua_reply_text(reply, error->text);
}

static skua_app *make_app(void)
{
    skua_app *app = fuzz_have(skua_app_new_with(&(skua_app_opts){.log = SKUA_LOG_SILENT}));
    skua_app *early = skua_scope(app, "/early");

    skua_get(app, "/text", say_text);
    skua_get(app, "/text/*", say_text);
    skua_get(app, "/header", say_header);
    skua_get(app, "/go", redirect);
    skua_get(app, "/status", set_status);
    skua_get(app, "/n/:id", show_number);
    skua_get(app, "/query", show_query);
    skua_post(app, "/body", show_body);
    skua_put(app, "/field", show_field);
    skua_post(app, "/drop", drop_body, .body_limit = 16);
    skua_get(app, "/wait", wait_a_turn);
    skua_get(app, "/count", count_down);
    skua_get(app, "/forget", forget);
    skua_get(app, "/fail", fail_by_query);
    skua_post(early, "/body", show_body);
    skua_get(early, "/wait", wait_a_turn);
    skua_hook(early, SKUA_ON_REQUEST, stop_early);
    skua_set_error_handler(early, answer_failure);
    skua_set_not_found_handler(early, drop_body);
    if (skua_app_ready(app) < 0) {
        fprintf(stderr, "%s\n", skua_app_mistakes(app));
        abort();
    }
    return app;
}

/* ---- what was asked ---- */

struct requests {
    enum skua_method methods[MOST]; /* of each head, also of one that is broken */
    unsigned count;
    unsigned complete; /* with their bodies */
};

/* Read a body away. SKUA__H1_END, or less: it is broken or not all there. */
static int skip_body(struct skua__h1 *h1, const char *data, size_t len, size_t *at)
{
    skua_str piece;
    size_t used;
    int result;

    do {
        result = skua__h1_body(h1, data + *at, len - *at, &used, &piece);
        *at += used;
    } while (result == SKUA__H1_DATA);
    return result;
}

/* What the codec sees in the bytes, which it may edit. */
static void read_requests(struct requests *requests, char *data, size_t len)
{
    struct skua__h1 h1;
    size_t at = 0, used;
    int result = SKUA__H1_END;

    requests->count = requests->complete = 0;
    skua__h1_init(&h1, &skua__h1_default_limits);
    while (result == SKUA__H1_END && requests->count < MOST) {
        result = skua__h1_head(&h1, data + at, len - at, &used);
        if (result == SKUA__H1_MORE)
            return;
        requests->methods[requests->count++] = h1.head.method;
        at += used;
        if (result == SKUA__H1_END)
            result = skip_body(&h1, data, len, &at);
        if (result != SKUA__H1_END)
            return;
        requests->complete++;
        if (!h1.head.keep_alive)
            return;
        skua__h1_next(&h1);
    }
}

/* ---- what came back ---- */

struct reply {
    int status;
    bool close;
    bool chunked;
    bool dated;
    long long length; /* -1: none */
};

/* Take a line, which ends in CR LF and holds no other CR and LF. */
static skua_str take_line(skua_str *rest)
{
    const char *end = fuzz_have(memchr(rest->ptr, '\n', rest->len));
    size_t len = (size_t)(end - rest->ptr);
    skua_str line;

    fuzz_check(len > 0 && end[-1] == '\r');
    line = skua_str_of(rest->ptr, len - 1);
    fuzz_check(memchr(line.ptr, '\r', line.len) == NULL);
    *rest = skua_str_of(end + 1, rest->len - len - 1);
    return line;
}

static skua_str take_bytes(skua_str *rest, size_t len)
{
    skua_str bytes = skua_str_of(rest->ptr, len);

    fuzz_check(len <= rest->len);
    *rest = skua_str_of(rest->ptr + len, rest->len - len);
    return bytes;
}

static int read_status(skua_str line)
{
    int status = 0;

    fuzz_check(line.len > 13 && memcmp(line.ptr, "HTTP/1.1 ", 9) == 0 && line.ptr[12] == ' ');
    for (int i = 9; i < 12; i++) {
        fuzz_check(line.ptr[i] >= '0' && line.ptr[i] <= '9');
        status = status * 10 + (line.ptr[i] - '0');
    }
    fuzz_check(status >= 100 && status <= 599);
    return status;
}

static long long read_length(skua_str digits)
{
    long long length = 0;

    fuzz_check(digits.len > 0 && digits.len < 16 && (digits.len == 1 || digits.ptr[0] != '0'));
    for (size_t i = 0; i < digits.len; i++) {
        fuzz_check(digits.ptr[i] >= '0' && digits.ptr[i] <= '9');
        length = length * 10 + (digits.ptr[i] - '0');
    }
    return length;
}

/* A field that says how the reply ends, or when it was made. None comes twice. */
static void note_field(struct reply *reply, skua_str name, skua_str value)
{
    if (skua_str_eq(name, SKUA_STR("content-length"))) {
        fuzz_check(reply->length == -1 && !reply->chunked);
        reply->length = read_length(value);
    } else if (skua_str_eq(name, SKUA_STR("transfer-encoding"))) {
        fuzz_check(reply->length == -1 && !reply->chunked);
        fuzz_check(skua_str_eq(value, SKUA_STR("chunked")));
        reply->chunked = true;
    } else if (skua_str_eq(name, SKUA_STR("connection"))) {
        reply->close = skua_str_eq(value, SKUA_STR("close"));
        fuzz_check(reply->close || skua_str_eq(value, SKUA_STR("keep-alive")));
    } else if (skua_str_eq(name, SKUA_STR("date"))) {
        fuzz_check(!reply->dated && value.len == SKUA__DATE_LEN);
        reply->dated = true;
    }
}

static void read_field(struct reply *reply, skua_str line)
{
    const char *colon = fuzz_have(memchr(line.ptr, ':', line.len));
    skua_str name = skua_str_of(line.ptr, (size_t)(colon - line.ptr));
    skua_str value;

    fuzz_check(name.len + 2 <= line.len && colon[1] == ' ');
    value = skua_str_of(colon + 2, line.len - name.len - 2);
    fuzz_check(skua__token_valid(name) && skua__field_value_valid(value));
    note_field(reply, name, value);
}

static void read_chunks(skua_str *rest)
{
    long long size;

    do {
        skua_str line = take_line(rest);

        size = 0;
        fuzz_check(line.len > 0 && line.len < 8);
        for (size_t i = 0; i < line.len; i++) {
            fuzz_check(skua__hex_value(line.ptr[i]) >= 0);
            size = size * 16 + skua__hex_value(line.ptr[i]);
        }
        take_bytes(rest, (size_t)size);
        fuzz_check(take_line(rest).len == 0);
    } while (size > 0);
}

/* RFC 9112, 6.3 */
static bool is_bodiless(int status)
{
    return status < 200 || status == 204 || status == 304;
}

static void read_content(const struct reply *reply, enum skua_method method, skua_str *rest)
{
    bool framed = reply->length >= 0 || reply->chunked;

    fuzz_check(framed || reply->close || is_bodiless(reply->status));
    if (is_bodiless(reply->status))
        fuzz_check(!framed);
    else if (method == SKUA_HEAD)
        return;
    else if (reply->length >= 0)
        take_bytes(rest, (size_t)reply->length);
    else if (reply->chunked)
        read_chunks(rest);
    else
        take_bytes(rest, rest->len); /* up to the end of the connection */
}

/* Take a reply off the front. */
static void take_reply(struct reply *reply, enum skua_method method, skua_str *rest)
{
    skua_str line;

    *reply = (struct reply){.length = -1, .status = read_status(take_line(rest))};
    while ((line = take_line(rest)).len > 0)
        read_field(reply, line);
    fuzz_check(reply->dated == (reply->status >= 200));
    read_content(reply, method, rest);
}

/* Interim replies belong to the reply that follows; there is always one. */
static void check_replies(const struct requests *requests, skua_str rest)
{
    struct reply reply = {0};
    unsigned count = 0;

    while (rest.len > 0) {
        fuzz_check(count < requests->count && !reply.close);
        take_reply(&reply, requests->methods[count], &rest);
        count += reply.status >= 200;
    }
    fuzz_check(count >= requests->complete || reply.close);
}

/* ---- the same in pieces ---- */

struct connection {
    struct skua__task task;
    struct skua__worker *worker;
    struct skua__memory_peer peer;
};

static void end_connection(void *ctx)
{
    struct connection *connection = ctx;

    skua__loop_stop(connection->worker->loop);
}

static void open_connection(struct skua__task *task)
{
    struct connection *connection = SKUA__OWNER(task, struct connection, task);

    fuzz_check(skua__memory_open(&connection->worker->net, &connection->peer) == 0);
}

/* As skua_inject, but no read gives more than `step` bytes. */
static void send_in_pieces(struct skua__worker *worker, struct skua__buf *output, skua_str input,
                           size_t step)
{
    struct connection connection = {
        .task = {.run = open_connection},
        .worker = worker,
        .peer = {.input = input, .step = step, .output = output, .done = end_connection},
    };

    connection.peer.ctx = &connection;
    skua__loop_post(worker->loop, &connection.task);
    fuzz_check(skua__loop_run(worker->loop) == 0);
}

/* Dates differ from one second to the next. */
static void mask_dates(char *text, size_t len)
{
    static const char field[] = "\r\ndate: ";
    size_t at = 0;

    while (len - at > sizeof(field) + SKUA__DATE_LEN) {
        if (memcmp(text + at, field, sizeof(field) - 1) == 0)
            memset(text + at + sizeof(field) - 1, '.', SKUA__DATE_LEN);
        at++;
    }
}

static void check_pieces(skua_app *app, skua_str input, skua_injected *whole)
{
    struct skua__buf output;

    skua__buf_init(&output, NULL);
    send_in_pieces(app->root->inject, &output, input, 1 + input.len / 64);
    mask_dates(output.ptr, output.len);
    mask_dates(whole->memory, whole->raw.len);
    fuzz_check(skua_str_eq(skua_str_of(output.ptr, output.len), whole->raw));
    skua__buf_finish(&output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct requests requests;
    static skua_app *app; /* reachable until the end, so nothing that leaks */
    skua_str input = skua_str_of((const char *)data, size);
    skua_injected whole;
    char *copy = fuzz_copy(input);

    if (app == NULL)
        app = make_app();
    read_requests(&requests, copy, size);
    free(copy);
    fuzz_check(skua_inject_with(app, &whole, &(skua_inject_opts){.raw = input}) == 0);
    check_replies(&requests, whole.raw);
    check_pieces(app, input, &whole);
    skua_injected_finish(&whole);
    return 0;
}
