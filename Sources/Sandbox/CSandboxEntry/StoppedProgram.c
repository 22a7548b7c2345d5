// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a launch for a debugger: the extension's program is started and stopped before its first
// instruction.
//
// The process that becomes the extension cannot stop itself. Before execve it uses the host's memory, and a
// debugger that attached then would control the host. After execve it is the program. Therefore the host
// traces it across execve. The kernel stops a traced process when the new program is loaded. In that stop,
// the host sends SIGSTOP, which the process receives before it returns from the system call. Then the host
// detaches, and the process is stopped as by a shell's job control, so that a debugger can attach.
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

/// Waits for the extension's process and returns its process ID in the host's PID namespace, which the kernel
/// adds to the message. Returns 0 if the process has failed or times out.
static pid_t waiting_process(int socket, int32_t timeout_ms) {
  // The socket also reports the end when the other end is closed in all processes.
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

/// Waits until a traced process has executed its program. Returns a positive number on success, 0 if the
/// process has exited, or a negative error number.
static long await_exec(pid_t process, int32_t timeout_ms) {
  const struct timespec pause = {0, 1000000};
  for (int32_t passed = 0; passed < timeout_ms;) {
    int status;
    // waitpid(2) has no timeout, so the state is polled for the millisecond that this takes.
    pid_t found = waitpid(process, &status, __WALL | WNOHANG);
    if (found < 0 && errno != EINTR) return -errno;
    if (found <= 0) {
      nanosleep(&pause, NULL);
      passed++;
      continue;
    }
    if (!WIFSTOPPED(status)) return 0;
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) return 1;
    // A signal from another process is delivered as usual.
    ptrace(PTRACE_CONT, process, NULL, (void *)(long)(status >> 16 ? 0 : WSTOPSIG(status)));
  }
  return -ETIMEDOUT;
}

long darkroom_stop_at_program(int socket, int32_t timeout_ms, int32_t *traced) {
  pid_t process = waiting_process(socket, timeout_ms);
  if (process <= 0) return 0;
  // If this thread exits, the process is killed, so it never runs without being stopped first.
  const long options = PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SEIZE, process, NULL, (void *)options) < 0) return -errno;
  *traced = process;
  const char go = 0;
  if (send(socket, &go, 1, MSG_NOSIGNAL) < 0) return -errno;
  long executed = await_exec(process, timeout_ms);
  if (executed <= 0) return executed;
  // In a ptrace stop, the process ID is valid, and the signal is pending until the process continues.
  if (kill(process, SIGSTOP) < 0) return -errno;
  if (ptrace(PTRACE_DETACH, process, NULL, NULL) < 0) return -errno;
  *traced = 0;
  return process;
}

void darkroom_reap_traced(int32_t traced) {
  int status;
  // The tracer is notified of the exit first, and the parent only afterwards (ptrace(2)).
  while (traced > 0 && (waitpid(traced, &status, __WALL) == traced ? WIFSTOPPED(status) : errno == EINTR)) {}
}
