/* SPDX-License-Identifier: MIT */
/*
 * site.h - the two halves of the site
 */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include <skua.h>

/* Pages for people: list, bird, report, and what is shown when something is missing or fails. */
void pages_add(skua_app *app);

/* The same as JSON for programs, with its own way to fail. `scope` is the one below /api. */
void api_add(skua_app *scope);

#endif
