/* SPDX-License-Identifier: MIT */
/*
 * inject.c - a request without a socket
 *
 * The bytes of the request go through a connection in memory into the same codec, router and phases
 * as those from a socket; only the transport differs. They are served by a worker of their own, on the
 * calling thread, made for the first injection and kept until the app is freed.
 */
#include "app/worker.h"

#include "http/field.h"
#include "net/memory.h"

#include <skua/inject.h>
#include <stdlib.h>

struct injection {
    struct skua__task task;
    struct skua__worker *worker;
    struct skua__memory_peer peer;
    int err;
};

/* ---- the request's bytes ---- */

static bool has_host(const char *headers)
{
    for (const char *line = headers; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncasecmp(line, "host:", 5) == 0)
            return true;
    }
    return false;
}

static void write_request(struct skua__buf *out, const skua_inject_opts *opts)
{
    const char *method = opts->method != NULL    ? opts->method
                         : opts->payload != NULL ? "POST"
                                                 : "GET";
    const char *headers = opts->headers != NULL ? opts->headers : "";

    skua__buf_printf(out, "%s %s HTTP/1.1\r\n%s%s", method, opts->url != NULL ? opts->url : "/",
                     headers, has_host(headers) ? "" : "Host: localhost\r\n");
    if (opts->payload != NULL)
        skua__buf_printf(out, "Content-Type: %s\r\nContent-Length: %zu\r\n",
                         opts->type != NULL ? opts->type : "application/json",
                         strlen(opts->payload));
    skua__buf_printf(out, "\r\n%s", opts->payload != NULL ? opts->payload : "");
}

/* ---- the reply's parts ---- */

/* Cut the next final reply's head off: its status and field lines. Interim ones are skipped. */
static int take_head(skua_str *raw, skua_str *headers)
{
    for (;;) {
        const char *end = memmem(raw->ptr, raw->len, "\r\n\r\n", 4);
        const char *line = end != NULL ? memchr(raw->ptr, '\n', raw->len) : NULL;
        int status;

        if (line == NULL || raw->len < 12)
            return 0;
        status = atoi(raw->ptr + 9);
        *headers = skua_str_of(line + 1, line < end + 2 ? (size_t)(end + 2 - line - 1) : 0);
        *raw = skua_str_of(end + 4, raw->len - (size_t)(end + 4 - raw->ptr));
        if (status >= 200)
            return status;
    }
}

static skua_str find_header(skua_str headers, skua_str name)
{
    while (headers.len > 0) {
        const char *end = memchr(headers.ptr, '\n', headers.len);
        size_t len = end != NULL ? (size_t)(end - headers.ptr) : headers.len;

        if (len > name.len + 2 && headers.ptr[name.len] == ':' &&
            skua__field_name_eq(skua_str_of(headers.ptr, name.len), name))
            return skua_str_of(headers.ptr + name.len + 2, len - name.len - 3);
        if (end == NULL)
            break;
        headers = skua_str_of(end + 1, headers.len - len - 1);
    }
    return skua_str_of(NULL, 0);
}

/* Join the chunks in place; the server wrote them, so their form is known. */
static size_t join_chunks(char *data, size_t len)
{
    char *in = data, *out = data, *end = data + len;

    while (in < end) {
        char *line;
        size_t size = strtoul(in, &line, 16);

        line += 2;
        if (size == 0 || line >= end || size > (size_t)(end - line))
            break;
        memmove(out, line, size);
        out += size;
        in = line + size + 2;
    }
    return (size_t)(out - data);
}

/* The bytes behind the head that are the content. `copy` is where they may be joined. */
static skua_str take_content(const skua_injected *out, skua_str rest, char *copy)
{
    skua_str length = find_header(out->headers, SKUA_STR("content-length"));

    if (length.ptr != NULL) {
        size_t len = strtoul(length.ptr, NULL, 10);

        return skua_str_of(rest.ptr, len < rest.len ? len : rest.len);
    }
    if (find_header(out->headers, SKUA_STR("transfer-encoding")).ptr == NULL)
        return rest;
    memcpy(copy, rest.ptr, rest.len);
    return skua_str_of(copy, join_chunks(copy, rest.len));
}

/* Fill `out` from all bytes that came back. One block of memory: them, then room to join chunks. */
static int fill(skua_injected *out, skua_str raw)
{
    skua_str rest;

    out->memory = malloc(2 * (raw.len + 1));
    if (out->memory == NULL)
        return SKUA_ERR_NOMEM;
    memcpy(out->memory, raw.ptr, raw.len);
    out->memory[raw.len] = '\0';
    out->raw = skua_str_of(out->memory, raw.len);
    rest = out->raw;
    out->status = take_head(&rest, &out->headers);
    if (out->status != 0)
        out->body = take_content(out, rest, out->memory + raw.len + 1);
    return 0;
}

void skua_injected_finish(skua_injected *injected)
{
    free(injected->memory);
    memset(injected, 0, sizeof(*injected));
}

/* ---- the way through ---- */

static void end_injection(void *ctx)
{
    struct injection *injection = ctx;

    skua__loop_stop(injection->worker->loop);
}

static void open_peer(struct skua__task *task)
{
    struct injection *injection = SKUA__OWNER(task, struct injection, task);

    injection->err = skua__memory_open(&injection->worker->net, &injection->peer);
    if (injection->err < 0)
        skua__loop_stop(injection->worker->loop);
}

static int open_worker(struct skua__root *root)
{
    struct skua__worker *worker;
    int err;

    if (root->inject != NULL)
        return 0;
    worker = malloc(sizeof(*worker));
    if (worker == NULL)
        return SKUA_ERR_NOMEM;
    err = skua__worker_open(worker, root);
    if (err < 0)
        goto fail;
    err = skua__worker_start(worker);
    if (err < 0) {
        skua__worker_close(worker);
        goto fail;
    }
    root->inject = worker;
    return 0;

fail:
    free(worker);
    return err;
}

void skua__inject_finish(struct skua__root *root)
{
    if (root->inject == NULL)
        return;
    skua__worker_close(root->inject);
    free(root->inject);
    root->inject = NULL;
}

static int inject_bytes(struct skua__worker *worker, struct skua__buf *output, skua_str input,
                        bool *closed)
{
    struct injection injection = {
        .task = {.run = open_peer},
        .worker = worker,
        .peer = {.input = input, .output = output, .done = end_injection},
    };
    int err;

    injection.peer.ctx = &injection;
    skua__loop_post(worker->loop, &injection.task);
    err = skua__loop_run(worker->loop);
    *closed = injection.peer.closed;
    if (err == 0)
        err = injection.err;
    return err == 0 && output->failed ? SKUA_ERR_NOMEM : err;
}

int skua_inject_with(skua_app *app, skua_injected *out, const skua_inject_opts *opts)
{
    struct skua__buf input, output;
    int err;

    memset(out, 0, sizeof(*out));
    if (skua__loop_current() != NULL)
        return SKUA_ERR_STATE; /* from inside a handler: its own loop would have to run */
    err = skua_app_ready(app);
    if (err < 0)
        return err;
    if (atomic_load(&app->root->running))
        return SKUA_ERR_STATE;
    skua__buf_init(&input, NULL);
    skua__buf_init(&output, NULL);
    if (opts->raw.ptr != NULL)
        skua__buf_put_str(&input, opts->raw);
    else
        write_request(&input, opts);
    err = input.failed ? SKUA_ERR_NOMEM : open_worker(app->root);
    if (err == 0)
        err = inject_bytes(app->root->inject, &output, skua__buf_str(&input), &out->closed);
    if (err == 0)
        err = fill(out, skua__buf_str(&output));
    skua__buf_finish(&input);
    skua__buf_finish(&output);
    return err;
}
