// SPDX-License-Identifier: Apache-2.0
//
// A prewarmed extension. Its argument selects its behavior before the launch; after the launch, it writes
// what it observed.
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { host_in = 3, host_out = 4, frames = 5, frame_done = 7, preview_event = 9 };

/// The offset of the newest frame number in the ring.
enum { published_offset = 128 };

static void send_message(const char *line) {
  if (write(host_out, line, strlen(line)) < 0) _exit(4);
}

/// Reads a line. Returns false at end of file.
static bool read_line(char *line, size_t size) {
  size_t length = 0;
  while (length < size - 1) {
    if (read(host_in, line + length, 1) <= 0) return false;
    if (line[length] == '\n') break;
    length++;
  }
  line[length] = 0;
  return true;
}

static void write_file(const char *name, const char *text) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || write(file, text, strlen(text)) < 0) _exit(5);
  close(file);
}

static int entries(const char *path) {
  DIR *directory = opendir(path);
  if (directory == NULL) return -1;
  int count = -2;
  while (readdir(directory) != NULL) count++;
  closedir(directory);
  return count;
}

static void read_context(char *text, size_t size) {
  int file = open(getenv("DARKROOM_APP_CONTEXT"), O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? -1 : read(file, text, size - 1);
  text[count < 0 ? 0 : count] = 0;
  if (file >= 0) close(file);
}

/// Returns the number of the newest frame, or 0 without a ring.
static unsigned long newest_frame(void) {
  unsigned char *ring = mmap(NULL, 4096, PROT_READ, MAP_SHARED, frames, 0);
  if (ring == MAP_FAILED) return 0;
  uint64_t number;
  memcpy(&number, ring + published_offset, sizeof number);
  munmap(ring, 4096);
  return number;
}

/// Creates and locks a tree that exceeds the descriptors and stack of a naive recursive removal.
static void make_deep_tree(void) {
  for (int depth = 0; depth < 3000; depth++)
    if (mkdir("nested", 0700) < 0 || chdir("nested") < 0) _exit(6);
  chmod(".", 0);
  write_file("/session/nested/done", "");
  chmod("/session/nested", 0);
}

/// Keeps an unlinked file of the session directory open.
static void keep_unlinked_file(void) {
  static char bytes[65536];
  int file = open("/session/.hidden", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 || unlink("/session/.hidden") < 0 || write(file, bytes, sizeof bytes) < 0) _exit(7);
}

/// Adds one to an event counter of the host.
static void count(int counter) {
  uint64_t one = 1;
  if (write(counter, &one, sizeof one) < 0) _exit(8);
}

/// Writes a number of kibibytes to standard output.
static void write_output(int kibibytes) {
  static char line[1024];
  memset(line, 'x', sizeof line - 1);
  line[sizeof line - 1] = '\n';
  while (kibibytes-- > 0)
    if (write(1, line, sizeof line) < 0) _exit(9);
}

/// Performs an action that is forbidden before the launch.
static void misbehave(const char *behavior) {
  if (strcmp(behavior, "write") == 0) write_file("/session/early", "written before the launch");
  if (strcmp(behavior, "nest") == 0) make_deep_tree();
  if (strcmp(behavior, "hide") == 0) keep_unlinked_file();
  if (strcmp(behavior, "speak") == 0)
    send_message("{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"info\",\"text\":\"early\"}}\n");
  if (strcmp(behavior, "end") == 0) _exit(0);
  if (strcmp(behavior, "hush") == 0) close(host_out);
  if (strcmp(behavior, "draw") == 0) count(preview_event);
  if (strcmp(behavior, "finish") == 0) count(frame_done);
  // More than the capacity of the pipe (chatter) and of the log (babble).
  if (strcmp(behavior, "chatter") == 0) write_output(256);
  if (strcmp(behavior, "babble") == 0) write_output(1 << 20);
  if (strcmp(behavior, "flood") == 0) {
    // On a busy machine, a single process mostly waits for the host and does not flood it.
    for (int number = 0; number < 15; number++)
      if (fork() == 0) break;
    for (;;) socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0});
  }
  if (strcmp(behavior, "crowd") == 0) {
    for (int number = 0; number < 4096; number++) {
      if (fork() == 0)
        for (;;) pause();
    }
  }
}

int main(int count, char **argv) {
  static char line[65536], before[8192], after[8192], text[32768];
  const char *behavior = count > 1 ? argv[1] : "";
  read_context(before, sizeof before);
  // A set app context selects an extension that must not misbehave.
  if (strcmp(before, "null") == 0) misbehave(behavior);
  unsigned long frame = newest_frame();
  int found = entries("/session");
  if (!read_line(line, sizeof line)) return 3;
  send_message("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":1}}\n"
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"capture/subscribe\",\"params\":{}}\n");
  read_context(after, sizeof after);
  snprintf(
      text, sizeof text, "before=%s\nframe=%lu\nfound=%d\nafter=%s\nsession=%s\n", before, frame, found, after,
      getenv("DARKROOM_SESSION_ID")
  );
  write_file("/session/seen", text);
  if (strcmp(behavior, "chatter") == 0 && write(1, "launched\n", 9) < 0) return 5;
  if (strcmp(behavior, "stay") != 0) send_message("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session/dismiss\",\"params\":{}}\n");
  while (read_line(line, sizeof line) && strstr(line, "session/willDismiss") == NULL) continue;
  return 0;
}
