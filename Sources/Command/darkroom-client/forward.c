// SPDX-License-Identifier: Apache-2.0
#include "forward.h"

#include <CLinux.h>
#include <CLinuxPackets.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "request.h"

/// The time limit for sending a message, in seconds.
#define SENDING_SECONDS 2
/// The time limit for a server's reply, in milliseconds. A stopped or overloaded server is treated as absent.
#define REPLY_MILLISECONDS 5000
/// The maximum size of a reply (`ServiceReply.swift`), and a null byte.
#define REPLY_SIZE (4096 + 1)
/// The exit code of a command whose server failed (`EX_OSERR`).
#define SERVER_FAILED 71

/// A connection to a server that runs a command.
struct connection {
  int socket;
  /// The PID of the server.
  int server;
  /// Reports the signals that the kernel would deliver to this process.
  int signals;
};

/// Returns whether another process group is in the foreground of a terminal.
static bool is_in_background(int terminal) {
  pid_t foreground = tcgetpgrp(terminal);
  return foreground >= 0 && foreground != getpgrp();
}

/// Sends a message, and returns whether it was sent. After a failure, the next reply is the end of the connection.
static bool send_text(int socket, const char *text) {
  return darkroom_send_packet(socket, text, strlen(text), NULL, 0) == 0;
}

/// Receives a reply as text. Returns `false` at the end of the connection, and for a packet that is not a reply.
static bool receive_reply(int socket, char reply[static REPLY_SIZE]) {
  int descriptors[DARKROOM_PACKET_DESCRIPTORS], is_cut = 0;
  size_t count = 0;
  long length = darkroom_receive_packet(socket, reply, REPLY_SIZE - 1, descriptors, &count, &is_cut);
  for (size_t i = 0; i < count; i++) close(descriptors[i]);
  if (length <= 0 || is_cut) return false;
  reply[length] = '\0';
  return true;
}

/// Sends the request with the descriptors of this process. Returns whether the server accepted it, and stores the
/// server's PID.
static bool request_command(int socket, const struct call *call, int *server) {
  // 512 KiB, of which only the used pages occupy memory.
  static struct request request;
  int directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int terminal = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  bool has_terminal = terminal >= 0;
  const int descriptors[] = {directory, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, terminal};
  bool is_sent = directory >= 0 && request_write(&request, call, has_terminal) &&
                 darkroom_send_packet(socket, request.text, request.length, descriptors, has_terminal ? 5 : 4) == 0;
  if (directory >= 0) close(directory);
  if (has_terminal) close(terminal);
  struct pollfd reply = {.fd = socket, .events = POLLIN};
  char text[REPLY_SIZE];
  return is_sent && poll(&reply, 1, REPLY_MILLISECONDS) == 1 && receive_reply(socket, text) &&
         sscanf(text, "{\"reply\":\"accepted\",\"process\":%d}", server) == 1;
}

/// Connects to a server of this user. Returns the socket, or -1.
static int connect_to_server(const char *path) {
  int socket = darkroom_connect_packets(path, SENDING_SECONDS);
  int32_t process;
  uint32_t user, group;
  if (socket < 0 || (darkroom_packet_peer(socket, &process, &user, &group) == 0 && user == geteuid())) return socket;
  close(socket);
  return -1;
}

/// Stops this process as Ctrl-Z does, until another process continues it. `SIGTSTP` is blocked.
static void stop(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  kill(getpid(), SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

/// Stops the process group as the kernel stops a background group that reads from its terminal. `SIGTTIN` is blocked.
static void stop_group(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTTIN);
  kill(0, SIGTTIN);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

/// Handles a signal: a stop is reported to the server first, and other signals are forwarded.
static void handle_signal(const struct connection *connection, int signal) {
  char message[32];
  switch (signal) {
    case SIGTSTP:
      send_text(connection->socket, "{\"terminal\":\"suspended\"}");
      stop();
      send_text(connection->socket, "{\"terminal\":\"resumed\"}");
      break;
    // The server's command wants to prompt the user. The server has checked the foreground earlier.
    case SIGTTIN: {
      int terminal = open("/dev/tty", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      if (terminal < 0) break;
      if (is_in_background(terminal)) stop_group();
      close(terminal);
      break;
    }
    default:
      snprintf(message, sizeof message, "{\"signal\":%d}", signal);
      send_text(connection->socket, message);
  }
}

/// Waits until the command exits, and handles signals. Returns whether the server sent a final reply.
static bool wait_for_reply(const struct connection *connection, char reply[static REPLY_SIZE]) {
  struct pollfd found[] = {{.fd = connection->socket, .events = POLLIN}, {.fd = connection->signals, .events = POLLIN}};
  while (true) {
    if (poll(found, 2, -1) < 0) continue;
    if (found[0].revents != 0) return receive_reply(connection->socket, reply);
    struct signalfd_siginfo information;
    while (read(connection->signals, &information, sizeof information) == sizeof information)
      handle_signal(connection, (int)information.ssi_signo);
  }
}

/// Reports a lost server and restores the terminal, unless another process may be using it.
static int report_lost_server(int server, const struct termios *state) {
  if (state != NULL && !is_in_background(STDIN_FILENO)) tcsetattr(STDIN_FILENO, TCSANOW, state);
  dprintf(STDERR_FILENO,
          "darkroom: the server (PID %d) terminated while it ran this command; captured content is preserved: run "
          "'darkroom recover' to migrate it\n",
          server);
  return SERVER_FAILED;
}

/// Confirms the start of an accepted command and waits for its end. Returns the exit code, or -1 if it was not started.
static int follow(const struct connection *connection, const struct termios *state) {
  // The server starts nothing without the confirmation, so that a command never runs twice.
  if (!send_text(connection->socket, "{\"command\":\"begin\"}")) return -1;
  char reply[REPLY_SIZE];
  int code;
  if (!wait_for_reply(connection, reply)) return report_lost_server(connection->server, state);
  if (sscanf(reply, "{\"reply\":\"ended\",\"code\":%d}", &code) == 1) return code;
  return strncmp(reply, "{\"reply\":\"refused\"", 18) == 0 ? -1 : report_lost_server(connection->server, state);
}

int forward(const struct call *call) {
  struct termios terminal;
  bool has_state = tcgetattr(STDIN_FILENO, &terminal) == 0;
  // The kernel must stop a background process that reads from its terminal here, not in the server.
  if (has_state && is_in_background(STDIN_FILENO)) return -1;
  struct connection connection = {.socket = connect_to_server(call->socket)};
  if (connection.socket < 0) return -1;
  int code = -1;
  if (request_command(connection.socket, call, &connection.server)) {
    sigset_t handled, previous;
    sigemptyset(&handled);
    const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
      // A signal that this process ignores remains ignored, as in `SignalDescriptor.swift`.
      if (!darkroom_is_signal_ignored(signals[i])) sigaddset(&handled, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &handled, &previous);
    connection.signals = signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK);
    if (connection.signals >= 0) {
      code = follow(&connection, has_state ? &terminal : NULL);
      close(connection.signals);
    }
    if (code < 0) sigprocmask(SIG_SETMASK, &previous, NULL);
  }
  close(connection.socket);
  return code;
}
