// SPDX-License-Identifier: Apache-2.0
#include "CLinuxDecoys.h"

#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/// Closes a socket and keeps errno.
static int failed(int made) {
  int error = errno;
  close(made);
  errno = error;
  return -1;
}

static int bound(int made, const void *address, socklen_t length) {
  if (made < 0) return -1;
  return bind(made, (const struct sockaddr *)address, length) == 0 ? made : failed(made);
}

static int listening(int made) {
  if (made < 0) return -1;
  return listen(made, 64) == 0 ? made : failed(made);
}

int darkroom_listen_loopback(uint16_t *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof address;
  int listener = listening(bound(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), &address, length));
  if (listener >= 0) getsockname(listener, (struct sockaddr *)&address, &length);
  *port = ntohs(address.sin_port);
  return listener;
}

/// Binds a new Unix socket to a path that every user may connect to, or to an abstract name.
static int bound_unix(const char *name, int is_abstract, int type) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length + 1 > sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path + (is_abstract ? 1 : 0), name, length);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  int made = bound(socket(AF_UNIX, type | SOCK_CLOEXEC, 0), &address, size);
  if (made >= 0 && !is_abstract) chmod(name, 0777);
  return made;
}

int darkroom_listen_unix(const char *name, int is_abstract) {
  return listening(bound_unix(name, is_abstract, SOCK_STREAM));
}

int darkroom_receive_datagrams(const char *name, int is_abstract) {
  return bound_unix(name, is_abstract, SOCK_DGRAM);
}

int darkroom_open_terminal(void) {
  int manager = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  int locked = 0, number = 0;
  if (manager < 0) return -1;
  int terminal = -1;
  if (ioctl(manager, TIOCSPTLCK, &locked) == 0 && ioctl(manager, TIOCGPTN, &number) == 0) {
    terminal = ioctl(manager, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  // The manager stays open with the terminal: without a manager, the terminal hangs up.
  if (terminal < 0) close(manager);
  return terminal;
}

int darkroom_make_segment(int key) { return shmget(key, 4096, IPC_CREAT | IPC_EXCL | 0666); }

void darkroom_remove_segment(int segment) { shmctl(segment, IPC_RMID, NULL); }

int darkroom_share_lock(int file) {
  // A lock of the open file description. A POSIX lock of the process would be released when any descriptor of
  // the file is closed.
  struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
  return flock(file, LOCK_SH | LOCK_NB) < 0 ? -1 : fcntl(file, F_OFD_SETLK, &range);
}

int darkroom_add_key(const char *name) {
  if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0) < 0) return -1;
  return (int)syscall(SYS_add_key, "user", name, "x", 1, KEY_SPEC_SESSION_KEYRING);
}
