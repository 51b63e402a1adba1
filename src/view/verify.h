/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_VERIFY_H
#define SKUA__VIEW_VERIFY_H

#include "view/program.h"

#define SKUA__MAX_NESTING 64   /* loops and captures inside each other in one template */
#define SKUA__MAX_STACK   1024 /* values at once, scopes at once */
#define SKUA__MAX_ARGS    32   /* of one call */

/*
 * Check a program and set program->stack. 0, SKUA_ERR_NOMEM, SKUA_ERR_LIMIT past the bounds above,
 * SKUA_ERR_STATE for anything that is no program.
 */
int skua__program_verify(struct skua__program *program);

#endif
