// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import HostService
package import SessionStore

/// The part of a server that serves programs in any language.
///
/// The program `darkroom-host` implements it with the library for hosts. `darkroom` does not link with that
/// library, whose concurrency runtime would make the start of each command slower.
package protocol ProgramServer: AnyObject, SendableMetatype {
  /// The path of the socket for programs.
  var socket: String { get }
  /// Whether all sessions of programs are migrated after ``stop()``.
  var isFinished: Bool { get }

  /// Creates the socket, and connects to the message bus if that is requested. `server` stops the whole server
  /// if this part fails, and is woken when this part has finished.
  init(
    _ root: StateRoot,
    _ resources: HostResources,
    _ options: ProgramServerOptions,
    server: ServerStopper
  ) throws(CommandFailure)

  /// Accepts no more requests, and dismisses the sessions. Does not wait.
  func stop()

  /// Returns after the migration of all sessions.
  ///
  /// - Throws: The failure that has stopped the server.
  func finish() throws(CommandFailure)
}

/// The options of a server for programs.
package struct ProgramServerOptions: Sendable {
  /// The source of the lock state.
  package var lockState: LockStateOption
  /// The directory of the photo library, `standard` for that of the user, or `none`.
  package var photoLibrary: String
  /// Whether the server owns a name on the message bus of the user's login session.
  package var usesMessageBus: Bool

  /// A source of the lock state.
  package enum LockStateOption: String, Sendable, CaseIterable {
    /// The system.
    case standard
    /// Always locked.
    case locked
    /// Always unlocked.
    case unlocked
    /// The clients, which find it locked at first.
    case settable
  }
}
