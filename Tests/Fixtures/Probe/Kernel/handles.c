// SPDX-License-Identifier: Apache-2.0
//
// Newer interfaces to kernel objects: processes, namespaces and notification queues.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The kernel's `struct file_handle` with a `struct nsfs_file_handle` for the initial network namespace.
static struct {
  uint32_t bytes;
  int32_t type;
  uint64_t id;
  uint32_t kind, number;
} namespace_handle = {16, 0xF1, 0, 0, 4026531840u};
static struct {
  uint32_t bytes;
  int32_t type;
  uint64_t number;
} process_handle = {8, 0xFE, 1};

static int descriptor_of_init(void) { return (int)syscall(SYS_pidfd_open, 1, 0); }

/// Sends a request to the pidfd of the session init (`PIDFD_GET_…_NAMESPACE`).
static long request_from_init(int request) {
  int process = descriptor_of_init();
  return process < 0 ? -1 : ioctl(process, _IO(0xFF, request), 0);
}

static long mounts_of_init(const char *argument) { return (void)argument, request_from_init(3); }
static long network_of_init(const char *argument) { return (void)argument, request_from_init(4); }
static long user_of_init(const char *argument) { return (void)argument, request_from_init(9); }

/// Queries the credentials of the session init (`PIDFD_GET_INFO`).
static long facts_of_init(const char *argument) {
  (void)argument;
  static uint64_t facts[8] = {7};
  int process = descriptor_of_init();
  return process < 0 ? -1 : ioctl(process, _IOC(_IOC_READ | _IOC_WRITE, 0xFF, 11, sizeof facts), facts);
}

/// Opens the next mount namespace of the system (`NS_MNT_GET_NEXT`).
static long next_mounts(const char *argument) {
  (void)argument;
  static uint64_t information[2] = {16};
  int own = open("/proc/self/ns/mnt", O_RDONLY);
  return own < 0 ? -1 : ioctl(own, _IOC(_IOC_READ, 0xB7, 11, 16), information);
}

/// Creates a pipe for kernel notifications on keys and mounts (`O_NOTIFICATION_PIPE`).
static long notification_pipe(const char *argument) {
  (void)argument;
  int ends[2];
  return pipe2(ends, O_EXCL);
}

/// Maps the page at address zero, which a kernel bug could dereference.
static long first_page(const char *argument) {
  (void)argument;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return page == MAP_FAILED ? -1 : 0;
}

/// Raises the priority of all processes of the user, including those outside the session.
static long priority_of_user(const char *process) {
  (void)process;
  return setpriority(PRIO_USER, 0, -1);
}

const struct attempt handle_attempts[] = {
    CALL("handle-of-namespace", "seccomp,kernel",
         "opens a namespace through a file handle", SYS_open_by_handle_at, -10003,
         P(&namespace_handle), O_RDONLY),
    CALL("handle-of-process", "seccomp,kernel", "opens a process through a file handle", SYS_open_by_handle_at, -10002,
         P(&process_handle), O_RDONLY),
    TRY("mounts-of-init", mounts_of_init, NULL, "seccomp,landlock,kernel",
        "opens the mount namespace of the session's init"),
    TRY("network-of-init", network_of_init, NULL, "seccomp,landlock,kernel",
        "opens the network namespace of the session's init"),
    TRY("user-of-init", user_of_init, NULL, "seccomp,landlock,kernel",
        "opens the user namespace of the session's init"),
    TRY("facts-of-init", facts_of_init, NULL, "seccomp", "reads the credentials of the session's init through a pidfd"),
    TRY("next-mounts", next_mounts, NULL, "seccomp,userNamespace", "opens the next mount namespace of the system"),
    TRY("notification-pipe", notification_pipe, NULL, "seccomp,kernel",
        "creates a notification pipe, which reports events of keys and mounts"),
    TRY("first-page", first_page, NULL, "kernel", "maps the page at address zero"),
    TRY("priority-of-user", priority_of_user, NULL, "limits,capabilities",
        "raises the priority of all processes of its user"),
    END,
};
