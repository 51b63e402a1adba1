/* SPDX-License-Identifier: MIT */
/*
 * err.c - names, texts and statuses of error codes
 *
 * Skua's own codes come from the table in <skua/err.h>, those of the system from libc.
 */
#include <skua/err.h>

#include <errno.h>
#include <stddef.h>
#include <string.h>

struct row {
    int code;
    int status;
    const char *name;
    const char *text;
};

#define FIRST (-20001)

static const struct row rows[] = {
#define ROW(name, code, status, text) {code, status, "SKUA_ERR_" #name, text},
    SKUA_ERR_MAP(ROW)
#undef ROW
};

#define COUNT ((int)(sizeof(rows) / sizeof(rows[0])))

/* Codes are dense from FIRST downwards (a test holds the table to it), so the index is the code. */
static const struct row *find_row(int code)
{
    return code <= FIRST && code > FIRST - COUNT ? &rows[FIRST - code] : NULL;
}

static int is_errno(int code)
{
    return code < 0 && code >= -4095;
}

const char *skua_err_name(int code)
{
    const struct row *row = find_row(code);
    const char *name = NULL;

    if (row != NULL)
        return row->name;
    if (is_errno(code))
        name = strerrorname_np(-code);
    return name != NULL ? name : "SKUA_ERR_UNKNOWN";
}

const char *skua_err_text(int code)
{
    const struct row *row = find_row(code);
    const char *text = NULL;

    if (row != NULL)
        return row->text;
    if (is_errno(code))
        text = strerrordesc_np(-code);
    return text != NULL ? text : "unknown error";
}

int skua_err_status(int code)
{
    const struct row *row = find_row(code);

    if (row != NULL)
        return row->status;
    /* The machine is short of something for now: the peer may try again. */
    return code == -ENOMEM || code == -EMFILE || code == -ENFILE ? 503 : 500;
}
