/* SPDX-License-Identifier: MIT */
/*
 * reply.c - describing a reply
 *
 * These calls only record, in the request's arena; respond.c makes bytes of it and is the one place
 * that sends. A description can be thrown away as a whole, which is what the error flow does.
 */
#include "app/request.h"

#include "http/status.h"

#include <string.h>

void skua__reply_reset(skua_reply *reply, skua_req *req)
{
    reply->req = req;
    reply->status = 200;
    reply->closed = false;
    reply->type = skua_str_of("", 0);
    skua__reply_content(reply, SKUA__CONTENT_NONE);
    reply->field_count = 0;
    reply->field_cap = SKUA__INLINE_FIELDS;
    reply->fields = reply->first_fields;
}

void skua__reply_content(skua_reply *reply, enum skua__content content)
{
    reply->content = content;
    reply->default_type = skua_str_of("", 0);
    reply->bytes = skua_str_of("", 0);
    reply->value = NULL;
    reply->page = NULL;
    reply->next = NULL;
}

/* ---- head ---- */

void skua_reply_status(skua_reply *reply, int status)
{
    reply->status = status;
}

int skua_reply_get_status(const skua_reply *reply)
{
    return reply->status;
}

static struct skua__field *find_field(const skua_reply *reply, skua_str name)
{
    for (uint16_t i = 0; i < reply->field_count; i++) {
        if (skua__field_name_eq(reply->fields[i].name, name))
            return &reply->fields[i];
    }
    return NULL;
}

static struct skua__field *add_field(skua_reply *reply)
{
    if (reply->field_count + 1 == reply->field_cap) {
        size_t size = reply->field_cap * sizeof(*reply->fields);
        struct skua__field *more;

        if (reply->field_cap > UINT16_MAX / 2)
            return NULL;
        more = skua_alloc(&reply->req->arena, size * 2);
        if (more == NULL)
            return NULL;
        memcpy(more, reply->fields, size);
        reply->fields = more;
        reply->field_cap *= 2;
    }
    return &reply->fields[reply->field_count++];
}

/* The fields that say how the message ends and who sent it are written from the facts. */
static bool is_owned(skua_str name)
{
    static const char *const owned[] = {"content-length", "transfer-encoding", "connection",
                                        "date"};

    for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++) {
        if (skua__field_name_eq(name, skua_str_c(owned[i])))
            return true;
    }
    return false;
}

static char *lower_name(skua_arena *arena, skua_str name)
{
    char *lower = skua_strdup(arena, name);

    for (size_t i = 0; lower != NULL && i < name.len; i++) {
        if (lower[i] >= 'A' && lower[i] <= 'Z')
            lower[i] = (char)(lower[i] + ('a' - 'A'));
    }
    return lower;
}

static int set_field(skua_reply *reply, skua_str name, skua_str value)
{
    skua_arena *arena = &reply->req->arena;
    struct skua__field *field = NULL;
    char *copy = skua_strdup(arena, value);

    if (copy == NULL)
        return SKUA_ERR_NOMEM;
    if (skua__field_id_of(name) == SKUA__FIELD_CONTENT_TYPE) {
        reply->type = skua_str_of(copy, value.len);
        return 0;
    }
    if (!skua__field_name_eq(name, SKUA_STR("set-cookie")))
        field = find_field(reply, name);
    if (field == NULL) {
        char *lower = lower_name(arena, name);

        if (lower == NULL || (field = add_field(reply)) == NULL)
            return SKUA_ERR_NOMEM;
        field->name = skua_str_of(lower, name.len);
    }
    field->value = skua_str_of(copy, value.len);
    return 0;
}

int skua_reply_header(skua_reply *reply, const char *name, const char *value)
{
    skua_str field_name = skua_str_c(name), field_value = skua_str_c(value);

    if (!skua__token_valid(field_name))
        return skua__fail_code(reply->req, SKUA_ERR_BAD_HEADER, "'%s' is no name of a header field",
                               name);
    if (is_owned(field_name))
        return skua__fail_code(reply->req, SKUA_ERR_BAD_HEADER,
                               "'%s' is written by Skua, from the facts: leave it out", name);
    if (!skua__field_value_valid(field_value))
        return skua__fail_code(
            reply->req, SKUA_ERR_BAD_HEADER,
            "the value of '%s' holds a byte that may not stand there, such as CR, LF or "
            "a space at an end",
            name);
    return set_field(reply, field_name, field_value);
}

int skua_reply_type(skua_reply *reply, const char *media_type)
{
    return skua_reply_header(reply, "content-type", media_type);
}

skua_str skua__reply_type(const skua_reply *reply)
{
    return reply->type.len > 0 ? reply->type : reply->default_type;
}

const char *skua_reply_get_header(const skua_reply *reply, const char *name)
{
    const struct skua__field *field;

    if (skua__field_id_of(skua_str_c(name)) == SKUA__FIELD_CONTENT_TYPE)
        return skua__reply_type(reply).len > 0 ? skua__reply_type(reply).ptr : NULL;
    field = find_field(reply, skua_str_c(name));
    return field != NULL ? field->value.ptr : NULL;
}

/* ---- content ---- */

/* Take the place of the content; refused if a handler has described one already. */
static int describe(skua_reply *reply, enum skua__content content)
{
    if (reply->closed) {
        skua_log(reply->req, SKUA_LOG_WARN,
                 "a second content was described and dropped: return after the first skua_reply_…");
        return SKUA_ERR_REPLIED;
    }
    skua__reply_content(reply, content);
    reply->closed = true;
    return 0;
}

static int describe_bytes(skua_reply *reply, skua_str bytes, const char *type)
{
    int err = describe(reply, SKUA__CONTENT_BYTES);

    if (err < 0)
        return err;
    if (bytes.ptr == NULL)
        return SKUA_ERR_NOMEM;
    reply->bytes = bytes;
    reply->default_type = skua_str_c(type);
    return 0;
}

static skua_str copy_bytes(skua_reply *reply, skua_str bytes)
{
    char *copy = skua_strdup(&reply->req->arena, bytes);

    return skua_str_of(copy, copy != NULL ? bytes.len : 0);
}

int skua_reply_send(skua_reply *reply, const skua_value *value)
{
    int err = describe(reply, SKUA__CONTENT_VALUE);

    if (err < 0)
        return err;
    reply->value = value;
    return value == NULL && skua_arena_failed(&reply->req->arena) ? SKUA_ERR_NOMEM : 0;
}

int skua_reply_text(skua_reply *reply, const char *text)
{
    return describe_bytes(reply, copy_bytes(reply, skua_str_c(text)), "text/plain; charset=utf-8");
}

int skua_reply_html(skua_reply *reply, const char *html)
{
    return describe_bytes(reply, copy_bytes(reply, skua_str_c(html)), "text/html; charset=utf-8");
}

int skua_reply_bytes(skua_reply *reply, const void *data, size_t len)
{
    return describe_bytes(reply, copy_bytes(reply, skua_str_of(data, len)),
                          "application/octet-stream");
}

int skua_reply_bytes_static(skua_reply *reply, const void *data, size_t len)
{
    return describe_bytes(reply, skua_str_of(data, len), "application/octet-stream");
}

int skua_reply_view(skua_reply *reply, const char *page, const skua_value *data)
{
    int err = describe(reply, SKUA__CONTENT_VIEW);

    if (err < 0)
        return err;
    reply->page = skua_strdup(&reply->req->arena, skua_str_c(page));
    reply->value = data;
    return reply->page != NULL ? 0 : SKUA_ERR_NOMEM;
}

int skua_reply_redirect(skua_reply *reply, const char *location, int status)
{
    int err = skua_reply_header(reply, "location", location);

    if (err < 0)
        return err;
    if (status != 0 && (status < 301 || status > 308))
        return skua__fail_code(reply->req, SKUA_ERR_STATE,
                               "%d is no status of a redirect: 301, 302, 303, 307 or 308", status);
    reply->status = status != 0 ? status : 302;
    return describe(reply, SKUA__CONTENT_EMPTY);
}

int skua_reply_empty(skua_reply *reply)
{
    return describe(reply, SKUA__CONTENT_EMPTY);
}

int skua_reply_stream(skua_reply *reply, int (*next)(void *ctx, skua_str *piece), void *ctx,
                      int64_t length)
{
    int err = describe(reply, SKUA__CONTENT_STREAM);

    if (err < 0)
        return err;
    reply->next = next;
    reply->ctx = ctx;
    reply->length = length;
    reply->default_type = SKUA_STR("application/octet-stream");
    return 0;
}

/* ---- looking at it ---- */

const skua_value *skua_reply_value(const skua_reply *reply)
{
    return reply->value;
}

skua_str skua_reply_body(const skua_reply *reply)
{
    return reply->content == SKUA__CONTENT_BYTES ? reply->bytes : skua_str_of("", 0);
}
