// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/// The directory and the name of the socket in the state directory.
#define DK_SOCKET_DIRECTORY "serve"
#define DK_SOCKET_NAME "host"
/// The milliseconds between attempts to connect to a server that is being started.
#define DK_START_PAUSE 10

extern char **environ;

int dk_state_directory(const char *option, char *path) {
  char directory[DK_PATH_BYTES] = "";
  const char *root = option != NULL ? option : getenv("DARKROOM_ROOT");
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  int count;
  if (root != NULL && root[0] != 0) {
    if (root[0] != '/' && getcwd(directory, sizeof directory) == NULL) return errno;
    count = snprintf(path, DK_PATH_BYTES, "%s%s%s", directory, root[0] == '/' ? "" : "/", root);
  } else if (state != NULL && state[0] == '/') {
    // XDG Base Directory Specification: relative paths are ignored.
    count = snprintf(path, DK_PATH_BYTES, "%s/darkroom", state);
  } else if (home != NULL && home[0] == '/') {
    count = snprintf(path, DK_PATH_BYTES, "%s/.local/state/darkroom", home);
  } else {
    return ENOENT;
  }
  return count < DK_PATH_BYTES ? 0 : ENAMETOOLONG;
}

/// Connects a socket to the server. Returns 0 or an errno.
static int dk_connect(int descriptor, const char *state_directory) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char path[DK_PATH_BYTES];
  int count = snprintf(path, sizeof path, "%s/" DK_SOCKET_DIRECTORY "/" DK_SOCKET_NAME, state_directory);
  if (count < 0 || (size_t)count >= sizeof path) return ENAMETOOLONG;
  int opened = -1;
  if ((size_t)count < sizeof address.sun_path) {
    memcpy(address.sun_path, path, (size_t)count + 1);
  } else {
    // The path is longer than an address (unix(7)).
    path[count - (int)strlen("/" DK_SOCKET_NAME)] = 0;
    opened = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return errno;
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" DK_SOCKET_NAME, opened);
  }
  int failure = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
  if (opened >= 0) close(opened);
  return failure;
}

/// Connects a socket to the server before a deadline. Returns 0 or an errno; EAGAIN at the deadline.
static int dk_connect_before(uint64_t deadline, int descriptor, const char *state_directory) {
  int failure;
  do {
    // connect(2) waits while the server accepts no connections. A wait with a limit is not restarted after a signal.
    int rest = dk_remaining(deadline);
    const struct timeval limit = {rest / 1000, rest % 1000 * 1000};
    if (rest == 0) return EAGAIN;
    if (rest > 0) setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    failure = dk_connect(descriptor, state_directory);
  } while (failure == EINTR);
  return failure;
}

int dk_host_connect(darkroom_host *host, const char *state_directory) {
  char sentence[sizeof host->error.text];
  struct ucred peer;
  socklen_t length = sizeof peer;
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, errno, "a socket cannot be created");
  int failure = dk_connect_before(dk_deadline(host->timeout), descriptor, state_directory);
  if (failure == 0 && getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) failure = errno;
  if (failure == 0 && peer.uid == geteuid()) {
    host->socket = descriptor;
    return 0;
  }
  close(descriptor);
  if (failure == 0) return dk_host_fail(host, DARKROOM_PERMISSION_DENIED, 0, "the server belongs to another user");
  if (failure == EAGAIN) return dk_host_fail(host, DARKROOM_TIMED_OUT, 0, "the server accepts no connections");
  if (failure != ENOENT && failure != ECONNREFUSED && failure != ENOTDIR)
    return dk_host_fail(host, DARKROOM_SYSTEM_ERROR, failure, "the program cannot connect to the server");
  snprintf(sentence, sizeof sentence, "%.100s: no server is running; start 'darkroom serve', or set the option 'start'",
           state_directory);
  return dk_host_fail(host, DARKROOM_NO_HOST, failure, sentence);
}

/// Adds the options of posix_spawn(3): the server does not inherit the signal mask, the session of the terminal, and
/// descriptors other than standard error.
static void dk_isolate(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
  sigset_t none, reset;
  sigemptyset(&none);
  sigemptyset(&reset);
  const int signals[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGQUIT};
  for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaddset(&reset, signals[index]);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &reset);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
  posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
}

/// Returns the path or the name of the server's program.
static const char *dk_server_program(const darkroom_host_options *options) {
  return options->program == NULL ? "darkroom-host" : options->program;
}

/// Starts the program of the server. Returns 0 or an errno.
static int dk_spawn(darkroom_host *host, const char *state_directory, const darkroom_host_options *options) {
  const char *program = dk_server_program(options);
  const char **arguments = calloc(options->argument_count + 4, sizeof *arguments);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (arguments == NULL) return ENOMEM;
  arguments[0] = program;
  arguments[1] = "--root";
  arguments[2] = state_directory;
  for (size_t index = 0; index < options->argument_count; index++) arguments[3 + index] = options->arguments[index];
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  dk_isolate(&actions, &attributes);
  char *const *words = (char *const *)(uintptr_t)arguments;
  int failure = posix_spawnp(&host->server, program, &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(arguments);
  if (failure != 0) host->server = 0;
  return failure;
}

/// Returns whether the started server has exited, and reaps it.
static bool dk_has_exited(darkroom_host *host) {
  if (host->server == 0) return true;
  pid_t reaped = waitpid(host->server, NULL, WNOHANG);
  if (reaped == 0 || (reaped < 0 && errno == EINTR)) return false;
  host->server = 0;
  return true;
}

int dk_host_start(darkroom_host *host, const char *state_directory, const darkroom_host_options *options) {
  uint64_t deadline = dk_deadline(options->start_timeout > 0 ? options->start_timeout : 10000);
  int failure = dk_spawn(host, state_directory, options);
  if (failure != 0) {
    char sentence[sizeof host->error.text];
    snprintf(sentence, sizeof sentence, "%.100s: the server cannot be started", dk_server_program(options));
    return dk_host_fail(host, DARKROOM_NO_HOST, failure, sentence);
  }
  for (;;) {
    // Another process may have started a server at the same time: this server exits, and the other one is used.
    bool has_exited = dk_has_exited(host);
    int result = dk_host_connect(host, state_directory);
    if (result != DARKROOM_NO_HOST) return result;
    if (has_exited)
      return dk_host_fail(host, result, 0, "the server has exited; its message is on standard error");
    if (dk_remaining(deadline) == 0)
      return dk_host_fail(host, DARKROOM_TIMED_OUT, 0, "the started server is not ready before the timeout");
    poll(NULL, 0, DK_START_PAUSE);
  }
}

void dk_host_stop(darkroom_host *host) {
  if (dk_has_exited(host)) return;
  // The PID is not reused before the process is reaped.
  kill(host->server, SIGTERM);
  while (waitpid(host->server, NULL, 0) < 0 && errno == EINTR) continue;
  host->server = 0;
}
