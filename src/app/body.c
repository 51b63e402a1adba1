/* SPDX-License-Identifier: MIT */
/*
 * body.c - from the bytes of a body to its value: one table decides
 *
 *   no body, no Content-Type          handler, no value
 *   body without Content-Type         415
 *   Content-Type malformed, unknown   415
 *   known                             its parser; an empty JSON text is refused by it, 400
 *
 * Methods whose content means nothing (GET, HEAD) take none: it is read off the connection and
 * dropped, and its Content-Type is not looked at. The media type is read once (text/media_type.h); a
 * parser is found by its essence alone, never by a part of it.
 *
 * Source: Fastify's Content-Type Parser page and handle-request.
 */
#include "app/request.h"

#include "base/utf8.h"
#include "http/form.h"
#include "text/media_type.h"

#include <skua/json.h>
#include <string.h>

static int parse_json(skua_req *req)
{
    struct skua_json_error error;
    int err = skua_json_read(&req->body_value, &req->arena, req->body_bytes, &error);

    if (err != SKUA_ERR_BAD_JSON && err != SKUA_ERR_TOO_DEEP)
        return err;
    if (req->body_bytes.len == 0)
        return skua__fail_code(req, SKUA_ERR_BAD_JSON,
                               "the body is empty, but its Content-Type says that it is JSON");
    return skua__fail_code(req, err, "the body is not valid JSON: line %zu, column %zu: %s",
                           error.line, error.column, error.text);
}

static int parse_form(skua_req *req)
{
    return skua__form_read(&req->body_value, &req->arena, req->body_bytes);
}

static int parse_text(skua_req *req)
{
    skua_str text = req->body_bytes;

    if (skua__utf8_valid(text) != text.len ||
        (text.len > 0 && memchr(text.ptr, 0, text.len) != NULL))
        return skua__fail_code(req, SKUA_ERR_BAD_INPUT, "the body is not text in UTF-8");
    req->body_value = skua_string_of(&req->arena, text);
    return req->body_value != NULL ? 0 : SKUA_ERR_NOMEM;
}

static const struct {
    const char *essence;
    int (*parse)(skua_req *req);
} parsers[] = {
    {"application/json", parse_json},
    {"application/x-www-form-urlencoded", parse_form},
    {"text/plain", parse_text},
};

static bool takes_content(enum skua_method method)
{
    return method != SKUA_GET && method != SKUA_HEAD;
}

int skua__body_parse(skua_req *req)
{
    skua_str field = skua__h1_field(req->head, SKUA__FIELD_CONTENT_TYPE);
    struct skua__media_type type;
    int err;

    if (req->match.route == NULL || !takes_content(req->head->method)) {
        req->body_bytes = skua_str_of("", 0);
        return 0;
    }
    if (field.ptr == NULL)
        return req->body_bytes.len > 0 ? SKUA_ERR_MEDIA_TYPE : 0;
    err = skua__media_type_read(&type, &req->arena, field);
    if (err < 0)
        return err;
    for (size_t i = 0; i < sizeof(parsers) / sizeof(parsers[0]); i++) {
        if (skua_str_eq(type.essence, skua_str_c(parsers[i].essence)))
            return parsers[i].parse(req);
    }
    return SKUA_ERR_MEDIA_TYPE;
}
