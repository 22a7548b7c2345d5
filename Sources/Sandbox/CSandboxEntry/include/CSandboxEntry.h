// SPDX-License-Identifier: Apache-2.0
//
// From clone3 to execve. The host fills one plan; two processes work it off and report.
//
//   host ──clone3──▶ session init (pid 1)            ──▶ execveat(init image)
//                      │  namespaces, root, identity
//                      ├─clone3──▶ helper (pid 3): network namespace, the end of the host's mounts; gone before
//                      └─clone3──▶ extension (pid 2) ──▶ waits for the line above, then execve
//                                    descriptors, limits, Landlock, capabilities, seccomp
//
// All run in the host's memory until they execute something (CLONE_VM), so that starting them costs the same
// however large the host is. None may allocate, lock, or touch errno, which belongs to the host's thread.
// The extension waits until the session init has left the host's memory: no untrusted instruction runs while any
// process that the extension could see still shares it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What a process was doing when it failed.
enum darkroom_step : int32_t {
  darkroom_step_none __attribute__((swift_name("none"))) = 0,
  darkroom_step_stacks __attribute__((swift_name("allocateStacks"))),
  darkroom_step_clone __attribute__((swift_name("cloneSession"))),
  darkroom_step_control_group __attribute__((swift_name("joinControlGroup"))),
  darkroom_step_setgroups_deny __attribute__((swift_name("denySetgroups"))),
  darkroom_step_uid_map __attribute__((swift_name("mapUser"))),
  darkroom_step_gid_map __attribute__((swift_name("mapGroup"))),
  darkroom_step_private __attribute__((swift_name("makeMountsPrivate"))),
  darkroom_step_root __attribute__((swift_name("mountRoot"))),
  darkroom_step_item __attribute__((swift_name("buildRoot"))),
  darkroom_step_root_read_only __attribute__((swift_name("sealRoot"))),
  darkroom_step_pivot __attribute__((swift_name("pivotRoot"))),
  darkroom_step_unmount_old __attribute__((swift_name("detachHostRoot"))),
  darkroom_step_hostname __attribute__((swift_name("setHostname"))),
  darkroom_step_clocks __attribute__((swift_name("setClocks"))),
  darkroom_step_proc __attribute__((swift_name("openProc"))),
  darkroom_step_helper __attribute__((swift_name("makeHelper"))),
  darkroom_step_network __attribute__((swift_name("makeNetwork"))),
  darkroom_step_drop_groups __attribute__((swift_name("dropGroups"))),
  darkroom_step_set_group __attribute__((swift_name("setGroup"))),
  darkroom_step_set_user __attribute__((swift_name("setUser"))),
  darkroom_step_user_namespace __attribute__((swift_name("unshareUser"))),
  darkroom_step_bounding __attribute__((swift_name("dropBoundingSet"))),
  darkroom_step_securebits __attribute__((swift_name("lockSecurebits"))),
  darkroom_step_no_new_privs __attribute__((swift_name("setNoNewPrivileges"))),
  darkroom_step_gate __attribute__((swift_name("makeGate"))),
  darkroom_step_child_signals __attribute__((swift_name("watchChildren"))),
  darkroom_step_clone_extension __attribute__((swift_name("cloneExtension"))),
  darkroom_step_init_descriptors __attribute__((swift_name("placeInitDescriptors"))),
  darkroom_step_init_capabilities __attribute__((swift_name("dropInitCapabilities"))),
  darkroom_step_enter_prepared __attribute__((swift_name("enterPrepared"))),
  darkroom_step_exec_init __attribute__((swift_name("executeInit"))),
  darkroom_step_session __attribute__((swift_name("newTerminalSession"))),
  darkroom_step_keyring __attribute__((swift_name("newKeyring"))),
  darkroom_step_scheduling __attribute__((swift_name("resetScheduling"))),
  darkroom_step_mount_table __attribute__((swift_name("hideMountTable"))),
  darkroom_step_descriptors __attribute__((swift_name("placeDescriptors"))),
  darkroom_step_limit __attribute__((swift_name("setLimit"))),
  darkroom_step_directory __attribute__((swift_name("changeDirectory"))),
  darkroom_step_open_executable __attribute__((swift_name("openExecutable"))),
  darkroom_step_landlock_ruleset __attribute__((swift_name("createRuleset"))),
  darkroom_step_landlock_rule __attribute__((swift_name("addRule"))),
  darkroom_step_landlock_restrict __attribute__((swift_name("restrictSelf"))),
  darkroom_step_capabilities __attribute__((swift_name("dropCapabilities"))),
  darkroom_step_wait_gate __attribute__((swift_name("waitForInit"))),
  darkroom_step_signal_mask __attribute__((swift_name("clearSignalMask"))),
  darkroom_step_seccomp __attribute__((swift_name("installFilter"))),
  darkroom_step_listener __attribute__((swift_name("sendListener"))),
  darkroom_step_exec __attribute__((swift_name("executeExtension"))),
  darkroom_step_timeout __attribute__((swift_name("waitForExtension"))),
  darkroom_step_adopt __attribute__((swift_name("adoptOrphans"))),
  darkroom_step_open_children __attribute__((swift_name("openChildren"))),
  darkroom_step_die_with_init __attribute__((swift_name("dieWithInit"))),
  darkroom_step_await_tracer __attribute__((swift_name("awaitTracer"))),
  darkroom_step_stop_program __attribute__((swift_name("stopProgram"))),
  darkroom_step_die_with_host __attribute__((swift_name("dieWithHost"))),
  darkroom_step_personality __attribute__((swift_name("resetPersonality"))),
  darkroom_step_permission __attribute__((swift_name("awaitPermission"))),
} __attribute__((enum_extensibility(closed), swift_name("LaunchStep")));
typedef enum darkroom_step darkroom_step;

/// What is put into the new root. Targets are relative to it.
enum darkroom_item_kind : int32_t {
  /// A directory, with `mode`.
  darkroom_item_directory __attribute__((swift_name("directory"))) = 0,
  /// A directory with `mode` that belongs to the extension.
  darkroom_item_owned_directory __attribute__((swift_name("ownedDirectory"))),
  /// A file that holds `text`, with `mode`.
  darkroom_item_file __attribute__((swift_name("file"))),
  /// A symbolic link to `source`.
  darkroom_item_symlink __attribute__((swift_name("symlink"))),
  /// The host's tree or file `source` with everything mounted below it, with `attributes` (MOUNT_ATTR_…).
  darkroom_item_bind __attribute__((swift_name("bind"))),
  /// The host's directory `source` as a layer of a file system of its own, with `attributes` (MOUNT_ATTR_…); `text` names
  /// an empty directory and the source, as overlayfs wants its lower layers; with a `mode` the
  /// empty directory alone, and the kernel is told them one by one. A bind where no overlayfs can be mounted, and without an
  /// overlayfs of its own where `part` can be taken from the ground.
  darkroom_item_layer __attribute__((swift_name("layer"))),
  /// A new tmpfs with the mount options `text` and `attributes` (MS_…).
  darkroom_item_tmpfs __attribute__((swift_name("tmpfs"))),
  /// A new proc of this pid namespace with the mount options `text` and `attributes` (MS_…).
  darkroom_item_proc __attribute__((swift_name("proc"))),
  /// A directory that was prepared by a broker, which is given to the extension.
  darkroom_item_given __attribute__((swift_name("given"))),
  /// A layer of the host's directory `source` that no session sees: it is mounted over the host's directory `target`, an
  /// absolute path, goes with the host's root, and later layers are parts of it. `text`, `mode` and `attributes` are a
  /// layer's. Nothing where no overlayfs can be mounted so.
  darkroom_item_ground __attribute__((swift_name("ground"))),
} __attribute__((enum_extensibility(closed), swift_name("RootItemKind")));
typedef enum darkroom_item_kind darkroom_item_kind;

/// One thing in the new root.
struct darkroom_item {
  darkroom_item_kind kind;
  uint32_t mode;
  const char *target;
  const char *_Nullable source;
  const char *_Nullable text;
  uint64_t text_length;
  uint64_t attributes;
  /// Of a layer that is a part of the ground: its path from there, without links; null: it is none.
  const char *_Nullable part;
};

/// One Landlock rule: what may be done beneath a path of the new root.
struct darkroom_rule {
  const char *path;
  uint64_t access;
};

/// A resource limit.
struct darkroom_limit {
  int32_t resource;
  uint64_t soft, hard;
};

/// A limit of the session's user namespace: a file of proc, and what is written to it.
struct darkroom_setting {
  const char *path;
  const char *text;
};

/// Who the extension is outside.
enum darkroom_identity : int32_t {
  /// The caller's own user, mapped to the inner one by a user namespace made first. For ordinary users.
  darkroom_identity_caller __attribute__((swift_name("caller"))) = 0,
  /// Another user: the root is built with the caller's privileges, then they are given up for good, and a user
  /// namespace is made by the unprivileged user. For root.
  darkroom_identity_other __attribute__((swift_name("other"))),
  /// The caller's own user, without any namespace or root of its own. For ordinary users who can make no user
  /// namespace; the filter and Landlock are all that stands between.
  darkroom_identity_restricted __attribute__((swift_name("restricted"))),
  /// The caller's own user by way of a broker, which is in a user namespace of its own: there the outer user is one that
  /// only this namespace knows. For ordinary users.
  darkroom_identity_brokered __attribute__((swift_name("brokered"))),
} __attribute__((enum_extensibility(closed), swift_name("LaunchIdentity")));
typedef enum darkroom_identity darkroom_identity;

/// Moments that the two processes note, as CLOCK_MONOTONIC nanoseconds.
enum {
  DARKROOM_STAMP_START,
  DARKROOM_STAMP_CLONED,
  DARKROOM_STAMP_ROOT,
  DARKROOM_STAMP_NETWORK,
  DARKROOM_STAMP_IDENTITY,
  DARKROOM_STAMP_EXTENSION_CLONED,
  DARKROOM_STAMP_EXTENSION_PREPARED,
  DARKROOM_STAMP_PERMITTED,
  DARKROOM_STAMP_GATE,
  DARKROOM_STAMP_LANDLOCK,
  DARKROOM_STAMP_FILTER,
  DARKROOM_STAMP_EXECUTED,
  DARKROOM_STAMP_RETURNED,
  DARKROOM_STAMP_COUNT,
};

/// Everything that the two processes need; nothing is left to decide.
///
/// The memory that it points to must stay as it is until `darkroom_launch` returns. Pointers may be null only so that
/// a plan can be made empty and then filled in.
struct darkroom_plan {
  /// CLONE_NEW… bits, without CLONE_NEWUSER where `identity` is `other`; none where it is `restricted`.
  uint64_t namespaces;
  darkroom_identity identity;
  uint32_t inner_user, inner_group, outer_user, outer_group;
  const char *_Nullable hostname;
  /// The session's id, with which the init is executed, so that it is known by it from outside; null: it has none.
  const char *_Nullable session;
  /// What the clocks of the session are ahead of the host's, as time_namespaces(7) wants it; null: they are the host's.
  const char *_Nullable clock_offsets;

  const struct darkroom_item *_Nullable items;
  uint64_t item_count;

  /// Descriptors of the host; each gets its place in this list as its number, so that no number between is left over.
  const int32_t *_Nullable descriptors;
  uint64_t descriptor_count;
  const struct darkroom_limit *_Nullable limits;
  uint64_t limit_count;
  int32_t nice;
  int32_t last_capability;

  uint64_t landlock_files, landlock_network, landlock_scopes;
  const struct darkroom_rule *_Nullable rules;
  uint64_t rule_count;
  /// Zero: no Landlock, which only a policy that calls it best effort can ask for.
  int32_t landlock;

  /// One: the extension is moved to a mount namespace other than the one of its root, so that no mount table shows it.
  int32_t hide_mounts;

  const void *_Nullable filter;
  uint16_t filter_length;
  /// A second filter, installed after the listener of the first is sent, which takes back what that needed.
  const void *_Nullable closing_filter;
  uint16_t closing_filter_length;
  /// The socket to which the listener of the first filter is sent; negative: the filter has none.
  int32_t listener_socket;

  /// One: the program is stopped before its first instruction, for a debugger.
  int32_t stop_at_program;

  /// Called once by the launching thread while the sandbox is made: it waits for what has to have happened before the program is
  /// executed, and says whether it has. Null: nothing has to.
  bool (*_Nullable await_permission)(void *_Nullable context);
  void *_Nullable permission_context;
  /// Whether it has come; a futex, which only the launch uses.
  uint32_t is_permitted;

  const char *_Nullable directory;
  const char *_Nullable executable;
  const char *_Nullable const *_Nullable arguments;
  const char *_Nullable const *_Nullable environment;
  /// The number for the executable's descriptor when only execveat on it is allowed; negative: execve the path.
  int32_t execute_once;

  /// The init image, the pipe where the init reports how the extension ended, and the pipe that it listens to.
  int32_t init_image, status_write, control_read;

  /// The session's control group, as its `cgroup.procs` opened for writing; -1 where there is none.
  int32_t control_group;
  /// A socket in the network namespace that the session gets, over whose user namespace its maker has all privileges; -1: a new
  /// one is made.
  int32_t network;
  /// One: the host wants to hold the session's network namespace. A socket in it is sent to it with the listener.
  int32_t hold_network;
  const struct darkroom_setting *_Nullable settings;
  uint64_t setting_count;
  /// The error of the first setting that could not be made, positive; 0 if all could. Where /proc is read-only none can.
  int32_t setting_error;
  /// The error of the first layer that had to be a bind, positive; 0 if none.
  int32_t layer_error;
  /// Where the extension's number is written as text before it executes, with room for eleven bytes: without a pid
  /// namespace nobody knows it before. Null where it is known.
  char *_Nullable process_number;
  /// Set by a restricted launch: the extension, which leads a process group that all of the session is in.
  int32_t extension;

  uint64_t stamps[DARKROOM_STAMP_COUNT];
};

/// What became of a launch.
struct darkroom_launched {
  /// The session init in the host's pid namespace.
  int32_t process;
  /// Its pidfd.
  int32_t pidfd;
  /// `none` if the extension's program runs.
  darkroom_step step;
  /// The error of that step, positive.
  int32_t error;
  /// Which item, rule, descriptor, limit or capability the step was about.
  int32_t index;
  /// The extension in the host's pid namespace, where its program was stopped before its first instruction; else 0.
  int32_t stopped;
};

/// This function is provided because Swift can neither clone3 with CLONE_VM nor run code without allocating.
///
/// Works off the plan and returns when the extension's program runs, or when a step has failed and no process is
/// left. Blocks the calling thread; `timeout_ms`
/// bounds how long the program may take to begin once its init has been executed, not how long the kernel takes to make the
/// sandbox around it. Safe on any thread of a process with many.
struct darkroom_launched darkroom_launch(struct darkroom_plan *plan, int32_t timeout_ms);

/// This function is provided because Swift's Glibc module has two things of the name `stat`.
///
/// Which file a path leads to, following links; 0, or minus the error.
int darkroom_identify(const char *path, uint64_t *device, uint64_t *inode);

/// This function is provided because the program that is pid 1 of every session is a part of this library.
///
/// Writes it as an ELF file into `buffer` and returns its size, or 0 if `capacity` is too small.
size_t darkroom_init_image(uint8_t *buffer, size_t capacity);

/// This function is provided because the program that stands for pid 1 where a session has no pid namespace is a part of
/// this library.
///
/// Writes it as an ELF file into `buffer` and returns its size, or 0 if `capacity` is too small.
size_t darkroom_restricted_image(uint8_t *buffer, size_t capacity);

/// What ends a whole session that is restricted, written to the control pipe of its init.
enum { DARKROOM_END_SESSION = 0 };

/// What a launch sends to the host: the listener, the extension's process, the mount namespaces of the session, of its root and
/// of the extension, and a socket in the network namespace.
enum {
  DARKROOM_SENT_LISTENER,
  DARKROOM_SENT_PROGRAM,
  DARKROOM_SENT_MOUNTS,
  DARKROOM_SENT_HIDDEN_MOUNTS,
  DARKROOM_SENT_NETWORK,
  DARKROOM_MOST_SENT,
};

/// The sixth argument of what a launch calls, which none of those calls looks at: the first filter lets them through by it,
/// and the second kills who calls them so. It reads "darkroom" in memory, and is no address and no number of anything.
#define DARKROOM_LAUNCHERS_MARK 0x6D6F6F726B726164ULL

/// This function is provided because the macros for control messages cannot be imported.
///
/// Takes the descriptors that are waiting in a socket, close-on-exec; -1: that one was not sent. Returns 0; negative: minus the
/// error.
int darkroom_receive_descriptors(int socket, int32_t descriptors[_Nonnull DARKROOM_MOST_SENT]);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Whether this process may enter the network namespace that a socket is in, by the socket. That takes CAP_NET_ADMIN over it,
/// which to make one does not.
int darkroom_can_enter_network(int socket);

/// A refused call that waits for its answer (seccomp_unotify(2)).
struct darkroom_refused {
  uint64_t cookie;
  int32_t thread;
  int32_t number;
  uint64_t arguments[6];
};

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Takes the next refused call, waiting for it; negative: minus the error. `ENOENT`: it was withdrawn.
int darkroom_next_refused(int listener, struct darkroom_refused *refused);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Whether the call still waits, so that what was read of its thread is of that thread.
int darkroom_is_waiting(int listener, uint64_t cookie);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Lets the call fail with `error`, or return 0 without being made if that is 0. Negative: minus the error, `ENOENT` if it was
/// withdrawn.
int darkroom_answer(int listener, uint64_t cookie, int error);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Lets the call be made (`SECCOMP_USER_NOTIF_FLAG_CONTINUE`); for sessions that are learned from, and no others. What
/// another filter refuses never waits, so that it cannot be let through. Negative: minus the error, `ENOENT` if the
/// call was withdrawn.
int darkroom_let_through(int listener, uint64_t cookie);

/// What the init writes to its status pipe when the extension has ended.
struct darkroom_ended {
  /// As wait4(2) gives it.
  int32_t status;
  int32_t reserved;
  /// Processor time of the extension and its waited-for children, in microseconds.
  uint64_t user_microseconds, system_microseconds;
  /// The largest resident set, in KiB.
  uint64_t peak_memory;
};

#pragma clang assume_nonnull end

#include "LaunchBroker.h"
