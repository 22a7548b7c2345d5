// SPDX-License-Identifier: Apache-2.0
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

/// Every family, type and a few protocols; succeeds with the first socket that opens.
static long any_socket(const char *argument) {
  (void)argument;
  static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET};
  static const int protocols[] = {0, IPPROTO_ICMP, IPPROTO_SCTP, IPPROTO_MPTCP, 16 /* NETLINK_GENERIC */};
  int refusal = 0;
  for (int family = 0; family < 64; family++) {
    for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
      for (size_t protocol = 0; protocol < sizeof protocols / sizeof *protocols; protocol++) {
        if (socket(family, types[type], protocols[protocol]) >= 0) {
          note("family %d type %d protocol %d", family, types[type], protocols[protocol]);
          return 0;
        }
        // All refusals must be the filter's; another one says that a call has passed it.
        if (refusal && errno != refusal) {
          note("family %d", family);
          return -1;
        }
        refusal = errno;
      }
    }
  }
  return -1;
}

static long family_socket(const char *family) { return socket(atoi(family), SOCK_DGRAM, 0); }

static long pair(const char *argument) {
  (void)argument;
  return socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0});
}

/// Reaches a port of the host's loopback interface.
static long connect_tcp(const char *port) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket_, (struct sockaddr *)&address, sizeof address);
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

/// Makes a socket in a directory.
static long bind_path(const char *path) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return bind(socket_, (struct sockaddr *)&address, sizeof address);
}

const struct attempt socket_attempts[] = {
    TRY("socket", any_socket, NULL, "seccomp", "opens any socket of any family"),
    TOOL("socket-family", family_socket),
    TRY("socketpair", pair, NULL, "seccomp", "makes a pair of sockets"),
    TRY("connect-tcp", connect_tcp, "{port}", "seccomp,networkNamespace,landlock", "reaches a port of the host"),
    TRY("connect-abstract", connect_abstract, "{abstract}", "seccomp,networkNamespace,landlock",
        "reaches an abstract socket of the host"),
    TRY("bind-path", bind_path, "/session/socket", "seccomp,landlock", "leaves a socket for the app"),
    CALL("sendmsg", "seccomp", "sends a message on any descriptor", SYS_sendmsg, 1, P(room), 0),
    CALL("recvmsg", "seccomp", "receives a message on any descriptor", SYS_recvmsg, 0, P(room), 0),
    END,
};
