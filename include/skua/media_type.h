/* SPDX-License-Identifier: MIT */
/*
 * skua/media_type.h - media types of files
 */
#ifndef SKUA_MEDIA_TYPE_H
#define SKUA_MEDIA_TYPE_H

#include <skua/attr.h>

SKUA_C_BEGIN

/**
 * The media type that a file name's extension stands for, with a charset for text.
 *
 * @return a constant string; "application/octet-stream" for an extension that is not known
 */
SKUA_API const char *skua_media_type(const char *file_name);

SKUA_C_END

#endif
