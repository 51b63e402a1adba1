/* SPDX-License-Identifier: MIT */
/*
 * overflow_test.c - a fiber that overflows its stack dies with a line that says so
 *
 * Each case is a child process. Under ASan and TSan all of it is skipped: they handle SIGSEGV
 * themselves, so the library installs nothing.
 */
#include "async/on_loop.h"

#include "async/loop_private.h"
#include "async/tools.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct outcome {
    int status; /* as of waitpid */
    char text[1024];
};

static void run_child(struct outcome *outcome, void (*child)(void))
{
    size_t len = 0;
    ssize_t got;
    int ends[2];
    pid_t pid;

    if (SKUA__ASAN || SKUA__TSAN) {
        print_message("SKIPPED: the sanitizer reports overflows itself\n");
        skip();
    }
    assert_int_equal(pipe(ends), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        signal(SIGSEGV, SIG_DFL); /* cmocka has its own */
        child();
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], outcome->text + len, sizeof(outcome->text) - 1 - len)) > 0)
        len += (size_t)got;
    outcome->text[len] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(pid, &outcome->status, 0), pid);
}

static void run_on_fiber(void (*fn)(void *arg), size_t stack_size)
{
    struct skua__loop_opts opts = {.stack_size = stack_size};
    struct skua__loop *loop;

    if (skua__loop_new(&loop, &opts) == 0 && skua__fiber_start(loop, NULL, fn, NULL, NULL) >= 0)
        skua__loop_run(loop);
}

/* ---- overflows ---- */

/* Each level uses the one above, so that no compiler makes a loop of it. */
static int dive(int levels, volatile const char *above)
{
    volatile char here[512];

    here[0] = above[0];
    return levels > 0 ? dive(levels - 1, here) + here[0] : 0;
}

static void overflow(void *arg)
{
    (void)arg;
    dive(1000000, "");
}

static void overflow_after_a_wait(void *arg)
{
    skua_sleep(1);
    overflow(arg);
}

static void overflow_default(void)
{
    run_on_fiber(overflow, 0);
}

static void overflow_smaller(void)
{
    run_on_fiber(overflow_after_a_wait, 100 * 1024);
}

static void an_overflow_is_reported_and_deadly(void **state)
{
    static const char line[] = "skua: a fiber overflowed its stack of 256 KiB; look for deep "
                               "recursion or large local variables, or give fibers more "
                               "(stack_size of the settings)\n";
    struct outcome outcome;

    (void)state;
    run_child(&outcome, overflow_default);
    assert_memory_equal(outcome.text, line, strlen(line)); /* an emulator adds its own */
    assert_true(WIFSIGNALED(outcome.status));
    assert_int_equal(WTERMSIG(outcome.status), SIGSEGV);
}

static void the_line_names_the_size(void **state)
{
    struct outcome outcome;
    char expected[64];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    (void)state;
    run_child(&outcome, overflow_smaller);
    snprintf(expected, sizeof(expected), "skua: a fiber overflowed its stack of %zu KiB; ",
             (100 * 1024 + page - 1) / page * page / 1024);
    assert_memory_equal(outcome.text, expected, strlen(expected));
    assert_int_equal(WTERMSIG(outcome.status), SIGSEGV);
}

/* ---- other faults ---- */

static void touch_nothing(void *arg)
{
    char *volatile nowhere = (char *)8;

    (void)arg;
    *nowhere = 1;
}

static void fault_with_default(void)
{
    run_on_fiber(touch_nothing, 0);
}

static void exit_with_41(int number)
{
    _exit(number == SIGSEGV ? 41 : 1);
}

static void exit_with_42(int number, siginfo_t *info, void *machine)
{
    _exit(number == SIGSEGV && info->si_addr == (void *)8 && machine != NULL ? 42 : 1);
}

static void fault_with_handler(void)
{
    signal(SIGSEGV, exit_with_41);
    run_on_fiber(touch_nothing, 0);
}

static void fault_with_siginfo_handler(void)
{
    struct sigaction action = {.sa_sigaction = exit_with_42, .sa_flags = SA_SIGINFO};

    sigaction(SIGSEGV, &action, NULL);
    run_on_fiber(touch_nothing, 0);
}

static void raise_signal(void *arg)
{
    (void)arg;
    raise(SIGSEGV);
}

static void raise_with_default(void)
{
    run_on_fiber(raise_signal, 0);
}

static void raise_while_ignored(void)
{
    signal(SIGSEGV, SIG_IGN);
    run_on_fiber(raise_signal, 0);
    _exit(43);
}

static void other_faults_go_to_whoever_had_them(void **state)
{
    struct outcome outcome;

    (void)state;
    run_child(&outcome, fault_with_default);
    assert_true(WIFSIGNALED(outcome.status));
    assert_int_equal(WTERMSIG(outcome.status), SIGSEGV);
    assert_null(strstr(outcome.text, "skua"));

    run_child(&outcome, fault_with_handler);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), 41);

    run_child(&outcome, fault_with_siginfo_handler);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), 42);
}

static void a_signal_that_somebody_sent_keeps_its_meaning(void **state)
{
    struct outcome outcome;

    (void)state;
    run_child(&outcome, raise_with_default);
    assert_true(WIFSIGNALED(outcome.status));
    assert_int_equal(WTERMSIG(outcome.status), SIGSEGV);
    assert_null(strstr(outcome.text, "skua"));

    run_child(&outcome, raise_while_ignored);
    assert_true(WIFEXITED(outcome.status));
    assert_int_equal(WEXITSTATUS(outcome.status), 43);
}

/* ---- the signal stack ---- */

static void look_at_signal_stack(void *arg)
{
    sigaltstack(NULL, arg);
}

static void the_thread_gets_its_signal_stack_back(void **state)
{
    stack_t before, during, after, own = {.ss_size = 65536};

    (void)state;
    if (SKUA__ASAN || SKUA__TSAN) {
        print_message("SKIPPED: the sanitizer has the signal stack\n");
        skip();
    }
    sigaltstack(NULL, &before);
    assert_int_equal(before.ss_flags, SS_DISABLE);
    on_loop(look_at_signal_stack, &during);
    sigaltstack(NULL, &after);
    assert_int_equal(during.ss_flags & SS_DISABLE, 0);
    assert_int_equal(after.ss_flags, SS_DISABLE);

    own.ss_sp = malloc(own.ss_size);
    assert_int_equal(sigaltstack(&own, NULL), 0);
    on_loop(look_at_signal_stack, &during);
    sigaltstack(&before, &after);
    assert_ptr_equal(during.ss_sp, own.ss_sp);
    assert_ptr_equal(after.ss_sp, own.ss_sp);
    free(own.ss_sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overflow_is_reported_and_deadly),
        cmocka_unit_test(the_line_names_the_size),
        cmocka_unit_test(other_faults_go_to_whoever_had_them),
        cmocka_unit_test(a_signal_that_somebody_sent_keeps_its_meaning),
        cmocka_unit_test(the_thread_gets_its_signal_stack_back),
    };

    return cmocka_run_group_tests_name("async/overflow", tests, NULL, NULL);
}
