// SPDX-License-Identifier: Apache-2.0
//
// Prints the confinement of this process on one line, to verify a launcher's claims from inside. The argument
// is the network namespace of the caller.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/// Prints a field of /proc/self/status without leading zeros.
static void print_status(const char *status, const char *name) {
  char key[32];
  snprintf(key, sizeof key, "\n%s:\t", name);
  const char *found = strstr(status, key);
  if (found == NULL) {
    printf("%s unknown, ", name);
    return;
  }
  found += strlen(key);
  while (*found == '0' && found[1] != '\n') found++;
  printf("%s %.*s, ", name, (int)strcspn(found, "\n"), found);
}

int main(int count, char **arguments) {
  static char status[1 << 16], network[256];
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, status, sizeof status - 1) <= 0) printf("no /proc, ");
  print_status(status, "NoNewPrivs");
  print_status(status, "Seccomp");
  print_status(status, "CapEff");
  print_status(status, "CapBnd");
  ssize_t length = readlink("/proc/self/ns/net", network, sizeof network - 1);
  int is_own = length > 0 && (count < 2 || strcmp(network, arguments[1]) != 0);
  printf("network %s, ", length <= 0 ? "unknown" : is_own ? "its own" : "the host's");
  int file_descriptor = open("/usr/darkroom-benchmark-try", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  if (file_descriptor >= 0) unlink("/usr/darkroom-benchmark-try");
  printf("/usr %s\n", file_descriptor >= 0 ? "writable" : errno == EROFS ? "read-only" : strerror(errno));
  return 0;
}
