/* SPDX-License-Identifier: MIT */
/*
 * print.c - the tree as people read it
 *
 *   └── /                              the root
 *       ├── test (GET)                 static text, and the methods that have a route here
 *       │   └── /
 *       │       ├── :id (GET, POST)    a parameter under the name its routes give it
 *       │       └── * (GET)
 *       └── hello/world (GET)
 *           hello/world (GET) {"version":"2.0.0"}      what holds under a condition
 *
 * Siblings stand in the order in which their first route was added, and those that are tried last
 * stand last. Where routes of one node name its parameter differently, or differ in their condition,
 * each has a line.
 *
 * The walk goes down to the first child, else on to the next sibling, else up; it keeps no stack, so
 * a tree of any depth can be drawn. `margin` holds the bars to the left, one step for each ancestor.
 */
#include "router/tree.h"

#define BAR   "│   "
#define BLANK "    "

/* The static child with the smallest serial above `after`; NULL if there is none. */
static const struct skua__node *next_static(const struct skua__node *node, int64_t after)
{
    const struct skua__node *best = NULL;

    for (uint16_t i = 0; i < node->span; i++) {
        const struct skua__node *child = node->slots[i];

        if (child != NULL && child->serial > after &&
            (best == NULL || child->serial < best->serial))
            best = child;
    }
    return best;
}

/* The same among the leaves of a node. */
static const struct skua__leaf *next_leaf(const struct skua__node *node, int64_t after)
{
    const struct skua__leaf *best = NULL;

    for (const struct skua__leaf *leaf = node->leaves; leaf != NULL; leaf = leaf->next) {
        if (leaf->serial > after && (best == NULL || leaf->serial < best->serial))
            best = leaf;
    }
    return best;
}

static const struct skua__node *first_child(const struct skua__node *node)
{
    const struct skua__node *child = next_static(node, -1);

    return child != NULL ? child : node->dynamic;
}

static const struct skua__node *next_sibling(const struct skua__node *node)
{
    const struct skua__node *sibling;

    if (node->parent == NULL || node->kind != SKUA__PART_STATIC)
        return node->next;
    sibling = next_static(node->parent, node->serial);
    return sibling != NULL ? sibling : node->parent->dynamic;
}

/* ---- the words of a leaf ---- */

/* Which of a leaf's names is the first that it gives to this node, which is on its way. */
static uint16_t first_name(const struct skua__node *node)
{
    uint16_t index = 0;

    for (node = node->parent; node != NULL; node = node->parent)
        index = (uint16_t)(index + node->count);
    return index;
}

/* Any leaf at or below the node: the first, as drawn. NULL: running out of memory left none. */
static const struct skua__leaf *first_leaf(const struct skua__node *node)
{
    while (node != NULL && node->leaves == NULL)
        node = first_child(node);
    return node != NULL ? next_leaf(node, -1) : NULL;
}

static void put_piece(struct skua__buf *out, const struct skua__piece *piece)
{
    if (piece->expression.len > 0) {
        skua__buf_put_char(out, '(');
        skua__buf_put_str(out, piece->expression);
        skua__buf_put_char(out, ')');
    }
    for (size_t i = 0; i < piece->glue.len; i++) {
        if (piece->glue.ptr[i] == ':')
            skua__buf_put_char(out, ':');
        skua__buf_put_char(out, piece->glue.ptr[i]);
    }
}

/* What the node matches, in the words of `leaf`. */
static void put_label(struct skua__buf *out, const struct skua__node *node,
                      const struct skua__leaf *leaf)
{
    uint16_t first = first_name(node);

    if (node->kind == SKUA__PART_STATIC)
        skua__buf_put(out, node->text, node->len);
    for (uint16_t i = 0; leaf != NULL && i < node->count; i++) {
        if (node->kind != SKUA__PART_WILDCARD)
            skua__buf_put_char(out, ':');
        skua__buf_put_str(out, leaf->names[first + i]);
        if (node->segment != NULL)
            put_piece(out, &node->segment->pieces[i]);
    }
}

/* Whether two leaves of the node share a line: by their names and conditions. */
static bool same_line(const struct skua__node *node, const struct skua__leaf *a,
                      const struct skua__leaf *b)
{
    uint16_t first = first_name(node);
    bool same = skua__condition_equal(a->condition, b->condition);

    for (uint16_t i = 0; same && i < node->count; i++)
        same = skua_str_eq(a->names[first + i], b->names[first + i]);
    return same;
}

/* ---- lines ---- */

/* Whether an older leaf has the same line, so that `leaf` is on that. */
static bool is_listed(const struct skua__node *node, const struct skua__leaf *leaf)
{
    const struct skua__leaf *other = node->leaves;

    while (other != NULL && (other->serial >= leaf->serial || !same_line(node, other, leaf)))
        other = other->next;
    return other != NULL;
}

/* " (GET, POST) {…}": the methods of all leaves on the line of `leaf`, and their condition. */
static void put_routes(struct skua__buf *out, const struct skua__node *node,
                       const struct skua__leaf *leaf)
{
    const char *before = " (";

    for (const struct skua__leaf *other = node->leaves; other != NULL; other = other->next) {
        if (!same_line(node, leaf, other))
            continue;
        skua__buf_printf(out, "%s%s", before, skua__leaf_method(other));
        before = ", ";
    }
    skua__buf_put_char(out, ')');
    if (leaf->condition != NULL)
        skua__buf_put_char(out, ' ');
    skua__condition_print(leaf->condition, out);
}

/* One line; `leaf` may be NULL where nothing is routed below. */
static void put_line(struct skua__buf *out, const struct skua__buf *margin, const char *branch,
                     const struct skua__node *node, const struct skua__leaf *leaf)
{
    skua__buf_put(out, margin->ptr, margin->len);
    skua__buf_put_str(out, skua_str_c(branch));
    put_label(out, node, leaf);
    if (node->leaves != NULL)
        put_routes(out, node, leaf);
    skua__buf_put_char(out, '\n');
}

static void put_node(struct skua__buf *out, const struct skua__buf *margin,
                     const struct skua__node *node)
{
    bool last = next_sibling(node) == NULL;
    const char *branch = last ? "└── " : "├── ";
    const struct skua__leaf *leaf;

    if (node->leaves == NULL)
        put_line(out, margin, branch, node, first_leaf(node));
    for (leaf = next_leaf(node, -1); leaf != NULL; leaf = next_leaf(node, leaf->serial)) {
        if (is_listed(node, leaf))
            continue;
        put_line(out, margin, branch, node, leaf);
        branch = last ? BLANK : BAR;
    }
}

/* What stands below a node, in the margin of its children. */
static const char *bar_of(const struct skua__node *node)
{
    return next_sibling(node) != NULL ? BAR : BLANK;
}

/* The next node in the order of drawing, with the margin that it has. NULL: that was the last. */
static const struct skua__node *next_node(struct skua__buf *margin, const struct skua__node *node)
{
    const struct skua__node *next = first_child(node);

    if (next != NULL) {
        skua__buf_put_str(margin, skua_str_c(bar_of(node)));
        return next;
    }
    while ((next = next_sibling(node)) == NULL && (node = node->parent) != NULL)
        margin->len -= strlen(bar_of(node));
    return next;
}

void skua__router_print(const struct skua__router *router, struct skua__buf *out)
{
    const struct skua__node *node = router->root;
    struct skua__buf margin;

    if (first_leaf(node) == NULL) {
        skua__buf_put_literal(out, "(empty tree)");
        return;
    }
    skua__buf_init(&margin, NULL);
    for (; node != NULL && !margin.failed; node = next_node(&margin, node))
        put_node(out, &margin, node);
    out->failed |= margin.failed;
    skua__buf_finish(&margin);
}
