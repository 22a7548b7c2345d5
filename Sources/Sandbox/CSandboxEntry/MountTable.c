// SPDX-License-Identifier: Apache-2.0
//
// A process sees in its mount table the mounts of its mount namespace that its root can reach (proc(5),
// /proc/PID/mountinfo). For a mount that shows a directory of the host, that names the directory's place on its file
// system: where the host keeps its state, and often whose it is. So the extension gets a namespace of its own, a copy,
// and goes back to the root that it came from, which belongs to the namespace of the session init. What it can reach is
// then in one namespace and what its table lists in the other: the table is empty. A mount could not be made there,
// either, whatever privileges a process had.

#include "Child.h"

#include <fcntl.h>
#include <sched.h>

void darkroom_hide_mounts(const struct darkroom_child *child) {
  const enum darkroom_step step = darkroom_step_mount_table;
  long root = darkroom_must(child, step, direct(SYS_openat, AT_FDCWD, "/", O_PATH | O_DIRECTORY | O_CLOEXEC, 0), 0);
  darkroom_must(child, step, direct(SYS_unshare, CLONE_NEWNS), 1);
  // The copy's root is the current one now; the old is only to be had by the descriptor.
  darkroom_must(child, step, direct(SYS_fchdir, root), 2);
  darkroom_must(child, step, direct(SYS_chroot, "."), 3);
  direct(SYS_close, root);
}
