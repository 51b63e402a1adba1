/* SPDX-License-Identifier: MIT */
#ifndef SKUA__VIEW_ESCAPE_H
#define SKUA__VIEW_ESCAPE_H

#include "base/buf.h"

#include <skua/str.h>

/*
 * Append text so that it is only text in HTML, between tags and in quoted attributes of either
 * kind: & < > " ' become &amp; &lt; &gt; &quot; &#39;.
 */
void skua__escape_html(struct skua__buf *out, skua_str text);

#endif
