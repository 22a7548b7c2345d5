// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Whether the person is locked out of the machine, as it is now.
  ///
  /// The sandbox is the same either way; only what may be read of the photo library depends on it.
  @MainActor
  public var lockState: LockState { runtime.lockState }

  /// What the extension may use, as it is now: it has what its app has, and cannot ask for more.
  @MainActor
  public var permissions: SessionPermissions { runtime.permissions }

  /// Calls `handler` with why and how long in seconds, before the session ends. What it throws goes to the log.
  @MainActor
  public func onDismissal(_ handler: @escaping (DismissalReason, Double) throws -> Void) {
    runtime.handlers.immediateDismissals.append(handler)
  }

  /// Calls `handler` with why and how long in seconds, before the session ends, and lets it finish.
  ///
  /// The process ends when all such handlers have returned, and is killed when the time is up. What is thrown goes to
  /// the log.
  @MainActor
  public func onDismissal(_ handler: @escaping @MainActor (DismissalReason, Double) async throws -> Void) {
    runtime.handlers.dismissals.append(handler)
  }

  /// Calls `handler` when somebody else has changed the app context.
  @MainActor
  public func onAppContextChange(_ handler: @escaping () throws -> Void) {
    runtime.handlers.contextChanges.append(handler)
  }

  /// Ends the session, as if the person had dismissed it; Apple's framework has no such thing.
  ///
  /// The handlers of ``onDismissal(_:)`` are called afterwards, when the host has announced the end.
  @MainActor
  public func dismiss() throws { _ = try runtime.request(.sessionDismiss, Nothing.self) }

  /// Writes a line to the session's log; what is longer than 8000 bytes is cut off.
  @MainActor
  public func log(_ level: LogLevel, _ message: String) {
    runtime.tell(.log(level.wire, Self.cut(message)))
  }

  /// As much of a line as the log takes.
  static func cut(_ message: String) -> String { String(decoding: message.utf8.prefix(8000), as: UTF8.self) }
}
