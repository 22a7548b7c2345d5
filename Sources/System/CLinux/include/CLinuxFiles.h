// SPDX-License-Identifier: Apache-2.0
//
// Calls on files and mounts whose headers conflict with the other headers: <linux/fs.h> and <sys/mount.h>
// declare some things twice.
#pragma once
#include <stdint.h>

#pragma clang assume_nonnull begin

/// This function is provided because `ioctl` is variadic. The corresponding request is `FS_IOC_GETFLAGS`.
int darkroom_get_file_flags(int file, uint32_t *flags);

/// This function is provided because `ioctl` is variadic. The corresponding request is `FS_IOC_SETFLAGS`.
int darkroom_set_file_flags(int file, uint32_t flags);

/// This function is provided because the flags are in a header that conflicts with the others.
///
/// Returns the flags that a user can set and that do not describe how the data is stored.
uint32_t darkroom_foreign_file_flags(void);

/// This function is provided because its header conflicts with the others. Removes the topmost mount at a
/// path.
int darkroom_unmount(const char *path);

/// This function is provided because the C library has no wrapper. The corresponding call is `listmount`, for
/// the mounts of the caller's namespace. `after` is 0, or the last ID that the previous call stored.
long darkroom_list_mounts(uint64_t after, uint64_t *numbers, long count);

#pragma clang assume_nonnull end
