/* SPDX-License-Identifier: MIT */
/*
 * birds_app.c - an application with one of everything, and forty requests to it
 */
#include "support/birds_app.h"

#include <stdlib.h>
#include <string.h>

static skua_value *make_birds(skua_arena *arena)
{
    static const struct {
        const char *name;
        int cm;
    } birds[] = {{"Arctic tern", 36}, {"Great <skua>", 56}, {"Puffin & friends", 30}};
    skua_value *list = skua_array(arena);

    for (size_t i = 0; i < sizeof(birds) / sizeof(birds[0]); i++) {
        skua_value *bird = skua_add_object(list);

        skua_set(bird, "name", birds[i].name);
        skua_set(bird, "cm", birds[i].cm);
    }
    return list;
}

static int show_list(skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));

    skua_set(page, "title", "Birds");
    skua_set(page, "birds", make_birds(skua_req_arena(req)));
    return skua_reply_view(reply, "list.html", page);
}

static int show_empty(skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));

    skua_set(page, "title", skua_query(req, "title", "Nothing"));
    return skua_reply_view(reply, "list.html", page);
}

static int show_form(skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));

    skua_set(page, "title", "New bird");
    return skua_reply_view(reply, "form.html", page);
}

static int take_form(skua_req *req, skua_reply *reply)
{
    const char *name = skua_field(req, "name", "");
    skua_value *page;

    if (strlen(name) >= 3)
        return skua_reply_redirect(reply, "/birds", 303);
    page = skua_object(skua_req_arena(req));
    skua_set(page, "title", "New bird");
    skua_set(page, "name", name);
    skua_set(page, "error", "at least three letters");
    skua_reply_status(reply, 422);
    return skua_reply_view(reply, "form.html", page);
}

static int show_bird(skua_req *req, skua_reply *reply)
{
    skua_value *bird;
    int64_t id;
    int err = skua_param_int(req, &id, "id");

    if (err < 0)
        return err;
    if (id != 7)
        return skua_fail(req, 404, "NO_BIRD", "there is no bird with this number");
    bird = skua_object(skua_req_arena(req));
    skua_set(bird, "id", id);
    skua_set(bird, "name", "Arctic \"tern\"");
    return skua_reply_send(reply, bird);
}

static int echo(skua_req *req, skua_reply *reply)
{
    return skua_reply_send(reply, skua_body(req));
}

/* The length and a checksum of what came, so that large bodies need no large replies. */
static int count(skua_req *req, skua_reply *reply)
{
    skua_str body = skua_req_body(req);
    skua_value *result = skua_object(skua_req_arena(req));
    unsigned sum = 0;

    for (size_t i = 0; i < body.len; i++)
        sum = sum * 31 + (unsigned char)body.ptr[i];
    skua_set(result, "bytes", (long long)body.len);
    skua_set(result, "sum", (long long)sum);
    return skua_reply_send(reply, result);
}

static int say_text(skua_req *req, skua_reply *reply)
{
    const char *rest = skua_param(req, "*");

    skua_reply_header(reply, "x-first", "1");
    skua_reply_header(reply, "set-cookie", "a=1");
    skua_reply_header(reply, "set-cookie", "b=2");
    return skua_reply_text(reply, rest != NULL ? rest : "Hello");
}

static int no_content(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_status(reply, 204);
    return skua_reply_empty(reply);
}

static int fail_bare(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return SKUA_ERR_LIMIT;
}

static int forget(skua_req *req, skua_reply *reply)
{
    (void)req;
    (void)reply;
    return 0;
}

static int wait_a_little(skua_req *req, skua_reply *reply)
{
    int err = skua_sleep(5);

    (void)req;
    return err < 0 ? err : skua_reply_text(reply, "waited");
}

struct countdown {
    int left;
    char piece[16];
};

static int next_number(void *ctx, skua_str *piece)
{
    struct countdown *countdown = ctx;

    if (countdown->left == 0)
        return 0; /* the empty piece ends it */
    countdown->piece[0] = (char)('0' + countdown->left--);
    countdown->piece[1] = '\n';
    *piece = skua_str_of(countdown->piece, 2);
    return skua_sleep(1);
}

static int count_down(skua_req *req, skua_reply *reply)
{
    struct countdown *countdown = skua_alloc(skua_req_arena(req), sizeof(*countdown));

    if (countdown == NULL)
        return SKUA_ERR_NOMEM;
    countdown->left = 3;
    skua_reply_type(reply, "text/plain");
    return skua_reply_stream(reply, next_number, countdown, -1);
}

static int missing(skua_req *req, skua_reply *reply)
{
    (void)req;
    skua_reply_status(reply, 404);
    return skua_reply_text(reply, "no such place in the API");
}

void birds_describe(skua_app *app)
{
    skua_app *api = skua_scope(app, "/api");

    skua_views(app, .root = SKUA_SOURCE_DIR "/tests/app/views", .layout = "layout.html");
    skua_static(app, .root = SKUA_SOURCE_DIR "/tests/app/public", .prefix = "/assets");
    skua_get(app, "/birds", show_list);
    skua_get(app, "/empty", show_empty);
    skua_get(app, "/form", show_form);
    skua_post(app, "/form", take_form);
    skua_get(app, "/text", say_text);
    skua_get(app, "/text/*", say_text);
    skua_delete(app, "/text", no_content);
    skua_get(app, "/limit", fail_bare);
    skua_get(app, "/forgotten", forget);
    skua_get(app, "/wait", wait_a_little);
    skua_get(app, "/count-down", count_down);
    skua_get(api, "/birds/:id", show_bird);
    skua_post(api, "/echo", echo);
    skua_post(api, "/count", count, .body_limit = 200000);
    skua_set_not_found_handler(api, missing);
}

#define HOST       "Host: birds.example\r\n"
#define GET(path)  "GET " path " HTTP/1.1\r\n" HOST "\r\n"
#define HTML(path) "GET " path " HTTP/1.1\r\n" HOST "Accept: text/html\r\n\r\n"
#define FORM(n, txt)               \
    "POST /form HTTP/1.1\r\n" HOST \
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " n "\r\n\r\n" txt
#define JSON(path, n, txt)                                                                   \
    "POST " path " HTTP/1.1\r\n" HOST "Content-Type: application/json\r\nContent-Length: " n \
    "\r\n\r\n" txt
#define CHUNKED(path, chunks)         \
    "POST " path " HTTP/1.1\r\n" HOST \
    "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" chunks

const struct birds_request birds_requests[] = {
    {"a page with a partial and escaping", GET("/birds"), 200},
    {"a page without rows", GET("/empty"), 200},
    {"a page with a query", GET("/empty?title=%3Cb%3E+x&y"), 200},
    {"a page by HEAD", "HEAD /birds HTTP/1.1\r\n" HOST "\r\n", 200},
    {"a form", GET("/form"), 200},
    {"a form that is refused", FORM("8", "name=%3C"), 422},
    {"a form that is taken", FORM("9", "name=Tern"), 303},
    {"a form that is broken", FORM("8", "name=%FF"), 400},
    {"JSON", GET("/api/birds/7"), 200},
    {"JSON by HEAD", "HEAD /api/birds/7 HTTP/1.1\r\n" HOST "\r\n", 200},
    {"a failure of the handler's own", GET("/api/birds/8"), 404},
    {"a parameter that is no number", GET("/api/birds/x%2Fy"), 400},
    {"JSON there and back", JSON("/api/echo", "25", "{\"a\":[1,2.5,\"\\u00e9\",{}]}"), 200},
    {"JSON that is broken", JSON("/api/echo", "6", "{\"a\":}"), 400},
    {"JSON that is not there", JSON("/api/echo", "0", ""), 400},
    {"an unknown media type",
     "POST /api/echo HTTP/1.1\r\n" HOST "Content-Type: image/png\r\nContent-Length: 2\r\n\r\nhi",
     415},
    {"a body without a type", "POST /api/echo HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\nhi",
     415},
    {"a chunked body", CHUNKED("/api/count", "5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\n\r\n"),
     200},
    {"a chunked body with a trailer", CHUNKED("/api/count", "1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n"),
     200},
    {"a chunked body that is broken", CHUNKED("/api/count", "5\r\nhelloX"), 400},
    {"a body over the limit",
     "POST /api/count HTTP/1.1\r\n" HOST
     "Content-Type: text/plain\r\nContent-Length: 200001\r\n\r\n",
     413},
    {"text and repeated fields", GET("/text"), 200},
    {"a wildcard", GET("/text/a/b%20c/%2F"), 200},
    {"an empty wildcard", GET("/text/"), 200},
    {"no content", "DELETE /text HTTP/1.1\r\n" HOST "\r\n", 204},
    {"a known address by another method", "PUT /text HTTP/1.1\r\n" HOST "\r\n", 405},
    {"an unknown address", GET("/nowhere"), 404},
    {"an unknown address, as HTML", HTML("/nowhere"), 404},
    {"an unknown address of a scope", GET("/api/nowhere"), 404},
    {"a failure by a bare code", GET("/limit"), 500},
    {"a failure by a bare code, as HTML", HTML("/limit"), 500},
    {"a handler without a reply", GET("/forgotten"), 500},
    {"a static file", GET("/assets/site.css"), 200},
    {"a static file that is not served", GET("/assets/.secret"), 404},
    {"a handler that waits", GET("/wait"), 200},
    {"a stream", GET("/count-down"), 200},
    {"a stream to an old client", "GET /count-down HTTP/1.0\r\n\r\n", 200},
    {"an old client that keeps alive", "GET /text HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 200},
    {"several requests at once",
     GET("/text") GET("/wait") JSON("/api/echo", "1", "7") GET("/count-down")
         CHUNKED("/api/count", "3\r\nabc\r\n0\r\n\r\n") GET("/nowhere") GET("/birds"),
     200},
    {"nonsense behind a request", GET("/text") "BREW \r\n\r\n" GET("/text"), 200},
};

const size_t birds_request_count = sizeof(birds_requests) / sizeof(birds_requests[0]);
