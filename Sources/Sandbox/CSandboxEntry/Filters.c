// SPDX-License-Identifier: Apache-2.0
//
// The filters of the extension's process.
//
// Installing the reporting filter takes longer than any other step, because the kernel translates it and
// evaluates it for every system call number. The filter is the same for every session of a policy. It is
// therefore installed as soon as the process exists, before all waits: for a session, or for the host's
// mounts to be unmounted.
//
// The calls that the process makes until it executes its program carry a mark (`DARKROOM_LAUNCHERS_MARK`),
// with which the filter allows them. The second filter is installed last and kills a process that makes a
// marked call. The stricter result of two filters counts (seccomp(2)), so both together allow exactly what
// the policy allows.
//
// In a restricted session, the init has installed another filter before, which denies sockets and does not depend on
// the policy.

#include "Child.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/uio.h>

/// Sends the descriptors for the host, with a byte that has one bit for each kind of descriptor sent.
static long send_descriptors(const struct darkroom_child *child) {
  const int held[DARKROOM_MOST_SENT] = {child->listener, child->extension_pidfd, child->held_mounts[0], child->held_mounts[1],
                                        child->held_network};
  int sent[DARKROOM_MOST_SENT];
  uint64_t count = 0;
  uint8_t byte = 0;
  for (int i = 0; i < DARKROOM_MOST_SENT; i++) {
    if (held[i] < 0) continue;
    sent[count++] = held[i];
    byte |= (uint8_t)(1 << i);
  }
  struct iovec part = {&byte, 1};
  union {
    char room[CMSG_SPACE(DARKROOM_MOST_SENT * sizeof(int))];
    struct cmsghdr head;
  } control = {.room = {0}};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
  control.head.cmsg_level = SOL_SOCKET;
  control.head.cmsg_type = SCM_RIGHTS;
  control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
  for (uint64_t i = 0; i < count; i++) ((int *)(void *)CMSG_DATA(&control.head))[i] = sent[i];
  return direct(SYS_sendmsg, child->listener_socket, &message, MSG_NOSIGNAL);
}

static long install(const void *filter, uint16_t length, unsigned long flags) {
  struct sock_fprog program = {length, (struct sock_filter *)filter};
  return direct(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

int darkroom_report_refusals(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!plan->closing_filter_length) return -1;
  // The kernel makes the listener close-on-exec.
  return (int)darkroom_must(child, darkroom_step_seccomp,
                            install(plan->filter, plan->filter_length, SECCOMP_FILTER_FLAG_NEW_LISTENER), 1);
}

void darkroom_complete_filters(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!plan->closing_filter_length) {
    if (plan->filter_length) {
      darkroom_must(child, darkroom_step_seccomp, install(plan->filter, plan->filter_length, 0), 0);
    }
    return;
  }
  darkroom_must(child, darkroom_step_listener, send_descriptors(child), 0);
  darkroom_must(child, darkroom_step_seccomp, install(plan->closing_filter, plan->closing_filter_length, 0), 2);
}

void darkroom_deny_sockets(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!plan->socket_filter_length) return;
  darkroom_must(child, darkroom_step_seccomp, install(plan->socket_filter, plan->socket_filter_length, 0), 3);
  // A filter around the host can fake the success of the call above.
  const int families[] = {AF_UNIX, AF_INET};
  for (int i = 0; i < 2; i++) {
    const long opened = direct(SYS_socket, families[i], SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (opened >= 0) darkroom_fail(child, darkroom_step_seccomp, EOPNOTSUPP, 4);
  }
}
