/* SPDX-License-Identifier: MIT */
/*
 * pages.c - the pages for people
 *
 * A handler asks the store, adds what the page needs besides, and names the template. What a template
 * prints with {{ }} is escaped there. A failure is returned, and show_error makes a page of it.
 */
#include "site.h"

#include "form.h"
#include "store.h"

#include <string.h>

/* ---- the list ---- */

static const char *page_link(skua_arena *arena, const char *search, int64_t number)
{
    if (search[0] == '\0')
        return skua_format(arena, "/?page=%lld", (long long)number);
    return skua_format(arena, "/?q=%s&page=%lld", skua_url_encode(arena, search),
                       (long long)number);
}

static void add_paging(skua_value *page, skua_arena *arena, const char *search)
{
    int64_t number = skua_as_int(skua_get_value(page, "page"), 1);
    int64_t pages = skua_as_int(skua_get_value(page, "pages"), 1);

    skua_set_bool(page, "paged", pages > 1);
    if (number > 1)
        skua_set(page, "previous", page_link(arena, search, number - 1));
    if (number < pages)
        skua_set(page, "next", page_link(arena, search, number + 1));
}

static int show_list(skua_req *req, skua_reply *reply)
{
    skua_arena *arena = skua_req_arena(req);
    const char *search = skua_query(req, "q", "");
    skua_value *page;
    int err = store_list_birds(&page, req, search, skua_query_int(req, "page", 1));

    if (err < 0)
        return err;
    skua_set(page, "title",
             search[0] != '\0' ? skua_format(arena, "Search: %s", search) : "All birds");
    skua_set(page, "search", search);
    skua_set_bool(page, "one", skua_as_int(skua_get_value(page, "total"), 0) == 1);
    add_paging(page, arena, search);
    return skua_reply_view(reply, "list.html", page);
}

/* ---- a bird ---- */

static const char *bird_name(const skua_value *page)
{
    return skua_as_text(skua_get_value(skua_get_value(page, "bird"), "name"));
}

static int show_bird(skua_req *req, skua_reply *reply)
{
    skua_value *page;
    int64_t id;
    int err = skua_param_int(req, &id, "id");

    if (err == 0)
        err = store_find_bird(&page, req, id);
    if (err < 0)
        return err;
    skua_set(page, "title", bird_name(page));
    return skua_reply_view(reply, "bird.html", page);
}

/* ---- the report of a sighting ---- */

/* The errors once more, as a list that the template can walk. */
static skua_value *list_errors(skua_arena *arena, const skua_value *errors)
{
    skua_value *list = skua_array(arena);
    struct skua_each each = {0};

    while (skua_each(&each, errors)) {
        skua_value *error = skua_add_object(list);

        skua_set(error, "field", each.key);
        skua_set(error, "text", each.value);
    }
    return list;
}

static int show_form(skua_req *req, skua_reply *reply, int64_t id, const struct form *form)
{
    skua_arena *arena = skua_req_arena(req);
    bool wrong = skua_count(form->errors) > 0;
    skua_value *page;
    int err = store_find_bird(&page, req, id);

    if (err < 0)
        return err;
    skua_set(page, "title",
             skua_format(arena, "%sReport: %s", wrong ? "Error: " : "", bird_name(page)));
    skua_set(page, "values", form->values);
    skua_set(page, "errors", form->errors);
    skua_set_bool(page, "wrong", wrong);
    skua_set(page, "problems", list_errors(arena, form->errors));
    skua_reply_status(reply, wrong ? 422 : 200);
    return skua_reply_view(reply, "report.html", page);
}

static int begin_report(skua_req *req, skua_reply *reply)
{
    struct form form;
    int64_t id;
    int err = skua_param_int(req, &id, "id");

    if (err < 0)
        return err;
    form_begin(&form, req);
    return show_form(req, reply, id, &form);
}

static int take_report(skua_req *req, skua_reply *reply)
{
    skua_value *added;
    struct form form;
    int64_t id, sighting;
    int err = skua_param_int(req, &id, "id");

    if (err < 0)
        return err;
    if (!form_read(&form, req))
        return show_form(req, reply, id, &form);
    err = store_add_sighting(&added, req, id, form.values);
    if (err < 0)
        return err;
    sighting = skua_as_int(skua_get_value(skua_get_value(added, "sighting"), "id"), 0);
    /* 303: the browser gets the bird's page, and reloading that does not report once more. */
    return skua_reply_redirect(reply,
                               skua_format(skua_req_arena(req), "/birds/%lld#sighting-%lld",
                                           (long long)id, (long long)sighting),
                               303);
}

/* ---- what is missing or fails ---- */

/* For addresses without a route, and for failures with 404, which can say what is missing. */
static int show_not_found(skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));
    const skua_error *error = skua_req_error(req);

    skua_set(page, "title", "Not found");
    if (error != NULL)
        skua_set(page, "reason", error->text);
    skua_reply_status(reply, 404);
    return skua_reply_view(reply, "not-found.html", page);
}

/* From 500 on the reason is nobody's business but the log's, which has it already. */
static int show_error(const skua_error *error, skua_req *req, skua_reply *reply)
{
    skua_value *page = skua_object(skua_req_arena(req));

    if (!skua_req_prefers_html(req))
        return error->code; /* the built-in answer, JSON, is right for a program */
    if (error->status == 404)
        return show_not_found(req, reply);
    skua_set(page, "title", error->status < 500 ? "That did not work" : "Something broke");
    skua_set(page, "status", error->status);
    if (error->status < 500)
        skua_set(page, "reason", error->text);
    return skua_reply_view(reply, "error.html", page);
}

static int show_broken(skua_req *req, skua_reply *reply)
{
    (void)reply;
    return skua_fail(req, 500, "BROKEN", "this page is broken on purpose");
}

void pages_add(skua_app *app)
{
    skua_get(app, "/", show_list);
    skua_get(app, "/birds/:id", show_bird);
    skua_get(app, "/birds/:id/report", begin_report);
    skua_post(app, "/birds/:id/report", take_report, .body_limit = 16384);
    skua_get(app, "/broken", show_broken);
    skua_set_not_found_handler(app, show_not_found);
    skua_set_error_handler(app, show_error);
}
