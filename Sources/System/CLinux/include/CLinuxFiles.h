// SPDX-License-Identifier: Apache-2.0
//
// What can be done to files and mounts with headers that do not go with the others: <linux/fs.h> and <sys/mount.h>
// declare some things twice.
#pragma once
#include <stdint.h>

#pragma clang assume_nonnull begin

/// This function is provided because `ioctl` is variadic. The corresponding request is `FS_IOC_GETFLAGS`.
int darkroom_get_file_flags(int file, uint32_t *flags);

/// This function is provided because `ioctl` is variadic. The corresponding request is `FS_IOC_SETFLAGS`.
int darkroom_set_file_flags(int file, uint32_t flags);

/// This function is provided because the flags are in a header that does not go with the others.
///
/// The flags that somebody can have set and that say nothing about how the data is stored now.
uint32_t darkroom_foreign_file_flags(void);

/// This function is provided because its header does not go with the others. Removes the topmost mount of a place.
int darkroom_unmount(const char *path);

/// This function is provided because the C library has none. The corresponding call is `listmount`, for the mounts of the
/// caller's namespace; `after` is 0 or the last number of the call before.
long darkroom_list_mounts(uint64_t after, uint64_t *numbers, long count);

#pragma clang assume_nonnull end
