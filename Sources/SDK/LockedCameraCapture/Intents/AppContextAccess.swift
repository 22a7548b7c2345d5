// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// How this process reaches the app context: an extension over its session's connection, an app in its own files.
package struct AppContextAccess: Sendable {
  /// What is stored; null for no context.
  package let read: @Sendable () async throws -> JSONValue
  /// Stores a value, or with null none; with a revision only if that is stored now. Gives whether it was stored.
  package let write: @Sendable (JSONValue, AppContextRevision?) async throws -> Bool
  /// Calls its argument after every change by anybody else, until the result is called.
  package let observe: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// What a running session has put here; an extension's process has one session.
  private static let session = Mutex<AppContextAccess?>(nil)

  /// What this task and those that it starts use instead of the process's; for tests, which share a process.
  @TaskLocal package static var chosen: AppContextAccess?

  /// Describes a way to the context.
  package init(
    read: @escaping @Sendable () async throws -> JSONValue,
    write: @escaping @Sendable (JSONValue, AppContextRevision?) async throws -> Bool,
    observe: @escaping @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
  ) {
    self.read = read
    self.write = write
    self.observe = observe
  }

  /// Makes a session's context that of this process; nil when the session has ended.
  package static func install(_ access: AppContextAccess?) { session.withLock { $0 = access } }

  /// The context of this process. Throws if it is neither an extension's nor an app's.
  package static func current() throws -> AppContextAccess {
    if let access = chosen ?? session.withLock(\.self) { return access }
    guard let container = AppContainer(environment: CurrentProcess.environment) else {
      throw LockedCameraCaptureError(
        .refused,
        "this process has no app context: it is no extension, and neither DARKROOM_APP_CONTAINER nor DARKROOM_ROOT "
          + "and DARKROOM_APP_ID are set; start it with \"darkroom app\", or set them"
      )
    }
    return AppContextAccess(container)
  }

  /// The context of an app in its files.
  package init(_ container: AppContainer) {
    let file = AppContextFile(container)
    self.init(
      read: { try await onPlainThread { try file.read() } },
      write: { value, revision in try await onPlainThread { try file.write(value, ifAt: revision) } },
      observe: { file.observe($0) }
    )
  }
}
