/* SPDX-License-Identifier: MIT */
/*
 * subject.c - the application that bench/run measures
 *
 * Three routes, each like one of bench/peers byte for byte in its body: text, JSON, and a Mustache
 * page with one escaped value. It is written as any application is, on the public API alone. It runs
 * in the project's root, where bench/views is found.
 */
#include <skua.h>

static int hello(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "Hello, World!");
}

static int json(skua_req *req, skua_reply *reply)
{
    skua_value *value = skua_object(skua_req_arena(req));

    skua_set(value, "hello", "world");
    return skua_reply_send(reply, value);
}

static int page(skua_req *req, skua_reply *reply)
{
    skua_value *value = skua_object(skua_req_arena(req));

    skua_set(value, "text", "text");
    return skua_reply_view(reply, "index.html", value);
}

int main(int argc, char **argv)
{
    skua_app *app = skua_app_new();

    skua_views(app, .root = "bench/views");
    skua_get(app, "/", hello);
    skua_get(app, "/json", json);
    skua_get(app, "/page", page);
    return skua_main(app, argc, argv);
}
