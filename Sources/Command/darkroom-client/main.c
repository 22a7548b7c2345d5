// SPDX-License-Identifier: Apache-2.0
//
// The command as users start it. This program prints the version, help and completion scripts, and passes commands to a
// running server. For all other commands, this program replaces itself by the full command, `darkroom` in its own
// directory. This program starts in a third of the time of the full command.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "forward.h"
#include "request.h"
#include "texts.h"

/// The exit code if the full command cannot be executed (`EX_OSERR`).
#define NOT_EXECUTED 71

/// Returns whether the standard descriptors are open. The full command opens missing ones.
static bool has_standard_descriptors(void) {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
    if (fcntl(number, F_GETFD) < 0) return false;
  return true;
}

/// Prints the version. Returns whether it was written.
static bool print_version(void) {
  static const char line[] = "darkroom " DARKROOM_VERSION "\n";
  return write(STDOUT_FILENO, line, sizeof line - 1) == sizeof line - 1;
}

/// Stores the path of the full command, `darkroom` in the directory of this program.
///
/// Returns 0 or an error number. The path is empty if /proc is not mounted.
static int find_full_command(char path[static PATH_MAX]) {
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof "darkroom");
  path[length < 0 ? 0 : length] = '\0';
  if (length < 0) return errno;
  char *name = strrchr(path, '/') + 1;
  // A copy of this program under the name of the full command would execute itself forever.
  if (strcmp(name, "darkroom") == 0) return ELOOP;
  strcpy(name, "darkroom");
  return 0;
}

/// Replaces this program by the full command, if it was found without an error.
///
/// Returns an exit code only if that fails.
static int run_full_command(int error, const char *path, char **arguments) {
  if (error == 0) {
    execv(path, arguments);
    error = errno;
  }
  if (*path == '\0')
    dprintf(STDERR_FILENO,
            "darkroom: the full command cannot be found, because /proc is not mounted; "
            "run 'mount -t proc proc /proc'\n");
  else
    dprintf(STDERR_FILENO, "darkroom: %s: %s; reinstall Darkroom\n", path, strerror(error));
  return NOT_EXECUTED;
}

int main(int count, char **arguments) {
  struct call call;
  char path[PATH_MAX];
  int error = find_full_command(path);
  if (count > 1 && has_standard_descriptors()) {
    // A failed write must be reported. The full command ignores this signal, too.
    signal(SIGPIPE, SIG_IGN);
    if (count == 2 && strcmp(arguments[1], "--version") == 0 && print_version()) return 0;
    if (error == 0 && print_prepared_text(path, arguments + 1, count - 1)) return 0;
    if (call_read(&call, count - 1, arguments + 1)) {
      int code = forward(&call);
      if (code >= 0) return code;
    }
  }
  return run_full_command(error, path, arguments);
}
