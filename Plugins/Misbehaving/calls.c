// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orders.h"

/// A path that does not exist. The arguments are chosen so that a permitted call does no harm: a filter
/// checks the number of the call before the kernel resolves the path.
static const char missing_path[] = "/misbehaving-nowhere";

/// Ends the child of a call that created one, so that it executes no further commands.
static long end_child(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}

static long call_socket_inet(void) { return socket(AF_INET, SOCK_STREAM, 0); }
static long call_socket_unix(void) { return socket(AF_UNIX, SOCK_STREAM, 0); }
static long call_socket_netlink(void) { return socket(AF_NETLINK, SOCK_RAW, 0); }
static long call_socketpair(void) { return socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}); }
static long call_unshare_user(void) { return unshare(CLONE_NEWUSER); }
static long call_unshare_net(void) { return unshare(CLONE_NEWNET); }
static long call_clone_user(void) { return end_child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); }
// The sandbox returns ENOSYS, so that the C library falls back to clone(2), whose flags a filter can inspect.
static long call_clone3(void) { return syscall(SYS_clone3, NULL, 0); }
static long call_mount(void) { return mount("none", missing_path, "tmpfs", 0, NULL); }
static long call_umount(void) { return umount2(missing_path, MNT_DETACH); }
static long call_pivot_root(void) { return syscall(SYS_pivot_root, ".", "."); }
static long call_chroot(void) { return chroot("/"); }
static long call_setns(void) { return setns(0, CLONE_NEWNET); }
static long call_ptrace(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static long call_bpf(void) { return syscall(SYS_bpf, BPF_MAP_CREATE, &(union bpf_attr){0}, sizeof(union bpf_attr)); }
static long call_perf(void) {
  struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes, .exclude_kernel = 1};
  return syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
static long call_keyctl(void) { return syscall(SYS_keyctl, 0, -3, 0, 0, 0); }
static long call_add_key(void) { return syscall(SYS_add_key, "user", "darkroom", "x", 1, -1); }
static long call_io_uring(void) { return syscall(SYS_io_uring_setup, 1, (char[256]){0}); }
static long call_userfaultfd(void) { return syscall(SYS_userfaultfd, O_CLOEXEC | 1); }
static long call_open_by_handle(void) {
  struct {
    unsigned bytes;
    int type;
    char handle[128];
  } handle = {.bytes = 8, .type = 1};
  return syscall(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY);
}
static long call_process_vm(void) {
  char byte = 0;
  struct iovec part = {&byte, 1};
  return syscall(SYS_process_vm_readv, getppid(), &part, 1, &part, 1, 0);
}
static long call_personality(void) { return personality(ADDR_NO_RANDOMIZE); }
static long call_tiocsti(void) { return ioctl(0, TIOCSTI, "x"); }
static long call_setuid(void) { return setuid(0); }
static long call_seccomp(void) { return syscall(SYS_seccomp, 1, 0, NULL); }
static long call_kill_init(void) { return kill(1, 0); }
static long call_hostname(void) { return sethostname("", (size_t)-1); }
// The time is out of range, so that the clock of a machine without a sandbox does not change. The call is
// made by number, because the C library would reject the argument.
static long call_settime(void) { return syscall(SYS_settimeofday, &(struct timeval){.tv_sec = 0, .tv_usec = -1}, NULL); }
static long call_module(void) { return syscall(SYS_finit_module, -1, "", 0); }
static long call_swap(void) { return swapon("/nowhere", 0); }
static long call_exec(void) {
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/true", "true", (char *)NULL);
    _exit(errno);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
  errno = WEXITSTATUS(status);
  return WIFEXITED(status) && errno == 0 ? 0 : -1;
}
static long call_write_extension(void) { return open("/extension", O_WRONLY | O_TMPFILE, 0600); }
static long call_read_shadow(void) { return open("/etc/shadow", O_RDONLY); }
static long call_write_root(void) { return open("/", O_WRONLY | O_TMPFILE, 0600); }

/// The calls by name.
static const struct {
  const char *name;
  long (*make)(void);
} calls[] = {
    {"socket-inet", call_socket_inet},
    {"socket-unix", call_socket_unix},
    {"socket-netlink", call_socket_netlink},
    {"socketpair", call_socketpair},
    {"unshare-user", call_unshare_user},
    {"unshare-net", call_unshare_net},
    {"clone-user", call_clone_user},
    {"clone3", call_clone3},
    {"mount", call_mount},
    {"umount", call_umount},
    {"pivot-root", call_pivot_root},
    {"chroot", call_chroot},
    {"setns", call_setns},
    {"ptrace", call_ptrace},
    {"bpf", call_bpf},
    {"perf", call_perf},
    {"keyctl", call_keyctl},
    {"add-key", call_add_key},
    {"io-uring", call_io_uring},
    {"userfaultfd", call_userfaultfd},
    {"open-by-handle", call_open_by_handle},
    {"process-vm", call_process_vm},
    {"personality", call_personality},
    {"tiocsti", call_tiocsti},
    {"setuid", call_setuid},
    {"seccomp", call_seccomp},
    {"kill-init", call_kill_init},
    {"hostname", call_hostname},
    {"settime", call_settime},
    {"module", call_module},
    {"swap", call_swap},
    {"exec", call_exec},
    {"write-extension", call_write_extension},
    {"read-shadow", call_read_shadow},
    {"write-root", call_write_root},
};

bool order_call(const char *name) {
  for (size_t index = 0; index < sizeof calls / sizeof calls[0]; index++) {
    if (strcmp(name, calls[index].name) != 0) continue;
    report("call", name, "%s", outcome(calls[index].make()));
    return true;
  }
  return false;
}
