// SPDX-License-Identifier: Apache-2.0
//
// What a session learns of its host.
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static long host_name(const char *expected) {
  struct utsname machine;
  uname(&machine);
  note("%s %s", machine.nodename, machine.domainname);
  return strcmp(machine.nodename, expected) == 0 && strcmp(machine.domainname, "(none)") == 0 ? nothing() : 0;
}

/// Prints the environment; the names that are expected are given, separated by commas, with one at the end.
static long environment(const char *expected) {
  for (char **variable = environ; *variable; variable++) {
    char name[256];
    snprintf(name, sizeof name, "%.*s,", (int)strcspn(*variable, "="), *variable);
    const char *found = strstr(expected, name);
    if (!found || (found != expected && found[-1] != ',')) return note("%s", *variable), 0;
  }
  return nothing();
}

/// A text of the host, for example a part of its cgroup's path, stands in a file about this process.
static long text_in(const char *argument) {
  char path[256], text[4096];
  const char *wanted = strchr(argument, ':');
  if (!wanted) untried("usage: FILE:TEXT");
  snprintf(path, sizeof path, "%.*s", (int)(wanted++ - argument), argument);
  int file = open(path, O_RDONLY);
  if (file < 0) return -1;
  ssize_t count = read(file, text, sizeof text - 1);
  text[count < 0 ? 0 : count] = 0;
  return strstr(text, wanted) ? 0 : nothing();
}

/// A path of the host stands in this process's list of mounts.
static long path_in_mounts(const char *wanted) {
  FILE *mounts = fopen("/proc/self/mountinfo", "r");
  if (!mounts) return -1;
  for (char line[4096]; fgets(line, sizeof line, mounts);) {
    if (!strstr(line, wanted)) continue;
    note("%.*s", (int)strcspn(line, "\n"), line);
    return 0;
  }
  return nothing();
}

const struct attempt leak_attempts[] = {
    TRY("host-name", host_name, "darkroom", "utsNamespace", "learns the host's name"),
    TRY("environment", environment, "{environment}", "identity", "finds a variable of the host's environment"),
    TOOL("text-in", text_in),
    TRY("path-in-mounts", path_in_mounts, "{content}", "mountNamespace", "finds a path of the host in its mounts"),
    END,
};
