// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/// Writes all bytes to a new file. Returns 0 or an errno.
static int dk_write_file(const char *path, const void *bytes, size_t length) {
  const char *next = bytes;
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644), failure = 0;
  if (descriptor < 0) return errno;
  while (length > 0 && failure == 0) {
    ssize_t count = write(descriptor, next, length);
    if (count < 0) {
      if (errno != EINTR) failure = errno;
    } else {
      next += count;
      length -= (size_t)count;
    }
  }
  if (close(descriptor) != 0 && failure == 0 && errno != EINTR) failure = errno;
  return failure;
}

int dk_save_file(const char *path, const void *bytes, size_t length) {
  char part[DK_PATH_BYTES + 8];
  int count = snprintf(part, sizeof part, "%s.part", path);
  if (count < 0 || (size_t)count >= sizeof part) return ENAMETOOLONG;
  int failure = dk_write_file(part, bytes, length);
  if (failure == 0 && rename(part, path) != 0) failure = errno;
  if (failure != 0) unlink(part);
  return failure;
}
