// SPDX-License-Identifier: Apache-2.0
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static char path[4096];

/// A name in a directory.
static const char *in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

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
  return nothing();
}

static long look_at(const char *argument) { return stat(argument, &(struct stat){0}); }
static long write_file(const char *argument) { return open(argument, O_WRONLY); }
static long truncate_file(const char *argument) { return truncate(argument, 0); }
static long create_file(const char *directory) {
  return open(in(directory, "made"), O_WRONLY | O_CREAT | O_EXCL, 0600);
}
static long make_directory(const char *directory) { return mkdir(in(directory, "made"), 0700); }
static long remove_file(const char *argument) { return unlink(argument); }
static long rename_file(const char *argument) { return rename(argument, "/container/renamed"); }
static long symbolic_link(const char *directory) { return symlink("/etc/passwd", in(directory, "made")); }
static long fifo(const char *directory) { return mkfifo(in(directory, "made"), 0600); }
static long change_mode(const char *argument) { return chmod(argument, 0777); }
static long change_time(const char *argument) { return utimensat(AT_FDCWD, argument, NULL, 0); }

/// A second name for a file.
static long hard_link(const char *directory) {
  int file = open(in(directory, "first"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  char first[4096];
  strcpy(first, path);
  return link(first, in(directory, "second"));
}

static long character_device(const char *directory) {
  return mknod(in(directory, "made"), S_IFCHR | 0600, 0x103);
}

/// Sets a bit of the mode in every way that there is.
static long set_mode_bit(const char *directory, mode_t bit) {
  int file = open(in(directory, "made"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  if (chmod(path, 0700 | bit) == 0) return note("chmod"), 0;
  if (fchmod(file, 0700 | bit) == 0) return note("fchmod"), 0;
  if (syscall(SYS_fchmodat, AT_FDCWD, path, 0700 | bit) == 0) return note("fchmodat"), 0;
  if (syscall(452, AT_FDCWD, path, 0700 | bit, 0) == 0) return note("fchmodat2"), 0;
  int refusal = errno;
  if (open(in(directory, "opened"), O_WRONLY | O_CREAT, 0700 | bit) >= 0) return note("open"), 0;
  if (creat(in(directory, "created"), 0700 | bit) >= 0) return note("creat"), 0;
  errno = refusal;
  return -1;
}

static long set_user_id(const char *directory) { return set_mode_bit(directory, S_ISUID); }
static long set_group_id(const char *directory) { return set_mode_bit(directory, S_ISGID); }

/// A directory hands its set-group-ID bit on to what is made in it.
static long set_group_id_directory(const char *directory) {
  return mkdir(in(directory, "made"), 02700) < 0 ? -1 : (stat(path, &(struct stat){0}));
}

static long set_attribute(const char *directory) {
  int file = open(in(directory, "made"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  return setxattr(path, "user.darkroom", "x", 1, 0);
}

/// Copies this program.
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
  int file = open(in(directory, "program"), O_WRONLY | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  copy_self(file);
  close(file);
  return execute_success(path);
}

static long map_written(const char *directory) {
  int file = open(in(directory, "program"), O_RDWR | O_CREAT, 0700);
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

/// Executes the descriptor by which this program itself was executed, or this program by path.
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

/// Runs a program that belongs to root and has the set-user-ID bit; it says whether that had an effect.
static long execute_set_user_id(const char *program) {
  return execve(program, (char *[]){"darkroom-probe", "effective-user", NULL}, (char *[]){NULL});
}

static long effective_user(const char *argument) {
  (void)argument;
  note("real user %d, effective %d", getuid(), geteuid());
  return getuid() != geteuid() ? 0 : nothing();
}

const struct attempt file_attempts[] = {
    {"read", read_file},
    {"read-openat2", read_by_openat2},
    {"list", list_directory},
    {"stat", look_at},
    {"write", write_file},
    {"truncate", truncate_file},
    {"create", create_file},
    {"make-directory", make_directory},
    {"remove", remove_file},
    {"rename", rename_file},
    {"symbolic-link", symbolic_link},
    {"hard-link", hard_link},
    {"fifo", fifo},
    {"character-device", character_device},
    {"change-mode", change_mode},
    {"change-time", change_time},
    {"set-user-id", set_user_id},
    {"set-group-id", set_group_id},
    {"set-group-id-directory", set_group_id_directory},
    {"set-attribute", set_attribute},
    {"execute-written", execute_written},
    {"map-written", map_written},
    {"execute-memory", execute_memory},
    {"execute-again", execute_again},
    {"executable-memory", executable_memory},
    {"path-in-mounts", path_in_mounts},
    {"execute-set-user-id", execute_set_user_id},
    {"effective-user", effective_user},
    {NULL, NULL},
};
