/* SPDX-License-Identifier: MIT */
/*
 * engine.c - calling JavaScript from fibers
 *
 * JavaScriptCore scans the stack of its thread for values and bounds its depth by it, so nothing of
 * it may run on a fiber's stack. A call is therefore cut into turns, each an errand for the thread's
 * own stack, and the fiber waits between them:
 *
 *   fiber    call ----.      ,-- skua_sleep --.      ,-- skua_sleep --.      ,-- return
 *                      \    /                  \    /                  \    /
 *   thread             begin                fire_timers             fire_timers
 *
 * The engine runs its microtasks down whenever a turn leaves it. After each turn the call has its
 * outcome, or it waits for the earliest of the timers that later() has started in it; having
 * neither it would wait for ever, which is an error.
 *
 * Turns never overlap, so engine->call is whose turn it is, and a turn that tries to wait gets
 * SKUA_ERR_NO_FIBER. The collector does not see a fiber's stack or malloc's memory: every value that
 * outlives a turn is protected, and the turn that ends the call lets go of all of them, also when
 * the call was cancelled.
 */
#include "js/engine.h"

#include "async/fiber.h"

#include <JavaScriptCore/JavaScript.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WAITING = 1 }; /* of a turn: the outcome is not there yet */

struct timer {
    struct timer *next;
    uint64_t due;        /* ms of the monotonic clock */
    JSObjectRef resolve; /* protected, as is what it will be called with */
    JSValueRef value;
};

struct call {
    struct engine *engine;
    skua_arena *arena;
    skua_str *out;
    const char *function;
    const char *const *args;
    size_t count;
    int (*turn)(struct call *call);
    JSObjectRef outcome;  /* protected; NULL until the function has returned a promise */
    struct timer *timers; /* the earliest first */
};

struct engine {
    JSContextGroupRef group;
    JSGlobalContextRef context;
    JSObjectRef invoke; /* protected: invoke_source */
    struct call *call;  /* whose turn it is, or NULL */
    char error[2048];
};

/*
 * What every call goes through: the interface has no way to look into a promise, and it cuts a text
 * off at half a surrogate pair. Returns the text, or the object that will have it or the error.
 */
static const char invoke_source[] =
    "(function (name, ...args) {"
    "    const result = globalThis[name](...args), outcome = {};"
    "    if (typeof result === 'string')"
    "        return result.toWellFormed();"
    "    Promise.resolve(result)"
    "        .then(value => { outcome.text = String(value).toWellFormed(); })"
    "        .catch(error => { outcome.error = error ?? String(error); });"
    "    return outcome;"
    "})";

static uint64_t read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- values ---- */

static JSValueRef make_string(JSContextRef context, const char *text)
{
    JSStringRef string = JSStringCreateWithUTF8CString(text);
    JSValueRef value = JSValueMakeString(context, string);

    JSStringRelease(string);
    return value;
}

/* undefined if it is not there or its getter throws. */
static JSValueRef get_property(JSContextRef context, JSObjectRef object, const char *name)
{
    JSStringRef key = JSStringCreateWithUTF8CString(name);
    JSValueRef value = JSObjectGetProperty(context, object, key, NULL);

    JSStringRelease(key);
    return value != NULL ? value : JSValueMakeUndefined(context);
}

/* ---- errors ---- */

const char *engine_error(const struct engine *engine)
{
    return engine->error;
}

static int fail(struct engine *engine, const char *text)
{
    snprintf(engine->error, sizeof(engine->error), "%s", text);
    return SKUA_ERR_TEMPLATE;
}

/* Copy as much of the text as fits, with a zero byte behind it. */
static void print_value(JSContextRef context, JSValueRef value, char *out, size_t size)
{
    JSStringRef string = JSValueToStringCopy(context, value, NULL);

    if (string == NULL) {
        snprintf(out, size, "something without a text was thrown");
        return;
    }
    if (JSStringGetUTF8CString(string, out, size) == 0)
        out[0] = '\0';
    JSStringRelease(string);
}

/* The place is where the exception was made: "ejs.min.js:1". */
static int fail_thrown(struct engine *engine, JSValueRef thrown)
{
    JSContextRef context = engine->context;
    char *error = engine->error;
    JSValueRef line, file;
    size_t len;

    print_value(context, thrown, error, sizeof(engine->error) - 256);
    if (!JSValueIsObject(context, thrown))
        return SKUA_ERR_TEMPLATE;
    line = get_property(context, (JSObjectRef)thrown, "line");
    file = get_property(context, (JSObjectRef)thrown, "sourceURL");
    if (!JSValueIsNumber(context, line) || !JSValueIsString(context, file))
        return SKUA_ERR_TEMPLATE;
    len = strlen(error);
    len += (size_t)snprintf(error + len, 3, " (");
    print_value(context, file, error + len, 200);
    len = strlen(error);
    snprintf(error + len, sizeof(engine->error) - len, ":%.0f)",
             JSValueToNumber(context, line, NULL));
    return SKUA_ERR_TEMPLATE;
}

static JSValueRef throw_text(JSContextRef context, JSValueRef *thrown, const char *text)
{
    JSValueRef message = make_string(context, text);

    *thrown = JSObjectMakeError(context, 1, &message, NULL);
    return JSValueMakeUndefined(context);
}

/* ---- what scripts can call ---- */

static struct engine *engine_of(JSContextRef context)
{
    return JSObjectGetPrivate(JSContextGetGlobalObject(context));
}

static uint64_t take_ms(JSContextRef context, size_t count, const JSValueRef args[])
{
    double ms = count > 0 ? JSValueToNumber(context, args[0], NULL) : 0;

    return ms >= 1 ? (uint64_t)(ms < 1e9 ? ms : 1e9) : 0; /* NaN is 0, too */
}

static void add_timer(struct call *call, struct timer *timer)
{
    struct timer **at = &call->timers;

    while (*at != NULL && (*at)->due <= timer->due)
        at = &(*at)->next;
    timer->next = *at;
    *at = timer;
}

static JSValueRef later(JSContextRef context, JSObjectRef function, JSObjectRef object,
                        size_t count, const JSValueRef args[], JSValueRef *thrown)
{
    struct engine *engine = engine_of(context);
    struct timer *timer;
    JSObjectRef promise;

    (void)function;
    (void)object;
    if (engine->call == NULL)
        return throw_text(context, thrown, "later() is for pages that are being rendered");
    timer = calloc(1, sizeof(*timer));
    if (timer == NULL)
        return throw_text(context, thrown, skua_err_text(SKUA_ERR_NOMEM));
    promise = JSObjectMakeDeferredPromise(context, &timer->resolve, NULL, thrown);
    if (promise == NULL) {
        free(timer);
        return JSValueMakeUndefined(context);
    }
    timer->due = read_clock() + take_ms(context, count, args);
    timer->value = count > 1 ? args[1] : JSValueMakeUndefined(context);
    JSValueProtect(context, timer->resolve);
    JSValueProtect(context, timer->value);
    add_timer(engine->call, timer);
    return promise;
}

static JSValueRef pause_now(JSContextRef context, JSObjectRef function, JSObjectRef object,
                            size_t count, const JSValueRef args[], JSValueRef *thrown)
{
    int err = skua_sleep(take_ms(context, count, args));
    char text[200];

    (void)function;
    (void)object;
    if (err == 0)
        return JSValueMakeUndefined(context);
    snprintf(text, sizeof(text),
             "pause() cannot wait inside JavaScript: %s, %s; await later() in an async template",
             skua_err_name(err), skua_err_text(err));
    return throw_text(context, thrown, text);
}

/* ---- turns ---- */

static int run_turn(void *arg)
{
    struct call *call = arg;
    int err;

    call->engine->call = call;
    err = call->turn(call);
    call->engine->call = NULL;
    return err;
}

static int take_turn(struct call *call, int (*turn)(struct call *call))
{
    call->turn = turn;
    return skua__on_thread_stack(run_turn, call);
}

static int take_text(struct call *call, JSValueRef value)
{
    JSValueRef thrown = NULL;
    JSStringRef string = JSValueToStringCopy(call->engine->context, value, &thrown);
    size_t size;
    char *text;

    if (string == NULL)
        return fail_thrown(call->engine, thrown);
    size = JSStringGetMaximumUTF8CStringSize(string);
    text = skua_alloc(call->arena, size);
    if (text != NULL)
        *call->out = skua_str_of(text, JSStringGetUTF8CString(string, text, size) - 1);
    JSStringRelease(string);
    return text != NULL ? 0 : SKUA_ERR_NOMEM;
}

static int take_outcome(struct call *call)
{
    JSContextRef context = call->engine->context;
    JSValueRef text = get_property(context, call->outcome, "text");
    JSValueRef error = get_property(context, call->outcome, "error");

    if (JSValueIsString(context, text))
        return take_text(call, text);
    if (!JSValueIsUndefined(context, error))
        return fail_thrown(call->engine, error);
    return WAITING;
}

static int begin(struct call *call)
{
    struct engine *engine = call->engine;
    JSContextRef context = engine->context;
    JSValueRef args[ENGINE_MAX_ARGS + 1], value, thrown = NULL;

    args[0] = make_string(context, call->function);
    for (size_t i = 0; i < call->count; i++)
        args[i + 1] = make_string(context, call->args[i]);
    value = JSObjectCallAsFunction(context, engine->invoke, NULL, call->count + 1, args, &thrown);
    if (value == NULL)
        return fail_thrown(engine, thrown);
    if (JSValueIsString(context, value))
        return take_text(call, value);
    JSValueProtect(context, value);
    call->outcome = (JSObjectRef)value;
    return take_outcome(call);
}

static void drop_timer(struct call *call)
{
    JSContextRef context = call->engine->context;
    struct timer *timer = call->timers;

    call->timers = timer->next;
    JSValueUnprotect(context, timer->resolve);
    JSValueUnprotect(context, timer->value);
    free(timer);
}

static int fire_timers(struct call *call)
{
    uint64_t now = read_clock();

    while (call->timers != NULL && call->timers->due <= now) {
        JSObjectRef resolve = call->timers->resolve;
        JSValueRef value = call->timers->value;

        drop_timer(call); /* first: what goes on now may start timers */
        JSObjectCallAsFunction(call->engine->context, resolve, NULL, 1, &value, NULL);
    }
    return take_outcome(call);
}

static int end(struct call *call)
{
    while (call->timers != NULL)
        drop_timer(call);
    if (call->outcome != NULL)
        JSValueUnprotect(call->engine->context, call->outcome);
    return 0;
}

/* ---- calls ---- */

static int wait_for_timer(struct call *call)
{
    uint64_t now = read_clock();
    int err = 0;

    if (call->timers == NULL)
        return fail(call->engine, "the page awaits something that nothing will settle");
    if (call->timers->due > now)
        err = skua_sleep(call->timers->due - now);
    return err < 0 ? err : take_turn(call, fire_timers);
}

int engine_call(struct engine *engine, skua_arena *arena, skua_str *out, const char *function,
                const char *const *args, size_t count)
{
    struct call call = {
        .engine = engine,
        .arena = arena,
        .out = out,
        .function = function,
        .args = args,
        .count = count,
    };
    int err;

    if (count > ENGINE_MAX_ARGS)
        return fail(engine, "too many arguments");
    err = take_turn(&call, begin);
    while (err == WAITING)
        err = wait_for_timer(&call);
    take_turn(&call, end);
    return err;
}

/* ---- scripts ---- */

/* The whole file, zero-terminated; free it. */
static int read_file(char **out, const char *path)
{
    FILE *file = fopen(path, "re");
    size_t size = 0;
    ssize_t len;

    *out = NULL;
    if (file == NULL)
        return -errno;
    len = getdelim(out, &size, '\0', file);
    fclose(file);
    if (len >= 0)
        return 0;
    free(*out);
    return -EIO;
}

struct script {
    struct engine *engine;
    const char *path, *text;
};

static int run_script(void *arg)
{
    struct script *script = arg;
    JSContextRef context = script->engine->context;
    const char *slash = strrchr(script->path, '/');
    JSStringRef text = JSStringCreateWithUTF8CString(script->text);
    JSStringRef name = JSStringCreateWithUTF8CString(slash != NULL ? slash + 1 : script->path);
    JSValueRef thrown = NULL;
    int err = 0;

    if (JSEvaluateScript(context, text, NULL, name, 1, &thrown) == NULL)
        err = fail_thrown(script->engine, thrown);
    JSStringRelease(name);
    JSStringRelease(text);
    return err;
}

int engine_load(struct engine *engine, const char *path)
{
    struct script script = {.engine = engine, .path = path};
    char *text;
    int err = read_file(&text, path);

    if (err < 0)
        return err;
    script.text = text;
    err = skua__on_thread_stack(run_script, &script);
    free(text);
    return err;
}

/* ---- life ---- */

static const JSStaticFunction functions[] = {
    {"later", later, kJSPropertyAttributeReadOnly},
    {"pause", pause_now, kJSPropertyAttributeReadOnly},
    {NULL, NULL, 0},
};

static int open_world(void *arg)
{
    JSClassDefinition definition = {.className = "World", .staticFunctions = functions};
    struct engine *engine = arg;
    JSStringRef source = JSStringCreateWithUTF8CString(invoke_source);
    JSClassRef world = JSClassCreate(&definition);

    engine->group = JSContextGroupCreate();
    engine->context = JSGlobalContextCreateInGroup(engine->group, world);
    JSObjectSetPrivate(JSContextGetGlobalObject(engine->context), engine);
    engine->invoke = (JSObjectRef)JSEvaluateScript(engine->context, source, NULL, NULL, 0, NULL);
    JSValueProtect(engine->context, engine->invoke);
    JSClassRelease(world);
    JSStringRelease(source);
    return 0;
}

static int close_world(void *arg)
{
    struct engine *engine = arg;

    JSValueUnprotect(engine->context, engine->invoke);
    JSGlobalContextRelease(engine->context);
    JSContextGroupRelease(engine->group);
    return 0;
}

int engine_new(struct engine **out)
{
    *out = calloc(1, sizeof(**out));
    if (*out == NULL)
        return SKUA_ERR_NOMEM;
    return skua__on_thread_stack(open_world, *out); /* it ends the process when memory is gone */
}

void engine_free(struct engine *engine)
{
    if (engine == NULL)
        return;
    skua__on_thread_stack(close_world, engine);
    free(engine);
}
