// SPDX-License-Identifier: Apache-2.0
//
// Reaching other processes through sockets.
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
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

static long pair_of_datagrams(const char *argument) {
  (void)argument;
  return socketpair(AF_UNIX, SOCK_DGRAM, 0, (int[2]){0, 0});
}

/// The kernel treats raw Unix sockets as datagram sockets.
static long raw_pair(const char *argument) {
  (void)argument;
  return socketpair(AF_UNIX, SOCK_RAW, 0, (int[2]){0, 0});
}

static socklen_t unix_address(struct sockaddr_un *address, const char *name, int is_abstract) {
  address->sun_family = AF_UNIX;
  strncpy(address->sun_path + is_abstract, name, sizeof address->sun_path - 1 - (size_t)is_abstract);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

/// Sends from one end of a new pair to an address, with both available calls.
static long send_to(int type, const struct sockaddr_un *address, socklen_t length) {
  int ends[2];
  if (socketpair(AF_UNIX, type, 0, ends) < 0) return -1;
  if (sendto(ends[0], "x", 1, MSG_NOSIGNAL, (const struct sockaddr *)address, length) >= 0) return 0;
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_name = (void *)address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
  if (sendmsg(ends[0], &message, MSG_NOSIGNAL) < 0) return -1;
  // A pair of packet sockets accepts the address but sends to its own peer.
  char byte;
  return recv(ends[1], &byte, 1, MSG_DONTWAIT) == 1 ? found_nothing() : 0;
}

static long send_path(const char *path) {
  struct sockaddr_un address = {0};
  return send_to(SOCK_DGRAM, &address, unix_address(&address, path, 0));
}

static long send_path_in_packets(const char *path) {
  struct sockaddr_un address = {0};
  return send_to(SOCK_SEQPACKET, &address, unix_address(&address, path, 0));
}

static long send_path_in_stream(const char *path) {
  struct sockaddr_un address = {0};
  return send_to(SOCK_STREAM, &address, unix_address(&address, path, 0));
}

static long send_abstract(const char *name) {
  struct sockaddr_un address = {0};
  return send_to(SOCK_DGRAM, &address, unix_address(&address, name, 1));
}

static int stream_pair(void) {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 ? ends[0] : -1;
}

/// Sends out-of-band data, which has its own code path in the kernel.
static long send_out_of_band(const char *argument) {
  (void)argument;
  int end = stream_pair();
  return end < 0 ? -1 : send(end, "x", 1, MSG_OOB | MSG_NOSIGNAL);
}

static long message_out_of_band(const char *argument) {
  (void)argument;
  int end = stream_pair();
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  return end < 0 ? -1 : sendmsg(end, &message, MSG_OOB | MSG_NOSIGNAL);
}

/// Loads a program into the kernel through a socket.
static long attach_filter(const char *argument) {
  (void)argument;
  int end = stream_pair();
  struct sock_filter accept_all = BPF_STMT(BPF_RET | BPF_K, 0xFFFF);
  struct sock_fprog program = {1, &accept_all};
  return end < 0 ? -1 : setsockopt(end, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/// Raises the kernel memory limit of a socket.
static long enlarge_buffer(const char *argument) {
  (void)argument;
  int end = stream_pair(), size = 4 << 20;
  return end < 0 ? -1 : setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

/// Connects to a port of the host's loopback interface.
static long connect_tcp(const char *port) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket_, (struct sockaddr *)&address, sizeof address);
}

/// Sends data with the connection request, which uses another code path in the kernel.
static long connect_fast(const char *port) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return sendto(socket_, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address);
}

/// Connects to a listener in the host's abstract socket namespace.
static long connect_abstract(const char *name) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  return connect(socket_, (struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name)));
}

/// Connects to a listener by path.
static long connect_path(const char *path) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connect(socket_, (struct sockaddr *)&address, sizeof address);
}

/// Creates a socket in a directory.
static long bind_path(const char *path) {
  int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_ < 0) return -1;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return bind(socket_, (struct sockaddr *)&address, sizeof address);
}

const struct attempt socket_attempts[] = {
    // Calls that policies can allow are tools of the tests, not attacks.
    TOOL("socketpair", pair),
    TOOL("socketpair-packets", pair_of_packets),
    TRY("socketpair-datagrams", pair_of_datagrams, NULL, "seccomp",
        "creates a pair of datagram sockets, which can send to other sockets"),
    TRY("socketpair-raw", raw_pair, NULL, "seccomp", "creates a pair of datagram sockets with the type SOCK_RAW"),
    TRY("send-path", send_path, "{root}/datagrams", "seccomp,root", "sends to a socket of the host through its path"),
    TRY("send-path-packets", send_path_in_packets, "{root}/datagrams", "kernel",
        "sends to a path from a connected pair of packet sockets"),
    TRY("send-path-stream", send_path_in_stream, "{root}/datagrams", "kernel",
        "sends to a path from a connected pair of stream sockets"),
    TRY("send-abstract", send_abstract, "{abstract}", "seccomp,networkNamespace,landlock",
        "sends to an abstract socket of the host"),
    TRY("send-out-of-band", send_out_of_band, NULL, "seccomp", "sends out-of-band data over a pair of sockets"),
    TRY("message-out-of-band", message_out_of_band, NULL, "seccomp", "sends out-of-band data with sendmsg(2)"),
    TRY("attach-filter", attach_filter, NULL, "seccomp", "attaches a packet filter to a socket"),
    TRY("enlarge-buffer", enlarge_buffer, NULL, "seccomp", "enlarges the buffer of a socket"),
    TRY("connect-tcp", connect_tcp, "{port}", "seccomp,networkNamespace,landlock", "connects to a port of the host"),
    TRY("connect-fast", connect_fast, "{port}", "seccomp,networkNamespace",
        "connects to a port of the host while sending (TCP fast open)"),
    TRY("connect-abstract", connect_abstract, "{abstract}", "seccomp,networkNamespace,landlock",
        "connects to an abstract socket of the host"),
    TRY("connect-path", connect_path, "{socket}", "seccomp,root", "connects to a socket of the host through its path"),
    TRY("connect-bus", connect_path, "/run/dbus/system_bus_socket", "seccomp,root,kernel",
        "connects to the system bus"),
    TRY("connect-journal", connect_path, "/run/systemd/journal/stdout", "seccomp,root,kernel",
        "connects to the journal"),
    TRY("bind-path", bind_path, "/session/socket", "seccomp,landlock", "leaves a socket for the app"),
    CALL("sendmsg", "kernel", "sends a message on any descriptor", SYS_sendmsg, 1, P(room), 0),
    CALL("recvmsg", "kernel", "receives a message on any descriptor", SYS_recvmsg, 0, P(room), 0),
    CALL("getsockopt", "kernel", "reads a socket option of any descriptor", SYS_getsockopt, 0, SOL_SOCKET,
         SO_PEERCRED, P(room), P(room)),
    CALL("setsockopt", "seccomp,kernel", "sets an option of any descriptor", SYS_setsockopt, 0, SOL_SOCKET, SO_MARK,
         P(room), 4),
    CALL("listen", "seccomp,kernel", "listens on any descriptor", SYS_listen, 0, 1),
    CALL("accept4", "seccomp,kernel", "accepts on any descriptor", SYS_accept4, 0, 0, 0, SOCK_NONBLOCK),
    END,
};
