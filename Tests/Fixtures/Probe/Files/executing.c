// SPDX-License-Identifier: Apache-2.0
//
// Executing files that the host did not show, and creating executable memory.
#include "probe.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[4096];

/// Returns the path of a name in a directory.
static const char *path_in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

/// Copies this program to a descriptor.
static int copy_self(int target) {
  int source = open("/proc/self/exe", O_RDONLY);
  if (source < 0) untried("this program cannot be read");
  static char block[65536];
  for (ssize_t count; (count = read(source, block, sizeof block)) > 0;) {
    if (write(target, block, (size_t)count) != count) untried("this program cannot be copied");
  }
  return close(source);
}

static long execute_written(const char *directory) {
  int file = open(path_in(directory, "program"), O_WRONLY | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  copy_self(file);
  close(file);
  return execute_success(path);
}

static long map_written(const char *directory) {
  int file = open(path_in(directory, "program"), O_RDWR | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  copy_self(file);
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? -1 : 0;
}

static long execute_memory(const char *argument) {
  (void)argument;
  int file = (int)syscall(SYS_memfd_create, "program", 0);
  if (file < 0) return -1;
  copy_self(file);
  return syscall(SYS_execveat, file, "", (char *[]){"darkroom-probe", "succeed", NULL}, (char *[]){NULL},
                 AT_EMPTY_PATH);
}

/// Executes the descriptor from which this program was executed, or this program by path.
static long execute_again(const char *argument) {
  if (*argument) return execute_success(argument);
  for (int file = 3; file < 2048; file++) {
    syscall(SYS_execveat, file, "", (char *[]){"darkroom-probe", "succeed", NULL}, (char *[]){NULL}, AT_EMPTY_PATH);
  }
  return execute_success("/proc/self/exe");
}

static long executable_memory(const char *argument) {
  (void)argument;
  char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

/// Maps a written file for reading and makes the mapping executable afterwards.
static long protect_written(const char *directory) {
  int file = open(path_in(directory, "program"), O_RDWR | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  copy_self(file);
  void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  return page == MAP_FAILED ? -1 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

/// Executes a written file through its descriptor.
static long execute_descriptor(const char *directory) {
  int file = open(path_in(directory, "program"), O_WRONLY | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  copy_self(file);
  close(file);
  file = open(path, O_RDONLY);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  execute_success(path);
  return syscall(SYS_execveat, file, "", (char *[]){"darkroom-probe", "succeed", NULL}, (char *[]){NULL},
                 AT_EMPTY_PATH);
}

const struct attempt executing_attempts[] = {
    TRY("execute-written", execute_written, "/container", "root,landlock", "runs a program that it has written"),
    TRY("execute-in-session", execute_written, "/session", "root,landlock",
        "runs a program that it leaves for the app"),
    TRY("execute-in-shared-memory", execute_written, "/dev/shm", "root,landlock",
        "runs a program that it has written to /dev/shm"),
    TRY("execute-in-temporary", execute_written, "/tmp", "root,landlock", "runs a program that it has written to /tmp"),
    TRY("execute-descriptor", execute_descriptor, "/container", "root,landlock",
        "runs a program that it has written, through a descriptor"),
    TRY("map-written", map_written, "/container", "root", "maps a written file as executable"),
    TRY("map-in-session", map_written, "/session", "root", "maps a file for the app as executable"),
    TRY("protect-written", protect_written, "/container", "root", "makes a mapping of a written file executable"),
    TRY("protect-in-session", protect_written, "/session", "root", "makes a mapping of a file for the app executable"),
    TOOL("execute-memory", execute_memory),
    TOOL("execute-again", execute_again),
    TOOL("executable-memory", executable_memory),
    END,
};
