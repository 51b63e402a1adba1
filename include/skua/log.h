/* SPDX-License-Identifier: MIT */
/*
 * skua/log.h - levels of the log
 */
#ifndef SKUA_LOG_H
#define SKUA_LOG_H

#include <skua/attr.h>

SKUA_C_BEGIN

enum skua_log_level {
    SKUA_LOG_DEFAULT, /* as an option: SKUA_LOG_WARN */
    SKUA_LOG_DEBUG,
    SKUA_LOG_INFO,
    SKUA_LOG_WARN,
    SKUA_LOG_ERROR,
    SKUA_LOG_SILENT
};

SKUA_C_END

#endif
