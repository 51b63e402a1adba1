/* SPDX-License-Identifier: MIT */
/*
 * pipeline.c - the way of a request through its phases
 *
 *   head -> route -> [early fiber: onRequest, preParsing] -> body -> fiber: the rest -> recycled
 *
 * A fiber works only while something has to run. A request without a body takes its whole way on one
 * fiber. One with a body gives its fiber back after preParsing, and takes another when the body is
 * complete: bytes that trickle in hold a buffer, never a stack.
 *
 * The worker owns the request; the connection holds it as `request` from head() to finish().
 */
#include "app/request.h"

#include "app/worker.h"
#include "async/fiber.h"

/* ---- phases ---- */

int skua__checked(skua_req *req, int result)
{
    if (result <= 0)
        return result;
    return skua__fail_code(
        req, SKUA_ERR_STATE,
        "a handler or hook returned %d: return 0 or a negative code, and set the "
        "status with skua_reply_status",
        result);
}

int skua__run_hooks(skua_req *req, enum skua_phase phase, bool until_reply)
{
    const struct skua__route *route = req->route;

    for (uint16_t i = route->at[phase]; i < route->at[phase + 1]; i++) {
        int err;

        req->reply.closed = false; /* each may put its content in the place of what is there */
        err = skua__checked(req, route->chain[i](req, &req->reply));
        if (err < 0)
            return err;
        if (until_reply && req->reply.content != SKUA__CONTENT_NONE)
            return 0;
    }
    return 0;
}

void skua__tell_hooks(skua_req *req, enum skua_phase phase)
{
    const struct skua__route *route = req->route;

    for (uint16_t i = route->at[phase]; i < route->at[phase + 1]; i++)
        route->chain[i](req, &req->reply);
}

static int run_early(skua_req *req)
{
    int err;

    if (req->early_done)
        return 0;
    req->early_done = true;
    err = skua__run_hooks(req, SKUA_ON_REQUEST, true);
    if (err == 0 && req->reply.content == SKUA__CONTENT_NONE)
        err = skua__run_hooks(req, SKUA_PRE_PARSING, true);
    return err;
}

static int run_pre_validation(skua_req *req)
{
    return skua__run_hooks(req, SKUA_PRE_VALIDATION, true);
}

static int run_pre_handler(skua_req *req)
{
    return skua__run_hooks(req, SKUA_PRE_HANDLER, true);
}

/* Where there is nothing: the nearest not-found handler, or the error flow with 404 or 405. */
static int run_not_found(skua_req *req)
{
    const struct skua__route *route = skua__not_found_route(req->worker->root, req->target.path);

    if (req->allow != 0)
        return SKUA_ERR_METHOD;
    if (route->handler == NULL)
        return SKUA_ERR_NOT_FOUND;
    req->scope = route->scope;
    skua__reply_reset(&req->reply, req); /* nothing of what the handler began */
    req->reply.status = 404;
    return skua__checked(req, route->handler(req, &req->reply));
}

static int run_handler(skua_req *req)
{
    int err;

    if (req->match.route == NULL)
        return run_not_found(req);
    err = skua__checked(req, req->route->handler(req, &req->reply));
    /* A bare code says that there is nothing under this address, as if it had no route. */
    return err == SKUA_ERR_NOT_FOUND ? run_not_found(req) : err;
}

/* On a fiber: everything that is left of the request, up to its reply. */
static void run(void *arg)
{
    static int (*const steps[])(skua_req * req) = {run_early, skua__body_parse, run_pre_validation,
                                                   run_pre_handler, run_handler};
    skua_req *req = arg;
    int err = req->failure;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (err < 0 || req->reply.content != SKUA__CONTENT_NONE)
            break;
        err = steps[i](req);
    }
    skua__respond(req, err);
}

/* On a fiber: only what comes before the body. */
static void run_before_body(void *arg)
{
    skua_req *req = arg;
    int err = run_early(req);

    if (err < 0 || req->reply.content != SKUA__CONTENT_NONE)
        skua__respond(req, err);
}

/* ---- on the thread's own stack ---- */

static void finish(skua_req *req)
{
    struct skua__worker *worker = req->worker;
    struct skua__conn *conn = req->conn;
    bool keep_alive = req->keep_alive, cut = req->cut;

    skua__arena_reset(&req->arena); /* its clean-ups may still look at the body */
    skua__buf_finish(&req->body);
    skua__req_give(worker, req);
    skua__conn_finish(conn, keep_alive, cut);
}

static void continue_with_body(skua_req *req)
{
    if (req->head->expect_continue) {
        struct skua__buf *out = skua__conn_out(req->conn);

        if (out != NULL)
            skua__buf_put_literal(out, "HTTP/1.1 100 Continue\r\n\r\n");
        skua__conn_flush(req->conn);
    }
    skua__conn_go(req->conn);
}

static void leave_fiber(void *arg);

static void start(skua_req *req, void (*fn)(void *arg))
{
    int result = skua__fiber_start(req->worker->loop, &req->fiber, fn, leave_fiber, req);

    if (result == SKUA__FIBER_WAITING)
        return;
    if (result < 0)
        skua__respond_busy(req);
    leave_fiber(req);
}

/* A fiber of the request has ended. */
static void leave_fiber(void *arg)
{
    skua_req *req = arg;

    req->fiber = NULL;
    if (req->responded)
        finish(req);
    else if (req->conn->gone)
        start(req, run); /* the peer left during the early phases: no body will come */
    else
        continue_with_body(req);
}

/* ---- from head to route ---- */

static int read_target(skua_req *req)
{
    int err = skua__target_read(&req->target, &req->arena, req->head->target);

    if (err == 0)
        err = skua__router_drop_slashes(req->worker->root->router, &req->target.path, &req->arena);
    if (err == 0 && req->head->method == SKUA_METHOD_UNKNOWN)
        err = SKUA_ERR_NOT_IMPLEMENTED;
    return err;
}

/* What is looked up; fields that no route asks for are not read. */
static struct skua__lookup describe_lookup(const skua_req *req)
{
    struct skua__lookup lookup = {.method = req->head->method, .path = req->target.path};
    uint8_t reads = skua__router_reads(req->worker->root->router);

    if ((reads & SKUA__READS_HOST) != 0)
        lookup.host = skua_req_host(req);
    if ((reads & SKUA__READS_VERSION) != 0)
        lookup.version = skua__h1_field_named(req->head, SKUA_STR("accept-version"));
    return lookup;
}

/* The server as a whole: only OPTIONS may ask it (RFC 9112, 3.2.4). */
static int take_asterisk(skua_req *req)
{
    if (req->head->method != SKUA_OPTIONS)
        return SKUA_ERR_BAD_INPUT;
    req->match.route = req->worker->root->asterisk;
    req->route = req->match.route;
    return 0;
}

static int find_route(skua_req *req)
{
    const struct skua__root *root = req->worker->root;
    struct skua__lookup lookup;
    int err = read_target(req);

    if (err < 0)
        return err;
    if (skua_str_eq(req->target.path, SKUA_STR("*")))
        return take_asterisk(req);
    lookup = describe_lookup(req);
    err = skua__router_find(root->router, &lookup, &req->match);
    if (req->match.route != NULL) {
        req->route = req->match.route;
        return 0;
    }
    req->route = skua__not_found_route(root, req->target.path);
    if (err == 0)
        req->allow = skua__router_methods(root->router, &lookup, &req->match.vary);
    return err;
}

static bool has_body(const struct skua__h1_head *head)
{
    return head->chunked || head->content_length > 0;
}

static bool has_early_hooks(const skua_req *req)
{
    return req->route->at[SKUA_PRE_PARSING + 1] > 0;
}

static skua_req *new_request(struct skua__conn *conn)
{
    struct skua__worker *worker = skua__conn_net(conn)->ctx;
    skua_req *req = skua__req_take(worker);

    if (req == NULL) {
        skua__conn_finish(conn, false, true);
        return NULL;
    }
    req->conn = conn;
    req->head = skua__conn_head(conn);
    req->route = worker->root->scope.not_found;
    req->fiber = NULL;
    req->error = NULL;
    req->told = NULL;
    req->slots = NULL;
    req->query = req->body_value = NULL;
    req->body_bytes = skua_str_of("", 0);
    req->failure = 0;
    req->allow = 0;
    req->early_done = req->responded = req->keep_alive = req->cut = false;
    req->match.route = NULL;
    req->match.count = 0;
    req->match.vary = 0;
    req->target = (struct skua__target){0};
    skua__reply_reset(&req->reply, req);
    conn->request = req;
    return req;
}

/* ---- events of the connection ---- */

static void take_head(struct skua__conn *conn)
{
    skua_req *req = new_request(conn);

    if (req == NULL)
        return;
    req->failure = find_route(req);
    req->scope = req->answerer = req->route->scope;
    if (!has_body(req->head))
        return; /* end() follows at once */
    if (req->failure == 0 && req->head->content_length > (int64_t)req->route->body_limit)
        req->failure = SKUA_ERR_TOO_LARGE;
    skua__conn_pause(conn);
    if (req->failure < 0 || req->match.route == NULL)
        start(req, run);
    else if (has_early_hooks(req))
        start(req, run_before_body);
    else
        continue_with_body(req);
}

static void take_body(struct skua__conn *conn, skua_str piece, bool whole)
{
    skua_req *req = conn->request;

    if (whole) {
        req->body_bytes = piece;
        return;
    }
    if (piece.len > req->route->body_limit - req->body.len)
        req->failure = SKUA_ERR_TOO_LARGE;
    else
        skua__buf_put_str(&req->body, piece);
    if (req->body.failed)
        req->failure = SKUA_ERR_NOMEM;
    if (req->failure < 0) {
        skua__conn_pause(conn);
        start(req, run);
    }
}

static void take_end(struct skua__conn *conn)
{
    skua_req *req = conn->request;

    if (req->body.len > 0)
        req->body_bytes = skua__buf_str(&req->body);
    start(req, run);
}

static void take_bad(struct skua__conn *conn, int err)
{
    skua_req *req = conn->request != NULL ? conn->request : new_request(conn);

    if (req == NULL)
        return;
    req->scope = req->answerer = req->route->scope;
    req->failure = err;
    start(req, run);
}

/* Nobody will read the reply. What runs is told; the rest of the way is the same. */
static void take_gone(struct skua__conn *conn, int err)
{
    skua_req *req = conn->request;

    req->failure = err;
    if (req->fiber != NULL)
        skua__fiber_cancel(req->fiber);
    else
        start(req, run);
}

const struct skua__conn_events skua__request_events = {
    .head = take_head,
    .body = take_body,
    .end = take_end,
    .bad = take_bad,
    .gone = take_gone,
};
