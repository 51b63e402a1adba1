/* SPDX-License-Identifier: MIT */
#ifndef SKUA__APP_REQUEST_H
#define SKUA__APP_REQUEST_H

#include "app/app.h"
#include "net/conn.h"
#include "text/target.h"

#include <skua/error.h>
#include <skua/reply.h>
#include <skua/req.h>

struct skua__worker;

/* What the reply consists of. A value and a view become bytes when they are serialised. */
enum skua__content {
    SKUA__CONTENT_NONE, /* nothing has been described */
    SKUA__CONTENT_EMPTY,
    SKUA__CONTENT_BYTES,
    SKUA__CONTENT_VALUE,
    SKUA__CONTENT_VIEW,
    SKUA__CONTENT_STREAM
};

#define SKUA__INLINE_FIELDS 8

/*
 * The description of a reply. Everything it points at lives in the request's arena.
 *
 *   fields points at `first_fields` until these are not enough; field_count < field_cap always, so the
 *   content-type has room behind the others when the head is written.
 *   `type` is the content-type that was set, kept apart from the fields; empty until then. The content
 *   brings `default_type` with it, and both change together.
 *   `closed` counts as described for handlers: a second content is SKUA_ERR_REPLIED.
 */
struct skua_reply {
    skua_req *req;
    int status;
    enum skua__content content;
    bool closed;
    skua_str type;
    skua_str default_type;
    skua_str bytes;
    const skua_value *value;
    const char *page;
    int (*next)(void *ctx, skua_str *piece);
    void *ctx;
    int64_t length;
    uint16_t field_count;
    uint16_t field_cap;
    struct skua__field *fields;
    struct skua__field first_fields[SKUA__INLINE_FIELDS];
};

/*
 * One request, from its head until its reply is with the connection.
 *
 *   HEAD  --early phases run--> BODY --body is complete--> RUNNING --reply is written--> recycled
 *
 * A fiber works on it only while something has to run: in HEAD if there are early hooks and a body to
 * wait for, and in RUNNING. `early_done` tells the second that the first was there.
 */
struct skua_req {
    struct skua__worker *worker;
    struct skua__conn *conn;
    struct skua__h1_head *head;
    const struct skua__route *route;
    struct skua__fiber *fiber; /* that works on it now, or NULL */
    skua_req *next;            /* in the worker's pool */
    skua_error *error;         /* the failure that is being answered */
    const skua_error *told;    /* the last one that the log and onError have heard of */
    void **slots;              /* of skua_decorate_req; NULL until one is set */
    skua_value *query;         /* read when first asked for */
    skua_value *body_value;
    struct skua__buf body; /* collected pieces, if it did not come in one */
    skua_str body_bytes;
    const skua_app
        *scope; /* whose code describes the reply: of the route, then of error handlers */
    const skua_app *answerer; /* the scope whose error handler is next; NULL: the built-in answer */
    int failure;              /* a negative code found outside a fiber, to be answered on one */
    uint32_t allow;           /* with SKUA_ERR_METHOD: the methods that there are */
    bool early_done;
    bool responded; /* the reply is with the connection */
    bool keep_alive;
    bool cut; /* the reply went wrong half-way */
    struct skua__target target;
    struct skua__match match;
    skua_arena arena;
    skua_reply reply;
};

/* Start an empty description. */
void skua__reply_reset(skua_reply *reply, skua_req *req);

/* Begin another content: nothing of the one before is left. */
void skua__reply_content(skua_reply *reply, enum skua__content content);

/* The content-type that was set, else the content's own; empty if neither is. */
skua_str skua__reply_type(const skua_reply *reply);

/* Run all hooks of a phase that only looks on: what they return changes nothing. */
void skua__tell_hooks(skua_req *req, enum skua_phase phase);

/* Run the hooks of a phase until one fails or (if `until_reply`) describes the content. */
int skua__run_hooks(skua_req *req, enum skua_phase phase, bool until_reply);

/* Make the body that has come into what skua_body gives: the content-type decision. */
int skua__body_parse(skua_req *req);

/* Describe a failure with a code of the table and a text of its own. Returns the code, or SKUA_ERR_NOMEM. */
SKUA_PRINTF(3, 4) int skua__fail_code(skua_req *req, int code, const char *format, ...);

/* What a function of the user returned, as 0 or a negative code: anything else is a failure that says so. */
int skua__checked(skua_req *req, int result);

/* Make sure that req->error describes `err`. */
void skua__error_describe(skua_req *req, int err);

/* Describe the built-in reply to req->error: JSON or HTML, as the peer prefers. */
void skua__error_page(skua_req *req);

/* Answer: run the error flow if `err` is negative, serialise, run onSend, write, run onResponse. */
void skua__respond(skua_req *req, int err);

/* Answer 503 without a fiber and without hooks: there is no memory for either. */
void skua__respond_busy(skua_req *req);

/* What the worker's connections are served with. */
extern const struct skua__conn_events skua__request_events;

#endif
