/* SPDX-License-Identifier: MIT */
/*
 * form.h - the report of a sighting: place, date, count, observer, note
 */
#ifndef SITE_FORM_H
#define SITE_FORM_H

#include <skua.h>

struct form {
    skua_value *values; /* by field: what was typed, and if nothing is wrong, what is to be kept */
    skua_value *errors; /* by field: a line for people; empty if nothing is wrong */
};

/* An empty form, but for the date, which is today's. */
void form_begin(struct form *form, skua_req *req);

/* Read the body, a web form or a JSON object. Whether nothing is wrong with it. */
bool form_read(struct form *form, skua_req *req);

#endif
