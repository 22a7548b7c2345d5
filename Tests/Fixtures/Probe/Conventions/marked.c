// SPDX-License-Identifier: Apache-2.0
//
// Calls with the sixth argument of the launcher's own calls (`DARKROOM_LAUNCHERS_MARK`). A filter allows
// marked calls until the program starts. The mark is not a secret.
#include "probe.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The bytes of "darkroom" in memory.
#define MARK 0x6D6F6F726B726164L

static struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
static struct sock_fprog program = {1, allow_all};

/// Creates a set-user-ID file.
static long open_mode(const char *argument) {
  (void)argument;
  return syscall(SYS_openat, AT_FDCWD, "marked", O_CREAT | O_WRONLY, 04755, 0, MARK);
}

const struct attempt marked_attempts[] = {
    CALL("marked-unshare", "seccomp",
         "stops sharing its working directory, with the launcher's mark", SYS_unshare, CLONE_FS,
         0, 0, 0, 0, MARK),
    CALL("marked-prctl", "seccomp", "adds a filter by prctl, with the launcher's mark", SYS_prctl, PR_SET_SECCOMP,
         SECCOMP_MODE_FILTER, P(&program), 0, 0, MARK),
    CALL("marked-seccomp", "seccomp",
         "adds a filter, with the launcher's mark", SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0,
         P(&program), 0, 0, MARK),
    CALL("marked-socket", "seccomp", "creates a netlink socket, with the launcher's mark", SYS_socket, AF_NETLINK,
         SOCK_RAW, NETLINK_ROUTE, 0, 0, MARK),
    TRY("marked-open", open_mode, NULL, "seccomp", "creates a set-user-ID file, with the launcher's mark"),
    END,
};
