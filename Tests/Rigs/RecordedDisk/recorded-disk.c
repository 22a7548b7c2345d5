// SPDX-License-Identifier: Apache-2.0
//
// A disk that records its complete history. Usage: darkroom-recorded-disk IMAGE LOG MOUNTPOINT
//
// The program mounts a FUSE file system with two files. The file `disk` reads and writes IMAGE. Every write,
// every hole and every flush is appended to LOG in order of completion. A loop device on `disk` makes it a
// block device. Data that is written to `mark` is recorded in LOG in sequence with the writes, one entry for
// each write(2).
//
// An entry of LOG consists of a byte ('W'rite, 'Z'ero, 'F'lush, 'M'ark), an offset and a length (64 bits
// each, native byte order). For W and M, as many bytes as the length follow.
#define FUSE_USE_VERSION 31
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <linux/falloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <signal.h>
#include <unistd.h>

/// The image, its length in bytes, and the log.
static int image;
static off_t image_length;
static int log_fd;

/// Appends an entry to the log. A failure terminates the process, because a log with a missing entry is
/// invalid.
static void append_entry(char kind, uint64_t offset, uint64_t length, const char *bytes) {
  struct iovec parts[] = {
    {&kind, 1}, {&offset, sizeof offset}, {&length, sizeof length}, {(void *)(uintptr_t)bytes, bytes ? length : 0},
  };
  ssize_t expected = 1 + sizeof offset + sizeof length + (ssize_t)parts[3].iov_len;
  if (writev(log_fd, parts, 4) != expected) {
    perror("darkroom-recorded-disk: the log");
    abort();
  }
}

static int is_disk(const char *path) { return strcmp(path, "/disk") == 0; }
static int is_mark(const char *path) { return strcmp(path, "/mark") == 0; }

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *file) {
  (void)file;
  memset(status, 0, sizeof *status);
  status->st_nlink = 1;
  if (strcmp(path, "/") == 0) {
    status->st_mode = S_IFDIR | 0755;
  } else if (is_disk(path)) {
    status->st_mode = S_IFREG | 0600;
    status->st_size = image_length;
  } else if (is_mark(path)) {
    status->st_mode = S_IFREG | 0222;
  } else {
    return -ENOENT;
  }
  return 0;
}

static int open_file(const char *path, struct fuse_file_info *file) {
  // direct_io makes a mark part of the write(2) itself instead of a later writeback of the page cache.
  file->direct_io = is_mark(path);
  return 0;
}

static int truncate_file(const char *path, off_t length, struct fuse_file_info *file) {
  (void)file;
  // A shell opens `mark` with O_TRUNC.
  return is_mark(path) || length == image_length ? 0 : -EPERM;
}

static int read_file(const char *path, char *bytes, size_t length, off_t offset, struct fuse_file_info *file) {
  (void)file;
  if (!is_disk(path)) return 0;
  ssize_t count = pread(image, bytes, length, offset);
  return count < 0 ? -errno : (int)count;
}

static int write_file(const char *path, const char *bytes, size_t length, off_t offset, struct fuse_file_info *file) {
  (void)file;
  if (is_mark(path)) {
    append_entry('M', 0, length, bytes);
    return (int)length;
  }
  if (offset + (off_t)length > image_length) return -ENOSPC;
  if (pwrite(image, bytes, length, offset) != (ssize_t)length) return -EIO;
  append_entry('W', (uint64_t)offset, length, bytes);
  return (int)length;
}

static int flush_disk(const char *path, int data_only, struct fuse_file_info *file) {
  (void)data_only;
  (void)file;
  if (is_disk(path)) append_entry('F', 0, 0, NULL);
  return 0;
}

static int punch_hole(const char *path, int mode, off_t offset, off_t length, struct fuse_file_info *file) {
  (void)file;
  if (!is_disk(path) || !(mode & (FALLOC_FL_PUNCH_HOLE | FALLOC_FL_ZERO_RANGE))) return -EOPNOTSUPP;
  if (fallocate(image, mode, offset, length) < 0) return -errno;
  append_entry('Z', (uint64_t)offset, (uint64_t)length, NULL);
  return 0;
}

static void *init_connection(struct fuse_conn_info *connection, struct fuse_config *configuration) {
  // FUSE must not cache writes: the log must contain everything that the disk received.
  connection->want &= ~(unsigned)FUSE_CAP_WRITEBACK_CACHE;
  configuration->attr_timeout = configuration->entry_timeout = 3600;
  return NULL;
}

static const struct fuse_operations operations = {
  .init = init_connection,
  .getattr = get_attributes,
  .open = open_file,
  .truncate = truncate_file,
  .read = read_file,
  .write = write_file,
  .fsync = flush_disk,
  .fallocate = punch_hole,
};

/// Prints an error message and returns the exit code of a failure.
static int fail(const char *what) {
  perror(what);
  return 1;
}

int main(int count, char **argv) {
  if (count != 4) {
    fputs("usage: darkroom-recorded-disk IMAGE LOG MOUNTPOINT\n", stderr);
    return 2;
  }
  // The kernel terminates this process with its parent.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct stat status;
  image = open(argv[1], O_RDWR | O_CLOEXEC);
  if (image < 0 || fstat(image, &status) < 0) return fail(argv[1]);
  image_length = status.st_size;
  log_fd = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (log_fd < 0) return fail(argv[2]);
  // One thread in the foreground, so that the order of the log is the order of completion.
  char *arguments[] = {argv[0], argv[3], (char[]){"-s"}, (char[]){"-f"}, NULL};
  return fuse_main(4, arguments, &operations, NULL);
}
