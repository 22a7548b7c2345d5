// SPDX-License-Identifier: Apache-2.0
//
// Reading files of other processes and apps by every possible name.
#include "probe.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[8192];

static long read_file(const char *argument) {
  int file = open(argument, O_RDONLY);
  if (file < 0) return -1;
  char byte;
  return read(file, &byte, 1) < 0 ? -1 : 0;
}

static long read_by_openat2(const char *argument) {
  struct {
    unsigned long long flags, mode, resolve;
  } how = {O_RDONLY, 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, argument, &how, sizeof how);
}

static long list_directory(const char *argument) {
  DIR *directory = opendir(argument);
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.') continue;
    note("%s", entry->d_name);
    return 0;
  }
  return found_nothing();
}

static long stat_file(const char *argument) { return stat(argument, &(struct stat){0}); }

/// Reads a file with the last component of its path in capitals.
static long read_in_capitals(const char *argument) {
  snprintf(path, sizeof path, "%s", argument);
  for (char *letter = strrchr(path, '/'); letter && *letter; letter++) *letter = (char)toupper(*letter);
  return read_file(path);
}

/// Reads a file by path traversal from an open directory.
static long read_above_descriptor(const char *argument) {
  int directory = open("/session", O_PATH | O_DIRECTORY);
  if (directory < 0) return -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d/..%s", directory, argument);
  if (read_file(path) == 0) return 0;
  snprintf(path, sizeof path, "../../../../../../../..%s", argument);
  int file = openat(directory, path, O_RDONLY);
  return file < 0 ? -1 : 0;
}

/// Reads a file through a new symbolic link.
static long read_by_own_link(const char *argument) {
  if (symlink(argument, "/container/to-secret") < 0) return -1;
  return read_file("/container/to-secret");
}

/// Reads a file through a new hard link.
static long read_by_hard_link(const char *argument) {
  if (link(argument, "/container/second") < 0) return -1;
  return read_file("/container/second");
}

/// Reads a file from a directory that was moved.
static long read_after_exchange(const char *argument) {
  mkdir("/container/moved", 0700);
  if (renameat2(AT_FDCWD, "/container/moved", AT_FDCWD, "/session/moved", 0) < 0 && errno != EXDEV) return -1;
  int directory = open("/container/moved", O_PATH | O_DIRECTORY);
  if (directory < 0 || rename("/container/moved", "/container/home/moved") < 0) return -1;
  snprintf(path, sizeof path, "../../../../../..%s", argument);
  return openat(directory, path, O_RDONLY);
}

#define READ(name, path, layers, words) TRY(name, read_file, path, layers, words)

const struct attempt reading_attempts[] = {
    READ("read", "{secret}", "root,landlock", "reads another app's secret"),
    READ("read-upwards", "/session/../../../../../../..{secret}", "root,landlock",
        "reads a secret through parent directories"),
    READ("read-slashes", "//{secret}", "root,landlock", "reads a secret through a path with two slashes"),
    READ("read-dot", "/./{secret}", "root,landlock", "reads a secret through a path with a dot"),
    READ("read-slash-behind", "{secret}/", "root,landlock,kernel",
        "reads a secret through a path that ends with a slash"),
    READ("read-by-root", "/proc/self/root{secret}", "root,landlock", "reads a secret through /proc/self/root"),
    READ("read-by-thread", "/proc/thread-self/root{secret}", "root,landlock",
        "reads a secret through /proc/thread-self/root"),
    READ("read-by-directory", "/proc/self/cwd/../../..{secret}", "root,landlock",
        "reads a secret through its own working directory in proc"),
    READ("read-by-task", "/proc/2/task/2/root{secret}", "root,landlock,pidNamespace",
         "reads a secret through the root of a thread in proc"),
    READ("read-by-init-root", "/proc/1/root{secret}", "root,landlock,userNamespace",
         "reads a secret through the root of the session's init"),
    READ("read-by-init-task", "/proc/1/task/1/root{secret}", "root,landlock,userNamespace",
         "reads a secret through a thread of the session's init"),
    READ("read-by-init-directory", "/proc/1/cwd/..{secret}", "root,landlock,userNamespace",
         "reads a secret through the working directory of the session's init"),
    READ("read-by-process", "/proc/{process}/root{secret}", "root,landlock,userNamespace",
         "reads a secret through the root of a host process"),
    READ("read-by-earlier-link", "/session/earlier", "root,landlock",
        "reads a secret through a link of an earlier session"),
    TRY("read-capitals", read_in_capitals, "{secret}", "root,landlock,kernel",
        "reads a secret through a path in upper case"),
    TRY("read-above", read_above_descriptor, "{secret}", "root,landlock",
        "reads a secret through parent directories of a descriptor"),
    TRY("read-own-link", read_by_own_link, "{secret}", "seccomp,root,landlock",
        "reads a secret through its own symbolic link"),
    TRY("read-hard-link", read_by_hard_link, "{secret}", "seccomp,root,landlock,kernel",
        "creates a hard link to a secret"),
    TRY("read-after-exchange", read_after_exchange, "{secret}", "root,landlock",
        "reads a secret from a moved directory"),
    READ("read-init-environment", "/proc/1/environ", "root,landlock,userNamespace",
         "reads the session init's environment"),
    READ("read-init-memory", "/proc/1/mem", "root,landlock,userNamespace", "reads the session init's memory"),
    READ("read-init-maps", "/proc/1/maps", "root,landlock,userNamespace", "reads the memory map of the session's init"),
    READ("read-init-auxiliary", "/proc/1/auxv", "root,landlock,userNamespace",
        "reads the auxiliary vector of the session's init"),
    READ("read-init-call", "/proc/1/syscall", "root,landlock,userNamespace",
        "reads the current system call of the session's init"),
    READ("read-init-stack", "/proc/1/stack", "root,landlock,userNamespace", "reads the session init's kernel stack"),
    READ("read-init-program", "/proc/1/exe", "root,landlock,userNamespace", "reads the session init's program"),
    READ("read-process-environment", "/proc/{process}/environ", "root,userNamespace",
         "reads the environment of a process of the host"),
    READ("read-process-memory", "/proc/{process}/mem", "root,landlock,userNamespace",
         "reads the memory of a process of the host"),
    TRY("list-init-descriptors", list_directory, "/proc/1/fd", "root,landlock,userNamespace",
        "lists the session init's descriptors"),
    TRY("list-init-root", list_directory, "/proc/1/root", "root,landlock,userNamespace",
        "lists the session init's root"),
    TRY("list-process-descriptors", list_directory, "/proc/{process}/fd", "root,identity",
        "lists the descriptors of a process of the host"),
    TRY("list-init-mapped", list_directory, "/proc/1/map_files", "root,landlock,userNamespace",
        "lists the files that the session's init has mapped"),
    READ("read-passwords", "/etc/shadow", "root,landlock,identity", "reads the password hashes"),
    TRY("read-openat2", read_by_openat2, "/etc/passwd", "seccomp",
        "opens a file with openat2(2), whose flags filters cannot read"),
    TRY("list", list_directory, "/home", "root,landlock,kernel", "lists the home directories"),
    TRY("list-home", list_directory, "/root", "root,landlock,identity", "lists root's home"),
    TRY("list-run", list_directory, "/run", "root,landlock", "lists the run-time files of services"),
    TRY("list-state", list_directory, "/var/lib", "root,landlock", "lists the state of services"),
    TRY("stat", stat_file, "{root}", "root", "tests whether the host's state root exists"),
    END,
};
