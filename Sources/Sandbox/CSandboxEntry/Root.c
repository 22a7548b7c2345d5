// SPDX-License-Identifier: Apache-2.0

#include "Child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>

// Debian 12's headers define these, older headers only some. The numbers are part of the kernel's ABI
// (mount_setattr(2)).
#ifndef MOVE_MOUNT_F_EMPTY_PATH
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif
#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

/// The kernel's `struct mount_attr`.
struct attributes {
  uint64_t set, clear, propagation, userns;
};

/// Sets mount attributes of an open mount or a path.
static long set_attributes(int directory, const char *path, unsigned flags, uint64_t set, uint64_t propagation) {
  struct attributes attributes = {set, 0, propagation, 0};
  return direct(SYS_mount_setattr, directory, path, flags, &attributes, sizeof attributes);
}

/// Creates a detached tmpfs.
static long new_tmpfs(void) {
  long context = direct(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
  if (context < 0) return context;
  // A root contains only names and mount points. One megabyte is ample, and limits the effect of mistakes.
  long result = direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "mode", "755", 0);
  if (result >= 0) result = direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "size", "1m", 0);
  if (result >= 0) result = direct(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
  if (result >= 0) result = direct(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  direct(SYS_close, context);
  return result;
}

long darkroom_detached_proc(void) {
  long context = direct(SYS_fsopen, "proc", FSOPEN_CLOEXEC);
  if (context < 0) return context;
  long result = direct(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
  if (result >= 0) {
    result = direct(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
  }
  direct(SYS_close, context);
  return result;
}

static long make_file(int root, const struct darkroom_item *item) {
  if (!item->text_length) return direct(SYS_mknodat, root, item->target, S_IFREG | item->mode, 0);
  long file = direct(SYS_openat, root, item->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, item->mode);
  if (file < 0) return file;
  long result = direct(SYS_write, file, item->text, item->text_length);
  direct(SYS_close, file);
  // A partly written file is an error.
  return result >= 0 && (uint64_t)result != item->text_length ? -EIO : result;
}

/// Clones a mount tree of the host with all submounts. An unprivileged user cannot clone a tree without its
/// submounts, because the clone would show the files that they cover.
static long take_tree(const struct darkroom_item *item) {
  long tree = direct(SYS_open_tree, AT_FDCWD, item->source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  if (tree < 0) return tree;
  long result = set_attributes((int)tree, "", AT_EMPTY_PATH | AT_RECURSIVE, item->attributes, 0);
  return result < 0 ? result : tree;
}

/// Attaches a detached mount.
static long attach(int root, const struct darkroom_item *item, long tree) {
  if (tree < 0) return tree;
  long result = direct(SYS_move_mount, tree, "", root, item->target, MOVE_MOUNT_F_EMPTY_PATH);
  direct(SYS_close, tree);
  return result;
}

static long bind(int root, const struct darkroom_item *item) { return attach(root, item, take_tree(item)); }

/// Adds the layers one by one, which permits any directory name (Linux 6.8). The shown directory is the
/// current directory meanwhile, because the kernel accepts at most 255 bytes of text here.
static long add_layers(int root, long context, const struct darkroom_item *item) {
  long result = direct(SYS_chdir, item->source);
  if (result >= 0) result = direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "lowerdir+", ".", 0);
  long back = direct(SYS_fchdir, root);
  if (result >= 0) result = back;
  // A relative path in the session's root.
  return result < 0 ? result : direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "lowerdir+", item->text, 0);
}

/// Adds the layers, in a single list if the item has one.
static long set_layers(int root, long context, const struct darkroom_item *item) {
  if (item->mode) return add_layers(root, context, item);
  return direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "lowerdir", item->text, 0);
}

/// Creates a detached overlayfs of a host directory. A lock belongs to a file of one file system, so locks of
/// the session and of the host are independent.
static long new_layer(int root, const struct darkroom_item *item) {
  long context = direct(SYS_fsopen, "overlay", FSOPEN_CLOEXEC);
  if (context < 0) return context;
  long result = set_layers(root, context, item);
  if (result >= 0) result = direct(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
  if (result >= 0) result = direct(SYS_fsmount, context, FSMOUNT_CLOEXEC, item->attributes);
  direct(SYS_close, context);
  return result;
}

/// Mounts the layer base, from which other layers are cloned.
///
/// The kernel waits for all processors when an overlayfs is destroyed, one after the other if several are. So
/// a single overlayfs is used if possible. It is mounted over the host's root and unmounted with it. Parts
/// that are not cloned are not mounted when the session starts.
static int mount_layer_base(int root, const struct darkroom_item *item) {
  long layer = new_layer(root, item);
  if (layer < 0) return -1;
  if (direct(SYS_move_mount, layer, "", AT_FDCWD, item->target, MOVE_MOUNT_F_EMPTY_PATH) >= 0) return (int)layer;
  direct(SYS_close, layer);
  return -1;
}

/// Clones a directory of the layer base. The directory must be on the same file system and its path must
/// contain no symbolic link. A directory of another file system would share its locks with the host.
static long take_part(int ground, const struct darkroom_item *item) {
  const struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                               .resolve = RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS};
  long directory = direct(SYS_openat2, ground, item->part, &how, sizeof how);
  if (directory < 0) return directory;
  long tree = direct(SYS_open_tree, directory, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH);
  direct(SYS_close, directory);
  if (tree < 0) return tree;
  long result = set_attributes((int)tree, "", AT_EMPTY_PATH, item->attributes, 0);
  if (result >= 0) return tree;
  direct(SYS_close, tree);
  return result;
}

static long mount_layer(int root, int ground, const struct darkroom_item *item) {
  if (ground < 0 || !item->part) return attach(root, item, new_layer(root, item));
  long part = take_part(ground, item);
  return attach(root, item, part < 0 ? new_layer(root, item) : part);
}

static long make_layer(int root, int ground, const struct darkroom_item *item, struct darkroom_plan *plan) {
  long result = mount_layer(root, ground, item);
  if (result >= 0) return result;
  if (plan->layer_error == 0) plan->layer_error = (int32_t)-result;
  return bind(root, item);
}

static long change_owner(int root, const struct darkroom_item *item, const struct darkroom_plan *plan) {
  return direct(SYS_fchownat, root, item->target, plan->outer_user, plan->outer_group, AT_SYMLINK_NOFOLLOW);
}

/// An unprivileged caller owns the directories that it creates. Root must change their owner.
static long make_owned_directory(int root, const struct darkroom_item *item, const struct darkroom_plan *plan) {
  long result = direct(SYS_mkdirat, root, item->target, item->mode);
  return result < 0 || plan->identity != darkroom_identity_other ? result : change_owner(root, item, plan);
}

/// Creates an item. `ground` is the layer base of layers with a known part, or -1.
static long make_item(int root, int *ground, const struct darkroom_item *item, struct darkroom_plan *plan) {
  switch (item->kind) {
  case darkroom_item_owned_directory: return make_owned_directory(root, item, plan);
  case darkroom_item_directory: return direct(SYS_mkdirat, root, item->target, item->mode);
  case darkroom_item_file: return make_file(root, item);
  case darkroom_item_symlink: return direct(SYS_symlinkat, item->source, root, item->target);
  case darkroom_item_given: return change_owner(root, item, plan);
  case darkroom_item_bind: return bind(root, item);
  case darkroom_item_ground: *ground = mount_layer_base(root, item); return 0;
  case darkroom_item_layer: return make_layer(root, *ground, item, plan);
  // The current directory is the new root here.
  case darkroom_item_tmpfs: return direct(SYS_mount, "tmpfs", item->target, "tmpfs", item->attributes, item->text);
  case darkroom_item_proc: return direct(SYS_mount, "proc", item->target, "proc", item->attributes, item->text);
  }
  return -EINVAL;
}

int darkroom_assemble_root(struct darkroom_child *child) {
  struct darkroom_plan *plan = child->plan;
  darkroom_must(child, darkroom_step_private, set_attributes(AT_FDCWD, "/", AT_RECURSIVE, 0, MS_PRIVATE), 0);

  int root = (int)darkroom_must(child, darkroom_step_root, new_tmpfs(), 0);
  // A process whose root is below another root cannot create a user namespace (user_namespaces(7), EPERM).
  if (child->ahead && child->prepared < 0) darkroom_await_extension(child, &child->ahead->has_namespace, 1);
  // The new root is mounted on top of the host's root, so that it needs no directory of the host.
  darkroom_must(child, darkroom_step_root, direct(SYS_move_mount, root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH), 1);
  darkroom_must(child, darkroom_step_root, direct(SYS_fchdir, root), 2);

  direct(SYS_umask, 0);
  int ground = -1;
  for (uint64_t i = 0; i < plan->item_count; i++) {
    if (child->is_prewarm && plan->items[i].kind == darkroom_item_proc) continue;
    darkroom_must(child, darkroom_step_item, make_item(root, &ground, &plan->items[i], plan), i);
  }
  if (ground >= 0) direct(SYS_close, ground);
  return root;
}

void darkroom_seal_root(const struct darkroom_child *child, int root) {
  // A process that another thread of the host has just created has copies of the host's open descriptors,
  // among them a file that the broker was writing here. The kernel counts it as a writer until the process
  // executes its program.
  const struct timespec pause = {0, 200000};
  long result = -EBUSY;
  for (int tries = 0; tries < 10000 && result == -EBUSY; tries++) {
    if (tries > 0) direct(SYS_nanosleep, &pause, 0);
    result = set_attributes(root, "", AT_EMPTY_PATH, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC, 0);
  }
  darkroom_must(child, darkroom_step_root_read_only, result, 0);
}

void darkroom_enter_root(const struct darkroom_child *child) {
  // With "." as both arguments, the old root is mounted on top of the new root, from which it is unmounted.
  darkroom_must(child, darkroom_step_pivot, direct(SYS_pivot_root, ".", "."), 0);
  darkroom_must(child, darkroom_step_pivot, direct(SYS_chdir, "/"), 1);
}

int darkroom_build_root(struct darkroom_child *child) {
  int root = darkroom_assemble_root(child);
  darkroom_seal_root(child, root);
  darkroom_enter_root(child);
  return root;
}

void darkroom_follow_host_mounts(const struct darkroom_child *child) {
  darkroom_must(child, darkroom_step_private, set_attributes(AT_FDCWD, "/", AT_RECURSIVE, 0, MS_SLAVE), 1);
}

/// Creates a detached proc of this PID namespace with the options of an item: comma-separated names and
/// values.
static long take_proc(const struct darkroom_item *item) {
  long context = direct(SYS_fsopen, "proc", FSOPEN_CLOEXEC);
  if (context < 0) return context;
  // As with mount(2), the file system itself is read-only and has a source name.
  long result = direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, "source", "proc", 0);
  if (result >= 0 && (item->attributes & MOUNT_ATTR_RDONLY)) {
    result = direct(SYS_fsconfig, context, FSCONFIG_SET_FLAG, "ro", 0, 0);
  }
  char words[128];
  uint64_t length = 0;
  const char *name = words, *value = 0;
  for (const char *at = item->text; result >= 0; at++) {
    if (length == sizeof words) {
      result = -E2BIG;
      break;
    }
    char character = *at;
    words[length++] = character == '=' || character == ',' ? 0 : character;
    if (character == '=') value = words + length;
    if (character && character != ',') continue;
    result = value ? direct(SYS_fsconfig, context, FSCONFIG_SET_STRING, name, value, 0) : -EINVAL;
    name = words + length;
    value = 0;
    if (!character) break;
  }
  if (result >= 0) result = direct(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, 0, 0, 0);
  // The mount(2) flags of an item have the same values as those of fsmount(2).
  if (result >= 0) result = direct(SYS_fsmount, context, FSMOUNT_CLOEXEC, item->attributes);
  direct(SYS_close, context);
  return result;
}

/// Returns the item of a plan that shows the processes, or NULL if there is none.
static const struct darkroom_item *processes_of(const struct darkroom_plan *plan) {
  for (uint64_t i = 0; i < plan->item_count; i++) {
    if (plan->items[i].kind == darkroom_item_proc) return &plan->items[i];
  }
  return 0;
}

int darkroom_take_processes(const struct darkroom_child *child) {
  const struct darkroom_item *item = processes_of(child->plan);
  return item ? (int)darkroom_must(child, darkroom_step_item, take_proc(item), 0) : -1;
}

void darkroom_show_processes(const struct darkroom_child *child, const struct darkroom_plan *prepared, int processes) {
  const struct darkroom_item *item = processes_of(prepared);
  if (item) darkroom_must(child, darkroom_step_enter_prepared, attach(AT_FDCWD, item, processes), 6);
}

void darkroom_take_mounts(const struct darkroom_child *child, int *mounts) {
  const struct darkroom_plan *plan = child->plan;
  if (plan->item_count > DARKROOM_MAXIMUM_OWN_ITEMS) darkroom_fail(child, darkroom_step_item, E2BIG, plan->item_count);
  for (uint64_t i = 0; i < plan->item_count; i++) {
    const struct darkroom_item *item = &plan->items[i];
    mounts[i] = -1;
    if (item->kind == darkroom_item_bind) mounts[i] = (int)darkroom_must(child, darkroom_step_item, take_tree(item), i);
  }
}

void darkroom_complete_root(const struct darkroom_child *child, const int *mounts) {
  struct darkroom_plan *plan = child->plan;
  direct(SYS_umask, 0);
  int root = (int)darkroom_must(child, darkroom_step_root,
                                direct(SYS_openat, AT_FDCWD, "/", O_PATH | O_DIRECTORY | O_CLOEXEC, 0), 3);
  int ground = -1;
  for (uint64_t i = 0; i < plan->item_count; i++) {
    const struct darkroom_item *item = &plan->items[i];
    long result = mounts[i] >= 0 ? attach(root, item, mounts[i]) : make_item(root, &ground, item, plan);
    darkroom_must(child, darkroom_step_item, result, i);
  }
  darkroom_seal_root(child, root);
  direct(SYS_close, root);
}
