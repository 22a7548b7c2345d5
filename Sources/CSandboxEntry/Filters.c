// SPDX-License-Identifier: Apache-2.0
//
// The last steps of the extension's process before its program: the filters.
//
// The first filter reports what it refuses to a listener, which has to reach the host when the filter is in force
// already. So that filter lets one sendmsg(2) and one more seccomp(2) through, known by their flags, and the second
// filter, which is installed by the latter, takes both back for good. Of two filters the stricter answer counts
// (seccomp(2)).

#include "Child.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/uio.h>

/// Sends the listener and this process, and the mount namespaces where there are any, with a byte to carry them.
static long send_descriptors(const struct darkroom_child *child, int listener) {
  int sent[DARKROOM_MOST_SENT] = {listener, child->itself};
  uint64_t count = 2;
  for (int i = 0; i < 2; i++) {
    if (child->held_mounts[i] >= 0) sent[count++] = child->held_mounts[i];
  }
  char byte = 0;
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
  return direct(SYS_sendmsg, child->listener_socket, &message, DARKROOM_SENDING_FLAGS);
}

static long install(const void *filter, uint16_t length, unsigned long flags) {
  struct sock_fprog program = {length, (struct sock_filter *)filter};
  return direct(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

void darkroom_install_filters(const struct darkroom_child *child) {
  const struct darkroom_plan *plan = child->plan;
  if (!plan->filter_length) return;
  if (child->listener_socket < 0) {
    darkroom_must(child, darkroom_step_seccomp, install(plan->filter, plan->filter_length, 0), 0);
    return;
  }
  // The kernel makes the listener close-on-exec.
  long listener = darkroom_must(child, darkroom_step_seccomp,
                                install(plan->filter, plan->filter_length, SECCOMP_FILTER_FLAG_NEW_LISTENER), 1);
  darkroom_must(child, darkroom_step_listener, send_descriptors(child, (int)listener), 0);
  darkroom_must(child, darkroom_step_seccomp,
                install(plan->closing_filter, plan->closing_filter_length, DARKROOM_CLOSING_FLAGS), 2);
}
