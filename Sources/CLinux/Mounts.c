// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <sys/mount.h>

int darkroom_unmount(const char *path) { return umount2(path, UMOUNT_NOFOLLOW); }
