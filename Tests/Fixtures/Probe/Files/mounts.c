// SPDX-License-Identifier: Apache-2.0
//
// Changing and listing mounts, and opening files outside the root.
#include "probe.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/syscall.h>

static char room[4096];
static struct {
  unsigned bytes;
  int type;
  char handle[128];
} handle = {.bytes = 8, .type = 1}, long_handle = {.bytes = 128};
/// The kernel's `struct mnt_id_req` for the root mount.
static struct {
  uint32_t size, spare;
  uint64_t mount, parameter;
} mount_request = {24, 0, ~0ull /* LSMT_ROOT */, 0};

const struct attempt mount_attempts[] = {
    CALL("mount", "seccomp,capabilities", "mounts a file system", SYS_mount, P("none"), P("/darkroom-probe-nowhere"),
         P("tmpfs")),
    CALL("remount", "seccomp,capabilities", "makes the root writable", SYS_mount, P(""), P("/"), P(""),
         MS_REMOUNT | MS_BIND),
    CALL("umount2", "seccomp,capabilities", "unmounts a file system", SYS_umount2, P("/session"), MNT_DETACH),
    CALL("pivot_root", "seccomp,capabilities", "takes another root", SYS_pivot_root, P("."), P(".")),
    CALL("chroot", "seccomp,capabilities", "changes its root directory", SYS_chroot, P("/")),
    CALL("fsopen", "seccomp,capabilities", "creates a file system with fsopen(2)", SYS_fsopen, P("tmpfs"), 0),
    CALL("fsconfig", "seccomp,kernel", "configures a file system", SYS_fsconfig, 0, 6),
    CALL("fsmount", "seccomp,capabilities", "mounts a new file system", SYS_fsmount, 0, 0, 0),
    CALL("fspick", "seccomp,capabilities",
         "opens a mounted file system to change its options", SYS_fspick, AT_FDCWD, P("/"), 0),
    CALL("open_tree", "seccomp", "opens a tree of mounts", SYS_open_tree, AT_FDCWD, P("/"), 0),
    CALL("open_tree-clone", "seccomp,capabilities", "copies a tree of mounts", SYS_open_tree, AT_FDCWD, P("/"), 1),
    CALL("move_mount", "seccomp,capabilities", "moves a mount", SYS_move_mount, AT_FDCWD, P("/usr"), AT_FDCWD,
         P("/session"), 0),
    CALL("mount_setattr", "seccomp,capabilities", "changes attributes of a mount", SYS_mount_setattr, AT_FDCWD, P("/"),
         0, P(room), 32),
    CALL("statmount", "seccomp,kernel",
         "reads the properties of a mount", 457, P(&mount_request), P(room), sizeof room, 0),
    CALL("listmount", "seccomp", "lists mounts", 458, P(&mount_request), P(room), 8, 0),
    CALL("open_tree_attr", "seccomp,capabilities", "copies a tree of mounts with other attributes", 467, AT_FDCWD,
         P("/"), 1, P(room), 32),
    CALL("open_by_handle_at", "seccomp,capabilities", "opens a file by its handle", SYS_open_by_handle_at, AT_FDCWD,
         P(&handle), O_RDONLY),
    CALL("name_to_handle_at", "seccomp", "asks for a file's handle", SYS_name_to_handle_at, AT_FDCWD, P("/"),
         P(&long_handle), P(room), 0),
    END,
};
