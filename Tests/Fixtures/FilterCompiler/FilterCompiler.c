// SPDX-License-Identifier: Apache-2.0
//
// Compiles rules like container runtimes: with libseccomp and by name. Reads lines from standard input and
// writes the program to standard output:
//   default ACTION                                  the action for other calls, as a number
//   arch TOKEN                                      an additional AUDIT_ARCH_… or libseccomp token
//   badarch ACTION                                  the action for other architectures
//   rule ACTION NAME [ARGUMENT OPERATION A B]…      a rule; names unknown to libseccomp are skipped
// Numbers are decimal. Operations are those of enum scmp_compare. Exits with 17 if libseccomp refuses a rule
// because it contradicts an earlier one.
#include <errno.h>
#include <inttypes.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The exit code for a rule that contradicts an earlier one.
enum { conflict = 17 };

/// Prints an error and exits.
static void fail(const char *subject, int error) {
  fprintf(stderr, "%s: %s\n", subject, strerror(-error));
  exit(1);
}

/// Adds the rule of a line without its first token.
static void add_rule(scmp_filter_ctx context, char *line) {
  char *rest = NULL;
  uint32_t action = (uint32_t)strtoul(strtok_r(line, " ", &rest), NULL, 10);
  const char *name = strtok_r(NULL, " \n", &rest);
  struct scmp_arg_cmp comparisons[6];
  unsigned int count = 0;
  for (char *word; count < 6 && (word = strtok_r(NULL, " \n", &rest)) != NULL; count++) {
    comparisons[count].arg = (unsigned int)strtoul(word, NULL, 10);
    comparisons[count].op = (enum scmp_compare)strtoul(strtok_r(NULL, " \n", &rest), NULL, 10);
    comparisons[count].datum_a = strtoull(strtok_r(NULL, " \n", &rest), NULL, 10);
    comparisons[count].datum_b = strtoull(strtok_r(NULL, " \n", &rest), NULL, 10);
  }
  int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR) return;
  int error = seccomp_rule_add_array(context, action, number, count, comparisons);
  if (error == -EEXIST) {
    fprintf(stderr, "%s: conflict\n", name);
    exit(conflict);
  }
  if (error != 0) fail(name, error);
}

int main(void) {
  scmp_filter_ctx context = NULL;
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, stdin) > 0) {
    uint32_t value = 0;
    int error = 0;
    if (sscanf(line, "default %" SCNu32, &value) == 1) {
      context = seccomp_init(value);
    } else if (sscanf(line, "arch %" SCNu32, &value) == 1) {
      error = seccomp_arch_add(context, value);
      if (error == -EEXIST) error = 0;
    } else if (sscanf(line, "badarch %" SCNu32, &value) == 1) {
      error = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, value);
    } else if (strncmp(line, "rule ", 5) == 0) {
      add_rule(context, line + 5);
    }
    if (error != 0) fail(line, error);
  }
  free(line);
  int error = seccomp_export_bpf(context, 1);
  if (error != 0) fail("seccomp_export_bpf", error);
  seccomp_release(context);
  return 0;
}
