// SPDX-License-Identifier: Apache-2.0
//
// Kernel and system administration. The arguments are chosen so that a permitted call does no harm.
#include "probe.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>

/// A path that does not exist.
/// The number of lookup_dcookie(2), which newer headers omit.
#if defined(__x86_64__)
#define LOOKUP_DCOOKIE 212
#else
#define LOOKUP_DCOOKIE 18
#endif

static const char nowhere[] = "/darkroom-probe-nowhere";
static char room[4096];
static struct timespec impossible_time = {0, -1};
static struct timeval impossible_moment = {0, -1};
static struct timex reading;
static struct perf_event_attr software = {.type = PERF_TYPE_SOFTWARE, .size = sizeof software, .exclude_kernel = 1};
/// The kernel's `struct bpf_attr` for an array of one element.
static unsigned map_attributes[32] = {2, 4, 4, 1};

/// Typed input would be read by the next process that uses the terminal.
static long type_into_terminal(const char *argument) {
  (void)argument;
  if (ioctl(0, TIOCSCTTY, 0) < 0) return -1;
  return ioctl(0, TIOCSTI, "x");
}

const struct attempt kernel_attempts[] = {
    CALL("keyctl", "seccomp", "reads the ID of the session keyring", SYS_keyctl, KEYCTL_GET_KEYRING_ID,
         KEY_SPEC_SESSION_KEYRING, 0),
    CALL("add_key", "seccomp", "adds a key", SYS_add_key, P("user"), P("darkroom-probe"), P("x"), 1,
         KEY_SPEC_PROCESS_KEYRING),
    CALL("request_key", "seccomp,kernel", "asks for a key", SYS_request_key, P("user"), P("darkroom-probe"), 0, 0),
    CALL("bpf", "seccomp,capabilities", "creates a BPF map", SYS_bpf, 0, P(map_attributes),
         sizeof map_attributes),
    CALL("perf_event_open", "seccomp", "counts events of the kernel", SYS_perf_event_open, P(&software), 0, -1, -1, 0),
    CALL("userfaultfd", "seccomp", "handles its own page faults", SYS_userfaultfd, O_CLOEXEC | 1),
    CALL("init_module", "seccomp,capabilities", "loads a module", SYS_init_module, P(room), 0, P("")),
    CALL("finit_module", "seccomp,capabilities", "loads a module from a file", SYS_finit_module, -1, P(""), 0),
    CALL("delete_module", "seccomp,capabilities", "removes a module", SYS_delete_module, P(nowhere), O_NONBLOCK),
    CALL("kexec_load", "seccomp,capabilities", "loads another kernel", SYS_kexec_load, 0, 99, 0, -1),
    CALL("kexec_file_load", "seccomp,capabilities", "loads another kernel from a file", SYS_kexec_file_load, -1, -1, 0,
         0, -1),
    CALL("reboot", "seccomp,capabilities", "reboots the machine", SYS_reboot, 0, 0, 0),
    CALL("swapon", "seccomp,capabilities", "adds swap space", SYS_swapon, P(nowhere), 0),
    CALL("swapoff", "seccomp,capabilities", "removes swap space", SYS_swapoff, P(nowhere)),
    CALL("clock_settime", "seccomp,capabilities", "sets the clock", SYS_clock_settime, 0, P(&impossible_time)),
    CALL("settimeofday", "seccomp,capabilities", "sets the clock with settimeofday(2)", SYS_settimeofday,
         P(&impossible_moment), 0),
    CALL("adjtimex", "seccomp", "reads the clock adjustment", SYS_adjtimex, P(&reading)),
    CALL("clock_adjtime", "seccomp", "reads how a clock is disciplined", SYS_clock_adjtime, 0, P(&reading)),
    CALL("sethostname", "seccomp,capabilities", "sets the host name", SYS_sethostname, P("probed"), 6),
    CALL("setdomainname", "seccomp,capabilities", "sets the domain name", SYS_setdomainname, P("probed"), 6),
    CALL("quotactl", "seccomp,capabilities", "reads disk quotas", SYS_quotactl, 0, 0, 0, 0),
    CALL("quotactl_fd", "seccomp,capabilities", "asks for quotas by a descriptor", 443, 0, 0, 0, 0),
    CALL("syslog", "seccomp,capabilities", "reads the size of the kernel log", SYS_syslog, 10, 0, 0),
    CALL("acct", "seccomp,capabilities", "enables process accounting", SYS_acct, P(nowhere)),
    CALL("vhangup", "seccomp,capabilities", "hangs up the terminal", SYS_vhangup, 0),
    CALL("fanotify_init", "seccomp,capabilities", "watches file systems", SYS_fanotify_init, 0x200, O_RDONLY),
#if defined(__x86_64__)
    CALL("uprobe", "kernel", "makes the system call of the kernel's uprobe trampoline", 336, 0),
#endif
    CALL("lookup_dcookie", "seccomp,kernel", "looks up a path by a directory cookie", LOOKUP_DCOOKIE, 0, 0, 0),
    CALL("keyctl-read", "seccomp,kernel", "reads a key", SYS_keyctl, KEYCTL_READ, KEY_SPEC_USER_KEYRING, P(room), 16),
    CALL("keyctl-join", "seccomp", "joins a keyring by its name", SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING,
         P("darkroom-probe")),
    CALL("keyctl-persistent", "seccomp,kernel", "opens the persistent keyring of the user", SYS_keyctl,
         22 /* KEYCTL_GET_PERSISTENT */, -1, KEY_SPEC_PROCESS_KEYRING),
    CALL("syslog-read", "seccomp,capabilities", "reads the kernel's messages", SYS_syslog, 3, P(room), sizeof room),
    CALL("userfaultfd-kernel", "seccomp,capabilities", "handles page faults of the kernel", SYS_userfaultfd,
         O_CLOEXEC),
    CALL("perf_event_open-kernel", "seccomp,capabilities", "counts events of everybody", SYS_perf_event_open,
         P(&software), -1, 0, -1, 0),
    CALL("bpf-program", "seccomp,kernel", "loads a BPF program", SYS_bpf, 5, P(map_attributes),
         sizeof map_attributes),
    CALL("fanotify_mark", "seccomp,kernel", "watches a file system", SYS_fanotify_mark, 0, 0, 0, 0, 0),
    CALL("clock_settime-boot", "seccomp,kernel", "sets the clock of the machine's start", SYS_clock_settime, 7,
         P(&impossible_time)),
    CALL("memfd_secret", "seccomp,kernel", "makes memory that the kernel cannot see", 447, 0),
    CALL("lsm_set_self_attr", "seccomp,kernel", "changes an attribute of a security module", 460, 100, P(room), 32, 0),
    CALL("personality-no-randomization", "seccomp", "disables address space randomization", SYS_personality,
         ADDR_NO_RANDOMIZE),
    CALL("personality-read-implies-execute", "seccomp", "makes all readable memory executable", SYS_personality,
         READ_IMPLIES_EXEC),
    CALL("ioctl-TIOCSTI", "seccomp,kernel", "types into a terminal", SYS_ioctl, 0, TIOCSTI, P("x")),
    CALL("ioctl-TIOCLINUX", "seccomp,kernel", "pastes into a console", SYS_ioctl, 0, TIOCLINUX, P("\2")),
    CALL("ioctl-TIOCSCTTY", "seccomp", "makes a terminal its own", SYS_ioctl, 0, TIOCSCTTY, 0),
    CALL("ioctl-TIOCSETD", "seccomp", "sets a terminal's line discipline", SYS_ioctl, 0, TIOCSETD, P(room)),
    CALL("ioctl-TIOCCONS", "seccomp,capabilities", "takes over what the console says", SYS_ioctl, 0, TIOCCONS),
    CALL("ioctl-FIFREEZE", "seccomp,capabilities", "freezes a file system", SYS_ioctl, 0, 0xC0045877, 0),
    CALL("ioctl-FS_IOC_SETFLAGS", "seccomp,kernel", "sets flags of a file", SYS_ioctl, 0, 0x40086602, P(room)),
    CALL("ioctl-FIBMAP", "seccomp,kernel", "asks where on the disk a file lies", SYS_ioctl, 0, 1, P(room)),
    CALL("ioctl-FIDEDUPERANGE", "seccomp,kernel", "compares files by having them merged", SYS_ioctl, 0, 0xC0189436,
         P(room)),
    CALL("ioctl-TIOCGPTPEER", "seccomp,kernel", "opens the other end of a terminal", SYS_ioctl, 0, 0x5441, 2),
    TRY("type-into-terminal", type_into_terminal, NULL, "seccomp,kernel", "acquires its terminal and inserts input"),
    CALL("ioctl-unknown", "seccomp,kernel",
         "sends an ioctl(2) request that no policy lists", SYS_ioctl, 0, 0x12345678, P(room)),
#if defined(__x86_64__)
    CALL("iopl", "seccomp,capabilities", "requests access to all I/O ports", SYS_iopl, 3),
    CALL("ioperm", "seccomp,capabilities", "requests access to one I/O port", SYS_ioperm, 0x80, 1, 1),
    CALL("modify_ldt", "seccomp", "reads its table of segments", SYS_modify_ldt, 0, P(room), sizeof room),
#endif
    END,
};
