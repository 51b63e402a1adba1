/* SPDX-License-Identifier: MIT */
/*
 * skua/hook.h - the phases of a request and the functions that run in them
 *
 *   onRequest -> preParsing -> [body] -> preValidation -> preHandler -> handler
 *     -> preSerialization -> [serialization] -> onSend -> [reply] -> onResponse
 *
 * Beside the line: onError before the error handler, onTimeout when a deadline passed, onRequestAbort
 * when the peer left early. A hook that describes a reply skips to preSerialization. A hook that
 * returns a negative code goes to the error flow.
 *
 * Source: Fastify's Lifecycle and Hooks pages.
 */
#ifndef SKUA_HOOK_H
#define SKUA_HOOK_H

#include <stdbool.h>

#include <skua/attr.h>

SKUA_C_BEGIN

typedef struct skua_req skua_req;
typedef struct skua_reply skua_reply;
struct skua_error;

/**
 * A handler or hook. It runs on a fiber and may wait.
 *
 * @return 0, or a negative code: the error flow takes over
 */
typedef int (*skua_handler)(skua_req *req, skua_reply *reply);

/** Answers a failure. It may describe a reply and return 0, or fail: then the scope above answers. */
typedef int (*skua_error_handler)(const struct skua_error *error, skua_req *req, skua_reply *reply);

enum skua_phase {
    SKUA_ON_REQUEST,        /* the head is there; nothing else has run */
    SKUA_PRE_PARSING,       /* before the body is read */
    SKUA_PRE_VALIDATION,    /* the body is there */
    SKUA_PRE_HANDLER,       /* before the handler */
    SKUA_PRE_SERIALIZATION, /* a value or view is described: change it before it becomes bytes */
    SKUA_ON_SEND,           /* the bytes are known: last chance to change them or the head */
    SKUA_ON_RESPONSE,       /* the reply has been given to the connection; changes nothing */
    SKUA_ON_ERROR,          /* a failure is about to be answered; cannot reply */
    SKUA_ON_TIMEOUT,        /* a deadline of the request passed; cannot reply */
    SKUA_ON_REQUEST_ABORT,  /* the peer left before its reply; cannot reply */
    SKUA_HOOK_COUNT
};

SKUA_C_END

#endif
