// SPDX-License-Identifier: Apache-2.0
//
// Devices and kernel configuration files. Files are opened but never written.
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>

static long open_reading(const char *path) { return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY); }
static long open_writing(const char *path) { return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY); }

static long list_directory(const char *path) {
  DIR *directory = opendir(path);
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] != '.') return note("%s", entry->d_name), 0;
  }
  return found_nothing();
}

/// Opens standard input again with more access rights.
static long reopen_input(const char *path) { return open(path, O_RDWR | O_NONBLOCK | O_NOCTTY); }

#define DEVICE(name, path, words) TRY("device-" name, open_reading, path, "root,landlock,identity,kernel", words)
#define CHANGE(name, path, layers, words) TRY("change-" name, open_writing, path, layers, words)

const struct attempt machine_attempts[] = {
    DEVICE("memory", "/dev/mem", "opens the machine's memory"),
    DEVICE("ports", "/dev/port", "opens the ports of the hardware"),
    DEVICE("messages", "/dev/kmsg", "opens the kernel's messages"),
    DEVICE("disk", "/dev/vda", "opens a disk"),
    DEVICE("first-disk", "/dev/sda", "opens a disk by its other name"),
    DEVICE("terminal", "/dev/tty", "opens its terminal"),
    DEVICE("console", "/dev/console", "opens the console"),
    DEVICE("terminals", "/dev/ptmx", "makes a terminal"),
    DEVICE("virtual-machines", "/dev/kvm", "makes a virtual machine"),
    DEVICE("user-file-systems", "/dev/fuse", "serves a file system"),
    DEVICE("tunnels", "/dev/net/tun", "makes a network interface"),
    DEVICE("faults", "/dev/userfaultfd", "handles faults by the device"),
    DEVICE("loop", "/dev/loop-control", "makes a disk of a file"),
    TRY("device-of-input", reopen_input, "/proc/self/fd/0", "landlock,identity",
        "opens the terminal of its input again"),
    DEVICE("watchdog", "/dev/watchdog", "has the machine reset itself"),
    DEVICE("input", "/dev/uinput", "types for the user"),
    DEVICE("random-pool", "/dev/hwrng", "opens the random source of the hardware"),
    TRY("list-terminals", list_directory, "/dev/pts", "root", "lists the terminals"),
    TRY("list-system", list_directory, "/sys", "root,landlock", "lists what sysfs shows"),
    TRY("list-groups", list_directory, "/sys/fs/cgroup", "root,landlock", "lists the control groups"),
    TRY("list-settings", list_directory, "/proc/sys", "root", "lists the kernel's settings"),
    CHANGE("group", "/sys/fs/cgroup/cgroup.procs", "root,landlock,identity,kernel", "moves to another control group"),
    CHANGE("release-agent", "/sys/fs/cgroup/release_agent", "root,landlock,identity,kernel",
           "has the kernel run a program when a group ends"),
    CHANGE("event-helper", "/sys/kernel/uevent_helper", "root,landlock,identity,kernel",
           "has the kernel run a program at an event"),
    CHANGE("core-pattern", "/proc/sys/kernel/core_pattern", "root,landlock,identity",
           "has the kernel run a program at a crash"),
    CHANGE("module-loader", "/proc/sys/kernel/modprobe", "root,landlock,identity,kernel",
           "has the kernel run a program for a module"),
    CHANGE("formats", "/proc/sys/fs/binfmt_misc/register", "root,landlock,identity,kernel",
           "has the kernel run a program for a kind of file"),
    CHANGE("caches", "/proc/sys/vm/drop_caches", "root,landlock,identity", "empties the machine's caches"),
    CHANGE("requests", "/proc/sysrq-trigger", "root,landlock,identity", "asks the kernel for anything"),
    CHANGE("own-memory", "/proc/self/mem", "root,landlock", "writes to its memory past its protection"),
    CHANGE("own-badness", "/proc/self/oom_score_adj", "root,landlock", "has others killed when memory ends"),
    CHANGE("own-user-map", "/proc/self/uid_map", "root,landlock", "changes who it is outside"),
    CHANGE("own-group-map", "/proc/self/gid_map", "root,landlock", "changes its group outside"),
    CHANGE("own-groups", "/proc/self/setgroups", "root,landlock,userNamespace", "allows itself other groups"),
    CHANGE("own-login", "/proc/self/loginuid", "root,landlock,kernel", "changes in whose name it is logged"),
    CHANGE("own-label", "/proc/self/attr/current", "root,landlock,kernel", "changes its label"),
    CHANGE("own-references", "/proc/self/clear_refs", "root,landlock", "watches what memory is used"),
    CHANGE("init-badness", "/proc/1/oom_score_adj", "root,landlock,identity", "has the first process killed"),
    CHANGE("init-memory", "/proc/1/mem", "root,landlock,userNamespace", "writes to the first process's memory"),
    END,
};
