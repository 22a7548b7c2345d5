// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "orders.h"

/// Creates a file with the given contents. Returns the descriptor, or -1 on error.
static int make_file(const char *name, const char *text, mode_t mode) {
  int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  if (write(file, text, strlen(text)) < 0) return -1;
  // Not set by open(2): a filter checks the mode there, and the umask would clear bits.
  return mode != 0600 && fchmod(file, mode) != 0 ? -1 : file;
}

static long leave_file(void) { return make_file("file", "plain\n", 0600); }
static long leave_symlink(void) { return symlink("../../../../etc/passwd", "symlink"); }
static long leave_absolute_symlink(void) { return symlink("/etc/passwd", "absolute-symlink"); }
static long leave_directory_symlink(void) { return symlink("/", "directory-symlink"); }
static long leave_fifo(void) { return mkfifo("fifo", 0600); }
static long leave_device(void) { return mknod("device", S_IFCHR | 0600, 0x0103); }
static long leave_setuid(void) { return make_file("setuid", "#!/bin/sh\n", 04755); }
static long leave_setgid(void) { return make_file("setgid", "#!/bin/sh\n", 02755); }
static long leave_mode0(void) { return make_file("mode0", "hidden\n", 0); }
static long leave_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int made = socket(AF_UNIX, SOCK_STREAM, 0);
  return made < 0 ? -1 : bind(made, (struct sockaddr *)&address, sizeof address);
}
static long leave_hardlink(void) {
  if (make_file("hardlink-a", "one file\n", 0600) < 0) return -1;
  return link("hardlink-a", "hardlink-b");
}
static long leave_sticky(void) { return mkdir("sticky", 0700) != 0 ? -1 : chmod("sticky", 01777); }
static long leave_mode0_directory(void) {
  if (mkdir("mode0-directory", 0700) != 0 || make_file("mode0-directory/inside", "x", 0600) < 0) return -1;
  return chmod("mode0-directory", 0);
}
static long leave_read_only_directory(void) {
  if (mkdir("read-only-directory", 0700) != 0 || make_file("read-only-directory/inside", "x", 0600) < 0) return -1;
  return chmod("read-only-directory", 0500);
}
static long leave_sparse(void) {
  int file = make_file("sparse", "", 0600);
  return file < 0 ? -1 : ftruncate(file, 1LL << 40);
}
static long leave_attribute(void) {
  int file = make_file("attribute", "x", 0600);
  return file < 0 ? -1 : fsetxattr(file, "user.odd", "x", 1, 0);
}
static long leave_locked(void) {
  int file = make_file("locked", "x", 0600);
  return file < 0 ? -1 : flock(file, LOCK_EX);
}

/// Nests 100 directories.
static long leave_deep(void) {
  int at = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (int level = 0; at >= 0 && level < 100; level++) {
    if (mkdirat(at, "deep", 0700) != 0) return -1;
    int below = openat(at, "deep", O_PATH | O_DIRECTORY | O_CLOEXEC);
    close(at);
    at = below;
  }
  if (at < 0) return -1;
  int bottom = openat(at, "bottom", O_WRONLY | O_CREAT, 0600);
  close(at);
  return bottom;
}

/// Creates many small files.
static long leave_many(void) {
  if (mkdir("many", 0700) != 0) return -1;
  for (int number = 0; number < 2000; number++) {
    char name[32];
    snprintf(name, sizeof name, "many/%d", number);
    int file = make_file(name, "x", 0600);
    if (file < 0) return -1;
    close(file);
  }
  return 0;
}

/// Creates files with names that break programs that print or parse them.
static long leave_names(void) {
  static const char *const names[] = {
      "new\nline", "tab\tbed", "escape\033[2J\033]0;title\a", "\xff\xfe not UTF-8", "-rf", " ", "quote\"'$(touch x)",
      "override\xe2\x80\xaegpj.exe", "...",
  };
  char longest[256];
  memset(longest, 'n', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  if (make_file(longest, "x", 0600) < 0) return -1;
  for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
    if (make_file(names[index], "x", 0600) < 0) return -1;
  }
  return 0;
}

/// The leftovers by name.
static const struct {
  const char *name;
  long (*leave)(void);
} oddities[] = {
    {"file", leave_file},
    {"symlink", leave_symlink},
    {"absolute-symlink", leave_absolute_symlink},
    {"directory-symlink", leave_directory_symlink},
    {"fifo", leave_fifo},
    {"socket", leave_socket},
    {"hardlink", leave_hardlink},
    {"device", leave_device},
    {"setuid", leave_setuid},
    {"setgid", leave_setgid},
    {"sticky", leave_sticky},
    {"mode0", leave_mode0},
    {"mode0-directory", leave_mode0_directory},
    {"read-only-directory", leave_read_only_directory},
    {"deep", leave_deep},
    {"many", leave_many},
    {"names", leave_names},
    {"sparse", leave_sparse},
    {"attribute", leave_attribute},
    {"locked", leave_locked},
};

bool order_leave(const char *name) {
  for (size_t index = 0; index < sizeof oddities / sizeof oddities[0]; index++) {
    if (strcmp(name, oddities[index].name) != 0) continue;
    report("leave", name, "%s", chdir(session_directory()) != 0 ? outcome(-1) : outcome(oddities[index].leave()));
    return true;
  }
  return false;
}

/// Changes to one of the writable directories.
static bool change_directory(const char *place) {
  const char *container = getenv("TMPDIR");
  if (strcmp(place, "container") == 0) return chdir(container == NULL ? "/container" : container) == 0;
  if (strcmp(place, "shm") == 0) return chdir("/dev/shm") == 0;
  if (strcmp(place, "tmp") == 0) return chdir("/tmp") == 0;
  return strcmp(place, "session") == 0 && chdir(session_directory()) == 0;
}

bool order_fill_names(const char *place) {
  if (!change_directory(place)) return false;
  long made = 0;
  for (int file = 0; file >= 0; made++) {
    char name[32];
    snprintf(name, sizeof name, "name-%ld", made);
    file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) break;
    close(file);
  }
  report("fill-names", place, "%ld files, %s", made, outcome(-1));
  return true;
}

bool order_fill(const char *place) {
  static char block[1 << 20];
  if (!change_directory(place)) return false;
  int file = open("fill", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  long long bytes = 0;
  ssize_t written = file;
  // Blocks of zeros would take no space in a file system that does not store them.
  for (size_t index = 0; index < sizeof block; index++) block[index] = (char)(index * 2654435761u >> 24);
  while (file >= 0 && (written = write(file, block, sizeof block)) > 0) bytes += written;
  report("fill", place, "%lld bytes, %s", bytes, outcome(written));
  if (file >= 0) close(file);
  return true;
}
