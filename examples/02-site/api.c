/* SPDX-License-Identifier: MIT */
/*
 * api.c - the site for programs: JSON below /api
 *
 * All this lives in a scope of its own. The hook and the handlers set here hold for the routes here,
 * and the pages outside never see them. The other way round, what is set for the whole site, such as
 * the security headers, holds here too.
 */
#include "site.h"

#include "form.h"
#include "store.h"

/* ---- failures: {"error": {"code": "NO_BIRD", "message": "…", "fields": {…}}} ---- */

static int send_error(skua_req *req, skua_reply *reply, const char *code, const char *message,
                      const skua_value *fields)
{
    skua_value *body = skua_object(skua_req_arena(req));
    skua_value *error = skua_object(skua_req_arena(req));

    skua_set(error, "code", code);
    skua_set(error, "message", message);
    if (fields != NULL)
        skua_set(error, "fields", fields);
    skua_set(body, "error", error);
    return skua_reply_send(reply, body);
}

/* The status is that of the failure already. */
static int answer_failure(const skua_error *error, skua_req *req, skua_reply *reply)
{
    const char *message = error->status < 500 ? error->text : "the server failed to answer";

    return send_error(req, reply, error->name, message, NULL);
}

static int refuse_address(skua_req *req, skua_reply *reply)
{
    (void)reply;
    return skua_fail(req, 404, "NO_ADDRESS", "the API has no such address; try /api/birds");
}

/* ---- routes ---- */

static int list_birds(skua_req *req, skua_reply *reply)
{
    skua_value *list;
    int err =
        store_list_birds(&list, req, skua_query(req, "q", ""), skua_query_int(req, "page", 1));

    return err < 0 ? err : skua_reply_send(reply, list);
}

static int send_bird(skua_req *req, skua_reply *reply)
{
    skua_value *bird;
    int64_t id;
    int err = skua_param_int(req, &id, "id");

    if (err == 0)
        err = store_find_bird(&bird, req, id);
    return err < 0 ? err : skua_reply_send(reply, bird);
}

static int take_sighting(skua_req *req, skua_reply *reply)
{
    skua_value *added;
    struct form form;
    int64_t id;
    int err = skua_param_int(req, &id, "id");

    if (err < 0)
        return err;
    if (!form_read(&form, req)) {
        skua_reply_status(reply, 422);
        return send_error(req, reply, "INVALID", "some fields are wrong", form.errors);
    }
    err = store_add_sighting(&added, req, id, form.values);
    if (err < 0)
        return err;
    skua_reply_status(reply, 201);
    skua_reply_header(reply, "location",
                      skua_format(skua_req_arena(req), "/api/birds/%lld", (long long)id));
    return skua_reply_send(reply, added);
}

/* Pages of other sites may read the API, from the browsers of their visitors. */
static int open_to_all(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_header(reply, "access-control-allow-origin", "*");
}

void api_add(skua_app *scope)
{
    skua_hook(scope, SKUA_ON_SEND, open_to_all);
    skua_set_error_handler(scope, answer_failure);
    skua_set_not_found_handler(scope, refuse_address);
    skua_get(scope, "/birds", list_birds);
    skua_get(scope, "/birds/:id", send_bird);
    skua_post(scope, "/birds/:id/sightings", take_sighting, .body_limit = 16384);
}
