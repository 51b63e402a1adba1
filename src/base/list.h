/* SPDX-License-Identifier: MIT */
#ifndef SKUA__BASE_LIST_H
#define SKUA__BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A ring of links embedded in their owners; the head is a link too. An unlinked link points at
 * itself, so removing twice is harmless.
 */
struct skua__link {
    struct skua__link *prev;
    struct skua__link *next;
};

/* The struct of type `type` whose member `member` is `*link`. */
#define SKUA__OWNER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline void skua__link_init(struct skua__link *link)
{
    link->prev = link->next = link;
}

static inline bool skua__link_alone(const struct skua__link *link)
{
    return link->next == link;
}

static inline void skua__link_remove(struct skua__link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
    skua__link_init(link);
}

/* Put `link` last in the ring of `head`. */
static inline void skua__link_append(struct skua__link *head, struct skua__link *link)
{
    link->prev = head->prev;
    link->next = head;
    head->prev->next = link;
    head->prev = link;
}

#endif
