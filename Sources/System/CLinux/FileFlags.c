// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include <linux/fs.h>

// The two requests are declared with a long, but the kernel reads and writes an int (ioctl_iflags(2)).
int darkroom_get_file_flags(int file, uint32_t *flags) { return ioctl(file, FS_IOC_GETFLAGS, flags); }

int darkroom_set_file_flags(int file, uint32_t flags) { return ioctl(file, FS_IOC_SETFLAGS, &flags); }

uint32_t darkroom_foreign_file_flags(void) {
  return FS_SECRM_FL | FS_UNRM_FL | FS_COMPR_FL | FS_SYNC_FL | FS_IMMUTABLE_FL | FS_APPEND_FL | FS_NODUMP_FL |
         FS_NOATIME_FL | FS_NOCOMP_FL | FS_JOURNAL_DATA_FL | FS_NOTAIL_FL | FS_DIRSYNC_FL | FS_TOPDIR_FL |
         FS_PROJINHERIT_FL;
}
