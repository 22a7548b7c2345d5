// SPDX-License-Identifier: Apache-2.0
//
// Sockets that a careless host has left open. Each attempt searches its descriptors for one.
#include "probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/// Returns an inherited socket, or a refusal without an error.
static int find_socket(void) {
  for (int number = 0; number < 1 << 16; number++) {
    struct stat status;
    if (fstat(number, &status) == 0 && S_ISSOCK(status.st_mode)) return number;
  }
  return (int)found_nothing();
}

static long send_data(const char *argument) {
  (void)argument;
  int socket_ = find_socket();
  return socket_ < 0 ? -1 : sendto(socket_, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
}

/// Sends to an address, preferably from an unconnected socket.
static long send_to_address(const char *port) {
  int socket_ = find_socket();
  for (int number = 0; number < 1 << 12; number++) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_DGRAM) socket_ = number;
  }
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket_ < 0) return -1;
  return sendto(socket_, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
}

static long receive_data(const char *argument) {
  (void)argument;
  char byte;
  int socket_ = find_socket();
  return socket_ < 0 ? -1 : recv(socket_, &byte, 1, MSG_DONTWAIT);
}

/// Sends descriptor 0, which no process waits on for end of file.
static long send_descriptor(const char *argument) {
  (void)argument;
  int socket_ = find_socket(), own = 0;
  if (socket_ < 0) return -1;
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof own)];
  } control = {0};
  struct iovec part = {"x", 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof own);
  memcpy(CMSG_DATA(head), &own, sizeof own);
  return sendmsg(socket_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/// Receives a message with descriptors.
static long receive_message(const char *argument) {
  (void)argument;
  int socket_ = find_socket();
  if (socket_ < 0) return -1;
  char byte, room[256];
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  return recvmsg(socket_, &message, MSG_DONTWAIT);
}

/// Queries the address of the peer.
static long query_peer(const char *argument) {
  (void)argument;
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  int socket_ = find_socket();
  return socket_ < 0 ? -1 : getpeername(socket_, (struct sockaddr *)&address, &size);
}

/// Writes with write(2), which a filter cannot distinguish from writing a file.
static long write_socket(const char *argument) {
  (void)argument;
  int socket_ = find_socket();
  return socket_ < 0 ? -1 : write(socket_, "x", 1);
}

const struct attempt inherited_socket_attempts[] = {
    TRY("inherited-socket", write_socket, NULL, "descriptors", "writes to a socket of the host's"),
    TRY("inherited-socket-send", send_data, NULL, "descriptors", "sends on a socket of the host's"),
    TRY("inherited-socket-address", send_to_address, "{port}", "descriptors,seccomp",
        "sends to an address on a socket of the host's"),
    TRY("inherited-socket-receive", receive_data, NULL, "descriptors", "receives on a socket of the host's"),
    TRY("inherited-socket-rights", send_descriptor, NULL, "descriptors",
        "sends a descriptor over a socket of the host's"),
    TRY("inherited-socket-message", receive_message, NULL, "descriptors",
        "receives descriptors over a socket of the host's"),
    TRY("inherited-socket-peer", query_peer, NULL, "descriptors", "reads the peer of a socket of the host"),
    END,
};
