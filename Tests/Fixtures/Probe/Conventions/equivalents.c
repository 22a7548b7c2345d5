// SPDX-License-Identifier: Apache-2.0
//
// Newer calls that are equivalent to filtered ones.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char buffer[64];
static const char own_path[] = "/container/equivalent";
/// The kernel's `struct xattr_args`.
static struct {
  uint64_t value;
  uint32_t size, flags;
} attribute;
/// The kernel's `struct file_attr`.
static struct {
  uint64_t flags;
  uint32_t extent, projects, id, copy;
} file_attributes;
/// The kernel's `struct ns_id_req`.
static struct {
  uint32_t size, spare;
  uint64_t ns, user;
  uint32_t type, spare2;
} namespace_request = {.size = 32, .type = CLONE_NEWUSER};
static struct clone_args group_clone = {.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = 0};
static struct clone_args plain_clone = {.exit_signal = SIGCHLD};
static struct {
  unsigned long long flags, mode, resolve;
} creation = {O_RDWR | O_CREAT, 04755, 0};

static int make_own_file(void) {
  int file = open(own_path, O_RDWR | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  return file;
}

static long set_attribute_at(const char *argument) {
  (void)argument;
  make_own_file();
  attribute.value = (uint64_t)(uintptr_t) "x";
  attribute.size = 1;
  return syscall(463, AT_FDCWD, own_path, 0, "user.darkroom", &attribute, sizeof attribute);
}

static long remove_attribute_at(const char *argument) {
  (void)argument;
  make_own_file();
  return syscall(466, AT_FDCWD, own_path, 0, "user.darkroom");
}

/// Changes the mode with fchmodat2(2) by path, without following links, and by descriptor.
static long change_mode_at(const char *argument) {
  (void)argument;
  int file = make_own_file();
  if (syscall(452, AT_FDCWD, own_path, 04755, 0) == 0) return 0;
  if (syscall(452, AT_FDCWD, own_path, HIGH | 04755, AT_SYMLINK_NOFOLLOW) == 0) return 0;
  return syscall(452, file, "", 02755, AT_EMPTY_PATH);
}

static long set_file_attributes(const char *argument) {
  (void)argument;
  make_own_file();
  return syscall(469, AT_FDCWD, own_path, &file_attributes, sizeof file_attributes, 0);
}

static long get_file_attributes(const char *argument) {
  (void)argument;
  make_own_file();
  return syscall(468, AT_FDCWD, own_path, &file_attributes, sizeof file_attributes, 0);
}

const struct attempt equivalent_attempts[] = {
    CALL("openat2-create", "seccomp",
         "creates a set-user-ID file with openat2(2), whose mode filters cannot read", SYS_openat2, AT_FDCWD,
         P("/container/openat2"), P(&creation), sizeof creation),
    CALL("clone3", "seccomp",
         "creates a child with clone3(2), whose flags filters cannot read", SYS_clone3, P(&plain_clone),
         sizeof plain_clone),
    CALL("clone3-cgroup", "seccomp,kernel", "creates a child in another control group", SYS_clone3, P(&group_clone),
         sizeof group_clone),
    TRY("setxattrat", set_attribute_at, NULL, "seccomp,kernel", "sets an extended attribute with setxattrat(2)"),
    TRY("removexattrat", remove_attribute_at, NULL, "seccomp,kernel",
        "removes an extended attribute with removexattrat(2)"),
    TRY("fchmodat2", change_mode_at, NULL, "seccomp", "sets the set-user-ID bit with fchmodat2(2)"),
    TRY("file_setattr", set_file_attributes, NULL, "seccomp,kernel", "flags of a file by the newer call"),
    TRY("file_getattr", get_file_attributes, NULL, "seccomp,kernel", "asks for flags of a file by the newer call"),
    CALL("listns", "seccomp,kernel", "lists namespaces", 470, P(&namespace_request), P(buffer), 8, 0),
    CALL("lsm_get_self_attr", "seccomp,kernel", "asks a security module for a label", 459, 100, P(buffer), P(buffer), 0),
    CALL("lsm_list_modules", "seccomp,kernel", "lists security modules", 461, P(buffer), P(buffer), 0),
    CALL("process_mrelease", "seccomp,kernel", "takes a dying process's memory", 448, 0, 0),
    CALL("sendto", "kernel", "sends on any descriptor", SYS_sendto, 1, P(buffer), 1, 0, 0, 0),
    CALL("sendmmsg", "seccomp,kernel", "sends several messages on any descriptor", SYS_sendmmsg, 1, P(buffer), 1, 0),
    CALL("recvfrom", "kernel", "receives on any descriptor", SYS_recvfrom, 0, P(buffer), 1, MSG_DONTWAIT, 0, 0),
    CALL("recvmmsg", "seccomp,kernel", "receives several messages on any descriptor", SYS_recvmmsg, 0, P(buffer), 1,
         MSG_DONTWAIT, 0),
    CALL("io_setup", "seccomp", "makes a queue of reads and writes", SYS_io_setup, 1, P(buffer)),
    CALL("vmsplice", "seccomp,kernel", "maps pages into a pipe (vmsplice)", SYS_vmsplice, 1, P(buffer), 1, 0),
    CALL("mbind", "seccomp", "sets the NUMA policy of memory", SYS_mbind, 0, 0, 0, 0, 0, 0),
    CALL("move_pages", "seccomp,kernel", "moves the session init's memory", SYS_move_pages, 1, 1, P(buffer), 0,
         P(buffer), 0),
    CALL("migrate_pages", "seccomp,kernel", "moves the session's init to other memory", SYS_migrate_pages, 1, 0, 0, 0),
    CALL("landlock", "seccomp", "creates a Landlock ruleset", SYS_landlock_create_ruleset, 0, 0, 1),
    CALL("sync", "seccomp", "makes the kernel write the files of all programs to the disk", SYS_sync, 0),
    END,
};
