// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a launch for a debugger: the extension's program is begun, and stopped before its first
// instruction.
//
// The process that becomes the extension cannot stop itself: before execve its memory is the host's, and a debugger that
// attached then would have the host in its hands; afterwards it is the program. So the host traces it over execve. The
// kernel stops a traced process when the new program is in place, and in that stop it is sent SIGSTOP, which it takes
// before it returns from the system call. Then the host lets go, and the process is stopped as by a shell's job control:
// whoever may attach can.
#include "StoppedProgram.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int darkroom_tracer_sockets(int sockets[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0) return errno;
  const int on = 1;
  if (setsockopt(sockets[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0) return 0;
  int error = errno;
  close(sockets[0]);
  close(sockets[1]);
  return error;
}

/// Waits until the extension's process waits, and returns its number in the host's pid namespace, as the kernel adds it
/// to what is received; 0: it has failed before, or takes too long.
static pid_t waiting_process(int socket, int32_t timeout_ms) {
  // Its end comes when nobody has the other one any more.
  struct pollfd watched = {.fd = socket, .events = POLLIN};
  while (poll(&watched, 1, timeout_ms) < 0 && errno == EINTR) {}
  char byte;
  struct iovec part = {&byte, 1};
  union {
    char room[CMSG_SPACE(sizeof(struct ucred))];
    struct cmsghdr head;
  } control;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
  if (recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) return 0;
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  if (!head || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_CREDENTIALS) return 0;
  struct ucred sender;
  memcpy(&sender, CMSG_DATA(head), sizeof sender);
  return sender.pid;
}

/// Waits until a traced process has executed its program. Positive: it has; 0: it has ended; negative: minus the error.
static long await_exec(pid_t process, int32_t timeout_ms) {
  const struct timespec pause = {0, 1000000};
  for (int32_t passed = 0; passed < timeout_ms;) {
    int status;
    // Not every wait can be bounded, so that it is looked again and again for the millisecond that this takes.
    pid_t found = waitpid(process, &status, __WALL | WNOHANG);
    if (found < 0 && errno != EINTR) return -errno;
    if (found <= 0) {
      nanosleep(&pause, NULL);
      passed++;
      continue;
    }
    if (!WIFSTOPPED(status)) return 0;
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) return 1;
    // Somebody's signal: it has the effect that it would have had.
    ptrace(PTRACE_CONT, process, NULL, (void *)(long)(status >> 16 ? 0 : WSTOPSIG(status)));
  }
  return -ETIMEDOUT;
}

long darkroom_stop_at_program(int socket, int32_t timeout_ms, int32_t *traced) {
  pid_t process = waiting_process(socket, timeout_ms);
  if (process <= 0) return 0;
  // If this thread ends, so does the process: nothing of it runs without being stopped first.
  const long options = PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, process, NULL, (void *)options) < 0) return -errno;
  *traced = process;
  const char go = 0;
  if (send(socket, &go, 1, MSG_NOSIGNAL) < 0) return -errno;
  long executed = await_exec(process, timeout_ms);
  if (executed <= 0) return executed;
  // It is in a ptrace stop, so that the number is its own, and the signal waits until it goes on.
  if (kill(process, SIGSTOP) < 0) return -errno;
  if (ptrace(PTRACE_DETACH, process, NULL, NULL) < 0) return -errno;
  *traced = 0;
  return process;
}

void darkroom_bury_traced(int32_t traced) {
  int status;
  // Its end is this thread's to hear first; until then its own parent does not hear of it (ptrace(2)).
  while (traced > 0 && (waitpid(traced, &status, __WALL) == traced ? WIFSTOPPED(status) : errno == EINTR)) {}
}
