// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/un.h>

// Optimized code is built with the C library's checks of buffer sizes; see Package.swift.
#if defined(__OPTIMIZE__) && !defined(_FORTIFY_SOURCE)
#error "optimized C code needs _FORTIFY_SOURCE"
#endif

static int argument_count;
static char *const *argument_words;

/// glibc passes the arguments of the program to each constructor.
__attribute__((constructor)) static void note_arguments(int count, char **words) {
  argument_count = count;
  argument_words = words;
}

char *const *darkroom_arguments(int *count) {
  *count = argument_count;
  return argument_words;
}

int darkroom_socket_pair(int *ends) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

int darkroom_send_unix(const char *path, const void *bytes, size_t count) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  socklen_t length = sizeof address;
  if (path[0] == '@') {
    address.sun_path[0] = 0;
    length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
  }
  int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  ssize_t sent = sendto(made, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, length);
  int error = errno;
  close(made);
  errno = error;
  return sent < 0 ? -1 : 0;
}

int darkroom_is_connected_stream(int socket) {
  int type = 0;
  socklen_t length = sizeof type;
  if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) < 0) return -1;
  struct sockaddr_storage peer;
  length = sizeof peer;
  return type == SOCK_STREAM && getpeername(socket, (struct sockaddr *)&peer, &length) == 0;
}

ssize_t darkroom_receive_stream(int socket, void *buffer, size_t count) {
  return recv(socket, buffer, count, MSG_DONTWAIT);
}

ssize_t darkroom_send_stream(int socket, const void *bytes, size_t count) {
  return send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

int darkroom_connect_unix(const char *path, int seconds) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  struct timeval limit = {.tv_sec = seconds};
  if (setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0 &&
      setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 &&
      connect(made, (struct sockaddr *)&address, sizeof address) == 0)
    return made;
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

/// Changes the soft limit of one process if it has the expected value. Returns whether the limit was changed.
static int move_file_size_limit(pid_t process, uint64_t expected, uint64_t wanted) {
  struct rlimit limit;
  if (darkroom_prlimit(process, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur != expected) return 0;
  uint64_t next = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  if (next == expected) return 0;
  limit.rlim_cur = next;
  return darkroom_prlimit(process, RLIMIT_FSIZE, &limit, NULL) == 0;
}

int darkroom_move_file_size_limits_as(uint32_t user, uint32_t group, const pid_t *processes, size_t count,
                                      uint64_t expected, uint64_t wanted) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    // Only system calls: the parent may have threads.
    int moved = 0;
    if (syscall(SYS_setresgid, group, group, group) != 0 || syscall(SYS_setresuid, user, user, user) != 0) _exit(101);
    for (size_t index = 0; index < count; index++) {
      if (move_file_size_limit(processes[index], expected, wanted) && moved < 100) moved++;
    }
    _exit(moved);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 100) return WEXITSTATUS(status);
  errno = EPERM;
  return -1;
}

int darkroom_install_filter(const void *instructions, unsigned short count) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
