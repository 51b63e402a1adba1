/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_BIRDS_APP_H
#define SKUA__TESTS_BIRDS_APP_H

#include <skua.h>

/* A small application that has one of everything; several tests ask it. Describes it in `app`. */
void birds_describe(skua_app *app);

/* The 40 requests that every way in has to answer alike. */
struct birds_request {
    const char *name;
    const char *bytes;
    int status; /* of the first reply */
};
extern const struct birds_request birds_requests[];
extern const size_t birds_request_count;

#endif
