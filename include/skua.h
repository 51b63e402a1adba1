/* SPDX-License-Identifier: MIT */
/*
 * skua.h - everything an application needs
 */
#ifndef SKUA_H
#define SKUA_H

#include <skua/app.h>
#include <skua/arena.h>
#include <skua/attr.h>
#include <skua/err.h>
#include <skua/error.h>
#include <skua/fiber.h>
#include <skua/fs.h>
#include <skua/hook.h>
#include <skua/inject.h>
#include <skua/json.h>
#include <skua/local.h>
#include <skua/log.h>
#include <skua/media_type.h>
#include <skua/method.h>
#include <skua/reply.h>
#include <skua/req.h>
#include <skua/static.h>
#include <skua/str.h>
#include <skua/url.h>
#include <skua/value.h>
#include <skua/version.h>
#include <skua/view.h>

#endif
