/* SPDX-License-Identifier: MIT */
/*
 * vm_scope.c - the machine's scopes: names, contexts, bindings
 *
 * A name is looked for from the top down; the first entry that knows it decides, even if its value
 * is null. A binding knows one name, a context that is an object knows its members, and a mark only
 * ends a scope:
 *
 *   [context: data] [mark] [x = 1] [context: data.user] [y = 2]
 *                   `- SCOPE ----' `- ENTER ------------------'   <- top
 *
 * Loops keep a context or a mark of their own and renew it every turn, so what a turn has bound is
 * gone in the next one.
 */
#include "view/machine.h"

static struct skua__scope *push_scope(struct skua__vm *vm)
{
    if (vm->scope_count == vm->scope_cap) {
        struct skua__scope *scopes = skua__vm_grow(vm, vm->scopes, &vm->scope_cap, sizeof(*scopes));

        if (scopes == NULL)
            return NULL;
        vm->scopes = scopes;
    }
    return &vm->scopes[vm->scope_count++];
}

int skua__vm_enter(struct skua__vm *vm, enum skua__scope_kind kind, skua_value value)
{
    struct skua__scope *scope = push_scope(vm);

    if (scope == NULL)
        return SKUA_ERR_NOMEM;
    *scope = (struct skua__scope){.kind = kind, .value = value};
    return 0;
}

static bool binds(const struct skua__scope *scope, const skua_str *name)
{
    return scope->kind == SKUA__SCOPE_BINDING &&
           (scope->name == name || skua_str_eq(*scope->name, *name));
}

int skua__vm_bind(struct skua__vm *vm, const skua_str *name, skua_value value)
{
    struct skua__scope *scope;

    for (uint32_t i = vm->scope_count; i > 0; i--) {
        scope = &vm->scopes[i - 1];
        if (scope->kind != SKUA__SCOPE_BINDING)
            break;
        if (binds(scope, name)) {
            scope->value = value;
            return 0;
        }
    }
    scope = push_scope(vm);
    if (scope == NULL)
        return SKUA_ERR_NOMEM;
    *scope = (struct skua__scope){.kind = SKUA__SCOPE_BINDING, .name = name, .value = value};
    return 0;
}

/* NULL when nothing knows the name. */
static const skua_value *look_up(const struct skua__vm *vm, const skua_str *name)
{
    for (uint32_t i = vm->scope_count; i > 0; i--) {
        const struct skua__scope *scope = &vm->scopes[i - 1];
        const skua_value *found;

        if (scope->kind == SKUA__SCOPE_CONTEXT) {
            found = skua_get_key(&scope->value, *name);
            if (found != NULL)
                return found;
        } else if (binds(scope, name)) {
            return &scope->value;
        }
    }
    return NULL;
}

int skua__run_load(struct skua__vm *vm, struct skua__ins ins)
{
    skua__vm_push(vm, *skua__resolve(look_up(vm, &vm->program->names[ins.b])));
    return 0;
}

int skua__run_context(struct skua__vm *vm, struct skua__ins ins)
{
    skua_value context = {0};
    uint32_t left = ins.a + 1u;

    for (uint32_t i = vm->scope_count; i > 0 && left > 0; i--) {
        if (vm->scopes[i - 1].kind == SKUA__SCOPE_CONTEXT && --left == 0)
            context = vm->scopes[i - 1].value;
    }
    skua__vm_push(vm, context);
    return 0;
}

int skua__run_set(struct skua__vm *vm, struct skua__ins ins)
{
    return skua__vm_bind(vm, &vm->program->names[ins.b], skua__vm_pop(vm));
}

int skua__run_enter(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    return skua__vm_enter(vm, SKUA__SCOPE_CONTEXT, skua__vm_pop(vm));
}

int skua__run_scope(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    return skua__vm_enter(vm, SKUA__SCOPE_MARK, (skua_value){0});
}

int skua__run_leave(struct skua__vm *vm, struct skua__ins ins)
{
    (void)ins;
    while (vm->scopes[--vm->scope_count].kind == SKUA__SCOPE_BINDING)
        ;
    return 0;
}
