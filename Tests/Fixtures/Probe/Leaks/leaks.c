// SPDX-License-Identifier: Apache-2.0
//
// Information about the host: names, paths and users.
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static char text[1 << 20];

/// Reads a file in procfs as text and replaces zeros by spaces.
static long read_text(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  size_t used = 0;
  for (ssize_t count; used < sizeof text - 1 && (count = read(file, text + used, sizeof text - 1 - used)) != 0;) {
    if (count < 0) return close(file), -1;
    used += (size_t)count;
  }
  close(file);
  for (size_t i = 0; i < used; i++) {
    if (!text[i]) text[i] = ' ';
  }
  text[used] = 0;
  return 0;
}

/// Whether a file about this process contains a text.
static long find_in(const char *path, const char *wanted) {
  if (read_text(path) < 0) return -1;
  const char *found = strstr(text, wanted);
  if (!found) return found_nothing();
  return note("%s: %.*s", path, (int)strcspn(found, "\n"), found), 0;
}

/// Searches a file for a text: `FILE:TEXT`.
static long text_in(const char *argument) {
  char path[256];
  const char *wanted = strchr(argument, ':');
  if (!wanted) untried("usage: FILE:TEXT");
  snprintf(path, sizeof path, "%.*s", (int)(wanted - argument), argument);
  return find_in(path, wanted + 1);
}

static long path_in_mounts(const char *wanted) { return find_in("/proc/self/mountinfo", wanted); }
static long path_in_old_mounts(const char *wanted) { return find_in("/proc/self/mounts", wanted); }
static long path_in_mount_statistics(const char *wanted) { return find_in("/proc/self/mountstats", wanted); }
static long path_in_init_mounts(const char *wanted) { return find_in("/proc/1/mountinfo", wanted); }
static long path_in_task_mounts(const char *wanted) { return find_in("/proc/thread-self/mountinfo", wanted); }
static long path_in_maps(const char *wanted) { return find_in("/proc/self/maps", wanted); }
static long path_in_arguments(const char *wanted) { return find_in("/proc/1/cmdline", wanted); }
static long path_in_environment(const char *wanted) { return find_in("/proc/1/environ", wanted); }

/// Queries every mount with statmount(2) and searches the results for a path.
static long path_in_statmount(const char *wanted) {
  struct {
    uint32_t size, spare;
    uint64_t mount, parameter;
  } request = {24, 0, ~0ull /* LSMT_ROOT */, 0};
  static uint64_t mounts[512];
  long count = syscall(458, &request, mounts, 512, 0);
  if (count < 0) return -1;
  for (long i = 0; i < count; i++) {
    // The root, mount point and source as consecutive strings.
    request.mount = mounts[i];
    request.parameter = 0x8 | 0x10 | 0x200;
    if (syscall(457, &request, text, sizeof text, 0) < 0) continue;
    if (memmem(text, 65536, wanted, strlen(wanted))) return 0;
  }
  return found_nothing();
}

/// Searches the links of open files, the program, the working directory and the root for a host path.
static long path_in_links(const char *wanted) {
  static const char *const links[] = {"fd/0", "fd/1", "fd/2", "exe", "cwd", "root"};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
    char path[64], target[4096] = "";
    snprintf(path, sizeof path, "/proc/self/%s", links[i]);
    if (readlink(path, target, sizeof target - 1) > 0 && strstr(target, wanted)) return note("%s", target), 0;
  }
  return found_nothing();
}

static long host_name(const char *expected) {
  struct utsname machine;
  uname(&machine);
  note("%s %s", machine.nodename, machine.domainname);
  return strcmp(machine.nodename, expected) == 0 && strcmp(machine.domainname, "(none)") == 0 ? found_nothing() : 0;
}

/// Reports unexpected environment variables. The expected names are comma-separated, with a trailing comma.
static long environment(const char *expected) {
  for (char **variable = environ; *variable; variable++) {
    char name[256];
    snprintf(name, sizeof name, "%.*s,", (int)strcspn(*variable, "="), *variable);
    const char *found = strstr(expected, name);
    if (!found || (found != expected && found[-1] != ',')) return note("%s", *variable), 0;
  }
  return found_nothing();
}

/// Searches for a user of the host that the user list of the session does not contain.
static long users(const char *argument) {
  (void)argument;
  return find_in("/etc/passwd", "root:");
}

/// Searches the control group path of this process for a group of the host.
static long group_path(const char *argument) {
  (void)argument;
  if (read_text("/proc/self/cgroup") < 0) return -1;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const char *path = strrchr(line, ':');
    if (path && strcmp(path, ":/") != 0) return note("%s", line), 0;
  }
  return found_nothing();
}

/// Reads the audit session ID of the host.
static long login_session(const char *argument) {
  (void)argument;
  if (read_text("/proc/self/sessionid") < 0) return -1;
  return strcmp(text, "4294967295") != 0 ? (note("%s", text), 0) : found_nothing();
}

/// Reads the audit login UID of the host.
static long login_user(const char *argument) {
  (void)argument;
  if (read_text("/proc/self/loginuid") < 0) return -1;
  unsigned long user = strtoul(text, NULL, 10);
  return user != 4294967295ul && user != 65534 ? (note("%s", text), 0) : found_nothing();
}

/// Searches the kernel's table of TCP sockets for a port of the host.
static long port_in_table(const char *port) {
  char wanted[16];
  snprintf(wanted, sizeof wanted, ":%04X ", (unsigned)atoi(port));
  return find_in("/proc/self/net/tcp", wanted);
}

static long socket_in_table(const char *name) { return find_in("/proc/self/net/unix", name); }

#define PATH(name, function, wanted, layers, words) TRY(name, function, wanted, layers, words)

const struct attempt leak_attempts[] = {
    TRY("host-name", host_name, "darkroom", "utsNamespace", "learns the host's name"),
    TRY("environment", environment, "{environment}", "identity", "finds a variable of the host's environment"),
    TOOL("text-in", text_in),
    PATH("path-in-mounts", path_in_mounts, "{content}", "mountNamespace",
        "finds a path of the host in /proc/self/mountinfo"),
    PATH("path-in-old-mounts", path_in_old_mounts, "{root}", "mountNamespace",
        "finds a path of the host in /proc/self/mounts"),
    PATH("path-in-mount-statistics", path_in_mount_statistics, "{root}", "mountNamespace",
         "finds a path of the host in /proc/self/mountstats"),
    PATH("path-in-task-mounts", path_in_task_mounts, "{content}", "mountNamespace",
        "finds a path of the host in the mounts of its thread"),
    PATH("path-in-init-mounts", path_in_init_mounts, "{content}", "root,landlock,userNamespace",
         "finds a path of the host in the mounts of the session's init"),
    PATH("path-in-statmount", path_in_statmount, "{content}", "seccomp", "finds a path of the host with statmount(2)"),
    PATH("path-in-maps", path_in_maps, "{root}", "mountNamespace", "finds a path of the host in its memory map"),
    PATH("path-in-links", path_in_links, "{root}", "mountNamespace",
        "finds a path of the host in the links of /proc/self"),
    PATH("path-in-arguments", path_in_arguments, "{root}", "pidNamespace",
        "finds a path of the host in the arguments of the session's init"),
    PATH("path-in-environment", path_in_environment, "DARKROOM_PROBE_SECRET", "pidNamespace",
         "finds the host's environment in that of the session's init"),
    TRY("users", users, NULL, "root", "learns the users of the host"),
    TRY("group-path", group_path, NULL, "cgroupNamespace,kernel", "learns which control group the host is in"),
    TRY("login-session", login_session, NULL, "kernel", "reads the audit session ID of the host"),
    TRY("login-user", login_user, NULL, "userNamespace", "reads the login UID of the host"),
    TRY("port-in-table", port_in_table, "{port}", "networkNamespace", "learns which ports of the host listen"),
    TRY("socket-in-table", socket_in_table, "{abstract}", "networkNamespace",
        "learns which sockets of the host listen"),
    END,
};
