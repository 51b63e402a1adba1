/* SPDX-License-Identifier: MIT */
#ifndef SKUA__TESTS_FAULT_SOCKET_H
#define SKUA__TESTS_FAULT_SOCKET_H

/*
 * Failures of the server's socket calls on demand. The program is linked with --wrap for recv and send;
 * the server's calls are told from those of the test's client by MSG_DONTWAIT.
 */
enum fault_socket {
    FAULT_NONE,
    FAULT_SHORT, /* one byte is moved */
    FAULT_EINTR, /* the call is to be made again */
    FAULT_EAGAIN,
    FAULT_ENOBUFS,
    FAULT_ECONNRESET,
    FAULT_EPIPE,
    FAULT_COUNT
};

/* The n-th recv or send of the server from now on (1: the next) fails so; `each`: every n-th. */
void fault_socket_arm(enum fault_socket fault, long nth, int each);
void fault_socket_disarm(void);

#endif
