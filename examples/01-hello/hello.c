/* SPDX-License-Identifier: MIT */
#include <skua.h>

static int hello(skua_req *req, skua_reply *reply)
{
    (void)req;
    return skua_reply_text(reply, "Hello, world!\n");
}

static int greet(skua_req *req, skua_reply *reply)
{
    skua_value *greeting = skua_object(skua_req_arena(req));

    skua_set(greeting, "hello", skua_param(req, "name"));
    return skua_reply_send(reply, greeting); /* as JSON */
}

int main(int argc, char **argv)
{
    skua_app *app = skua_app_new();

    skua_get(app, "/", hello);
    skua_get(app, "/hello/:name", greet);
    return skua_main(app, argc, argv);
}
