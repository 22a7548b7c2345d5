// SPDX-License-Identifier: Apache-2.0
//
// Information about the machine that can identify a user or a point in time.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

static long read_file(const char *path) {
  char byte;
  int file = open(path, O_RDONLY);
  return file < 0 ? -1 : read(file, &byte, 1) < 0 ? -1 : 0;
}

/// Whether a number of seconds matches the host's uptime within a minute. A number that a session shows in its first two
/// minutes can match by chance.
static long is_uptime(long seconds, const char *uptime) {
  long difference = seconds - atol(uptime), ahead = seconds - session_clock_start;
  note("%ld s,", seconds);
  if (difference <= -60 || difference >= 60) return found_nothing();
  if (ahead >= -1 && ahead < 120) untried("the uptime is what each session shows; try again in 4 minutes");
  return 0;
}

static long uptime_by_sysinfo(const char *uptime) {
  struct sysinfo info;
  return sysinfo(&info) < 0 ? -1 : is_uptime(info.uptime, uptime);
}

/// Reads the time since boot, including suspend.
static long uptime_by_clock(const char *uptime) {
  struct timespec now;
  return syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &now) < 0 ? -1 : is_uptime(now.tv_sec, uptime);
}

static long uptime_by_monotonic_clock(const char *uptime) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) < 0 ? -1 : is_uptime(now.tv_sec, uptime);
}

static long uptime_by_raw_clock(const char *uptime) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC_RAW, &now) < 0 ? -1 : is_uptime(now.tv_sec, uptime);
}

/// Reads the start time of this process relative to boot.
static long uptime_by_start(const char *uptime) {
  FILE *file = fopen("/proc/self/stat", "r");
  unsigned long long ticks = 0;
  if (!file) return -1;
  if (fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
             &ticks) != 1) {
    return found_nothing();
  }
  return is_uptime((long)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK)), uptime);
}

/// Reads machine-wide figures: memory, load and processes.
static long machine_by_sysinfo(const char *argument) {
  (void)argument;
  struct sysinfo info;
  if (sysinfo(&info) < 0) return -1;
  note("%lu MiB, %d processes,", (unsigned long)(info.totalram >> 20), info.procs);
  return info.totalram ? 0 : found_nothing();
}

/// Reads the kernel's tick counter, which starts five minutes before its overflow at any rate.
static long uptime_by_ticks(const char *uptime) {
  static const long rates[] = {100, 250, 300, 1000};
  long ticks = syscall(SYS_times, NULL);
  if (ticks < 0 && errno) return -1;
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
    long start = (long)((1ull << 32) / (unsigned long)rates[i]) - 300;
    long difference = ticks / sysconf(_SC_CLK_TCK) - start - atol(uptime);
    if (difference > -60 && difference < 60) return note("%ld ticks", ticks), 0;
  }
  return note("%ld ticks", ticks), found_nothing();
}

/// Reads every top-level file of procfs that describes the machine.
static long figures(const char *argument) {
  (void)argument;
  static const char *const names[] = {
      "buddyinfo",  "cgroups",  "config.gz", "consoles",  "cpuinfo",   "crypto",      "devices",      "diskstats",
      "dma",        "execdomains", "fb",     "filesystems", "interrupts", "iomem",    "ioports",      "key-users",
      "loadavg",    "locks",    "mdstat",    "meminfo",   "misc",      "modules",     "mtrr",         "pagetypeinfo",
      "partitions", "schedstat", "slabinfo", "softirqs",  "stat",      "swaps",       "timer_list",   "version",
      "vmallocinfo", "vmstat",  "zoneinfo",  "pressure/cpu", "sysvipc/shm", "scsi/scsi", "tty/drivers",
      "bus/pci/devices",
  };
  long result = found_nothing();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s", names[i]);
    result = read_file(path);
    if (result >= 0) return note("%s", path), 0;
    if (errno != ENOENT) return note("%s", path), -1;
  }
  return result;
}

#define READ(name, path, layers, words) TRY("read-" name, read_file, path, layers, words)

const struct attempt machine_leak_attempts[] = {
    TRY("sysinfo-uptime", uptime_by_sysinfo, "{uptime}", "seccomp,timeNamespace", "learns the machine's uptime from sysinfo"),
    TRY("sysinfo-machine", machine_by_sysinfo, NULL, "seccomp", "learns the machine's memory and load from sysinfo"),
    TRY("clock-boot", uptime_by_clock, "{uptime}", "timeNamespace", "learns the machine's uptime from CLOCK_BOOTTIME"),
    TRY("clock-monotonic", uptime_by_monotonic_clock, "{uptime}", "timeNamespace",
        "learns the machine's uptime from CLOCK_MONOTONIC"),
    TRY("clock-raw", uptime_by_raw_clock, "{uptime}", "timeNamespace",
        "learns the machine's uptime from CLOCK_MONOTONIC_RAW"),
    TRY("start-time", uptime_by_start, "{uptime}", "timeNamespace",
        "learns the machine's uptime from its own start time"),
    TRY("ticks", uptime_by_ticks, "{uptime}", "seccomp", "learns the machine's uptime from the kernel's ticks"),
    TRY("figures", figures, NULL, "root", "reads any statistics of the machine in proc"),
    READ("uptime", "/proc/uptime", "root", "reads the machine's uptime"),
    READ("load", "/proc/loadavg", "root", "reads the machine's load"),
    READ("memory-figures", "/proc/meminfo", "root", "reads the machine's memory"),
    READ("processor-figures", "/proc/stat", "root", "reads the machine's processor times"),
    READ("disk-figures", "/proc/diskstats", "root,kernel", "reads the machine's disk times"),
    READ("start-number", "/proc/sys/kernel/random/boot_id", "root", "reads the boot ID"),
    READ("kernel-command-line", "/proc/cmdline", "root", "reads the kernel command line"),
    READ("kernel-symbols", "/proc/kallsyms", "root", "reads the kernel's symbols"),
    READ("kernel-version", "/proc/version", "root", "reads the kernel version"),
    READ("kernel-memory", "/proc/kcore", "root,landlock,identity", "reads the kernel's memory"),
    READ("kernel-messages", "/proc/kmsg", "root,identity", "reads the kernel's messages"),
    READ("keys", "/proc/keys", "root", "reads the keys of the host's user"),
    READ("key-users", "/proc/key-users", "root", "reads the number of keys of each user"),
    READ("host-locks", "/proc/locks", "root", "reads which files are locked"),
    READ("machine-number", "/etc/machine-id", "root,landlock,kernel", "reads the machine ID"),
    READ("machine-number-bus", "/var/lib/dbus/machine-id", "root,landlock,kernel",
         "reads the machine ID of D-Bus"),
    READ("host-name", "/etc/hostname", "root,landlock", "reads the host's name"),
    READ("host-name-kernel", "/proc/sys/kernel/hostname", "root", "reads the host's name from the kernel"),
    READ("hosts", "/etc/hosts", "root,landlock", "reads the host's table of host names"),
    READ("resolver", "/etc/resolv.conf", "root,landlock", "reads the host's name servers"),
    READ("file-systems", "/etc/fstab", "root,landlock,kernel", "reads the host's file systems"),
    READ("hardware-serial", "/sys/class/dmi/id/product_uuid", "root,landlock,identity,kernel",
         "reads the serial number of the hardware"),
    READ("hardware-model", "/sys/class/dmi/id/product_name", "root,landlock,kernel", "reads the model of the hardware"),
    READ("network-address", "/sys/class/net/eth0/address", "root,landlock,kernel",
        "reads the hardware address of a network interface"),
    END,
};
