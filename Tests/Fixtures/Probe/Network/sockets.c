// SPDX-License-Identifier: Apache-2.0
//
// Reaching somebody over sockets.
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char room[256];

static long pair(const char *argument) {
  (void)argument;
  return socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0});
}

static long pair_of_packets(const char *argument) {
  (void)argument;
  return socketpair(AF_UNIX, SOCK_SEQPACKET, 0, (int[2]){0, 0});
}

/// Reaches a port of the host's loopback interface.
static long connect_tcp(const char *port) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket_, (struct sockaddr *)&address, sizeof address);
}

/// Sends the first data with the request to connect, which is another path through the kernel.
static long connect_fast(const char *port) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return sendto(socket_, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
}

/// Reaches a listener in the host's abstract name space.
static long connect_abstract(const char *name) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  return connect(socket_, (struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
}

/// Reaches a listener by its path.
static long connect_path(const char *path) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connect(socket_, (struct sockaddr *)&address, sizeof address);
}

/// Makes a socket in a directory.
static long bind_path(const char *path) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return bind(socket_, (struct sockaddr *)&address, sizeof address);
}

const struct attempt socket_attempts[] = {
    TRY("socketpair", pair, NULL, "seccomp", "makes a pair of sockets"),
    TRY("socketpair-packets", pair_of_packets, NULL, "seccomp", "makes a pair of sockets for packets"),
    TRY("connect-tcp", connect_tcp, "{port}", "seccomp,networkNamespace,landlock", "reaches a port of the host"),
    TRY("connect-fast", connect_fast, "{port}", "seccomp,networkNamespace", "reaches a port of the host at once"),
    TRY("connect-abstract", connect_abstract, "{abstract}", "seccomp,networkNamespace,landlock",
        "reaches an abstract socket of the host"),
    TRY("connect-path", connect_path, "{socket}", "seccomp,root", "reaches a socket of the host by its path"),
    TRY("connect-bus", connect_path, "/run/dbus/system_bus_socket", "seccomp,root,kernel", "reaches the system's bus"),
    TRY("connect-journal", connect_path, "/run/systemd/journal/stdout", "seccomp,root,kernel", "reaches the journal"),
    TRY("bind-path", bind_path, "/session/socket", "seccomp,landlock", "leaves a socket for the app"),
    CALL("sendmsg", "seccomp,kernel", "sends a message on any descriptor", SYS_sendmsg, 1, P(room), 0),
    CALL("recvmsg", "seccomp,kernel", "receives a message on any descriptor", SYS_recvmsg, 0, P(room), 0),
    CALL("getsockopt", "seccomp,kernel", "asks any descriptor for an option", SYS_getsockopt, 0, SOL_SOCKET,
         SO_PEERCRED, P(room), P(room)),
    CALL("setsockopt", "seccomp,kernel", "sets an option of any descriptor", SYS_setsockopt, 0, SOL_SOCKET, SO_MARK,
         P(room), 4),
    CALL("listen", "seccomp,kernel", "listens on any descriptor", SYS_listen, 0, 1),
    CALL("accept4", "seccomp,kernel", "accepts on any descriptor", SYS_accept4, 0, 0, 0, SOCK_NONBLOCK),
    END,
};
