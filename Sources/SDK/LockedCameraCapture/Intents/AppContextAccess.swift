// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// Access to the app context: over the session's connection in an extension, through the files in an app.
package struct AppContextAccess: Sendable {
  /// Returns the stored context, or JSON null if no context is stored.
  package let read: @Sendable () async throws -> JSONValue
  /// Stores a context, or removes the stored context if the value is null.
  ///
  /// If a revision is given, stores the context only if the stored context has that revision. Returns whether
  /// the context was stored.
  package let write: @Sendable (JSONValue, AppContextRevision?) async throws -> Bool
  /// Calls the given closure after each change by another process, until the returned closure is called.
  ///
  /// In an app, the given closure is also called after changes by this process.
  package let observe: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// The access of the running session; the process of an extension has one session.
  private static let session = Mutex<AppContextAccess?>(nil)

  /// The access that overrides the process's in this task and its child tasks, for tests.
  @TaskLocal package static var testOverride: AppContextAccess?

  /// Creates an access from its operations.
  package init(
    read: @escaping @Sendable () async throws -> JSONValue,
    write: @escaping @Sendable (JSONValue, AppContextRevision?) async throws -> Bool,
    observe: @escaping @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
  ) {
    self.read = read
    self.write = write
    self.observe = observe
  }

  /// Installs the access of a session for this process; `nil` after the end of the session.
  package static func install(_ access: AppContextAccess?) { session.withLock { $0 = access } }

  /// Returns the access to the context of this process.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the process is neither an extension nor an app.
  package static func current() throws -> AppContextAccess {
    if let access = testOverride ?? session.withLock(\.self) { return access }
    guard let container = AppContainer(environment: CurrentProcess.environment) else {
      throw LockedCameraCaptureError(
        .refused,
        "this process has no app context: it is not an extension, and neither DARKROOM_APP_CONTAINER nor both of "
          + "DARKROOM_ROOT and DARKROOM_APP_ID are set; start it with 'darkroom app', or set them"
      )
    }
    return AppContextAccess(container)
  }

  /// Creates access to the context of an app through its files.
  package init(_ container: AppContainer) {
    let file = AppContextFile(container)
    self.init(
      read: { try await onPlainThread { try file.read() } },
      write: { value, revision in try await onPlainThread { try file.write(value, ifAt: revision) } },
      observe: { file.observe($0) }
    )
  }
}
