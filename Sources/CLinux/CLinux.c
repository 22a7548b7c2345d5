// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <sys/socket.h>
#include <sys/un.h>

int darkroom_socket_pair(int *ends) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

int darkroom_send_unix(const char *path, const void *bytes, size_t count) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  ssize_t sent = sendto(made, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
  int error = errno;
  close(made);
  errno = error;
  return sent < 0 ? -1 : 0;
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
