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
    DEVICE("first-disk", "/dev/sda", "opens a disk with a different name"),
    DEVICE("terminal", "/dev/tty", "opens its terminal"),
    DEVICE("console", "/dev/console", "opens the console"),
    DEVICE("terminals", "/dev/ptmx", "makes a terminal"),
    DEVICE("virtual-machines", "/dev/kvm", "makes a virtual machine"),
    DEVICE("user-file-systems", "/dev/fuse", "serves a file system"),
    DEVICE("tunnels", "/dev/net/tun", "makes a network interface"),
    DEVICE("faults", "/dev/userfaultfd", "handles page faults through the device"),
    DEVICE("loop", "/dev/loop-control", "creates a loop device"),
    TRY("device-of-input", reopen_input, "/proc/self/fd/0", "landlock,identity",
        "reopens the terminal of its standard input"),
    DEVICE("watchdog", "/dev/watchdog", "opens the hardware watchdog, which resets the machine"),
    DEVICE("input", "/dev/uinput", "creates an input device, which can type for the user"),
    DEVICE("random-pool", "/dev/hwrng", "opens the random source of the hardware"),
    TRY("list-terminals", list_directory, "/dev/pts", "root", "lists the terminals"),
    TRY("list-system", list_directory, "/sys", "root,landlock", "lists the files of sysfs"),
    TRY("list-groups", list_directory, "/sys/fs/cgroup", "root,landlock", "lists the control groups"),
    TRY("list-settings", list_directory, "/proc/sys", "root", "lists the kernel's settings"),
    CHANGE("group", "/sys/fs/cgroup/cgroup.procs", "root,landlock,identity,kernel", "moves to another control group"),
    CHANGE("release-agent", "/sys/fs/cgroup/release_agent", "root,landlock,identity,kernel",
           "makes the kernel run a program when a control group becomes empty"),
    CHANGE("event-helper", "/sys/kernel/uevent_helper", "root,landlock,identity,kernel",
           "makes the kernel run a program for a device event"),
    CHANGE("core-pattern", "/proc/sys/kernel/core_pattern", "root,landlock,identity",
           "makes the kernel run a program for a core dump"),
    CHANGE("module-loader", "/proc/sys/kernel/modprobe", "root,landlock,identity,kernel",
           "makes the kernel run a program to load a module"),
    CHANGE("formats", "/proc/sys/fs/binfmt_misc/register", "root,landlock,identity,kernel",
           "makes the kernel run a program for a file format"),
    CHANGE("caches", "/proc/sys/vm/drop_caches", "root,landlock,identity", "drops the caches of the kernel"),
    CHANGE("requests", "/proc/sysrq-trigger", "root,landlock,identity", "sends a SysRq command"),
    CHANGE("own-memory", "/proc/self/mem", "root,landlock", "writes to its read-only memory"),
    CHANGE("own-badness", "/proc/self/oom_score_adj", "root,landlock", "makes the OOM killer prefer other processes"),
    CHANGE("own-user-map", "/proc/self/uid_map", "root,landlock", "changes the mapping of its UID"),
    CHANGE("own-group-map", "/proc/self/gid_map", "root,landlock", "changes the mapping of its GID"),
    CHANGE("own-groups", "/proc/self/setgroups", "root,landlock,userNamespace",
        "permits setgroups(2) in its user namespace"),
    CHANGE("own-login", "/proc/self/loginuid", "root,landlock,kernel", "changes its login UID"),
    CHANGE("own-label", "/proc/self/attr/current", "root,landlock,kernel", "changes its security label"),
    CHANGE("own-references", "/proc/self/clear_refs", "root,landlock", "resets the referenced bits of its memory"),
    CHANGE("init-badness", "/proc/1/oom_score_adj", "root,landlock,identity",
        "makes the OOM killer prefer the session's init"),
    CHANGE("init-memory", "/proc/1/mem", "root,landlock,userNamespace", "writes to the session init's memory"),
    END,
};
