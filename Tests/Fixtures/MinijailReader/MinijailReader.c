// SPDX-License-Identifier: Apache-2.0
//
// Prints the filter program that libminijail compiles from a policy, in the format of
// SECCOMP_SET_MODE_FILTER:
//   darkroom-minijail-reader LIBRARY POLICY
// libminijail can only install its programs. This program therefore overrides prctl(2) and syscall(2) of the
// C library and writes the program instead of installing it. Exits with 65 if the library rejects the policy.
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The exit code for a policy that the library rejects.
enum { refused = 65 };

/// Writes a filter program to standard output and exits.
static _Noreturn void finish(const struct sock_fprog *program) {
  const char *bytes = (const char *)program->filter;
  size_t remaining = program->len * sizeof *program->filter;
  while (remaining > 0) {
    ssize_t count = write(STDOUT_FILENO, bytes, remaining);
    if (count < 0) _exit(1);
    bytes += count;
    remaining -= (size_t)count;
  }
  _exit(0);
}

// This function is provided because libminijail installs a program with prctl(2) on kernels without
// seccomp(2).
int prctl(int option, ...) {
  va_list arguments;
  va_start(arguments, option);
  unsigned long mode = va_arg(arguments, unsigned long);
  void *program = va_arg(arguments, void *);
  va_end(arguments);
  if (option == PR_SET_SECCOMP && mode == SECCOMP_MODE_FILTER && program != NULL) finish(program);
  // The settings of the library must not affect this process.
  return 0;
}

// This function is provided because libminijail installs a program with seccomp(2) through syscall(2).
long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  unsigned long operation = va_arg(arguments, unsigned long);
  (void)va_arg(arguments, unsigned long);
  void *program = va_arg(arguments, void *);
  va_end(arguments);
  if (number == SYS_seccomp && operation == SECCOMP_SET_MODE_FILTER && program != NULL) finish(program);
  // The library queries kernel features before it compiles.
  if (number == SYS_seccomp) return 0;
  errno = ENOSYS;
  return -1;
}

int main(int count, char **argv) {
  if (count != 3) {
    fprintf(stderr, "usage: %s LIBRARY POLICY\n", argv[0]);
    return 64;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 69;
  }
  struct minijail;
  struct minijail *(*make)(void) = (struct minijail * (*)(void)) dlsym(library, "minijail_new");
  void (*use)(struct minijail *) = (void (*)(struct minijail *))dlsym(library, "minijail_use_seccomp_filter");
  int (*parse)(struct minijail *, const char *) =
      (int (*)(struct minijail *, const char *))dlsym(library, "minijail_parse_seccomp_filters");
  void (*privileges)(struct minijail *) = (void (*)(struct minijail *))dlsym(library, "minijail_no_new_privs");
  void (*enter)(const struct minijail *) = (void (*)(const struct minijail *))dlsym(library, "minijail_enter");
  if (!make || !use || !parse || !privileges || !enter) {
    fprintf(stderr, "%s is not libminijail\n", argv[1]);
    return 69;
  }
  struct minijail *jail = make();
  privileges(jail);
  use(jail);
  parse(jail, argv[2]);
  enter(jail);
  fprintf(stderr, "%s loaded no program\n", argv[1]);
  return refused;
}
