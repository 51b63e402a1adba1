/* SPDX-License-Identifier: MIT */
/*
 * error.c - failures as data, and the built-in answer to them
 *
 * The answer tells a program the status and a stable code, and a person one line. Below 500 the line
 * is the failure's own: it is about the request. From 500 on it is about the server, so the peer gets a
 * general one and the log the rest; in development the page shows it all. Nothing of the request is
 * echoed.
 *
 * The page for 503 needs no memory: it is written when there is none.
 */
#include "app/request.h"

#include "app/worker.h"
#include "http/status.h"
#include "value/json.h"
#include "view/escape.h"

#include <string.h>

static const char busy_page[] =
    "{\"statusCode\":503,\"code\":\"SKUA_ERR_NOMEM\",\"error\":\"Service Unavailable\","
    "\"message\":\"there is not enough memory for this request: try again later, or a smaller "
    "one\"}";

static int describe(skua_req *req, int code, int status, const char *name, const char *format,
                    va_list args)
{
    skua_error *error = skua_alloc_zero(&req->arena, 1, sizeof(*error));

    if (error == NULL)
        return SKUA_ERR_NOMEM;
    error->text = skua__format_v(&req->arena, format, args);
    if (error->text == NULL)
        return SKUA_ERR_NOMEM;
    error->code = code;
    error->status = status >= 400 && status <= 599 ? status : 500;
    error->name = name;
    req->error = error;
    return code;
}

int skua_fail(skua_req *req, int status, const char *name, const char *format, ...)
{
    va_list args;
    int code;

    va_start(args, format);
    code = describe(req, SKUA_ERR_FAILED, status, name, format, args);
    va_end(args);
    return code;
}

int skua__fail_code(skua_req *req, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    code = describe(req, code, skua_err_status(code), skua_err_name(code), format, args);
    va_end(args);
    return code;
}

const skua_error *skua_req_error(const skua_req *req)
{
    return req->error;
}

void skua__error_describe(skua_req *req, int err)
{
    /* Made by skua_fail, or still the same failure? */
    if (req->error == NULL || req->error->code != err)
        skua__fail_code(req, err, "%s", skua_err_text(err));
}

/* What the peer is told, and whether it may know more. */
static const char *public_text(const skua_req *req, bool *all)
{
    *all = req->error->status < 500 || req->worker->root->opts.development ||
           strcmp(req->error->text, skua_err_text(req->error->code)) == 0; /* tells nothing inner */
    return *all ? req->error->text : "the server failed to answer; its log says why";
}

static skua_str write_json(skua_req *req)
{
    const skua_error *error = req->error;
    skua_value *page = skua_object(&req->arena);
    skua_str reason = skua__status_reason(error->status);
    struct skua__buf json;
    bool all;

    skua_set(page, "statusCode", error->status);
    skua_set(page, "code", error->name);
    skua_set(page, "error", reason);
    skua_set(page, "message", public_text(req, &all));
    if (all && error->detail != NULL)
        skua_set(page, "detail", error->detail);
    skua__buf_init(&json, &req->arena);
    if (skua__json_append(&json, page) < 0)
        return skua_str_of(NULL, 0);
    return skua__buf_str(&json);
}

static skua_str write_html(skua_req *req)
{
    const skua_error *error = req->error;
    skua_str reason = skua__status_reason(error->status);
    struct skua__buf html;
    bool all;

    skua__buf_init(&html, &req->arena);
    skua__buf_printf(
        &html,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%d %.*s</title>\n"
        "<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;"
        "padding:0 1rem}pre{overflow:auto;padding:1rem;background:#eee;color:#222}</style>\n"
        "<h1>%d %.*s</h1>\n<p>",
        error->status, (int)reason.len, reason.ptr, error->status, (int)reason.len, reason.ptr);
    skua__escape_html(&html, skua_str_c(public_text(req, &all)));
    skua__buf_put_literal(&html, "</p>\n");
    if (all && error->detail != NULL) {
        skua__buf_put_literal(&html, "<pre>");
        skua__escape_html(&html, skua_str_c(error->detail));
        skua__buf_put_literal(&html, "</pre>\n");
    }
    return skua__buf_str(&html);
}

void skua__error_page(skua_req *req)
{
    skua_reply *reply = &req->reply;
    bool html = skua_req_prefers_html(req);

    skua__reply_content(reply, SKUA__CONTENT_BYTES);
    if (req->error != NULL && !skua_arena_failed(&req->arena)) {
        reply->status = req->error->status;
        reply->bytes = html ? write_html(req) : write_json(req);
    }
    if (reply->bytes.len == 0 || skua_arena_failed(&req->arena)) {
        reply->status = 503;
        reply->bytes = skua_str_of(busy_page, sizeof(busy_page) - 1);
        html = false;
    }
    reply->type =
        html ? SKUA_STR("text/html; charset=utf-8") : SKUA_STR("application/json; charset=utf-8");
}
