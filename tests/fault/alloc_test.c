/* SPDX-License-Identifier: MIT */
/*
 * alloc_test.c - every allocation fails in turn, once and from there on
 *
 * For each request of the birds application: fail the first allocation that it causes, then the second,
 * and so on until it goes through untouched. Each time the answer is the usual one, a 503, or none with
 * the connection closed; nothing crashes, and nothing leaks (the sanitizers see that). Afterwards the
 * same request is answered as if nothing had been.
 */
#include "fault/alloc.h"
#include "support/birds_app.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 2000 /* allocations of one request: more means that failing does not end it */

static bool is_fine(const struct birds_request *request, int err, const skua_injected *res)
{
    if (err == SKUA_ERR_NOMEM)
        return true;
    return err == 0 && (res->status == request->status || res->status == 503 ||
                        res->status == 500 || (res->status == 0 && res->closed));
}

/* How many allocations had to be failed until the request went through. */
static long fail_each(skua_app *app, const struct birds_request *request, bool rest)
{
    for (long nth = 1; nth < MOST; nth++) {
        skua_injected res;
        bool failed;
        int err;

        fault_alloc_arm(nth, rest);
        err = skua_inject(app, &res, .raw = skua_str_c(request->bytes));
        failed = fault_alloc_disarm();
        if (!is_fine(request, err, &res))
            fail_msg("%s, allocation %ld: %d, status %d: %s", request->name, nth, err, res.status,
                     res.raw.ptr != NULL ? res.raw.ptr : "");
        skua_injected_finish(&res);
        if (!failed)
            return nth - 1;
    }
    fail_msg("%s does not end", request->name);
    return 0;
}

static void check_answers(skua_app *app)
{
    for (size_t i = 0; i < birds_request_count; i++) {
        skua_injected res;

        assert_int_equal(skua_inject(app, &res, .raw = skua_str_c(birds_requests[i].bytes)), 0);
        assert_int_equal(res.status, birds_requests[i].status);
        skua_injected_finish(&res);
    }
}

static void each_request_survives_each_failure(void **state)
{
    long failures = 0;

    (void)state;
    for (int rest = 0; rest <= 1; rest++) {
        for (size_t i = 0; i < birds_request_count; i++) {
            skua_app *app =
                sk_app(); /* new, so that pools are empty and the first of each is seen */

            birds_describe(app);
            assert_int_equal(skua_app_ready(app), 0);
            failures += fail_each(app, &birds_requests[i], rest);
            check_answers(app);
            skua_app_free(app);
        }
    }
    printf("%ld failures\n", failures);
    assert_true(failures > 500);
}

/* Describing and making ready: an application, or a mistake that says "memory", or none at all. */
static void set_up_survives_each_failure(void **state)
{
    (void)state;
    for (int rest = 0; rest <= 1; rest++) {
        bool failed = true;

        for (long nth = 1; failed && nth < MOST; nth++) {
            skua_app *app;
            int err;

            fault_alloc_arm(nth, rest);
            app = skua_app_new_with(&(skua_app_opts){.port = -1, .log = SKUA_LOG_SILENT});
            birds_describe(app);
            err = skua_app_ready(app);
            failed = fault_alloc_disarm();
            assert_true(err == 0 || err == SKUA_ERR_SETUP || err == SKUA_ERR_NOMEM);
            if (!failed)
                assert_int_equal(err, 0);
            skua_app_free(app);
        }
        assert_false(failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_up_survives_each_failure),
        cmocka_unit_test(each_request_survives_each_failure),
    };

    return cmocka_run_group_tests_name("allocation failures", tests, NULL, NULL);
}
