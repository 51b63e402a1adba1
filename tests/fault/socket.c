/* SPDX-License-Identifier: MIT */
/*
 * socket.c - the wrapped socket calls
 */
#include "fault/socket.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/socket.h>

ssize_t __real_recv(int fd, void *buf, size_t len, int flags);
ssize_t __real_send(int fd, const void *buf, size_t len, int flags);
ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags);

static atomic_int armed;
static atomic_int repeats;
static atomic_long period;
static atomic_long calls;

void fault_socket_arm(enum fault_socket fault, long nth, int each)
{
    atomic_store(&armed, FAULT_NONE);
    atomic_store(&calls, 0);
    atomic_store(&period, nth);
    atomic_store(&repeats, each);
    atomic_store(&armed, (int)fault);
}

void fault_socket_disarm(void)
{
    atomic_store(&armed, FAULT_NONE);
}

static enum fault_socket next_fault(int flags)
{
    int fault = atomic_load(&armed);
    long call;

    if (fault == FAULT_NONE || (flags & MSG_DONTWAIT) == 0)
        return FAULT_NONE;
    call = atomic_fetch_add(&calls, 1) + 1;
    if (atomic_load(&repeats) ? call % atomic_load(&period) != 0 : call != atomic_load(&period))
        return FAULT_NONE;
    return (enum fault_socket)fault;
}

static ssize_t fail(enum fault_socket fault)
{
    static const int codes[FAULT_COUNT] = {[FAULT_EINTR] = EINTR,
                                           [FAULT_EAGAIN] = EAGAIN,
                                           [FAULT_ENOBUFS] = ENOBUFS,
                                           [FAULT_ECONNRESET] = ECONNRESET,
                                           [FAULT_EPIPE] = EPIPE};

    errno = codes[fault];
    return -1;
}

ssize_t __wrap_recv(int fd, void *buf, size_t len, int flags)
{
    enum fault_socket fault = next_fault(flags);

    if (fault > FAULT_SHORT)
        return fail(fault);
    return __real_recv(fd, buf, fault == FAULT_SHORT && len > 1 ? 1 : len, flags);
}

ssize_t __wrap_send(int fd, const void *buf, size_t len, int flags)
{
    enum fault_socket fault = next_fault(flags);

    if (fault > FAULT_SHORT)
        return fail(fault);
    return __real_send(fd, buf, fault == FAULT_SHORT && len > 1 ? 1 : len, flags);
}
