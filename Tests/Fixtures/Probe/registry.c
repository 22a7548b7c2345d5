// SPDX-License-Identifier: Apache-2.0
#include "registry.h"

#include <stdio.h>
#include <string.h>

extern const struct attempt convention_attempts[], high_bit_attempts[], marked_attempts[], equivalent_attempts[],
    filter_attempts[],
    family_attempts[], socket_attempts[], inherited_socket_attempts[], reading_attempts[], machine_attempts[],
    writing_attempts[], making_attempts[], executing_attempts[], descriptor_attempts[], lock_attempts[],
    mount_attempts[], process_attempts[], signal_attempts[], scheduling_attempts[], namespace_attempts[],
    privilege_attempts[], ipc_attempts[], kernel_attempts[], handle_attempts[], leak_attempts[],
    machine_leak_attempts[], resource_attempts[], state_attempts[], status_attempts[], ending_attempts[],
    shared_attempts[], leftover_attempts[];

const struct battery batteries[] = {
    {"conventions", convention_attempts},
    {"conventions", high_bit_attempts},
    {"conventions", marked_attempts},
    {"conventions", equivalent_attempts},
    {"conventions", filter_attempts},
    {"network", family_attempts},
    {"network", socket_attempts},
    {"network", inherited_socket_attempts},
    {"files", reading_attempts},
    {"files", machine_attempts},
    {"files", writing_attempts},
    {"files", making_attempts},
    {"files", executing_attempts},
    {"files", descriptor_attempts},
    {"files", lock_attempts},
    {"files", mount_attempts},
    {"processes", process_attempts},
    {"processes", signal_attempts},
    {"processes", scheduling_attempts},
    {"processes", namespace_attempts},
    {"processes", privilege_attempts},
    {"processes", ipc_attempts},
    {"kernel", kernel_attempts},
    {"kernel", handle_attempts},
    {"leaks", leak_attempts},
    {"leaks", machine_leak_attempts},
    {"resources", resource_attempts},
    {"state", state_attempts},
    {"state", status_attempts},
    {NULL, ending_attempts},
    {NULL, shared_attempts},
    {NULL, leftover_attempts},
    {NULL, NULL},
};

const struct attempt *attempt_named(const char *name) {
  for (const struct battery *battery = batteries; battery->attempts; battery++) {
    for (const struct attempt *one = battery->attempts; one->name; one++) {
      if (strcmp(one->name, name) == 0) return one;
    }
  }
  return NULL;
}

void print_attempts(void) {
  for (const struct battery *battery = batteries; battery->attempts; battery++) {
    for (const struct attempt *one = battery->attempts; one->name; one++) {
      if (!one->summary) continue;
      printf("%s\t%s\t%s\t%s\t%s\n", one->name, battery->class, one->argument ? one->argument : "", one->summary,
             one->layers);
    }
  }
}
