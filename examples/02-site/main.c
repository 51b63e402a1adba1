/* SPDX-License-Identifier: MIT */
/*
 * main.c - a register of northern birds: the site put together
 *
 *   pages.c   the pages for people     form.c   what may be in a report, and what is wrong with it
 *   api.c     the same for programs    store.c  birds and sightings (db.c: SQLite)
 *   views/    the templates            public/  what is served as it is
 */
#include "site.h"

#include "store.h"

/* The pages need no script and nothing from elsewhere, so browsers may refuse all that. */
static int add_security_headers(skua_req *req, skua_reply *reply)
{
    static const char *const headers[][2] = {
        {"content-security-policy",
         "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
         "base-uri 'none'; frame-ancestors 'none'"},
        {"referrer-policy", "same-origin"},
        {"x-content-type-options", "nosniff"},
    };
    int err = 0;

    (void)req;
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]) && err == 0; i++)
        err = skua_reply_header(reply, headers[i][0], headers[i][1]);
    return err;
}

int main(int argc, char **argv)
{
    skua_app *app = skua_app_new();

    store_use(app);
    skua_views(app, .root = "views", .layout = "layout.html");
    skua_static(app, .root = "public", .prefix = "/assets", .max_age = 3600);
    skua_hook(app, SKUA_ON_SEND, add_security_headers);
    pages_add(app);
    api_add(skua_scope(app, "/api"));
    return skua_main(app, argc, argv);
}
