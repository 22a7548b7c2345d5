// SPDX-License-Identifier: Apache-2.0
//
// A process sees the mounts of its mount namespace that its root can reach (proc(5), /proc/PID/mountinfo).
// For a mount of a host directory, the table shows the path on the host's file system. This path reveals
// where the host stores its state, and often a user name.
//
// Therefore the extension moves to a copy of its mount namespace, and returns to its former root, which
// belongs to the namespace of the session init. The files that it can reach are then in one namespace and its
// table lists the mounts of another, so the table is empty. Mounts cannot be created there either, with any
// privileges.

#include "Child.h"

#include <fcntl.h>
#include <sched.h>

void darkroom_hide_mounts(const struct darkroom_child *child) {
  const enum darkroom_step step = darkroom_step_mount_table;
  long root = darkroom_must(child, step, direct(SYS_openat, AT_FDCWD, "/", O_PATH | O_DIRECTORY | O_CLOEXEC, 0), 0);
  darkroom_must(child, step, direct(SYS_unshare, CLONE_NEWNS), 1);
  // The root is now that of the copy. The former root is reachable only through the descriptor.
  darkroom_must(child, step, direct(SYS_fchdir, root), 2);
  darkroom_must(child, step, direct(SYS_chroot, "."), 3);
  direct(SYS_close, root);
}
