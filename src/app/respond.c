/* SPDX-License-Identifier: MIT */
/*
 * respond.c - from a description to bytes: the one place that sends a reply
 *
 *                    +-- err < 0 --> onError, error handler --+
 *                    v                                        |
 *   handler --> [describe] --> preSerialization, serialise, onSend --ok--> write --> onResponse
 *
 * Each failure is answered by the next scope outwards, at last by the built-in page, which cannot
 * fail; if even its onSend does, it is written without it. So a request has exactly one reply and the
 * flow ends. This is the only caller of the codec's writer.
 */
#include "app/request.h"

#include "app/worker.h"
#include "async/fiber.h"
#include "http/status.h"
#include "value/json.h"
#include "view/error.h"

#include <string.h>

#define TURN ((size_t)262144) /* bytes of one reply before the loop serves others */

static bool is_bodiless(const skua_req *req, int status)
{
    return req->head->method == SKUA_HEAD || skua__status_bodiless(status);
}

/* ---- serialisation ---- */

static int serialise_value(skua_req *req)
{
    skua_reply *reply = &req->reply;
    struct skua__buf json;
    int err;

    skua__buf_init(&json, &req->arena);
    err = skua__json_append(&json, reply->value);
    if (err == SKUA_ERR_TOO_DEEP)
        return skua__fail_code(req, SKUA_ERR_STATE,
                               "the reply is nested more than 512 levels deep, or holds itself");
    if (err < 0)
        return err;
    reply->bytes = skua__buf_str(&json);
    reply->default_type = SKUA_STR("application/json; charset=utf-8");
    return json.failed ? SKUA_ERR_NOMEM : 0;
}

/* A broken template becomes the request's error, with its place for the developer. */
static int fail_view(skua_req *req, int code, const struct skua__view_error *view)
{
    if (view->text == NULL)
        return code;
    code = skua__fail_code(req, code, "%s", view->text);
    if (code != SKUA_ERR_NOMEM)
        req->error->detail = skua__view_error_format(view, &req->arena);
    return code;
}

static int serialise_view(skua_req *req)
{
    struct skua__views *views = skua__scope_views(req->scope);
    struct skua__view_error error = {0};
    skua_reply *reply = &req->reply;
    int err;

    if (views == NULL)
        return skua_fail(
            req, 500, "SKUA_ERR_SETUP",
            "the scope has no views: call skua_views(app, .root = \"views\") at set-up");
    err = skua__views_render(&reply->bytes, views, &req->arena, reply->page, reply->value, NULL,
                             &error);
    if (err < 0)
        return fail_view(req, err, &error);
    reply->default_type = SKUA_STR("text/html; charset=utf-8");
    return 0;
}

static int serialise(skua_req *req)
{
    skua_reply *reply = &req->reply;
    int err = 0;

    if (reply->content == SKUA__CONTENT_VALUE)
        err = serialise_value(req);
    else if (reply->content == SKUA__CONTENT_VIEW)
        err = serialise_view(req);
    else
        return 0;
    if (err == 0)
        reply->content = SKUA__CONTENT_BYTES;
    return err;
}

static bool has_value(const skua_reply *reply)
{
    return reply->content == SKUA__CONTENT_VALUE || reply->content == SKUA__CONTENT_VIEW;
}

/* Caches have to know by which fields the route was chosen (RFC 9110, 12.5.5). */
static void add_vary(skua_req *req)
{
    static const struct {
        uint8_t reads;
        const char *name;
    } fields[] = {{SKUA__READS_HOST, "Host"}, {SKUA__READS_VERSION, "Accept-Version"}};
    skua_reply *reply = &req->reply;

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const char *before = skua_reply_get_header(reply, "vary");

        if ((req->match.vary & fields[i].reads) != 0)
            skua_reply_header(reply, "vary",
                              before == NULL
                                  ? fields[i].name
                                  : skua_format(&req->arena, "%s, %s", before, fields[i].name));
    }
}

/* Make the description final: bytes or a stream, with a valid status. */
static int prepare(skua_req *req)
{
    skua_reply *reply = &req->reply;
    int err;

    if (skua_arena_failed(&req->arena))
        return SKUA_ERR_NOMEM;
    if (reply->content == SKUA__CONTENT_NONE)
        return SKUA_ERR_NO_REPLY;
    if (has_value(reply) && (err = skua__run_hooks(req, SKUA_PRE_SERIALIZATION, false)) < 0)
        return err;
    if ((err = serialise(req)) < 0 || (err = skua__run_hooks(req, SKUA_ON_SEND, false)) < 0)
        return err;
    err = serialise(req); /* onSend may have put a value in the place of the bytes */
    if (err < 0)
        return err;
    add_vary(req);
    if (reply->status < 200 || reply->status > 599)
        return skua_fail(req, 500, "SKUA_ERR_STATE",
                         "the status %d is not one of a reply (200 to 599)", reply->status);
    if (reply->content == SKUA__CONTENT_STREAM && !is_bodiless(req, reply->status) &&
        (err = skua__checked(req, reply->next(reply->ctx, &reply->bytes))) < 0)
        return err; /* while nothing has been sent, there is still an answer to a failure */
    return skua_arena_failed(&req->arena) ? SKUA_ERR_NOMEM : 0;
}

/* ---- error flow ---- */

/* A line each, so that nothing in it can pretend to be another entry of the log. */
static void log_lines(const struct skua__log *log, enum skua_log_level level, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        skua__log(log, level, "  %.*s", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

/* What the server cannot help, such as a method it does not know, is no error of the server. */
static enum skua_log_level choose_level(int status)
{
    return status < 500 || status == 501 || status == 505 ? SKUA_LOG_INFO : SKUA_LOG_ERROR;
}

static void log_error(const skua_req *req)
{
    const struct skua__log *log = &req->worker->root->log;
    const skua_error *error = req->error;
    enum skua_log_level level = choose_level(error->status);

    skua__log(log, level, "%.*s %.*s: %d %s: %s", (int)req->head->method_text.len,
              req->head->method_text.ptr, (int)req->target.path.len, req->target.path.ptr,
              error->status, error->name, error->text);
    if (error->detail != NULL)
        log_lines(log, level, error->detail);
}

/* 405 has to say what would be taken (RFC 9110, 15.5.6). */
static void add_allow(skua_req *req)
{
    struct skua__buf names;

    skua__buf_init(&names, &req->arena);
    for (int method = 0; method < SKUA_METHOD_COUNT; method++) {
        if ((req->allow >> method & 1) == 0)
            continue;
        if (names.len > 0)
            skua__buf_put_literal(&names, ", ");
        skua__buf_put_str(&names, skua_str_c(skua_method_name((enum skua_method)method)));
    }
    skua_reply_header(&req->reply, "allow", skua__buf_str(&names).ptr);
}

/* The nearest error handler outwards from the scope that is next to answer. */
static skua_error_handler take_answerer(skua_req *req)
{
    while (req->answerer != NULL) {
        const skua_app *scope = req->answerer;

        req->answerer = scope->parent;
        if (scope->on_error == NULL)
            continue;
        req->scope = scope;
        return scope->on_error;
    }
    return NULL;
}

/* The log and onError hear of each failure once, however many scopes pass it on. A hook only looks on:
 * what it returns and describes is dropped. */
static void tell_failure(skua_req *req)
{
    if (req->told == req->error)
        return;
    req->told = req->error;
    log_error(req);
    skua__tell_hooks(req, SKUA_ON_ERROR);
}

/* Describe the answer to a failure: 0, or the failure of the handler, which the next answers. */
static int answer_failure(skua_req *req, int err)
{
    skua_error_handler handler;

    skua__error_describe(req, err);
    if (req->error == NULL)
        return SKUA_ERR_NOMEM;
    tell_failure(req);
    skua__reply_reset(&req->reply, req);
    req->reply.status = req->error->status;
    if (req->error->code == SKUA_ERR_METHOD)
        add_allow(req);
    handler = take_answerer(req);
    if (handler == NULL) {
        skua__error_page(req);
        return 0;
    }
    err = skua__checked(req, handler(req->error, req, &req->reply));
    if (err == 0 && req->reply.content == SKUA__CONTENT_NONE)
        err = SKUA_ERR_NO_REPLY;
    return err;
}

/* ---- writing ---- */

static enum skua__h1_framing choose_framing(const skua_req *req)
{
    const skua_reply *reply = &req->reply;

    if (skua__status_bodiless(reply->status))
        return SKUA__H1_NONE;
    if (reply->content != SKUA__CONTENT_STREAM || reply->length >= 0)
        return SKUA__H1_LENGTH;
    return req->head->minor == 0 ? SKUA__H1_CLOSE : SKUA__H1_CHUNKED;
}

static enum skua__h1_framing write_head(skua_req *req, struct skua__buf *out)
{
    skua_reply *reply = &req->reply;
    struct skua__h1_reply head = {
        .status = reply->status,
        .minor = req->head->minor,
        .framing = choose_framing(req),
        .date = skua__worker_date(req->worker),
    };
    uint16_t count = reply->field_count;

    head.length =
        reply->content == SKUA__CONTENT_STREAM ? (uint64_t)reply->length : reply->bytes.len;
    head.keep_alive = skua__conn_keeps(req->conn) && head.framing != SKUA__H1_CLOSE;
    req->keep_alive = head.keep_alive;
    if (skua__reply_type(reply).len > 0 && reply->content != SKUA__CONTENT_EMPTY &&
        head.framing != SKUA__H1_NONE) {
        /* Here is always room for it: field_count < field_cap. */
        reply->fields[count].name = SKUA_STR("content-type");
        reply->fields[count].value = skua__reply_type(reply);
        count++;
    }
    skua__h1_write_head(out, &head, reply->fields, count);
    return head.framing;
}

/* Append a piece of the body, and wait while the peer has much to take. The buffer is asked for anew each
 * time: it is sent and lent on whenever somebody waits. */
static int write_piece(skua_req *req, enum skua__h1_framing framing, skua_str piece)
{
    struct skua__buf *out = skua__conn_out(req->conn);

    if (out == NULL)
        return SKUA_ERR_NOMEM;
    if (framing == SKUA__H1_CHUNKED)
        skua__h1_write_chunk(out, piece);
    else
        skua__buf_put_str(out, piece);
    return skua__conn_flush_much(req->conn);
}

static int write_end(skua_req *req, enum skua__h1_framing framing)
{
    struct skua__buf *out = skua__conn_out(req->conn);

    if (out == NULL)
        return SKUA_ERR_NOMEM;
    if (framing == SKUA__H1_CHUNKED)
        skua__h1_write_last_chunk(out);
    return 0;
}

/* A peer that takes everything at once would keep the loop to itself: after TURN bytes others go first. */
static int let_others(size_t *turn, size_t len)
{
    *turn += len;
    if (*turn < TURN)
        return 0;
    *turn = 0;
    return skua_sleep(0);
}

/* Write what a producer gives, as fast as the peer takes it. The first piece is in `bytes`. */
static int write_stream(skua_req *req, enum skua__h1_framing framing)
{
    skua_reply *reply = &req->reply;
    uint64_t left = framing == SKUA__H1_LENGTH ? (uint64_t)reply->length : UINT64_MAX;
    skua_str piece = reply->bytes;
    size_t turn = 0;

    while (piece.len > 0 && piece.len <= left) {
        int err = write_piece(req, framing, piece);

        if (err == 0)
            err = let_others(&turn, piece.len);
        if (err < 0)
            return err;
        left -= piece.len;
        piece = skua_str_of(NULL, 0);
        skua__conn_flush(req->conn); /* what there is goes out before we wait for more */
        err = skua__checked(req, reply->next(reply->ctx, &piece));
        if (err < 0)
            return err;
    }
    if (piece.len > left || (framing == SKUA__H1_LENGTH && left > 0))
        return skua_fail(req, 500, "SKUA_ERR_STATE",
                         "a stream did not have the length it promised");
    return write_end(req, framing);
}

/* Write a body that is there, in pieces if it is long, so that the buffer stays small. */
static int write_bytes(skua_req *req, enum skua__h1_framing framing)
{
    const size_t most = 65536;
    skua_str bytes = req->reply.bytes;
    size_t turn = 0;

    while (bytes.len > 0) {
        size_t len = bytes.len < most ? bytes.len : most;
        int err = write_piece(req, framing, skua_str_of(bytes.ptr, len));

        if (err == 0)
            err = let_others(&turn, len);
        if (err < 0)
            return err;
        bytes = skua_str_of(bytes.ptr + len, bytes.len - len);
    }
    return 0;
}

static int write_reply(skua_req *req)
{
    struct skua__buf *out = skua__conn_out(req->conn);
    enum skua__h1_framing framing;

    if (out == NULL)
        return SKUA_ERR_NOMEM;
    framing = write_head(req, out);
    if (is_bodiless(req, req->reply.status))
        return 0;
    if (req->reply.content == SKUA__CONTENT_STREAM)
        return write_stream(req, framing);
    return write_bytes(req, framing);
}

/* ---- the flow ---- */

/* The error that onResponse and the log see is the one that was answered, not one that a handler dropped. */
static void keep_answered_error(skua_req *req)
{
    if (req->error != req->told)
        req->error = NULL;
}

/* Failures until something can be written. Ends, because each failure goes one scope outwards. */
static void settle_reply(skua_req *req, int err)
{
    bool last = false;

    while (!last && !skua_arena_failed(&req->arena)) {
        last = err < 0 && req->answerer == NULL;
        if (err < 0)
            err = answer_failure(req, err);
        if (err == 0)
            err = prepare(req);
        if (err == 0)
            return;
    }
    /* The built-in page could not be sent through onSend, or memory is gone: without hooks then. */
    if (skua_arena_failed(&req->arena))
        skua_log(req, SKUA_LOG_WARN, "503: out of memory, or past the request's budget");
    skua__error_describe(req, err);
    skua__reply_reset(&req->reply, req);
    skua__error_page(req);
}

static void send_reply(skua_req *req, int err)
{
    settle_reply(req, err);
    keep_answered_error(req);
    err = write_reply(req);
    if (err < 0) {
        req->cut = true;
        skua_log(req, req->conn->gone ? SKUA_LOG_INFO : SKUA_LOG_WARN,
                 "the reply was cut short: %s (%s)",
                 req->error != NULL ? req->error->text : skua_err_text(err), skua_err_name(err));
    }
    skua_log(req, SKUA_LOG_INFO, "%d", req->reply.status);
}

/* The peer is gone: what is told of it is clean-up, which may wait although the request is cancelled. */
static void tell_abort(skua_req *req)
{
    skua__fiber_shield();
    skua__tell_hooks(req, SKUA_ON_REQUEST_ABORT);
    skua__fiber_unshield();
}

void skua__respond(skua_req *req, int err)
{
    if (!req->conn->gone)
        send_reply(req, err);
    if (req->failure == SKUA_ERR_TIMEOUT)
        skua__tell_hooks(req, SKUA_ON_TIMEOUT);
    skua__conn_flush(req->conn); /* a hook that waits does not keep the reply back */
    if (req->conn->gone)
        tell_abort(req);
    else
        skua__tell_hooks(req, SKUA_ON_RESPONSE);
    req->responded = true;
}

void skua__respond_busy(skua_req *req)
{
    skua_log(req, SKUA_LOG_WARN, "503: no stack for a fiber");
    skua__reply_reset(&req->reply, req);
    req->error = NULL;
    skua__error_page(req);
    req->cut = write_reply(req) < 0;
    req->responded = true;
}
