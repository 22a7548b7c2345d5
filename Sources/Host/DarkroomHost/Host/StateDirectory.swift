// SPDX-License-Identifier: Apache-2.0

/// The directory that contains the installed apps, their content and the running sessions.
///
/// Several hosts can use the same directory at the same time. It must belong to the user of the process, and
/// must not be writable by other users.
public enum StateDirectory: Sendable, Hashable {
  /// The directory of the user: `DARKROOM_ROOT`, or `darkroom` in `XDG_STATE_HOME`, or
  /// `~/.local/state/darkroom`.
  case `default`
  /// The directory at a path. A relative path starts at the working directory.
  case path(String)
}
