// SPDX-License-Identifier: Apache-2.0
//
// The init of a session whose network is there already.
//
// Then nothing takes longer than to build the root, and the other processor is free meanwhile. So the extension's process is
// made first: while the init builds the root, it becomes the extension's user in a user namespace of its own, leaves the
// host's terminal and descriptors, and installs the filter that reports. In the complete root it goes on like that of any
// launch. Where no processor is free it is made last, as it is elsewhere. The init never enters its user namespace, as that of a
// session which has waited never does: it becomes the same user without a privilege anywhere.

#include "Child.h"

#include <errno.h>

int darkroom_init_beside(void *argument) {
  struct darkroom_child own = *(struct darkroom_child *)argument;
  struct darkroom_child *child = &own;
  struct darkroom_plan *plan = child->plan;
  darkroom_leave_maker(child);
  darkroom_must(child, darkroom_step_network, darkroom_make_network(child), 0);
  darkroom_name_host(child);

  // It copies what it is given when it begins, and from here on this one changes it.
  struct darkroom_child given = own;
  const int32_t extension = darkroom_clone_extension(&given, darkroom_extension_beside);
  if (extension != DARKROOM_EXTENSION) darkroom_fail(child, darkroom_step_clone_extension, EEXIST, 1);
  child->gate = given.gate;
  child->children = given.children;
  // While that becomes somebody, which is waited for. Whatever this one has, no program that it executes can have it.
  darkroom_drop_bounding_set(child);

  const int root = darkroom_build_root(child);
  darkroom_stamp(plan, DARKROOM_STAMP_ROOT);
  darkroom_tell(&child->ahead->has_root);
  darkroom_join_network(child, root);
  darkroom_tell(&child->ahead->has_own_mounts);
  darkroom_stamp(plan, DARKROOM_STAMP_NETWORK);
  darkroom_change_identity_ahead(child, child->proc);
  darkroom_execute_init(child, extension);
}
