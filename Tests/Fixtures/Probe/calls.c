// SPDX-License-Identifier: Apache-2.0
//
// Calls that need no more than their arguments. These are chosen so that a call does no harm where it is allowed.
#include "probe.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/mount.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mount.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/// A path that leads nowhere.
static const char nowhere[] = "/darkroom-probe-nowhere";
static char room[4096];
static struct iovec part = {room, 1};
static struct timespec impossible_time = {0, -1};
static struct timeval impossible_moment = {0, -1};
static struct timex reading;
static struct perf_event_attr software = {.type = PERF_TYPE_SOFTWARE, .size = sizeof software, .exclude_kernel = 1};
static struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
static struct sock_fprog program = {1, allow_all};
static struct __user_cap_header_struct capability_head = {_LINUX_CAPABILITY_VERSION_3, 0};
static struct __user_cap_data_struct every_capability[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}};
static struct clone_args user_clone = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
static struct {
  unsigned bytes;
  int type;
  char handle[128];
} handle = {.bytes = 8, .type = 1}, long_handle = {.bytes = 128};
/// The kernel's `struct mnt_id_req`, for the mount at the top.
static struct {
  uint32_t size, spare;
  uint64_t mount, parameter;
} mount_request = {24, 0, ~0ull /* LSMT_ROOT */, 0};
/// The kernel's `struct bpf_attr` for an array of one element.
static uint32_t map_attributes[32] = {2, 4, 4, 1};
static struct sched_param real_time = {1};

#define P(pointer) (long)(pointer)
#define HIGH (1L << 32)

/// One call.
static const struct raw {
  const char *name;
  long number, arguments[6];
} calls[] = {
    {"ptrace-traceme", SYS_ptrace, {PTRACE_TRACEME}},
    {"ptrace-attach-init", SYS_ptrace, {PTRACE_ATTACH, 1}},
    {"ptrace-seize-init", SYS_ptrace, {0x4206, 1}},
    {"process_vm_readv", SYS_process_vm_readv, {1, P(&part), 1, P(&part), 1}},
    {"process_vm_writev", SYS_process_vm_writev, {1, P(&part), 1, P(&part), 1}},
    {"process_madvise", SYS_process_madvise, {0, P(&part), 1, MADV_COLD}},
    {"pidfd_getfd", 438, {0, 0, 0}},
    {"kcmp", SYS_kcmp, {1, 2, 0, 0, 0}},
    {"kill-init", SYS_kill, {1, 0}},
    {"stop-init", SYS_kill, {1, SIGSTOP}},
    {"unshare-mount", SYS_unshare, {CLONE_NEWNS}},
    {"unshare-cgroup", SYS_unshare, {CLONE_NEWCGROUP}},
    {"unshare-uts", SYS_unshare, {CLONE_NEWUTS}},
    {"unshare-ipc", SYS_unshare, {CLONE_NEWIPC}},
    {"unshare-user", SYS_unshare, {CLONE_NEWUSER}},
    {"unshare-pid", SYS_unshare, {CLONE_NEWPID}},
    {"unshare-network", SYS_unshare, {CLONE_NEWNET}},
    {"unshare-time", SYS_unshare, {CLONE_NEWTIME}},
    {"unshare-files", SYS_unshare, {CLONE_FILES}},
    {"clone3-user", SYS_clone3, {P(&user_clone), sizeof user_clone}},
    {"setns", SYS_setns, {0, CLONE_NEWNET}},
    {"mount", SYS_mount, {P("none"), P(nowhere), P("tmpfs")}},
    {"remount", SYS_mount, {P(""), P("/"), P(""), MS_REMOUNT | MS_BIND}},
    {"umount2", SYS_umount2, {P("/session"), MNT_DETACH}},
    {"pivot_root", SYS_pivot_root, {P("."), P(".")}},
    {"chroot", SYS_chroot, {P("/")}},
    {"fsopen", SYS_fsopen, {P("tmpfs"), 0}},
    {"fsconfig", SYS_fsconfig, {0, 6}},
    {"fsmount", SYS_fsmount, {0, 0, 0}},
    {"fspick", SYS_fspick, {AT_FDCWD, P("/"), 0}},
    {"open_tree", SYS_open_tree, {AT_FDCWD, P("/"), 0}},
    {"open_tree-clone", SYS_open_tree, {AT_FDCWD, P("/"), 1}},
    {"move_mount", SYS_move_mount, {AT_FDCWD, P("/usr"), AT_FDCWD, P("/session"), 0}},
    {"mount_setattr", SYS_mount_setattr, {AT_FDCWD, P("/"), 0, P(room), 32}},
    {"statmount", 457, {P(&mount_request), P(room), sizeof room, 0}},
    {"listmount", 458, {P(&mount_request), P(room), 8, 0}},
    {"open_tree_attr", 467, {AT_FDCWD, P("/"), 1, P(room), 32}},
    {"open_by_handle_at", SYS_open_by_handle_at, {AT_FDCWD, P(&handle), O_RDONLY}},
    {"name_to_handle_at", SYS_name_to_handle_at, {AT_FDCWD, P("/"), P(&long_handle), P(room), 0}},
    {"keyctl", SYS_keyctl, {KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0}},
    {"add_key", SYS_add_key, {P("user"), P("darkroom-probe"), P("x"), 1, KEY_SPEC_PROCESS_KEYRING}},
    {"request_key", SYS_request_key, {P("user"), P("darkroom-probe"), 0, 0}},
    {"bpf", SYS_bpf, {0, P(map_attributes), sizeof map_attributes}},
    {"perf_event_open", SYS_perf_event_open, {P(&software), 0, -1, -1, 0}},
    {"userfaultfd", SYS_userfaultfd, {O_CLOEXEC | 1}},
    {"io_uring_setup", SYS_io_uring_setup, {1, P(room)}},
    {"io_uring_enter", SYS_io_uring_enter, {0, 0, 0, 0}},
    {"io_uring_register", SYS_io_uring_register, {0, 0, 0, 0}},
    {"init_module", SYS_init_module, {P(room), 0, P("")}},
    {"finit_module", SYS_finit_module, {-1, P(""), 0}},
    {"delete_module", SYS_delete_module, {P(nowhere), O_NONBLOCK}},
    {"kexec_load", SYS_kexec_load, {0, 99, 0, -1}},
    {"kexec_file_load", SYS_kexec_file_load, {-1, -1, 0, 0, -1}},
    {"reboot", SYS_reboot, {0, 0, 0}},
    {"swapon", SYS_swapon, {P(nowhere), 0}},
    {"swapoff", SYS_swapoff, {P(nowhere)}},
    {"clock_settime", SYS_clock_settime, {0, P(&impossible_time)}},
    {"settimeofday", SYS_settimeofday, {P(&impossible_moment), 0}},
    {"adjtimex", SYS_adjtimex, {P(&reading)}},
    {"clock_adjtime", SYS_clock_adjtime, {0, P(&reading)}},
    {"sethostname", SYS_sethostname, {P("probed"), 6}},
    {"setdomainname", SYS_setdomainname, {P("probed"), 6}},
    {"quotactl", SYS_quotactl, {0, 0, 0, 0}},
    {"quotactl_fd", 443, {0, 0, 0, 0}},
    {"syslog", SYS_syslog, {10, 0, 0}},
    {"acct", SYS_acct, {P(nowhere)}},
    {"vhangup", SYS_vhangup, {0}},
    {"fanotify_init", SYS_fanotify_init, {0x200, O_RDONLY}},
    {"memfd_secret", 447, {0}},
    {"lsm_set_self_attr", 460, {100, P(room), 32, 0}},
    {"personality-no-randomization", SYS_personality, {ADDR_NO_RANDOMIZE}},
    {"personality-read-implies-execute", SYS_personality, {READ_IMPLIES_EXEC}},
    {"seccomp-filter-listener",
     SYS_seccomp,
     {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, P(&program)}},
    {"ioctl-TIOCSTI", SYS_ioctl, {0, TIOCSTI, P("x")}},
    {"ioctl-TIOCSTI-high", SYS_ioctl, {0, TIOCSTI | HIGH, P("x")}},
    {"ioctl-TIOCLINUX", SYS_ioctl, {0, TIOCLINUX, P("\2")}},
    {"ioctl-TIOCLINUX-high", SYS_ioctl, {0, TIOCLINUX | HIGH, P("\2")}},
    {"ioctl-TIOCSCTTY", SYS_ioctl, {0, TIOCSCTTY, 0}},
    {"ioctl-TIOCSETD", SYS_ioctl, {0, TIOCSETD, P(room)}},
    {"ioctl-unknown", SYS_ioctl, {0, 0x12345678, P(room)}},
    {"setuid-root", SYS_setuid, {0}},
    {"setresuid-root", SYS_setresuid, {0, 0, 0}},
    {"setgid-root", SYS_setgid, {0}},
    {"setfsuid", SYS_setfsuid, {0}},
    {"setgroups", SYS_setgroups, {0, 0}},
    {"capset", SYS_capset, {P(&capability_head), P(every_capability)}},
    {"prctl-bounding-set", SYS_prctl, {PR_CAPBSET_DROP, CAP_SYS_ADMIN}},
    {"prctl-ambient", SYS_prctl, {PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN}},
    {"prctl-keep-capabilities", SYS_prctl, {PR_SET_KEEPCAPS, 1}},
    {"prctl-securebits", SYS_prctl, {PR_SET_SECUREBITS, 0}},
    {"prctl-memory-map", SYS_prctl, {PR_SET_MM, PR_SET_MM_BRK, 0}},
    {"prctl-tracer", SYS_prctl, {0x59616d61, 1}},
    {"prctl-seccomp", SYS_prctl, {PR_SET_SECCOMP, SECCOMP_MODE_FILTER, P(&program)}},
    {"shmget", SYS_shmget, {0x64726b72, 4096, 01600}},
    {"semget", SYS_semget, {0x64726b72, 1, 01600}},
    {"msgget", SYS_msgget, {0x64726b72, 01600}},
    {"mq_open", SYS_mq_open, {P("darkroom-probe"), O_CREAT | O_RDWR, 0600, 0}},
    {"sendmsg", SYS_sendmsg, {1, P(room), 0}},
    {"recvmsg", SYS_recvmsg, {0, P(room), 0}},
    {"real-time", SYS_sched_setscheduler, {0, SCHED_FIFO, P(&real_time)}},
    {"nice-below-zero", SYS_setpriority, {0, 0, -5}},
    {"mlockall", SYS_mlockall, {MCL_CURRENT | MCL_FUTURE}},
    {"ioprio_set", SYS_ioprio_set, {1, 0, 1 << 13 | 4}},
    {"call-minus-one", -1, {0}},
    {"call-9999", 9999, {0}},
#if defined(__x86_64__)
    {"mknod-character", SYS_mknod, {P("/container/null"), S_IFCHR | 0600, 0x103}},
    {"mknod-block", SYS_mknod, {P("/container/disk"), S_IFBLK | 0600, 0x800}},
    {"iopl", SYS_iopl, {3}},
    {"ioperm", SYS_ioperm, {0x80, 1, 1}},
    {"modify_ldt", SYS_modify_ldt, {0, P(room), sizeof room}},
    {"x32-getpid", 0x40000000 | SYS_getpid, {0}},
    {"x32-socket", 0x40000000 | SYS_socket, {1, 1, 0}},
#endif
};

int raw_call(const char *name, long *result) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    if (strcmp(calls[i].name, name) != 0) continue;
    const long *a = calls[i].arguments;
    *result = syscall(calls[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);
    // clone3 returns twice.
    if (*result == 0 && calls[i].number == SYS_clone3) _exit(SUCCEEDED);
    return 1;
  }
  return 0;
}

/// clone with one more flag; the child ends at once.
static long clone_with(unsigned long flag) {
  long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}

static long clone_user(const char *argument) { return (void)argument, clone_with(CLONE_NEWUSER); }
static long clone_pid(const char *argument) { return (void)argument, clone_with(CLONE_NEWPID); }
static long clone_network(const char *argument) { return (void)argument, clone_with(CLONE_NEWNET); }
static long clone_mount(const char *argument) { return (void)argument, clone_with(CLONE_NEWNS); }

#if defined(__x86_64__)
/// A call by the i386 convention, whose numbers mean other calls.
static long i386_call(int number, int first) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(0), "d"(0) : "memory", "r8", "r9", "r10", "r11");
  return result;
}
static long i386_getpid(const char *argument) { return (void)argument, i386_call(20, 0); }
static long i386_socketcall(const char *argument) { return (void)argument, i386_call(102, 1); }
#endif

/// Signals a process of the host.
static long kill_process(const char *process) {
  long number = 0;
  for (; *process; process++) number = number * 10 + (*process - '0');
  return kill((pid_t)number, 0);
}

const struct attempt call_attempts[] = {
    {"clone-user", clone_user},       {"clone-pid", clone_pid},     {"clone-network", clone_network},
    {"clone-mount", clone_mount},     {"kill-process", kill_process},
#if defined(__x86_64__)
    {"i386-getpid", i386_getpid},     {"i386-socketcall", i386_socketcall},
#endif
    {NULL, NULL},
};
