// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

// The call is available since Linux 6.8, and older headers lack its number, which is the same on all
// architectures.
#ifndef SYS_listmount
#define SYS_listmount 458
#endif

// The first version of `struct mnt_id_req`, which every kernel accepts.
struct mount_request {
  uint32_t size;
  uint32_t unused;
  uint64_t mount;
  uint64_t parameter;
};

// `LSMT_ROOT`: the mounts below the root of the namespace.
static const uint64_t root_of_namespace = UINT64_MAX;

int darkroom_unmount(const char *path) { return umount2(path, UMOUNT_NOFOLLOW); }

long darkroom_list_mounts(uint64_t after, uint64_t *numbers, long count) {
  struct mount_request request = {.size = sizeof request, .mount = root_of_namespace, .parameter = after};
  return syscall(SYS_listmount, &request, numbers, count, 0);
}
