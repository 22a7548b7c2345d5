// SPDX-License-Identifier: Apache-2.0
//
// The host's side of refused calls (seccomp_unotify(2)).

#include "CSandboxEntry.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/// A buffer with space for members that a newer kernel may append. The kernel refuses a buffer that is not
/// zeroed.
union room {
  struct seccomp_notif call;
  struct seccomp_notif_resp answer;
  char bytes[512];
};

int darkroom_receive_descriptors(int socket, int32_t descriptors[DARKROOM_MOST_SENT]) {
  uint8_t byte;
  struct iovec part = {&byte, 1};
  union {
    char room[CMSG_SPACE(DARKROOM_MOST_SENT * sizeof(int))];
    struct cmsghdr head;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  ssize_t count = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return -errno;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (!head || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) return -EBADMSG;
  const size_t sent = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  size_t taken = 0;
  for (int i = 0; i < DARKROOM_MOST_SENT; i++) {
    const int is_sent = (byte >> i & 1) && taken < sent;
    descriptors[i] = is_sent ? ((const int *)(const void *)CMSG_DATA(head))[taken++] : -1;
  }
  return descriptors[DARKROOM_SENT_LISTENER] >= 0 ? 0 : -EBADMSG;
}

int darkroom_can_enter_network(int socket) {
  const int network = ioctl(socket, SIOCGSKNS);
  if (network < 0) return 0;
  close(network);
  return 1;
}

int darkroom_next_refused(int listener, struct darkroom_refused *refused) {
  union room room;
  memset(&room, 0, sizeof room);
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &room) < 0) return -errno;
  refused->cookie = room.call.id;
  refused->thread = (int32_t)room.call.pid;
  refused->number = room.call.data.nr;
  for (int i = 0; i < 6; i++) refused->arguments[i] = room.call.data.args[i];
  return 0;
}

int darkroom_is_waiting(int listener, uint64_t cookie) {
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &cookie) == 0;
}

int darkroom_answer(int listener, uint64_t cookie, int error) {
  union room room;
  memset(&room, 0, sizeof room);
  room.answer.id = cookie;
  room.answer.error = -error;
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &room) < 0 ? -errno : 0;
}

int darkroom_continue_call(int listener, uint64_t cookie) {
  union room room;
  memset(&room, 0, sizeof room);
  room.answer.id = cookie;
  room.answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &room) < 0 ? -errno : 0;
}
