// SPDX-License-Identifier: Apache-2.0
//
// The steps from clone3 to execve. The host creates one plan, which two processes carry out and report on.
//
//   host ──clone3──▶ session init (PID 1)            ──▶ execveat(init image)
//                      │  namespaces, root, identity
//                      ├─clone3──▶ helper (PID 3): network namespace, unmounting the host; exits before
//                      └─clone3──▶ extension (PID 2) ──▶ waits for the line above, then execve
//                                    descriptors, limits, Landlock, capabilities, seccomp
//
// All of these processes run in the host's memory (CLONE_VM) until they execute a program. The time to start
// them therefore does not depend on the size of the host. They must not allocate memory, take locks, or write
// errno, which belongs to the host's thread.
//
// The extension waits until the session init has left the host's memory. No untrusted instruction runs while
// a process that the extension could see still shares that memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The step of a process that failed.
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

/// The kinds of items in the new root. Targets are relative to the root.
enum darkroom_item_kind : int32_t {
  /// A directory, with `mode`.
  darkroom_item_directory __attribute__((swift_name("directory"))) = 0,
  /// A directory with `mode` that the extension owns.
  darkroom_item_owned_directory __attribute__((swift_name("ownedDirectory"))),
  /// A file with the contents `text` and with `mode`.
  darkroom_item_file __attribute__((swift_name("file"))),
  /// A symbolic link to `source`.
  darkroom_item_symlink __attribute__((swift_name("symlink"))),
  /// The host's directory tree or file `source` with all its submounts, with `attributes` (MOUNT_ATTR_…).
  darkroom_item_bind __attribute__((swift_name("bind"))),
  /// The host's directory `source` as a layer of a new overlayfs, with `attributes` (MOUNT_ATTR_…).
  ///
  /// `text` is the list of lower layers of overlayfs: an empty directory and the source. If `mode` is set,
  /// `text` is only the empty directory, and the layers are passed to the kernel one by one. If overlayfs is
  /// unavailable, the item is a bind mount. If `part` is available in the layer base, that part is used
  /// instead of a new overlayfs.
  darkroom_item_layer __attribute__((swift_name("layer"))),
  /// A new tmpfs with the mount options `text` and `attributes` (MS_…).
  darkroom_item_tmpfs __attribute__((swift_name("tmpfs"))),
  /// A new proc of this PID namespace with the mount options `text` and `attributes` (MS_…).
  darkroom_item_proc __attribute__((swift_name("proc"))),
  /// A directory that a broker has created, whose owner becomes the extension.
  darkroom_item_given __attribute__((swift_name("given"))),
  /// The layer base: an overlayfs of the host's directory `source` that no session sees. Later layers are
  /// parts of it.
  ///
  /// It is mounted over the host's directory `target`, an absolute path, and is unmounted with the host's
  /// root. `text`, `mode` and `attributes` are those of a layer. Ignored if overlayfs is unavailable.
  darkroom_item_ground __attribute__((swift_name("ground"))),
} __attribute__((enum_extensibility(closed), swift_name("RootItemKind")));
typedef enum darkroom_item_kind darkroom_item_kind;

/// An item of the new root.
struct darkroom_item {
  darkroom_item_kind kind;
  uint32_t mode;
  const char *target;
  const char *_Nullable source;
  const char *_Nullable text;
  uint64_t text_length;
  uint64_t attributes;
  /// For a layer that is a part of the layer base: its path in the base, without links. NULL otherwise.
  const char *_Nullable part;
};

/// A Landlock rule: the access rights beneath a path of the new root.
struct darkroom_rule {
  const char *path;
  uint64_t access;
};

/// A resource limit.
struct darkroom_limit {
  int32_t resource;
  uint64_t soft, hard;
};

/// A limit of the session's user namespace: a file in proc, and the text that is written to it.
struct darkroom_setting {
  const char *path;
  const char *text;
};

/// The identity of the extension outside its sandbox.
enum darkroom_identity : int32_t {
  /// The caller's own user, mapped to the inner user in a user namespace that is created first. For
  /// unprivileged users.
  darkroom_identity_caller __attribute__((swift_name("caller"))) = 0,
  /// Another user: the root is built with the caller's privileges. These are then permanently dropped, and
  /// the unprivileged user creates a user namespace. For root.
  darkroom_identity_other __attribute__((swift_name("other"))),
  /// The caller's own user, without namespaces or a separate root. For unprivileged users who cannot create a
  /// user namespace. Only the filter and Landlock confine the extension.
  darkroom_identity_restricted __attribute__((swift_name("restricted"))),
  /// The caller's own user, through a broker in its own user namespace. The outer user exists only in that
  /// namespace. For unprivileged users.
  darkroom_identity_brokered __attribute__((swift_name("brokered"))),
} __attribute__((enum_extensibility(closed), swift_name("LaunchIdentity")));
typedef enum darkroom_identity darkroom_identity;

/// The times that the two processes record, in nanoseconds of CLOCK_MONOTONIC.
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

/// A launch plan: all decisions about a launch.
///
/// The memory that it points to must not change until `darkroom_launch` returns. Pointers may be NULL only so
/// that an empty plan can be created and then filled in.
struct darkroom_plan {
  /// CLONE_NEW… flags, without CLONE_NEWUSER if `identity` is `other`, or none if it is `restricted`.
  uint64_t namespaces;
  darkroom_identity identity;
  uint32_t inner_user, inner_group, outer_user, outer_group;
  const char *_Nullable hostname;
  /// The session ID, an argument of the init by which the init can be identified, or NULL if there is none.
  const char *_Nullable session;
  /// The offsets of the session's clocks in the format of time_namespaces(7), or NULL to keep the host's
  /// clocks.
  const char *_Nullable clock_offsets;

  const struct darkroom_item *_Nullable items;
  uint64_t item_count;

  /// Descriptors of the host. The index of each in this list is its number in the extension.
  const int32_t *_Nullable descriptors;
  uint64_t descriptor_count;
  const struct darkroom_limit *_Nullable limits;
  uint64_t limit_count;
  int32_t nice;
  int32_t last_capability;

  uint64_t landlock_files, landlock_network, landlock_scopes;
  const struct darkroom_rule *_Nullable rules;
  uint64_t rule_count;
  /// A directory that the caller can read and Landlock must deny, or NULL. The launch fails if it can be opened.
  const char *_Nullable denied_directory;
  /// The ruleset of the state root, which the init of a restricted session enforces before it creates the extension's
  /// process: the handled rights, and the rules. The rights are zero if there is no such ruleset.
  uint64_t state_root_files;
  const struct darkroom_rule *_Nullable state_root_rules;
  uint64_t state_root_rule_count;
  /// Zero if Landlock is not used, which only a policy with best-effort Landlock can request.
  int32_t landlock;

  /// One if the extension is moved to a mount namespace other than that of its root, so that its mount table
  /// is empty.
  int32_t hide_mounts;

  const void *_Nullable filter;
  uint16_t filter_length;
  /// The second filter, which is installed after the listener of the first filter is sent, and revokes the
  /// exemption of the launcher's calls.
  const void *_Nullable closing_filter;
  uint16_t closing_filter_length;
  /// The filter that denies sockets regardless of the policy, which the init of a restricted session installs before it
  /// creates the extension's process. The length is zero if there is none.
  const void *_Nullable socket_filter;
  uint16_t socket_filter_length;
  /// The socket to which the listener of the first filter is sent, or a negative number if the filter has
  /// none.
  int32_t listener_socket;

  /// One if the program is stopped before its first instruction, for a debugger.
  int32_t stop_at_program;

  /// Called once by the launching thread while the sandbox is created. Waits for the permission to execute
  /// the program, and returns whether it is granted. NULL if no permission is needed.
  bool (*_Nullable await_permission)(void *_Nullable context);
  void *_Nullable permission_context;
  /// Whether the permission is granted; a futex, which only the launch uses.
  uint32_t is_permitted;

  const char *_Nullable directory;
  const char *_Nullable executable;
  const char *_Nullable const *_Nullable arguments;
  const char *_Nullable const *_Nullable environment;
  /// The descriptor number of the executable if the program is executed once by execveat, or a negative
  /// number for execve by path.
  int32_t execute_once;

  /// The init image, the pipe to which the init writes the extension's exit status, and the pipe from which
  /// it reads commands.
  int32_t init_image, status_write, control_read;

  /// The `cgroup.procs` of the session's control group, open for writing, or -1 if there is none.
  int32_t control_group;
  /// A socket in the network namespace for the session, over whose user namespace the creator of the init has
  /// all privileges. -1 to create a new namespace.
  int32_t network;
  /// One if the host wants to hold the session's network namespace. A socket in it is then sent with the
  /// listener.
  int32_t hold_network;
  const struct darkroom_setting *_Nullable settings;
  uint64_t setting_count;
  /// The error number of the first limit that could not be set, or 0. If /proc is read-only, none can be set.
  int32_t setting_error;
  /// The error number of the first layer that was replaced by a bind mount, or 0.
  int32_t layer_error;
  /// The place for the process ID of the extension as text, eleven bytes, which is written before it executes
  /// its program. Without a PID namespace, the ID is not known before. NULL if it is known.
  char *_Nullable process_number;
  /// Set by a restricted launch: the process ID of the extension, which leads the process group of the whole
  /// session.
  int32_t extension;
  /// The error number because of which a restricted session keeps the host's session keyring, or 0.
  int32_t keyring_error;

  uint64_t stamps[DARKROOM_STAMP_COUNT];
};

/// The result of a launch.
struct darkroom_launched {
  /// The process ID of the session init in the host's PID namespace.
  int32_t process;
  /// The pidfd of the session init.
  int32_t pidfd;
  /// The failed step, or `none` if the extension's program runs.
  darkroom_step step;
  /// The error number of that step.
  int32_t error;
  /// The index of the item, rule, descriptor, limit or capability of that step.
  int32_t index;
  /// The process ID of the extension in the host's PID namespace if its program was stopped before its first
  /// instruction, or 0.
  int32_t stopped;
};

/// This function is provided because Swift can neither clone3 with CLONE_VM nor run code without allocating.
///
/// Carries out the plan. Returns when the extension's program runs, or when a step has failed and no process
/// is left. Blocks the calling thread. `timeout_ms` limits the time between the execution of the init and
/// that of the program, not the time that the kernel needs to create the sandbox. Safe on any thread of a
/// process with several threads.
struct darkroom_launched darkroom_launch(struct darkroom_plan *plan, int32_t timeout_ms);

/// This function is provided because `stat` is ambiguous in Swift's Glibc module.
///
/// Stores the device and inode of the file at a path, following symbolic links. Returns 0, or a negative
/// error number.
int darkroom_identify(const char *path, uint64_t *device, uint64_t *inode);

/// This function is provided because this library contains the program that is PID 1 of every session.
///
/// Writes the program as an ELF file into `buffer` and returns its size, or 0 if `capacity` is too small.
size_t darkroom_init_image(uint8_t *buffer, size_t capacity);

/// This function is provided because this library contains the init program of sessions without a PID
/// namespace.
///
/// Writes the program as an ELF file into `buffer` and returns its size, or 0 if `capacity` is too small.
size_t darkroom_restricted_image(uint8_t *buffer, size_t capacity);

/// The command that ends a restricted session, written to the control pipe of its init.
enum { DARKROOM_END_SESSION = 0 };

/// The descriptors that a launch sends to the host: the listener, the extension's process, two mount
/// namespaces (of the root and of the extension), and a socket in the network namespace.
enum {
  DARKROOM_SENT_LISTENER,
  DARKROOM_SENT_PROGRAM,
  DARKROOM_SENT_MOUNTS,
  DARKROOM_SENT_HIDDEN_MOUNTS,
  DARKROOM_SENT_NETWORK,
  DARKROOM_MOST_SENT,
};

/// The sixth argument of the launcher's calls, which none of these calls uses. The first filter allows calls
/// with this mark, and the second filter kills a process that makes such a call. The value reads "darkroom"
/// in memory, and is not an address or ID.
#define DARKROOM_LAUNCHERS_MARK 0x6D6F6F726B726164ULL

/// This function is provided because the macros for control messages cannot be imported.
///
/// Receives the descriptors from a socket, close-on-exec. A descriptor that was not sent is -1. Returns 0, or
/// a negative error number.
int darkroom_receive_descriptors(int socket, int32_t descriptors[_Nonnull DARKROOM_MOST_SENT]);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Returns whether this process may enter the network namespace of a socket. This requires CAP_NET_ADMIN over
/// the namespace, which creating a namespace does not require.
int darkroom_can_enter_network(int socket);

/// A refused call that waits for a response (seccomp_unotify(2)).
struct darkroom_refused {
  uint64_t cookie;
  int32_t thread;
  int32_t number;
  uint64_t arguments[6];
};

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Waits for the next refused call and stores it. Returns 0 or a negative error number; `ENOENT` means that
/// the call was withdrawn.
int darkroom_next_refused(int listener, struct darkroom_refused *refused);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Returns whether the call still waits, so that data that was read from its thread belongs to this thread.
int darkroom_is_waiting(int listener, uint64_t cookie);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Makes the call fail with `error`, or return 0 without being made if `error` is 0. Returns 0 or a negative
/// error number; `ENOENT` means that the call was withdrawn.
int darkroom_answer(int listener, uint64_t cookie, int error);

/// This function is provided because ioctl(2) is variadic, and its requests are macros.
///
/// Continues the call (`SECCOMP_USER_NOTIF_FLAG_CONTINUE`), only for learning sessions. A call that another
/// filter refuses never waits, so it cannot be continued. Returns 0 or a negative error number; `ENOENT`
/// means that the call was withdrawn.
int darkroom_continue_call(int listener, uint64_t cookie);

/// The report that the init writes to its status pipe when the extension has exited.
struct darkroom_exit_report {
  /// The wait status of wait4(2).
  int32_t status;
  int32_t reserved;
  /// The CPU time of the extension and its reaped children, in microseconds.
  uint64_t user_microseconds, system_microseconds;
  /// The maximum resident set size, in KiB.
  uint64_t peak_memory;
};

#pragma clang assume_nonnull end

#include "LaunchBroker.h"
