// SPDX-License-Identifier: Apache-2.0
//
// State that a session could leave in its network for a later session with the same network. These are tools
// of a test, not attacks.
#include "probe.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void count_datagrams(void) {
  const int datagrams = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int i = 0; i < 3; i++) sendto(datagrams, "x", 1, 0, (struct sockaddr *)&address, sizeof address);
}

static void bring_up_loopback(void) {
  const int control = socket(AF_INET, SOCK_DGRAM, 0);
  struct ifreq request = {.ifr_name = "lo"};
  struct sockaddr_in *address = (struct sockaddr_in *)(void *)&request.ifr_addr;
  address->sin_family = AF_INET;
  address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ioctl(control, SIOCSIFADDR, &request);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  ioctl(control, SIOCSIFFLAGS, &request);
}

static void listen_by_name(void) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0left-by-a-session"};
  bind(listener, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + 18);
  listen(listener, 1);
}

/// Creates all state that persists in a network, and keeps descriptors open until the session ends.
static long leave_traces(const char *argument) {
  (void)argument;
  count_datagrams();
  bring_up_loopback();
  listen_by_name();
  socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0});
  socket(AF_INET, SOCK_STREAM, 0);
  open("/proc/self/ns/net", O_RDONLY);
  const int setting = open("/proc/sys/net/ipv4/ip_default_ttl", O_WRONLY);
  if (setting >= 0 && write(setting, "63", 2) < 0) note("no setting");
  return 0;
}

/// Returns a hash of a file or its first line (FNV-1a), or 0 if it cannot be read.
static uint64_t digest(const char *path, int only_first_line) {
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  uint64_t value = 14695981039346656037ULL;
  for (int next; (next = fgetc(file)) != EOF;) {
    if (only_first_line && next == '\n') break;
    value = (value ^ (uint8_t)next) * 1099511628211ULL;
  }
  fclose(file);
  return value;
}

/// Whether all timestamps of the network namespace file are current, so that the file was created for this
/// call.
static int has_current_times(void) {
  struct timespec now;
  struct stat found;
  // The clock from which file systems take timestamps.
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (stat("/proc/self/ns/net", &found) < 0) untried("no file of the network");
  const struct timespec times[] = {found.st_atim, found.st_mtim, found.st_ctim};
  for (int i = 0; i < 3; i++) {
    if (times[i].tv_sec < now.tv_sec || (times[i].tv_sec == now.tv_sec && times[i].tv_nsec < now.tv_nsec)) return 0;
  }
  return 1;
}

/// Returns the number of lines of a file, or 0 if it cannot be read.
static int count_lines(const char *path) {
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  int count = 0;
  for (int next; (next = fgetc(file)) != EOF;) count += next == '\n';
  fclose(file);
  return count;
}

/// Prints the network namespace and its observable state.
static long state(const char *argument) {
  (void)argument;
  char network[64] = "";
  if (readlink("/proc/self/ns/net", network, sizeof network - 1) < 0) untried("no name of the network");
  note("%s times:%s netlink:%d", network, has_current_times() ? "own" : "others", count_lines("/proc/self/net/netlink"));
  static const char *const files[] = {"dev", "snmp", "snmp6", "netstat", "unix", "route", "if_inet6", "igmp", "arp", "sockstat"};
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/net/%s", files[i]);
    // In the last file, all lines except the first describe the whole machine.
    note(" %s:%llx", files[i], (unsigned long long)digest(path, strcmp(files[i], "sockstat") == 0));
  }
  return 0;
}

const struct attempt leftover_attempts[] = {
    TOOL("leave-in-network", leave_traces),
    TOOL("network-state", state),
    END,
};
