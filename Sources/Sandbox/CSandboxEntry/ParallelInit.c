// SPDX-License-Identifier: Apache-2.0
//
// The init of a session whose network namespace exists already.
//
// Then building the root is the longest step, and the other processor is free. The extension's process is
// therefore created first. While the init builds the root, the process changes to the extension's user in a
// new user namespace. It also leaves the host's terminal and descriptors, and installs the reporting filter.
// It performs the other steps in the complete root. If no processor is free, the process is created last, as
// in other launches.
//
// The init never enters the user namespace of the extension's process, as in a session that has waited. It
// changes to the same user, without privileges in any namespace.

#include "Child.h"

#include <errno.h>

int darkroom_parallel_init_main(void *argument) {
  struct darkroom_child own = *(struct darkroom_child *)argument;
  struct darkroom_child *child = &own;
  struct darkroom_plan *plan = child->plan;
  darkroom_leave_maker(child);
  darkroom_must(child, darkroom_step_network, darkroom_make_network(child), 0);
  darkroom_name_host(child);

  // The new process copies its argument when it starts, and this process modifies its own copy from here on.
  struct darkroom_child given = own;
  const int32_t extension = darkroom_clone_extension(&given, darkroom_parallel_extension_main);
  if (extension != DARKROOM_EXTENSION) darkroom_fail(child, darkroom_step_clone_extension, EEXIST, 1);
  child->gate = given.gate;
  child->children = given.children;
  // The extension's process changes its identity meanwhile. The privileges that this process has now cannot
  // reach a program that it executes.
  darkroom_drop_bounding_set(child);

  const int root = darkroom_build_root(child);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);
  darkroom_set_futex(&child->ahead->has_root);
  darkroom_join_network(child, root);
  darkroom_set_futex(&child->ahead->has_own_mounts);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);
  darkroom_change_parallel_init_identity(child, child->proc);
  darkroom_execute_init(child, extension);
}
