// SPDX-License-Identifier: Apache-2.0
//
// Sockets of every family and type.
#include "probe.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>

static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_RDM, SOCK_SEQPACKET, SOCK_DCCP, SOCK_PACKET};

/// Opens every type of a family with protocols up to a number; succeeds with the first socket.
static long open_family(int family, int protocols) {
  int refusal = 0;
  for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
    for (int protocol = 0; protocol <= protocols; protocol++) {
      if (socket(family, types[type] | SOCK_CLOEXEC, protocol) >= 0) {
        note("family %d type %d protocol %d", family, types[type], protocol);
        return 0;
      }
      // The filter refuses every socket of a family with the same error; the kernel returns different errors.
      if (refusal && errno != refusal) return note("type %d protocol %d,", types[type], protocol), -1;
      refusal = errno;
    }
  }
  return -1;
}

/// Opens a family given by number; families with many protocols are tried with all of them.
static long open_named_family(const char *number) {
  int family = atoi(number);
  return open_family(family, family == AF_NETLINK ? 22 : family == AF_CAN ? 7 : family == AF_BLUETOOTH ? 8 : 3);
}

/// Opens every family below 64 with every type and some protocols.
static long any_socket(const char *argument) {
  (void)argument;
  static const int protocols[] = {0, IPPROTO_ICMP, IPPROTO_SCTP, IPPROTO_MPTCP, 16 /* NETLINK_GENERIC */};
  int refusal = 0;
  for (int family = 0; family < 64; family++) {
    for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
      for (size_t protocol = 0; protocol < sizeof protocols / sizeof *protocols; protocol++) {
        if (socket(family, types[type], protocols[protocol]) >= 0) {
          note("family %d type %d protocol %d", family, types[type], protocols[protocol]);
          return 0;
        }
        // All refusals must come from the filter; a different error means that a call has passed it.
        if (refusal && errno != refusal) return note("family %d", family), -1;
        refusal = errno;
      }
    }
  }
  return -1;
}

static long mptcp(const char *argument) { return (void)argument, socket(AF_INET, SOCK_STREAM, IPPROTO_MPTCP); }
static long sctp(const char *argument) { return (void)argument, socket(AF_INET, SOCK_SEQPACKET, IPPROTO_SCTP); }
static long dccp(const char *argument) { return (void)argument, socket(AF_INET, SOCK_DCCP, IPPROTO_DCCP); }
static long icmp(const char *argument) { return (void)argument, socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }
static long icmp6(const char *argument) { return (void)argument, socket(AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6); }
static long udp_lite(const char *argument) { return (void)argument, socket(AF_INET, SOCK_DGRAM, IPPROTO_UDPLITE); }
static long raw_socket(const char *argument) { return (void)argument, socket(AF_INET, SOCK_RAW, IPPROTO_RAW); }

#define FAMILY(name, number, layers) TRY("socket-" name, open_named_family, #number, layers, "a socket of the family " name)

const struct attempt family_attempts[] = {
    TRY("socket", any_socket, NULL, "seccomp", "opens any socket of any family"),
    TOOL("socket-family", open_named_family),
    FAMILY("unix", 1, "seccomp"), FAMILY("inet", 2, "seccomp"), FAMILY("ax25", 3, "seccomp,kernel"),
    FAMILY("ipx", 4, "seccomp,kernel"), FAMILY("appletalk", 5, "seccomp,kernel"),
    FAMILY("netrom", 6, "seccomp,kernel"), FAMILY("x25", 9, "seccomp,kernel"), FAMILY("inet6", 10, "seccomp"),
    FAMILY("rose", 11, "seccomp,kernel"), FAMILY("key", 15, "seccomp,capabilities"),
    FAMILY("netlink", 16, "seccomp"), FAMILY("packet", 17, "seccomp,capabilities"),
    FAMILY("econet", 19, "seccomp,kernel"), FAMILY("rds", 21, "seccomp,kernel"),
    FAMILY("pppox", 24, "seccomp,capabilities"), FAMILY("llc", 26, "seccomp,capabilities"),
    FAMILY("ib", 27, "seccomp,kernel"), FAMILY("mpls", 28, "seccomp,kernel"), FAMILY("can", 29, "seccomp,kernel"),
    FAMILY("tipc", 30, "seccomp,kernel"), FAMILY("bluetooth", 31, "seccomp,kernel"),
    FAMILY("iucv", 32, "seccomp,kernel"), FAMILY("rxrpc", 33, "seccomp,kernel"),
    FAMILY("phonet", 35, "seccomp,capabilities"), FAMILY("ieee802154", 36, "seccomp,capabilities"),
    FAMILY("caif", 37, "seccomp,kernel"), FAMILY("alg", 38, "seccomp,kernel"), FAMILY("nfc", 39, "seccomp,kernel"),
    FAMILY("vsock", 40, "seccomp,kernel"), FAMILY("kcm", 41, "seccomp,kernel"),
    FAMILY("qipcrtr", 42, "seccomp,kernel"), FAMILY("smc", 43, "seccomp,kernel"),
    FAMILY("xdp", 44, "seccomp,capabilities"), FAMILY("mctp", 45, "seccomp,kernel"),
    TRY("socket-mptcp", mptcp, NULL, "seccomp,kernel", "creates a multipath TCP socket"),
    TRY("socket-sctp", sctp, NULL, "seccomp,kernel", "creates an SCTP socket"),
    TRY("socket-dccp", dccp, NULL, "seccomp,kernel", "creates a DCCP socket"),
    TRY("socket-icmp", icmp, NULL, "seccomp,kernel", "sends echo requests"),
    TRY("socket-icmp6", icmp6, NULL, "seccomp,kernel", "sends echo requests, version 6"),
    TRY("socket-udp-lite", udp_lite, NULL, "seccomp,kernel", "creates a UDP-Lite socket"),
    TRY("socket-raw", raw_socket, NULL, "seccomp,capabilities", "creates a raw socket"),
    END,
};
