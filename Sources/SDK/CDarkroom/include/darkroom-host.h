// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_HOST_H
#define DARKROOM_HOST_H

/// @file
/// The C library for programs that host capture extensions: a client of `darkroom-host` (interface version 1).
///
/// A program connects to the server with darkroom_host_open(), launches an extension with darkroom_host_launch(), reads
/// events with darkroom_host_next(), takes frames of the viewfinder with darkroom_hosted_take_frame(), and reads the
/// result with darkroom_hosted_wait(). darkroom-manage.h has the functions that manage storage, photos and records.
/// Requests wait for the response of the server; events that arrive meanwhile are queued for darkroom_host_next(). The
/// conventions of darkroom.h apply.
///
/// **Errors.** Functions return a negative #darkroom_code or #darkroom_host_code on failure, or NULL.
/// darkroom_host_last_error() has the text, errno and the data of the server.
///
/// **Ownership.** Lists and structures that a function returns in an argument belong to the caller, who frees each
/// with one call of darkroom_host_free(), including everything that the structure refers to. Other pointers belong to
/// the connection or to the session.
///
/// **Structures.** Only the library creates structures without the member `size`; later versions may add members at
/// their end. A list is linked by the member `next`, and is NULL if it is empty. Text is never NULL unless its comment
/// permits NULL.
///
/// **Threads.** Use a connection and its sessions in one thread at a time, except that darkroom_host_interrupt() is safe
/// in all threads. A program opens another connection for a second thread, or for a request that takes long. Sessions are
/// visible only in the connection that launched them.
///
/// **Signals.** A wait continues after a signal handler of the program has returned (EINTR), until its timeout. A handler
/// ends a wait with darkroom_host_interrupt().
///
/// **Processes.** Do not use a connection after fork(2) in the child process.

#include "darkroom.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A connection to the server. Only the library accesses its members.
typedef struct darkroom_host darkroom_host;

/// A session that a connection has launched. Only the library accesses its members.
typedef struct darkroom_hosted_session darkroom_hosted_session;

// MARK: Errors

/// The errors of the server, in addition to #darkroom_code. Other codes of the server (for example -32602, invalid
/// parameters) are returned unchanged.
typedef enum darkroom_host_code {
  /// The state directory is unusable.
  DARKROOM_HOST_ERROR_STATE_DIRECTORY = -5001,
  /// The bundle has faults, which darkroom_host_validate() returns. Nothing was installed.
  DARKROOM_HOST_ERROR_BUNDLE = -5002,
  /// No app or extension with this ID is installed.
  DARKROOM_HOST_ERROR_NOT_INSTALLED = -5003,
  /// The installation of an app is damaged or was changed, or its directory is unusable.
  DARKROOM_HOST_ERROR_INSTALLATION = -5004,
  /// The app has content that it has not taken, so the app was not uninstalled.
  DARKROOM_HOST_ERROR_CONTENT_PENDING = -5005,
  /// An extension of the app is running, so the app was not uninstalled.
  DARKROOM_HOST_ERROR_EXTENSION_RUNNING = -5006,
  /// The policy cannot be found, is invalid, or its filter cannot be proved.
  DARKROOM_HOST_ERROR_POLICY = -5007,
  /// A required audit is missing, or does not match the installation.
  DARKROOM_HOST_ERROR_AUDIT = -5008,
  /// The program does not exist, or cannot run in the sandbox.
  DARKROOM_HOST_ERROR_PROGRAM = -5009,
  /// The camera provides no frames. Nothing was launched.
  DARKROOM_HOST_ERROR_CAMERA = -5010,
  /// The microphone provides no sound. Nothing was launched.
  DARKROOM_HOST_ERROR_MICROPHONE = -5011,
  /// Another session is in the foreground. Nothing was launched.
  DARKROOM_HOST_ERROR_FOREGROUND_OCCUPIED = -5012,
  /// There is no space for captures. Nothing was launched.
  DARKROOM_HOST_ERROR_INSUFFICIENT_SPACE = -5013,
  /// The content, the context or the permissions of an app, the session log, the storage limits or the photo library
  /// cannot be read or written.
  DARKROOM_HOST_ERROR_STORE = -5014,
  /// An argument is invalid.
  DARKROOM_HOST_ERROR_ARGUMENT = -5015,
  /// The launch was cancelled before the session was started.
  DARKROOM_HOST_ERROR_CANCELLED = -5016,
  /// The server exits.
  DARKROOM_HOST_ERROR_CLOSED = -5017,
  /// A system call of the server failed; `system_error` is its errno.
  DARKROOM_HOST_ERROR_SYSTEM = -5018,
  /// The session or the subscription does not exist.
  DARKROOM_HOST_ERROR_NOT_FOUND = -5019,
  /// A limit of the server is reached.
  DARKROOM_HOST_ERROR_BUSY = -5020,
  /// The press of a control has no effect. The member `refusal` of the error data is the reason.
  DARKROOM_HOST_ERROR_REFUSED = -5021,
  /// The session shows no viewfinder that can be read.
  DARKROOM_HOST_ERROR_VIEWFINDER = -5022,
  /// An error of a kind that this version of the library does not know.
  DARKROOM_HOST_ERROR_OTHER = -32000
} darkroom_host_code;

/// Returns the reason of the last failure of a function with this connection or with one of its sessions. Valid until
/// the next call with the connection.
DARKROOM_API const darkroom_error *darkroom_host_last_error(const darkroom_host *host);

/// Returns the `data` of the server's last error as JSON, or NULL. Valid until the next request.
DARKROOM_API const char *darkroom_host_last_error_data(const darkroom_host *host);

// MARK: Connections

/// The options of a connection.
typedef struct darkroom_host_options {
  /// The size of the structure in bytes.
  size_t size;
  /// The state directory of the server. NULL: `$DARKROOM_ROOT`, else `$XDG_STATE_HOME/darkroom`, else
  /// `~/.local/state/darkroom`.
  const char *state_directory;
  /// The name and version of the calling program, for messages of the server; may be NULL.
  const char *client;
  /// Whether the library starts a server if none is running. That server runs until darkroom_host_close().
  bool start;
  /// The program of a started server. NULL: `darkroom-host` in a directory of `PATH`.
  const char *program;
  /// Further arguments of a started server, such as `--lock-state` and `settable`, and their number.
  const char *const *arguments;
  size_t argument_count;
  /// The time in milliseconds in which a started server must be ready. 0: 10000.
  int start_timeout;
} darkroom_host_options;

/// The initial value of a #darkroom_host_options.
#ifdef __cplusplus
#define DARKROOM_HOST_OPTIONS_INIT {sizeof(darkroom_host_options)}
#else
#define DARKROOM_HOST_OPTIONS_INIT {.size = sizeof(darkroom_host_options)}
#endif

/// The facts of a connection.
///
/// The library owns the structure; later versions may add members at its end.
typedef struct darkroom_host_info {
  /// The version of the interface.
  int64_t version;
  /// The PID of the server.
  int64_t process;
  /// The version of Darkroom, and the path of the state directory.
  const char *host, *state_directory;
} darkroom_host_info;

/// Connects to the server, or starts a server.
///
/// A server of another user is refused, because such a server could forge results and read the names of files.
///
/// @param options May be NULL.
/// @param error Receives the reason of a failure; may be NULL.
/// @return The connection, to be closed with darkroom_host_close(), or NULL on failure: #DARKROOM_NO_HOST (no server is
///   running, or the server that was started has exited), #DARKROOM_PERMISSION_DENIED (a server of another user),
///   #DARKROOM_UNSUPPORTED_VERSION, #DARKROOM_TIMED_OUT, #DARKROOM_SYSTEM_ERROR, or another code.
DARKROOM_API darkroom_host *darkroom_host_open(const darkroom_host_options *options, darkroom_error *error);

/// Closes a connection, and frees the connection and all of its sessions. NULL is ignored.
///
/// The server dismisses the sessions of the connection, and migrates their content. If darkroom_host_open() has started
/// the server, this function terminates the server and waits until all sessions are migrated.
DARKROOM_API void darkroom_host_close(darkroom_host *host);

/// Returns the facts of the connection. The pointer is valid until darkroom_host_close().
DARKROOM_API const darkroom_host_info *darkroom_host_get_info(const darkroom_host *host);

/// Sets the timeout of requests in milliseconds; negative for no limit. The initial value is 30000.
DARKROOM_API void darkroom_host_set_timeout(darkroom_host *host, int milliseconds);

/// Returns a descriptor that is readable if darkroom_host_next() may have an event, for poll(2) and epoll(7).
///
/// Requests can queue events without making the descriptor readable: before each wait, call darkroom_host_next() with
/// the timeout 0 until it returns 0. Do not read or close the descriptor.
DARKROOM_API int darkroom_host_descriptor(const darkroom_host *host);

/// Frees a list or a structure that a function has returned to the caller. NULL is ignored.
DARKROOM_API void darkroom_host_free(const void *memory);

/// Sends a request of any method, and waits for the response.
///
/// The library has no #darkroom_hosted_session for a session that this function launches.
///
/// @param params A JSON object; NULL for no parameters.
/// @param result Receives the result as JSON for darkroom_json_string() and similar functions, valid until the next
///   call with the connection; may be NULL.
DARKROOM_API int darkroom_host_call(darkroom_host *host, const char *method, const char *params, const char **result);

/// A text of a list.
typedef struct darkroom_host_text {
  const struct darkroom_host_text *next;
  const char *text;
} darkroom_host_text;

// MARK: Apps

/// An installed extension.
typedef struct darkroom_host_extension {
  const struct darkroom_host_extension *next;
  /// The ID, the name for users, and the name or path of the policy.
  const char *id, *name, *policy;
  /// The time in seconds in which the extension must meet the requirements of a capture extension.
  double launch_deadline;
  /// Whether the extension speaks the extension protocol.
  bool uses_protocol;
} darkroom_host_extension;

/// A control of an app, such as a button of the lock screen.
typedef struct darkroom_host_control {
  const struct darkroom_host_control *next;
  /// The ID, the ID of the extension that the control launches, and the title.
  const char *id, *extension, *title;
  /// A description for users, or NULL.
  const char *summary;
  /// Whether the user must be authenticated first.
  bool requires_authentication;
} darkroom_host_control;

/// An installed app.
typedef struct darkroom_host_app {
  const struct darkroom_host_app *next;
  /// The ID, such as `org.example.camera`, and the name for users.
  const char *id, *name;
  /// The time of the installation, in milliseconds since 1970.
  int64_t installed_at;
  const darkroom_host_extension *extensions;
  const darkroom_host_control *controls;
} darkroom_host_app;

/// The severity of a fault of a bundle: the fault prevents the installation, or does not prevent it.
typedef enum darkroom_host_severity {
  DARKROOM_HOST_SEVERITY_ERROR = 1,
  DARKROOM_HOST_SEVERITY_WARNING
} darkroom_host_severity;

/// A fault of a bundle.
typedef struct darkroom_host_diagnostic {
  const struct darkroom_host_diagnostic *next;
  /// A #darkroom_host_severity.
  int severity;
  /// The path of the file in the bundle, the key in the file (or an empty text), the fault, and the fix.
  const char *file, *key, *reason, *fix;
  /// The line and the column, from 1; 0 if the fault has no position.
  int64_t line, column;
} darkroom_host_diagnostic;

/// The result of an installation.
typedef struct darkroom_host_installation {
  const darkroom_host_app *app;
  /// Whether an earlier installation was replaced.
  bool replaced;
  const darkroom_host_diagnostic *warnings;
} darkroom_host_installation;

/// Lists the installed apps.
///
/// @param failures Receives the messages about apps that cannot be read; may be NULL.
/// @return The number of apps, or a negative code.
DARKROOM_API int darkroom_host_list_apps(darkroom_host *host, const darkroom_host_app **apps,
                                         const darkroom_host_text **failures);

/// Finds an installed app.
///
/// @return 0, #DARKROOM_HOST_ERROR_NOT_INSTALLED, or another negative code.
DARKROOM_API int darkroom_host_find_app(darkroom_host *host, const char *app, const darkroom_host_app **found);

/// Checks a bundle without installing the app.
///
/// @param bundle The path of the bundle.
/// @param diagnostics Receives the faults, errors first.
/// @return The number of faults, or a negative code.
DARKROOM_API int darkroom_host_validate(darkroom_host *host, const char *bundle,
                                        const darkroom_host_diagnostic **diagnostics);

/// Installs an app, or replaces an installed app.
///
/// @param bundle The path of the bundle.
/// @param installation Receives the result; may be NULL.
/// @return 0, #DARKROOM_HOST_ERROR_BUNDLE, or another negative code.
DARKROOM_API int darkroom_host_install(darkroom_host *host, const char *bundle,
                                       const darkroom_host_installation **installation);

/// Uninstalls an app.
///
/// @param discard_content Whether content that the app has not taken is deleted. Otherwise the request fails if there
///   is such content.
/// @return 0, #DARKROOM_HOST_ERROR_CONTENT_PENDING, or another negative code.
DARKROOM_API int darkroom_host_uninstall(darkroom_host *host, const char *app, bool discard_content);

// MARK: Content

/// The content of a session in an app container.
typedef struct darkroom_host_content {
  const struct darkroom_host_content *next;
  /// The ID of the session, and the path of the content directory.
  const char *session, *path;
  /// The ID of the extension, or NULL if the session record cannot be read.
  const char *extension;
  /// The number of files, and their size in bytes.
  int64_t files, bytes;
} darkroom_host_content;

/// An entry of a session directory that was not migrated.
typedef struct darkroom_host_quarantined {
  const struct darkroom_host_quarantined *next;
  /// The former path relative to the content directory, the identifier of the reason, and the reason as text.
  const char *path, *reason, *explanation;
} darkroom_host_quarantined;

/// The quarantined entries of a session.
typedef struct darkroom_host_quarantine {
  const struct darkroom_host_quarantine *next;
  /// The ID of the session, and the path of the quarantine directory.
  const char *session, *path;
  const darkroom_host_quarantined *entries;
} darkroom_host_quarantine;

/// Lists the captured content of an app.
///
/// @return The number of sessions with content, or a negative code.
DARKROOM_API int darkroom_host_list_content(darkroom_host *host, const char *app,
                                            const darkroom_host_content **content);

/// Copies the content of a session into a directory.
///
/// @param path Receives the path of the copy; may be NULL if `size` is 0.
DARKROOM_API int darkroom_host_export_content(darkroom_host *host, const char *app, const char *session,
                                              const char *directory, char *path, size_t size);

/// Deletes the content of a session, because the app has taken it.
DARKROOM_API int darkroom_host_invalidate_content(darkroom_host *host, const char *app, const char *session);

/// Lists the entries that were not migrated.
///
/// @return The number of sessions with such entries, or a negative code.
DARKROOM_API int darkroom_host_list_quarantine(darkroom_host *host, const char *app,
                                               const darkroom_host_quarantine **quarantine);

/// Subscribes to changes of an app's content: #DARKROOM_HOST_CONTENT_INITIAL follows.
///
/// @param consumer A name under which the server remembers the reported content, even after a restart; may be NULL.
/// @param subscription Receives the number of the subscription.
DARKROOM_API int darkroom_host_watch_content(darkroom_host *host, const char *app, const char *consumer,
                                             int64_t *subscription);

/// Ends a subscription.
DARKROOM_API int darkroom_host_unwatch_content(darkroom_host *host, int64_t subscription);

// MARK: App context and permissions

/// Returns the app context as JSON, valid until the next call with the connection, or NULL on failure.
///
/// The text is `null` if the app has no context.
DARKROOM_API const char *darkroom_host_get_context(darkroom_host *host, const char *app);

/// Replaces the app context.
///
/// @param json The new context, at most 4096 bytes as compact JSON; NULL deletes the context.
DARKROOM_API int darkroom_host_set_context(darkroom_host *host, const char *app, const char *json);

/// A resource that the user permits.
typedef enum darkroom_host_resource {
  DARKROOM_HOST_RESOURCE_CAMERA = 1,
  DARKROOM_HOST_RESOURCE_MICROPHONE,
  DARKROOM_HOST_RESOURCE_PHOTOS,
  DARKROOM_HOST_RESOURCE_PHOTOS_ADD_ONLY
} darkroom_host_resource;

/// A decision of the user about a resource.
typedef enum darkroom_host_decision {
  DARKROOM_HOST_DECISION_ASK = 1,
  DARKROOM_HOST_DECISION_AUTHORIZED,
  DARKROOM_HOST_DECISION_DENIED,
  /// Permits some assets of the photo library.
  DARKROOM_HOST_DECISION_ASSETS,
  /// Permits some devices.
  DARKROOM_HOST_DECISION_DEVICES
} darkroom_host_decision;

/// A resource and the decision about it.
typedef struct darkroom_host_permission {
  const struct darkroom_host_permission *next;
  /// A #darkroom_host_resource and a #darkroom_host_decision.
  int resource, decision;
  /// The IDs of the assets, or the names of the devices.
  const darkroom_host_text *names;
} darkroom_host_permission;

/// Lists the decisions of the user about an app. Undecided resources are not in the list.
///
/// @return The number of decisions, or a negative code.
DARKROOM_API int darkroom_host_list_permissions(darkroom_host *host, const char *app,
                                                const darkroom_host_permission **permissions);

/// Stores a decision of the user.
///
/// @param names The IDs of the assets, or the names of the devices; NULL for other decisions.
/// @return 0, #DARKROOM_HOST_ERROR_ARGUMENT if the resource does not support the decision, or another negative code.
DARKROOM_API int darkroom_host_set_permission(darkroom_host *host, const char *app, darkroom_host_resource resource,
                                              darkroom_host_decision decision, const char *const *names, size_t count);

/// Forgets the decision about a resource.
///
/// @param resource A #darkroom_host_resource; 0 for all resources.
DARKROOM_API int darkroom_host_reset_permission(darkroom_host *host, const char *app, int resource);

// MARK: Lock state

/// Returns the #darkroom_lock_state, or a negative code.
///
/// @param settable Receives whether darkroom_host_set_lock_state() is permitted; may be NULL.
DARKROOM_API int darkroom_host_get_lock_state(darkroom_host *host, bool *settable);

/// Sets the lock state. The server must have been started with `--lock-state settable`.
DARKROOM_API int darkroom_host_set_lock_state(darkroom_host *host, darkroom_lock_state state);

// MARK: Policies

/// An explanation of a policy.
typedef struct darkroom_host_explanation {
  /// The name and the digest of the policy.
  const char *name, *digest;
  const darkroom_host_text *lines;
} darkroom_host_explanation;

/// A use of a path.
typedef enum darkroom_host_path_use {
  /// Opening a file for reading, or listing a directory.
  DARKROOM_HOST_PATH_READ = 1,
  /// Changing or creating a file.
  DARKROOM_HOST_PATH_WRITE,
  /// Executing a file.
  DARKROOM_HOST_PATH_EXECUTE
} darkroom_host_path_use;

/// The access of an extension to a path under a policy.
typedef struct darkroom_host_path_access {
  /// The path in printable form, and the result with its reason and its fix.
  const char *path, *sentence;
  /// The name of the error that the extension receives; NULL if the access is allowed.
  const char *error_name;
  /// The line of the policy that shows the path, or NULL.
  const char *line;
  /// The layers that refuse the access, or the layers that allow it.
  const darkroom_host_text *layers;
  /// A #darkroom_host_path_use.
  int use;
  /// Whether the access succeeds if the permissions of the file permit it.
  bool allowed;
} darkroom_host_path_access;

/// The result of a proof of a policy.
typedef struct darkroom_host_verdict {
  const struct darkroom_host_verdict *next;
  /// The property, and the compiled filters to which the property applies.
  const char *property, *programs;
  bool proved;
  /// The reason why the property is not proved, or NULL.
  const char *failure;
} darkroom_host_verdict;

/// The effect of a difference between two policies.
typedef enum darkroom_host_effect {
  DARKROOM_HOST_EFFECT_WEAKER = 1,
  DARKROOM_HOST_EFFECT_STRICTER,
  DARKROOM_HOST_EFFECT_CHANGED
} darkroom_host_effect;

/// A difference between two policies.
typedef struct darkroom_host_difference {
  const struct darkroom_host_difference *next;
  /// The system call or the part of the sandbox, the old behavior, and the new behavior.
  const char *subject, *old_behavior, *new_behavior;
  /// A #darkroom_host_effect.
  int effect;
  const darkroom_host_text *conditions;
  /// A call that the policies treat differently, or NULL.
  const char *example;
} darkroom_host_difference;

/// A comparison of two policies.
typedef struct darkroom_host_comparison {
  /// The differences between the filters, and the other differences.
  const darkroom_host_difference *calls, *sandbox;
  /// Whether the new policy permits more.
  bool weaker;
} darkroom_host_comparison;

/// Lists the names of the shipped policies.
///
/// @return The number of policies, or a negative code.
DARKROOM_API int darkroom_host_list_policies(darkroom_host *host, const darkroom_host_text **policies);

/// Explains a policy as text.
///
/// @param policy The name of a shipped policy, or a path with a slash.
/// @param width The maximum length of a line, from 40 to 1000; 0 for 100.
DARKROOM_API int darkroom_host_explain_policy(darkroom_host *host, const char *policy, int width,
                                              const darkroom_host_explanation **explanation);

/// Explains what an extension can access at a path. Nothing is launched.
///
/// @param policy The name of a shipped policy, or the path of a policy.
/// @param path The absolute path, as the extension sees it.
/// @param access Receives the explanation; may be NULL.
/// @return 1 if the access is allowed, 0 if it is refused, or a negative code.
DARKROOM_API int darkroom_host_explain_access(darkroom_host *host, const char *policy, const char *path,
                                              darkroom_host_path_use use, const darkroom_host_path_access **access);

/// Proves the invariants of a policy for its compiled filters.
///
/// @param policy The name of a shipped policy, or a path with a slash.
/// @param verdicts Receives the proofs; may be NULL.
/// @return 1 if every property is proved, 0 if not, or a negative code.
DARKROOM_API int darkroom_host_verify_policy(darkroom_host *host, const char *policy,
                                             const darkroom_host_verdict **verdicts);

/// Compares two policies.
DARKROOM_API int darkroom_host_compare_policies(darkroom_host *host, const char *old_policy, const char *new_policy,
                                                const darkroom_host_comparison **comparison);

// MARK: Recovery

/// The result of the recovery of a session.
typedef enum darkroom_host_finding {
  /// A host still runs the session.
  DARKROOM_HOST_FINDING_LIVE = 1,
  DARKROOM_HOST_FINDING_MIGRATED,
  DARKROOM_HOST_FINDING_NEVER_STARTED,
  DARKROOM_HOST_FINDING_ERASED,
  DARKROOM_HOST_FINDING_DAMAGED,
  DARKROOM_HOST_FINDING_FAILED
} darkroom_host_finding;

/// A session and the result of its recovery.
typedef struct darkroom_host_recovered {
  const struct darkroom_host_recovered *next;
  const char *session;
  /// A #darkroom_host_finding.
  int finding;
  /// After a migration, the path of the content directory; otherwise NULL.
  const char *content;
  /// After damage or a failure, the reason; otherwise NULL.
  const char *message;
} darkroom_host_recovered;

/// A recovery.
typedef struct darkroom_host_recovery {
  const darkroom_host_recovered *sessions;
  /// Further messages for the user.
  const darkroom_host_text *notices;
} darkroom_host_recovery;

/// Recovers the sessions of hosts that died.
///
/// @param recovery Receives the results; may be NULL.
/// @return 1 if no result requires the attention of the user, 0 otherwise, or a negative code.
DARKROOM_API int darkroom_host_recover(darkroom_host *host, const darkroom_host_recovery **recovery);

// MARK: Launches

/// The place of a launch.
typedef enum darkroom_host_place {
  DARKROOM_HOST_PLACE_LOCK_SCREEN = 1,
  DARKROOM_HOST_PLACE_ELSEWHERE,
  /// The session runs at the same time as other sessions.
  DARKROOM_HOST_PLACE_PROGRAM
} darkroom_host_place;

/// The options of a launch.
typedef struct darkroom_host_launch_options {
  /// The size of the structure in bytes.
  size_t size;
  /// The time in seconds that the extension may take to exit after its dismissal; negative for the default, 5.
  double grace;
  /// The time in seconds in which the extension must meet the requirements of a capture extension; 0 for no limit,
  /// negative for the deadline of the manifest.
  double watchdog;
  /// The time in seconds without user input after which the session is dismissed; negative for no limit.
  double idle_timeout;
  /// The camera and the microphone in the form of `darkroom run --camera`, such as `/dev/video0`; NULL for none.
  const char *camera, *microphone;
  /// A #darkroom_host_place; 0 for #DARKROOM_HOST_PLACE_PROGRAM.
  int place;
  /// Whether the session record contains the digest of each file.
  bool digests;
  /// The paths of the attestation and of the public key of the signed audit without which nothing is launched; NULL for
  /// none.
  const char *attestation, *public_key;
} darkroom_host_launch_options;

/// The initial value of a #darkroom_host_launch_options.
#ifdef __cplusplus
#define DARKROOM_HOST_LAUNCH_OPTIONS_INIT {sizeof(darkroom_host_launch_options), -1, -1, -1}
#else
#define DARKROOM_HOST_LAUNCH_OPTIONS_INIT \
  {.size = sizeof(darkroom_host_launch_options), .grace = -1, .watchdog = -1, .idle_timeout = -1}
#endif

/// A program that is not an installed extension. `app` and `program` are required.
typedef struct darkroom_host_program {
  /// The size of the structure in bytes.
  size_t size;
  /// The ID of the app that the captures belong to. The app need not be installed.
  const char *app;
  /// The name of the program, or a path with a slash.
  const char *program;
  /// The arguments of the program, and their number.
  const char *const *arguments;
  size_t argument_count;
  /// The name of a shipped policy, or a path with a slash; NULL for `capture`.
  const char *policy;
  /// The paths that the program can read in addition, and their number.
  const char *const *read_only_paths;
  size_t read_only_path_count;
  /// The variables that the program receives in addition (`NAME=value`), and their number.
  const char *const *environment;
  size_t environment_count;
  /// The camera; NULL for none.
  const char *camera;
} darkroom_host_program;

/// The initial value of a #darkroom_host_program.
#ifdef __cplusplus
#define DARKROOM_HOST_PROGRAM_INIT {sizeof(darkroom_host_program)}
#else
#define DARKROOM_HOST_PROGRAM_INIT {.size = sizeof(darkroom_host_program)}
#endif

/// Launches an installed extension, and waits until its program is started.
///
/// The server dismisses the session if the connection is closed.
///
/// @param options May be NULL.
/// @return The session, to be closed with darkroom_hosted_close(), or NULL on failure; see darkroom_host_last_error().
DARKROOM_API darkroom_hosted_session *darkroom_host_launch(darkroom_host *host, const char *extension,
                                                           const darkroom_host_launch_options *options);

/// Launches a program that is not an installed extension, under a policy. Otherwise like darkroom_host_launch().
DARKROOM_API darkroom_hosted_session *darkroom_host_launch_program(darkroom_host *host,
                                                                   const darkroom_host_program *program);

/// Presses a control of an app. The press launches the extension of the control on the lock screen, and opens the app
/// elsewhere.
///
/// A press grants no permission. The session is like one of darkroom_host_launch().
///
/// @param app The ID of the app.
/// @param control The ID of the control.
/// @param options May be NULL. The member `place` is the place of the press; with #DARKROOM_HOST_PLACE_PROGRAM, the lock
///   state determines the place.
/// @param session Receives the session, or NULL if the app was opened.
/// @return 1 if the extension was launched, 0 if the app was opened, #DARKROOM_HOST_ERROR_REFUSED if the press has no
///   effect, or another negative code.
DARKROOM_API int darkroom_host_press_control(darkroom_host *host, const char *app, const char *control,
                                             const darkroom_host_launch_options *options,
                                             darkroom_hosted_session **session);

/// Prewarms an installed extension for a launch with equal options, if the manifest of the extension requests
/// prewarming.
///
/// @param options May be NULL.
/// @return 0, #DARKROOM_HOST_ERROR_ARGUMENT if the server was started with `--warm 0`, or another negative code.
DARKROOM_API int darkroom_host_prewarm(darkroom_host *host, const char *extension,
                                       const darkroom_host_launch_options *options);

/// A running session of the server.
typedef struct darkroom_host_running {
  const struct darkroom_host_running *next;
  /// The ID of the session, and the ID of the extension or the name of the program.
  const char *session, *target;
} darkroom_host_running;

/// Lists the running sessions of the server, including sessions of other connections.
///
/// @return The number of sessions, or a negative code.
DARKROOM_API int darkroom_host_list_sessions(darkroom_host *host, const darkroom_host_running **sessions);

// MARK: Sessions

/// Frees a session, its events, and the memory of its viewfinder. NULL is ignored.
///
/// A session that is still running is dismissed, without a wait for its end.
DARKROOM_API void darkroom_hosted_close(darkroom_hosted_session *session);

/// Returns the UUID of the session. Valid until darkroom_hosted_close().
DARKROOM_API const char *darkroom_hosted_id(const darkroom_hosted_session *session);

/// The phase of a press. A tap is a press and a release.
typedef enum darkroom_host_phase {
  DARKROOM_HOST_PRESS_TAP = 1,
  DARKROOM_HOST_PRESS_BEGAN,
  DARKROOM_HOST_PRESS_ENDED,
  DARKROOM_HOST_PRESS_CANCELLED
} darkroom_host_phase;

/// Presses, releases or cancels a button.
///
/// The extension receives presses only while it accepts them (#DARKROOM_HOST_ACCEPTS_PRESSES).
DARKROOM_API int darkroom_hosted_press(darkroom_hosted_session *session, darkroom_button button,
                                       darkroom_host_phase phase);

/// The phase of a contact with the viewfinder. A tap is the begin and the end of a contact.
typedef enum darkroom_host_pointer_phase {
  DARKROOM_HOST_POINTER_TAP = 1,
  DARKROOM_HOST_POINTER_BEGAN,
  DARKROOM_HOST_POINTER_MOVED,
  DARKROOM_HOST_POINTER_ENDED,
  DARKROOM_HOST_POINTER_CANCELLED
} darkroom_host_pointer_phase;

/// Passes a change of a contact with the viewfinder to the extension, for programs that draw the viewfinder themselves.
///
/// The extension receives contacts only after it has subscribed to them. A contact that leaves the picture is cancelled.
///
/// @param contact 0 for the pointer, another number for each finger, at most 15.
/// @param x The distance from the left edge of the viewfinder's picture, in pixels of the picture.
/// @param y The distance from the upper edge of the picture, in pixels of the picture.
DARKROOM_API int darkroom_hosted_pointer(darkroom_hosted_session *session, darkroom_host_pointer_phase phase, int contact,
                                         double x, double y);

/// Sets the value of a camera control; for a picker, the index of the title, from 0.
DARKROOM_API int darkroom_hosted_set_control(darkroom_hosted_session *session, const char *control, double value);

/// Moves a camera control by a number of steps, from -1000 to 1000.
DARKROOM_API int darkroom_hosted_step_control(darkroom_hosted_session *session, const char *control, int steps);

/// Selects a title of a picker.
DARKROOM_API int darkroom_hosted_select_title(darkroom_hosted_session *session, const char *control, const char *title);

/// Dismisses the session. The extension has the grace period to exit; #DARKROOM_HOST_FINISHED follows.
DARKROOM_API int darkroom_hosted_dismiss(darkroom_hosted_session *session);

/// Terminates the session without a grace period. Its content is migrated; #DARKROOM_HOST_FINISHED follows.
DARKROOM_API int darkroom_hosted_terminate(darkroom_hosted_session *session);

// MARK: Results

/// The degree to which the kernel enforces a layer of the sandbox.
typedef enum darkroom_host_layer_state {
  DARKROOM_HOST_LAYER_ENFORCED = 1,
  DARKROOM_HOST_LAYER_DEGRADED,
  DARKROOM_HOST_LAYER_MISSING,
  DARKROOM_HOST_LAYER_LEARNING
} darkroom_host_layer_state;

/// A layer of the sandbox.
typedef struct darkroom_host_layer {
  const struct darkroom_host_layer *next;
  const char *name;
  /// A #darkroom_host_layer_state.
  int state;
  /// Further details, or NULL.
  const char *detail;
} darkroom_host_layer;

/// The layers of the sandbox that the kernel enforces for a session.
typedef struct darkroom_host_sandbox {
  /// Whether every layer is enforced in full.
  bool full;
  const darkroom_host_layer *layers;
} darkroom_host_sandbox;

/// A refused call of an extension, with its explanation.
typedef struct darkroom_host_refusal {
  const struct darkroom_host_refusal *next;
  /// The layer that refused the call, the name of the system call, and the name of the calling program.
  const char *layer, *call, *program;
  /// The arguments of the first such call.
  const darkroom_host_text *arguments;
  /// The number of equal calls so far.
  int64_t count;
  /// The name of the errno, such as `EPERM`, the reason, and the refusal and its fix as one sentence.
  const char *error_name, *reason, *sentence;
  /// Whether the call only tests whether a function is available.
  bool probe;
} darkroom_host_refusal;

/// The kind of the end of a session.
typedef enum darkroom_host_end {
  /// The program exited: `exit_code`.
  DARKROOM_HOST_OUTCOME_COMPLETED = 1,
  /// A signal terminated the program: `signal`.
  DARKROOM_HOST_OUTCOME_SIGNALED,
  /// The program violated a rule of the policy: `rule`.
  DARKROOM_HOST_OUTCOME_VIOLATED,
  /// A deadline passed: `deadline`.
  DARKROOM_HOST_OUTCOME_TIMED_OUT,
  /// The extension did not meet the requirements of a capture extension in time: `missing`.
  DARKROOM_HOST_OUTCOME_WATCHDOG,
  DARKROOM_HOST_OUTCOME_PROTOCOL_VIOLATION,
  /// The session was dismissed: `initiator`.
  DARKROOM_HOST_OUTCOME_DISMISSED,
  /// An operation of the host failed: `step`, `error_name`.
  DARKROOM_HOST_OUTCOME_HOST_FAILURE
} darkroom_host_end;

/// The initiator of a dismissal.
typedef enum darkroom_host_initiator {
  DARKROOM_HOST_BY_USER = 1,
  DARKROOM_HOST_BY_EXTENSION,
  DARKROOM_HOST_BY_OPENED_APPLICATION,
  DARKROOM_HOST_BY_LOCK,
  DARKROOM_HOST_BY_IDLENESS,
  DARKROOM_HOST_BY_POWER_KEY,
  DARKROOM_HOST_BY_STOPPED_HOST,
  DARKROOM_HOST_BY_DEAD_HOST
} darkroom_host_initiator;

/// The end of a session. #darkroom_host_end names the members that a kind sets; the others are 0.
typedef struct darkroom_host_outcome {
  /// A #darkroom_host_end.
  int kind;
  /// A #darkroom_host_initiator.
  int initiator;
  int64_t exit_code, signal;
  /// The rule, such as `sessionBytes`; `launch` or `wallClock`; the failed step; the name of its error.
  const char *rule, *deadline, *step, *error_name;
  const darkroom_host_text *missing;
} darkroom_host_outcome;

/// A captured file.
typedef struct darkroom_host_file {
  const struct darkroom_host_file *next;
  /// The path relative to the content directory.
  const char *path;
  /// The digest (`sha256:` and 64 hexadecimal digits), or NULL without the option `digests`.
  const char *sha256;
  /// The size in bytes.
  int64_t bytes;
} darkroom_host_file;

/// The numbers of camera frames: frames of the camera, frames that the extension consumed, and frames that did not
/// reach the extension.
typedef struct darkroom_host_frame_counts {
  int64_t produced, consumed, dropped;
} darkroom_host_frame_counts;

/// The result of a session, after the migration of its content.
typedef struct darkroom_host_result {
  /// The IDs of the session, of the app and of the extension.
  const char *session, *app, *extension;
  const darkroom_host_outcome *outcome;
  /// The outcome as text.
  const char *summary;
  /// The exit code of a command that runs the session.
  int64_t exit_code;
  /// NULL if the program was not started.
  const darkroom_host_sandbox *sandbox;
  /// The path of the content directory, or NULL if the session has no content.
  const char *content;
  const darkroom_host_file *files;
  const darkroom_host_quarantined *quarantined;
  const darkroom_host_refusal *refusals;
  /// NULL without a camera.
  const darkroom_host_frame_counts *frames;
  /// The path of the session record, and the end of the extension's standard output and error.
  const char *record, *output;
  /// Further messages for the user.
  const darkroom_host_text *notices;
} darkroom_host_result;

/// Waits for the end of the session and for the migration of its content.
///
/// @param timeout_ms The timeout in milliseconds; 0 returns at once; negative waits without limit.
/// @param result Receives the result, valid until darkroom_hosted_close(); may be NULL.
/// @return 0, #DARKROOM_TIMED_OUT, #DARKROOM_INTERRUPTED, or another negative code.
DARKROOM_API int darkroom_hosted_wait(darkroom_hosted_session *session, int timeout_ms,
                                      const darkroom_host_result **result);

// MARK: Viewfinder

/// Waits for the next frame of the viewfinder, and returns a view of the frame without a copy.
///
/// Releases the current frame. Requests a frame, unless darkroom_hosted_request_frame() has requested one. The first
/// request opens the viewfinder, and waits until the extension draws.
///
/// The pixels do not change until the next call of darkroom_hosted_take_frame(), darkroom_hosted_request_frame(),
/// darkroom_hosted_release_frame() or darkroom_hosted_close(). Functions of darkroom.h with a #darkroom_frame, such as
/// darkroom_copy_frame() and darkroom_encode_jpeg(), accept the view. The member `published` is 0.
///
/// @param timeout_ms The timeout in milliseconds; 0 returns at once; negative waits without limit. After the timeout and
///   after #DARKROOM_INTERRUPTED, the frame remains requested.
/// @return 1 for a frame, 0 at the timeout, #DARKROOM_ENDED after the last frame, #DARKROOM_UNAVAILABLE if the session
///   has ended without a viewfinder, #DARKROOM_INTERRUPTED, or another negative code.
DARKROOM_API int darkroom_hosted_take_frame(darkroom_hosted_session *session, darkroom_frame *frame, int timeout_ms);

/// Requests the next frame without waiting, for event loops: #DARKROOM_HOST_FRAME follows.
///
/// Releases the current frame.
DARKROOM_API int darkroom_hosted_request_frame(darkroom_hosted_session *session);

/// Releases the current frame without a request for the next one.
DARKROOM_API int darkroom_hosted_release_frame(darkroom_hosted_session *session);

/// Encodes a frame as PNG and saves it. The file appears complete or not at all.
///
/// @param path Relative to the working directory, or absolute. The file `path.part` exists until the image is complete.
/// @return 0, or a code of darkroom_encode_png().
DARKROOM_API int darkroom_host_save_png(darkroom_host *host, const darkroom_frame *frame, const char *path);

/// Encodes a frame as JPEG and saves it, like darkroom_host_save_png().
///
/// @param quality From 1 (smallest file) to 100 (best image).
DARKROOM_API int darkroom_host_save_jpeg(darkroom_host *host, const darkroom_frame *frame, const char *path,
                                         int quality);

// MARK: Sound

/// Waits for the next block of the sound that the extension receives from its microphone, and copies the block.
///
/// The first call opens the sound, and returns the oldest block in memory, which is about one second old. The session has
/// sound only while its extension uses the microphone and has the permission. Neither the microphone nor the extension
/// waits for the program: the member `lost` is the number of frames that the program missed before the block.
///
/// After a call that returns 0, #DARKROOM_HOST_SOUND follows the next block. An event loop then calls this function with
/// the timeout 0 until it returns 0.
///
/// @param sound Receives the block. The samples are valid until the next call, or until darkroom_hosted_close().
/// @param timeout_ms The timeout in milliseconds; 0 returns at once; negative waits without limit.
/// @return 1 for a block, 0 at the timeout, #DARKROOM_ENDED after the last block, #DARKROOM_UNAVAILABLE if the session
///   has no microphone, #DARKROOM_INTERRUPTED, or another negative code.
DARKROOM_API int darkroom_hosted_read_sound(darkroom_hosted_session *session, darkroom_sound *sound, int timeout_ms);

// MARK: Devices

/// A camera of the machine. Either `error` or the members before it, except `camera`, are NULL.
typedef struct darkroom_host_camera {
  const struct darkroom_host_camera *next;
  /// The camera for #darkroom_host_launch_options.
  const char *camera;
  /// The name for users, the driver, and the address of the bus. A camera that is listed twice has the same address.
  const char *name, *driver, *bus;
  /// The name for darkroom_host_set_permission(), which stays the same if the path changes.
  const char *device;
  /// The reason why the camera cannot be used, with the fix.
  const char *error;
} darkroom_host_camera;

/// A microphone of the machine.
typedef struct darkroom_host_microphone {
  const struct darkroom_host_microphone *next;
  /// The microphone for #darkroom_host_launch_options, and the description for users.
  const char *microphone, *description;
} darkroom_host_microphone;

/// Lists the cameras of the machine: those of Video4Linux, then those of PipeWire. None is started.
///
/// @return The number of cameras, or a negative code.
DARKROOM_API int darkroom_host_list_cameras(darkroom_host *host, const darkroom_host_camera **cameras);

/// Lists the microphones of the machine, without opening them.
///
/// @return The number of microphones, or a negative code.
DARKROOM_API int darkroom_host_list_microphones(darkroom_host *host, const darkroom_host_microphone **microphones);

/// Saves the newest frame of a session, which can belong to another client or host, as an image. The file appears
/// complete or not at all. Neither the extension nor its host waits.
///
/// @param session The ID of a running session.
/// @param path Relative to the working directory, or absolute; it ends with `.png`, `.jpg` or `.jpeg`. The file
///   `path.part` exists until the image is complete.
/// @return 0, #DARKROOM_HOST_ERROR_VIEWFINDER if the session shows no viewfinder, #DARKROOM_HOST_ERROR_ARGUMENT if no
///   such session is running, or another negative code.
DARKROOM_API int darkroom_host_save_viewfinder(darkroom_host *host, const char *session, const char *path);

// MARK: Key bindings

/// A binding of a key to a control.
typedef struct darkroom_host_key_binding {
  const struct darkroom_host_key_binding *next;
  /// The kernel's name of the key, such as `KEY_CAMERA`, or `KEY_POWER:double` for two presses in quick succession.
  const char *key;
  /// The ID of the app, and the ID of the control.
  const char *app, *control;
} darkroom_host_key_binding;

/// Lists the bindings of keys to controls, sorted by key.
///
/// @return The number of bindings, or a negative code.
DARKROOM_API int darkroom_host_list_key_bindings(darkroom_host *host, const darkroom_host_key_binding **bindings);

/// Binds a key to a control, and replaces the previous binding of the key. A bound key presses its control while
/// `darkroom control listen` runs.
///
/// @return 0, #DARKROOM_HOST_ERROR_ARGUMENT if the key or the control is unknown, or another negative code.
DARKROOM_API int darkroom_host_bind_key(darkroom_host *host, const char *key, const char *app, const char *control);

/// Removes the binding of a key.
///
/// @return 0, #DARKROOM_HOST_ERROR_ARGUMENT if the key is not bound, or another negative code.
DARKROOM_API int darkroom_host_unbind_key(darkroom_host *host, const char *key);

// MARK: Passcode

/// The result of the verification of the current passcode. Only #DARKROOM_HOST_PASSCODE_SUCCEEDED means that a request
/// had its effect.
typedef enum darkroom_host_passcode {
  DARKROOM_HOST_PASSCODE_SUCCEEDED = 1,
  /// The current passcode is wrong.
  DARKROOM_HOST_PASSCODE_FAILED,
  DARKROOM_HOST_PASSCODE_CANCELLED,
  DARKROOM_HOST_PASSCODE_TIMED_OUT,
  /// After several wrong passcodes, the user must wait.
  DARKROOM_HOST_PASSCODE_TOO_MANY_ATTEMPTS,
  DARKROOM_HOST_PASSCODE_UNAVAILABLE
} darkroom_host_passcode;

/// Returns 1 if a passcode of Darkroom is set, 0 if none is set, or a negative code.
DARKROOM_API int darkroom_host_has_passcode(darkroom_host *host);

/// Sets or replaces the passcode of Darkroom.
///
/// @param passcode The new passcode, of 4 to 1024 bytes.
/// @param current The current passcode, which is required if one is set; may be NULL.
/// @return A #darkroom_host_passcode, or a negative code.
DARKROOM_API int darkroom_host_set_passcode(darkroom_host *host, const char *passcode, const char *current);

/// Removes the passcode of Darkroom. Afterwards, only PAM or a program can authenticate the user.
///
/// @param current The current passcode, which is required if one is set; may be NULL.
/// @return A #darkroom_host_passcode, or a negative code.
DARKROOM_API int darkroom_host_clear_passcode(darkroom_host *host, const char *current);

// MARK: Session log

/// The kind of an entry of the session log.
typedef enum darkroom_host_log_kind {
  /// A session ended, and its host wrote the entry.
  DARKROOM_HOST_LOG_ENDED = 1,
  /// A session ended, and recovery wrote the entry because the host died.
  DARKROOM_HOST_LOG_RECOVERED,
  /// An incomplete line, left by a crash, was moved to another file. The entry has no session.
  DARKROOM_HOST_LOG_REPAIRED
} darkroom_host_log_kind;

/// An entry of the session log.
typedef struct darkroom_host_log_entry {
  const struct darkroom_host_log_entry *next;
  /// The sequence number, from 1, and the time of the entry in milliseconds since 1970.
  int64_t sequence, logged_at;
  /// The ID of the session, the ID of the app, and the ID of the extension; NULL if the entry has no session.
  const char *session, *app, *extension;
  /// The digest of the session record as written, or NULL.
  const char *record_digest;
  /// The start and the end of the session in milliseconds since 1970, and the number of refused calls.
  int64_t started_at, ended_at, refusals;
  /// A #darkroom_host_log_kind.
  int kind;
  /// A #darkroom_host_end; 0 if the entry has no session, or if its outcome is unknown.
  int outcome;
} darkroom_host_log_entry;

/// A selection of entries of the session log.
typedef struct darkroom_host_log_filter {
  /// The size of the structure in bytes.
  size_t size;
  /// The ID of the app and the ID of the extension; NULL for all.
  const char *app, *extension;
  /// A #darkroom_host_end; 0 for all outcomes.
  int outcome;
  /// The maximum number of entries, at most 1000; 0 for 100.
  int limit;
  /// The earliest and the latest time of the entries in milliseconds since 1970; negative for no limit.
  int64_t since, until;
} darkroom_host_log_filter;

/// The initial value of a #darkroom_host_log_filter.
#ifdef __cplusplus
#define DARKROOM_HOST_LOG_FILTER_INIT {sizeof(darkroom_host_log_filter), NULL, NULL, 0, 0, -1, -1}
#else
#define DARKROOM_HOST_LOG_FILTER_INIT {.size = sizeof(darkroom_host_log_filter), .since = -1, .until = -1}
#endif

/// Lists the ended sessions of all hosts of the state directory, newest first.
///
/// @param filter May be NULL.
/// @return The number of entries, or a negative code.
DARKROOM_API int darkroom_host_list_log(darkroom_host *host, const darkroom_host_log_filter *filter,
                                        const darkroom_host_log_entry **entries);

// MARK: Events

/// The kind of an event.
typedef enum darkroom_host_event_type {
  /// A notification that this version does not know; see `method` and `params`. Ignore it.
  DARKROOM_HOST_OTHER = 0,
  /// The program was started in its sandbox: `sandbox`.
  DARKROOM_HOST_STARTED = 1,
  /// The extension has shown its first frame.
  DARKROOM_HOST_PRESENTED,
  /// The extension accepts presses, or does not accept them any longer: `accepts`.
  DARKROOM_HOST_ACCEPTS_PRESSES,
  /// A call of a new kind was refused: `refusal`.
  DARKROOM_HOST_REFUSED,
  /// A message for the user: `message`.
  DARKROOM_HOST_NOTICE,
  /// The extension was asked to exit.
  DARKROOM_HOST_DISMISSING,
  /// The session ends, because its app will be opened.
  DARKROOM_HOST_OPENING_APPLICATION,
  /// The session has ended: `outcome`.
  DARKROOM_HOST_SESSION_END,

  /// A requested frame of the viewfinder has arrived: call darkroom_hosted_take_frame().
  DARKROOM_HOST_FRAME = 101,
  /// The viewfinder has no further frames.
  DARKROOM_HOST_VIEWFINDER_END,
  /// darkroom_hosted_wait() returns the result. This is the last event of each session.
  DARKROOM_HOST_FINISHED,
  /// Sound has arrived: call darkroom_hosted_read_sound() until it returns 0.
  DARKROOM_HOST_SOUND,
  /// The sound has no further blocks after those in memory.
  DARKROOM_HOST_SOUND_END,

  /// The content at the start of a subscription: `subscription`, `content` (a list).
  DARKROOM_HOST_CONTENT_INITIAL = 201,
  /// Content was added: `subscription`, `content`.
  DARKROOM_HOST_CONTENT_ADDED,
  /// Content was removed: `subscription`, `removed`.
  DARKROOM_HOST_CONTENT_REMOVED,
  /// The subscription has ended because of an error: `subscription`, `message`.
  DARKROOM_HOST_CONTENT_END
} darkroom_host_event_type;

/// An event. #darkroom_host_event_type names the members that a type sets; the others are 0.
///
/// Pointers are valid until the next call of darkroom_host_next().
typedef struct darkroom_host_event {
  /// The size of the structure in bytes.
  size_t size;
  /// A #darkroom_host_event_type.
  int type;
  /// Whether the extension accepts presses.
  bool accepts;
  /// The session; NULL for events of subscriptions.
  darkroom_hosted_session *session;
  const darkroom_host_sandbox *sandbox;
  const darkroom_host_refusal *refusal;
  const darkroom_host_outcome *outcome;
  /// A message for the user.
  const char *message;
  /// The number of the subscription.
  int64_t subscription;
  const darkroom_host_content *content;
  /// The ID of the session whose content was removed.
  const char *removed;
  /// The method of the notification and its parameters as JSON; NULL for events of the library,
  /// from #DARKROOM_HOST_FRAME to #DARKROOM_HOST_SOUND_END.
  const char *method, *params;
} darkroom_host_event;

/// The initial value of a #darkroom_host_event.
#ifdef __cplusplus
#define DARKROOM_HOST_EVENT_INIT {sizeof(darkroom_host_event)}
#else
#define DARKROOM_HOST_EVENT_INIT {.size = sizeof(darkroom_host_event)}
#endif

/// Waits for the next event.
///
/// @param timeout_ms The timeout in milliseconds; 0 returns at once; negative waits without limit.
/// @return 1 for an event, 0 at the timeout, or a negative code. #DARKROOM_ENDED: the server has closed the connection.
///   #DARKROOM_INTERRUPTED: the program called darkroom_host_interrupt().
DARKROOM_API int darkroom_host_next(darkroom_host *host, darkroom_host_event *event, int timeout_ms);

/// Ends the current wait of darkroom_host_next(), darkroom_hosted_take_frame(), darkroom_hosted_read_sound() or
/// darkroom_hosted_wait(), or the next one, with #DARKROOM_INTERRUPTED.
///
/// The function is safe in signal handlers and in all threads until darkroom_host_close(), and preserves errno. Several
/// calls before the end of a wait have the effect of one. Events, frames and results that were received earlier precede
/// the interruption, and none is lost. Requests are not interrupted, and darkroom_host_descriptor() does not become
/// readable.
DARKROOM_API void darkroom_host_interrupt(darkroom_host *host);

#ifdef __cplusplus
}
#endif

#endif
