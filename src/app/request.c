/* SPDX-License-Identifier: MIT */
/*
 * request.c - what a handler can ask of a request
 *
 * Everything is read from the one canonical form that was made when the head came in. What costs
 * something (query, decoding of a parameter) is done when it is asked for.
 */
#include "app/request.h"

#include "app/worker.h"
#include "http/form.h"
#include "text/media_type.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

skua_arena *skua_req_arena(skua_req *req)
{
    return &req->arena;
}

enum skua_method skua_req_method(const skua_req *req)
{
    return req->head->method;
}

const char *skua_req_path(skua_req *req)
{
    return skua_strdup(&req->arena, req->target.path);
}

const char *skua_req_route(const skua_req *req)
{
    return req->route->pattern;
}

void *skua_req_data(const skua_req *req)
{
    return req->route->data;
}

skua_app *skua_req_app(const skua_req *req)
{
    return &req->worker->root->scope;
}

void *skua_worker_data(const skua_req *req, int slot)
{
    return slot >= 0 && slot < req->worker->root->slot_count ? req->worker->data[slot] : NULL;
}

void *skua_req_slot(const skua_req *req, int slot)
{
    return req->slots != NULL && slot >= 0 && slot < req->worker->root->decorator_count
               ? req->slots[slot]
               : NULL;
}

int skua_req_set_slot(skua_req *req, int slot, void *value)
{
    size_t count = (size_t)req->worker->root->decorator_count;

    if (slot < 0 || (size_t)slot >= count)
        return SKUA_ERR_STATE;
    if (req->slots == NULL)
        req->slots = skua_alloc_zero(&req->arena, count, sizeof(*req->slots));
    if (req->slots == NULL)
        return SKUA_ERR_NOMEM;
    req->slots[slot] = value;
    return 0;
}

/* ---- parameters ---- */

const char *skua_param(skua_req *req, const char *name)
{
    skua_str wanted = skua_str_c(name);

    for (uint16_t i = 0; i < req->match.count; i++) {
        skua_str value;

        if (!skua_str_eq(req->match.names[i], wanted))
            continue;
        return skua__segment_decode(&value, &req->arena, req->match.values[i]) == 0 ? value.ptr
                                                                                    : NULL;
    }
    return NULL;
}

/* A whole decimal number and nothing else. */
static bool read_int(int64_t *out, const char *text)
{
    char *end;
    long long number;

    if (text == NULL ||
        !((text[0] >= '0' && text[0] <= '9') || (text[0] == '-' && text[1] != '\0')))
        return false;
    errno = 0;
    number = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    *out = number;
    return true;
}

int skua_param_int(skua_req *req, int64_t *out, const char *name)
{
    *out = 0;
    if (read_int(out, skua_param(req, name)))
        return 0;
    return skua_fail(req, 400, "BAD_PARAM", "'%s' has to be a whole number", name);
}

/* ---- query and fields ---- */

const skua_value *skua_req_query(skua_req *req)
{
    if (req->query == NULL && skua__form_read(&req->query, &req->arena, req->target.query) < 0)
        req->query = skua_object(&req->arena); /* an unreadable query has no parameters */
    return req->query;
}

/* The first value under a name: of a repeated one, which is an array, its first element. Text with a zero
 * byte inside, which JSON can spell, is not given as a string that would end there. */
static const char *first_text(const skua_value *object, const char *name, const char *otherwise)
{
    const skua_value *value = skua_get_value(object, name);
    const char *text;

    if (skua_kind_of(value) == SKUA_ARRAY)
        value = skua_at(value, 0);
    text = skua_as_text(value);
    return text != NULL && strlen(text) == skua_as_str(value).len ? text : otherwise;
}

const char *skua_query(skua_req *req, const char *name, const char *otherwise)
{
    return first_text(skua_req_query(req), name, otherwise);
}

int64_t skua_query_int(skua_req *req, const char *name, int64_t otherwise)
{
    int64_t number;

    return read_int(&number, skua_query(req, name, NULL)) ? number : otherwise;
}

const char *skua_req_header(const skua_req *req, const char *name)
{
    return skua__h1_field_named(req->head, skua_str_c(name)).ptr;
}

bool skua_req_prefers_html(const skua_req *req)
{
    return skua__accept_prefers_html(skua__h1_field(req->head, SKUA__FIELD_ACCEPT));
}

skua_str skua_req_host(const skua_req *req)
{
    skua_str host = req->target.host;

    if (host.len == 0)
        host = skua__h1_field(req->head, SKUA__FIELD_HOST);
    return host.ptr != NULL ? host : skua_str_of("", 0);
}

/* ---- body ---- */

skua_str skua_req_body(const skua_req *req)
{
    return req->body_bytes;
}

const skua_value *skua_body(const skua_req *req)
{
    return req->body_value;
}

const char *skua_field(const skua_req *req, const char *name, const char *otherwise)
{
    return first_text(req->body_value, name, otherwise);
}

/* ---- log ---- */

void skua_log(skua_req *req, enum skua_log_level level, const char *format, ...)
{
    const struct skua__log *log = &req->worker->root->log;
    char text[2048]; /* not the arena's: it may be what is spent */
    va_list args;

    if (level < log->level)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    skua__log(log, level, "%.*s %.*s %s", (int)req->head->method_text.len,
              req->head->method_text.ptr, (int)req->target.path.len, req->target.path.ptr, text);
}
