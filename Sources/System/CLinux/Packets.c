// SPDX-License-Identifier: Apache-2.0
#include "CLinuxPackets.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

/// Fills in an address. Returns -1 with errno set if the path is too long.
static int address_of(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address->sun_path, path);
  return 0;
}

/// Closes a socket and keeps errno.
static int closed_with_error(int made) {
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

/// Returns a nonblocking listener of a type of socket at an unused path, or -1 with errno.
static int listener_at(const char *path, int type) {
  struct sockaddr_un address;
  if (address_of(path, &address) < 0) return -1;
  int made = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -1;
  if (bind(made, (struct sockaddr *)&address, sizeof address) == 0 && listen(made, 256) == 0) return made;
  return closed_with_error(made);
}

int darkroom_listen_packets(const char *path) { return listener_at(path, SOCK_SEQPACKET); }

int darkroom_listen_stream(const char *path) { return listener_at(path, SOCK_STREAM); }

int darkroom_connect_packets(const char *path, int seconds) {
  struct sockaddr_un address;
  if (address_of(path, &address) < 0) return -1;
  int made = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  struct timeval limit = {.tv_sec = seconds};
  // The largest size that the kernel permits: a whole environment is sent in one packet.
  int room = 1 << 20;
  setsockopt(made, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  if (setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
      connect(made, (struct sockaddr *)&address, sizeof address) == 0)
    return made;
  return closed_with_error(made);
}

int darkroom_accept_packets(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int darkroom_send_packet(int socket, const void *bytes, size_t count, const int *descriptors,
                         size_t descriptor_count) {
  union {
    struct cmsghdr align;
    char space[CMSG_SPACE(DARKROOM_PACKET_DESCRIPTORS * sizeof(int))];
  } control = {0};
  if (descriptor_count > DARKROOM_PACKET_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor_count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
  }
  ssize_t sent;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

long darkroom_receive_packet(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                             int *is_cut) {
  union {
    struct cmsghdr align;
    char space[CMSG_SPACE(DARKROOM_PACKET_DESCRIPTORS * sizeof(int))];
  } control = {0};
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  *descriptor_count = 0;
  ssize_t received;
  do {
    received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return -1;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < found; i++) {
      int number;
      memcpy(&number, CMSG_DATA(header) + i * sizeof(int), sizeof number);
      if (*descriptor_count < DARKROOM_PACKET_DESCRIPTORS) {
        descriptors[(*descriptor_count)++] = number;
      } else {
        close(number);
      }
    }
  }
  *is_cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  return received;
}

int darkroom_packet_peer(int socket, int32_t *process, uint32_t *user, uint32_t *group) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -1;
  *process = peer.pid;
  *user = peer.uid;
  *group = peer.gid;
  return 0;
}

int darkroom_packet_peer_handle(int socket) {
  int handle = -1;
  socklen_t length = sizeof handle;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &handle, &length) < 0 ? -1 : handle;
}

int darkroom_unshare_fs(void) { return unshare(CLONE_FS); }

int darkroom_copy_affinity(int32_t process) {
  // More processors than current machines have. The call fails if the set is too small.
  unsigned long processors[1024] = {0};
  long bytes = syscall(SYS_sched_getaffinity, process, sizeof processors, processors);
  if (bytes < 0) return -1;
  return (int)syscall(SYS_sched_setaffinity, 0, (size_t)bytes, processors);
}

int64_t darkroom_get_affinity(uint8_t *set, size_t capacity) { return syscall(SYS_sched_getaffinity, 0, capacity, set); }

static void nothing(int number) { (void)number; }

int darkroom_allow_interrupts(void) {
  // Without SA_RESTART, so that the interrupted call returns.
  struct sigaction action = {.sa_handler = nothing};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGURG);
  if (sigaction(SIGURG, &action, NULL) < 0) return -1;
  return pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0 ? 0 : -1;
}

int darkroom_interrupt_thread(int32_t thread) { return (int)syscall(SYS_tgkill, getpid(), thread, SIGURG); }

int darkroom_replace_descriptor(int other, int number) { return dup3(other, number, O_CLOEXEC); }
