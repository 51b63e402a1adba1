/* SPDX-License-Identifier: MIT */
/*
 * random_test.c - the tree against a matcher that is too simple to be wrong
 *
 * The oracle knows no tree. It matches each route by itself, byte by byte and value by value, trying
 * all ways to split a segment, and writes down what it did as a word:
 *
 *   "0"      a byte of static text
 *   "A".."J" a segment, by the length of its ending, longest first; and behind it the number of the
 *            first route that has it there, in two digits
 *   "Y"      a value alone
 *   "Z"      the wildcard
 *
 * and at the end two digits for the condition, narrowest first. Of the routes that match, the one with
 * the smallest word is right.
 *
 * Routes and paths are drawn over a few letters, so that they collide all the time. The seed is fixed:
 * a failure is a failure every time.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "router/router.h"

#include <ctype.h>
#include <skua/err.h>
#include <stdio.h>

enum { SETS = 10000, PATHS = 30, MOST_ROUTES = 12, MOST_SEGMENTS = 4, MOST_ELEMENTS = 32 };
enum { MOST_VALUES = 2, MOST_PARAMS = MOST_SEGMENTS * MOST_VALUES, MOST_TOKENS = 96 };

struct value {
    char name[4];
    unsigned expression; /* of `expressions` */
    char glue[4];
};

enum kind { BYTE, SEGMENT, PARAM, WILDCARD };

struct element {
    enum kind kind;
    char byte;
    unsigned count;
    struct value values[MOST_VALUES];
};

struct route {
    enum skua_method method;
    struct skua__constraints constraints;
    struct element elements[MOST_ELEMENTS];
    unsigned count;
    bool optional; /* the last element, with the slash before it */
    char pattern[128];
};

/* One of the forms of a route: what has one place in the tree. */
struct form {
    const struct route *route;
    struct element elements[MOST_ELEMENTS];
    unsigned count;
};

struct set {
    struct skua__router_opts opts;
    struct route routes[MOST_ROUTES];
    struct form forms[MOST_ROUTES * 2]; /* that have been added, in this order */
    unsigned routes_count, count;
};

/* ---- drawing lots ---- */

static uint64_t seed = 20261130;

/* xorshift64*: enough for drawing lots. */
static unsigned draw(unsigned below)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (unsigned)((seed * UINT64_C(2685821657736338717)) >> 33) % below;
}

static const char *pick(const char *const *words, unsigned count)
{
    return words[draw(count)];
}

#define PICK(...)                            \
    pick((const char *const[]){__VA_ARGS__}, \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *const expressions[] = {"", "a+", "^[ab]{2}$"};

static struct element *push(struct route *route, enum kind kind)
{
    struct element *element = &route->elements[route->count++];

    memset(element, 0, sizeof(*element));
    element->kind = kind;
    return element;
}

static void push_bytes(struct route *route, const char *text)
{
    for (; *text != '\0'; text++)
        push(route, BYTE)->byte = *text;
}

static void push_value(struct route *route, struct element *element, unsigned expression,
                       const char *glue)
{
    struct value *value = &element->values[element->count++];

    /* a name of its own: by its place, and one of two, so that routes differ in names */
    snprintf(value->name, sizeof(value->name), "%c%c%c", "nm"[draw(2)],
             'A' + (int)(element - route->elements), 'a' + (int)element->count);
    value->expression = expression;
    snprintf(value->glue, sizeof(value->glue), "%s", glue);
}

/* Draws are made one after the other, in declarations, as the order of arguments is not defined. */
static void push_segment(struct route *route)
{
    struct element *element = push(route, SEGMENT);
    const char *ending = PICK("-", "-b", "-@", "-aA"), *between = PICK("-", "--", "-a", "-@");
    const char *last = PICK("", "", "-", "-a"), *any = PICK("", "", "b", "-", "A");
    unsigned first = 1 + draw(2), second = draw(3), form = draw(4);

    if (form == 0) {
        push_value(route, element, 0, ending);
    } else if (form == 1) {
        push_value(route, element, 0, between);
        push_value(route, element, second, second > 0 ? any : last);
    } else {
        push_value(route, element, first, any);
        if (form == 2)
            push_value(route, element, second, "");
    }
}

static void draw_elements(struct route *route)
{
    unsigned segments = 1 + draw(MOST_SEGMENTS);

    route->count = 0;
    route->optional = false;
    for (unsigned i = 0; i < segments; i++) {
        bool last = i + 1 == segments;
        unsigned kind = draw(10);

        push_bytes(route, "/");
        if (draw(2) == 0 || kind < 4)
            push_bytes(route, PICK("", "a", "b", "ab", "A", "-"));
        if (kind >= 4 && kind < 7)
            push_value(route, push(route, PARAM), 0, "");
        else if (kind >= 7 && kind < 9)
            push_segment(route);
        else if (kind == 9 && last)
            push_value(route, push(route, WILDCARD), 0, "");
    }
    route->optional = route->elements[route->count - 1].kind != BYTE &&
                      route->elements[route->count - 1].kind != WILDCARD &&
                      route->elements[route->count - 2].byte == '/' && draw(3) == 0;
}

static void write_pattern(struct route *route)
{
    size_t len = 0;
    const size_t size = sizeof(route->pattern);

    for (unsigned i = 0; i < route->count; i++) {
        const struct element *element = &route->elements[i];

        if (element->kind == BYTE || element->kind == WILDCARD)
            len += (size_t)snprintf(route->pattern + len, size - len, "%c",
                                    element->kind == BYTE ? element->byte : '*');
        for (unsigned v = 0; v < element->count && element->kind != WILDCARD; v++) {
            const struct value *value = &element->values[v];
            bool open = value->expression > 0;

            len += (size_t)snprintf(route->pattern + len, size - len, ":%s%s%s%s%s", value->name,
                                    open ? "(" : "", expressions[value->expression],
                                    open ? ")" : "", value->glue);
        }
    }
    snprintf(route->pattern + len, size - len, "%s", route->optional ? "?" : "");
}

static void draw_route(struct route *route)
{
    draw_elements(route);
    write_pattern(route);
    route->method = draw(2) ? SKUA_GET : SKUA_POST;
    route->constraints = (struct skua__constraints){0};
    if (draw(4) == 0)
        route->constraints.host = PICK("a.b", "/b$/");
    if (draw(5) == 0)
        route->constraints.version = PICK("1.0.0", "1.1.0");
}

static size_t draw_letters(char *out)
{
    size_t len = 0;

    for (unsigned letters = draw(8) == 0 ? 0 : draw(5); letters > 0; letters--) {
        const char *letter = PICK("a", "b", "a", "b", "a", "-", "-", "A", "%40", "@");

        memcpy(out + len, letter, strlen(letter));
        len += strlen(letter);
    }
    return len;
}

static size_t draw_any_path(char *out)
{
    unsigned segments = 1 + draw(MOST_SEGMENTS + 1);
    size_t len = 0;

    for (unsigned i = 0; i < segments; i++) {
        out[len++] = '/';
        len += draw_letters(out + len);
    }
    return len;
}

/* One that the route may match. */
static size_t draw_path_of(const struct route *route, char *out)
{
    size_t len = 0;

    for (unsigned i = 0; i < route->count; i++) {
        const struct element *element = &route->elements[i];

        if (element->kind == BYTE)
            out[len++] = element->byte;
        for (unsigned v = 0; v < element->count; v++) {
            const char *some = PICK("a", "ab", "aa", "b");

            if (element->values[v].expression == 0)
                len += draw_letters(out + len);
            else
                len += (size_t)sprintf(out + len, "%s", some);
            len += (size_t)sprintf(out + len, "%s", element->values[v].glue);
        }
    }
    return len;
}

/* ---- forms ---- */

static bool is_byte(const struct form *form, unsigned at, char byte)
{
    return form->elements[at].kind == BYTE && form->elements[at].byte == byte;
}

/* Take slashes out as the options have it. */
static void normalise(const struct set *set, struct form *form)
{
    unsigned count = 0;

    for (unsigned i = 0; i < form->count; i++) {
        bool twice = count > 0 && is_byte(form, count - 1, '/') && is_byte(form, i, '/');

        if (!twice || !set->opts.ignore_duplicate_slashes)
            form->elements[count++] = form->elements[i];
    }
    form->count = count;
    if (set->opts.ignore_trailing_slash && count > 1 && is_byte(form, count - 1, '/'))
        form->count--;
}

static void make_form(const struct set *set, struct form *form, const struct route *route,
                      bool shorter)
{
    form->route = route;
    form->count = route->count;
    memcpy(form->elements, route->elements, sizeof(form->elements));
    if (shorter) {
        form->count = route->count > 2 ? route->count - 2 : 1;
        if (set->opts.ignore_duplicate_slashes) /* "//:x" is "/:x" before it is made shorter */
            while (form->count > 1 && is_byte(form, form->count - 1, '/'))
                form->count--;
    }
    normalise(set, form);
}

static bool same_letter(const struct set *set, char a, char b)
{
    return set->opts.case_insensitive ? tolower(a) == tolower(b) : a == b;
}

static bool same_text(const struct set *set, const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0' && same_letter(set, *a, *b)) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Whether two elements make one node (`strict`), or at least would need one place. */
static bool same_element(const struct set *set, const struct element *a, const struct element *b,
                         bool strict)
{
    if (a->kind != b->kind || a->count != b->count ||
        (a->kind == BYTE && !same_letter(set, a->byte, b->byte)))
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        if (!same_text(set, a->values[i].glue, b->values[i].glue) ||
            (strict && a->values[i].expression != b->values[i].expression))
            return false;
    }
    return true;
}

static bool same_start(const struct set *set, const struct form *a, const struct form *b,
                       unsigned count, bool strict)
{
    unsigned i = 0;

    while (i < count && i < a->count && i < b->count &&
           same_element(set, &a->elements[i], &b->elements[i], strict))
        i++;
    return i == count;
}

static bool same_word(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_taken(const struct set *set, const struct form *form)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct form *other = &set->forms[i];
        const struct skua__constraints *a = &other->route->constraints;
        const struct skua__constraints *b = &form->route->constraints;

        if (other->route->method == form->route->method && other->count == form->count &&
            same_start(set, other, form, form->count, false) && same_word(a->host, b->host) &&
            same_word(a->version, b->version))
            return true;
    }
    return false;
}

/* ---- the oracle ---- */

/* The path with its escapes decoded: '@' from raw[i] is escaped[i]. */
struct path {
    const char *raw;
    size_t starts[MOST_TOKENS + 1];
    char text[MOST_TOKENS + 1];
    unsigned len;
};

struct found {
    const struct form *form;
    char word[MOST_ELEMENTS * 3 + 8];
    unsigned count;
    skua_str names[MOST_PARAMS + 1];
    skua_str values[MOST_PARAMS + 1];
    bool too_long; /* a value was, on the way */
};

static void read_path(struct path *path, const char *raw, size_t len)
{
    size_t at = 0;

    path->raw = raw;
    path->len = 0;
    while (at < len) {
        path->starts[path->len] = at;
        path->text[path->len++] = raw[at] == '%' ? '@' : raw[at];
        at += raw[at] == '%' ? 3 : 1;
    }
    path->starts[path->len] = len;
}

static void push_found(struct found *out, const struct path *path, const char *name, unsigned from,
                       unsigned to)
{
    out->names[out->count] = skua_str_c(name);
    out->values[out->count++] =
        skua_str_of(path->raw + path->starts[from], path->starts[to] - path->starts[from]);
}

static bool fits_expression(unsigned expression, const char *text, unsigned len)
{
    if (expression == 1) {
        for (unsigned i = 0; i < len; i++) {
            if (text[i] != 'a')
                return false;
        }
        return len > 0;
    }
    return expression == 0 || (len == 2 && strspn(text, "ab") >= 2);
}

/* Try all ways to split [from, to), from the longest first value on; ends[v] is where value v ends. */
static bool split(const struct set *set, const struct element *element, unsigned v,
                  const struct path *path, unsigned from, unsigned to, unsigned *ends)
{
    const struct value *value = &element->values[v];
    unsigned glue = (unsigned)strlen(value->glue);

    if (v == element->count)
        return from == to;
    for (unsigned end = to + 1; end-- > from;) {
        unsigned same = 0;

        while (same < glue && end + same < to &&
               same_letter(set, path->text[end + same], value->glue[same]))
            same++;
        ends[v] = end;
        if (same == glue && fits_expression(value->expression, path->text + from, end - from) &&
            split(set, element, v + 1, path, end + glue, to, ends))
            return true;
    }
    return false;
}

static bool match_values(const struct set *set, struct found *out, const struct element *element,
                         const struct path *path, unsigned from, unsigned to)
{
    unsigned most = set->opts.max_param_length, glue = 0, ends[MOST_VALUES];

    for (unsigned v = 0; v < element->count; v++)
        glue += (unsigned)strlen(element->values[v].glue);
    out->too_long |= to - from > element->count * most + glue;
    if (out->too_long || !split(set, element, 0, path, from, to, ends))
        return false;
    for (unsigned v = 0; v < element->count; v++) {
        push_found(out, path, element->values[v].name, from, ends[v]);
        out->too_long |= ends[v] - from > most;
        from = ends[v] + (unsigned)strlen(element->values[v].glue);
    }
    return !out->too_long;
}

/* The number of the first form that has the same segment at the same place. */
static unsigned age_of(const struct set *set, const struct form *form, unsigned element)
{
    unsigned age = 0;

    while (!same_start(set, &set->forms[age], form, element + 1, true))
        age++;
    return age;
}

static void write_word(const struct set *set, struct found *out, unsigned element)
{
    const struct element *one = &out->form->elements[element];
    size_t len = strlen(out->word), ending = 0;

    if (one->kind == SEGMENT)
        ending = strlen(one->values[one->count - 1].glue);
    if (one->kind == SEGMENT)
        sprintf(out->word + len, "%c%02u", (char)('J' - ending), age_of(set, out->form, element));
    else
        sprintf(out->word + len, "%c", "0?YZ"[one->kind]);
}

static bool match_form(const struct set *set, struct found *out, const struct form *form,
                       const struct path *path)
{
    unsigned at = 0;

    memset(out, 0, sizeof(*out));
    out->form = form;
    for (unsigned i = 0; i < form->count; i++) {
        const struct element *element = &form->elements[i];
        unsigned end = at;

        write_word(set, out, i);
        if (element->kind == BYTE && (at == path->len || path->text[at] == '@' ||
                                      !same_letter(set, path->text[at], element->byte)))
            return false;
        while (element->kind != BYTE && end < path->len &&
               (path->text[end] != '/' || element->kind == WILDCARD))
            end++;
        if (element->kind == WILDCARD)
            push_found(out, path, "*", at, end);
        else if (element->kind != BYTE && !match_values(set, out, element, path, at, end))
            return false;
        at = element->kind == BYTE ? at + 1 : end;
    }
    return at == path->len;
}

static bool holds(const struct skua__constraints *constraints, const struct skua__lookup *lookup)
{
    bool any = lookup->version.len == 3; /* "1.x" */

    if (constraints->host != NULL &&
        (lookup->host.ptr == NULL || (constraints->host[0] != '/' && lookup->host.ptr[0] != 'a')))
        return false;
    if (constraints->version == NULL || lookup->version.ptr == NULL)
        return constraints->version == NULL && lookup->version.ptr == NULL;
    return any || skua_str_eq(lookup->version, skua_str_c(constraints->version));
}

static void write_condition(struct found *out)
{
    const struct skua__constraints *constraints = &out->form->route->constraints;
    const char *host = constraints->host, *version = constraints->version;

    sprintf(out->word + strlen(out->word), "%c%c",
            host == NULL     ? '2'
            : host[0] == '/' ? '1'
                             : '0',
            version == NULL     ? '2'
            : version[2] == '0' ? '1'
                                : '0');
}

/* The best match; found.form is NULL if there is none, and then too_long tells whether any form, of
 * whatever method, had a value that was too long. */
static struct found ask_oracle(const struct set *set, const struct skua__lookup *lookup)
{
    struct found best = {0}, one;
    struct path path;
    bool too_long = false;

    read_path(&path, lookup->path.ptr, lookup->path.len);
    for (unsigned i = 0; i < set->count; i++) {
        const struct route *route = set->forms[i].route;
        bool matched = match_form(set, &one, &set->forms[i], &path);

        too_long |= one.too_long;
        if (!matched || route->method != lookup->method || !holds(&route->constraints, lookup))
            continue;
        write_condition(&one);
        if (best.form == NULL || strcmp(one.word, best.word) < 0)
            best = one;
    }
    best.too_long = best.form == NULL && too_long;
    return best;
}

/* ---- comparing ---- */

static bool add_form(struct set *set, const struct route *route, bool shorter)
{
    struct form *form = &set->forms[set->count];

    make_form(set, form, route, shorter);
    if (is_taken(set, form))
        return false;
    set->count++;
    return true;
}

/* Draw routes and add them; those that are taken must be refused. */
static void add_routes(struct set *set, struct skua__router *router)
{
    unsigned wanted = 1 + draw(MOST_ROUTES);

    for (unsigned i = 0; i < wanted; i++) {
        struct route *route = &set->routes[i];
        skua_arena *arena = skua_arena_new(0);
        const char *why = NULL;
        bool added;
        int err;

        draw_route(route);
        added = add_form(set, route, false);
        if (route->optional)
            added = add_form(set, route, true) && added;
        err = skua__router_add(router, route->method, skua_str_c(route->pattern),
                               &route->constraints, route, arena, &why);
        if (err != (added ? 0 : SKUA_ERR_SETUP))
            fail_msg("%s: %d %s", route->pattern, err, why);
        skua_arena_free(arena);
    }
}

static struct found compare(const struct set *set, const struct skua__router *router,
                            const struct skua__lookup *lookup)
{
    struct found expected = ask_oracle(set, lookup);
    const struct route *route = expected.form != NULL ? expected.form->route : NULL;
    struct skua__match match;

    assert_int_equal(skua__router_find(router, lookup, &match),
                     expected.too_long ? SKUA_ERR_URI_TOO_LONG : 0);
    if (match.route != route)
        fail_msg("%.*s: expected %s, got %s", (int)lookup->path.len, lookup->path.ptr,
                 route ? route->pattern : "nothing",
                 match.route ? ((struct route *)match.route)->pattern : "nothing");
    assert_int_equal(match.count, expected.count);
    for (uint16_t i = 0; i < match.count; i++) {
        assert_true(skua_str_eq(match.names[i], expected.names[i]));
        assert_ptr_equal(match.values[i].ptr, expected.values[i].ptr);
        assert_int_equal(match.values[i].len, expected.values[i].len);
    }
    return expected;
}

static struct skua__lookup draw_lookup(const struct set *set, const struct skua__router *router,
                                       skua_arena *arena, char *path)
{
    const struct route *route = set->forms[draw(set->count)].route;
    size_t len = draw(2) ? draw_any_path(path) : draw_path_of(route, path);
    struct skua__lookup lookup = {.path = skua_str_of(path, len)};

    assert_int_equal(skua__router_drop_slashes(router, &lookup.path, arena), 0);
    if (draw(3) != 0)
        lookup.host = skua_str_c(PICK("a.b", "x.b"));
    if (draw(4) == 0)
        lookup.version = skua_str_c(PICK("1.x", "1.0.0", "1.1.0"));
    return lookup;
}

static void the_tree_and_the_oracle_agree(void **state)
{
    static struct set set;
    unsigned matched = 0, missed = 0, too_long = 0;

    (void)state;
    for (unsigned i = 0; i < SETS; i++) {
        struct skua__router *router;
        skua_arena *arena = skua_arena_new(0);

        set.count = 0;
        set.opts.case_insensitive = draw(4) == 0;
        set.opts.ignore_trailing_slash = draw(4) == 0;
        set.opts.ignore_duplicate_slashes = draw(4) == 0;
        set.opts.max_param_length = draw(2) ? 3 : 100;
        router = skua__router_new(&set.opts);
        add_routes(&set, router);
        for (unsigned k = 0; k < PATHS; k++) {
            char path[MOST_TOKENS * 3];
            struct skua__lookup lookup = draw_lookup(&set, router, arena, path);
            struct found get = compare(&set, router, &lookup), post;
            uint8_t vary = 0;

            lookup.method = SKUA_POST;
            post = compare(&set, router, &lookup);
            assert_int_equal(skua__router_methods(router, &lookup, &vary),
                             (unsigned)(get.form != NULL) << SKUA_GET |
                                 (unsigned)(post.form != NULL) << SKUA_POST);
            matched += (unsigned)(get.form != NULL) + (unsigned)(post.form != NULL);
            missed += (unsigned)(get.form == NULL) + (unsigned)(post.form == NULL);
            too_long += get.too_long;
        }
        skua__router_free(router);
        skua_arena_free(arena);
    }
    printf("random: %u lookups found a route, %u did not, %u of them as a value was too long\n",
           matched, missed, too_long);
    assert_true(matched > SETS && missed > SETS && too_long > SETS / 4); /* worth drawing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_and_the_oracle_agree),
    };

    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
