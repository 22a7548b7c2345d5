// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// The current lock state of the screen.
  ///
  /// The sandbox does not depend on it; only the readable part of the photo library does.
  @MainActor
  public var lockState: LockState { runtime.lockState }

  /// The current permissions of the extension.
  ///
  /// They are those of its app; an extension cannot request more.
  @MainActor
  public var permissions: SessionPermissions { runtime.permissions }

  /// Calls `handler` in the main actor before the session ends.
  ///
  /// - Parameter handler: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  @MainActor
  public func onDismissal(_ handler: @escaping (DismissalReason, Double) throws -> Void) {
    runtime.handlers.immediateDismissals.append(handler)
  }

  /// Calls an asynchronous `handler` before the session ends, and waits until it returns.
  ///
  /// The process exits when all such handlers have returned. The host kills it when the time is over.
  ///
  /// - Parameter handler: Receives the reason and the remaining time in seconds. Errors that it throws are
  ///   logged.
  @MainActor
  public func onDismissal(_ handler: @escaping @MainActor (DismissalReason, Double) async throws -> Void) {
    runtime.handlers.dismissals.append(handler)
  }

  /// Calls `handler` in the main actor when another process has changed the app context.
  ///
  /// Errors that it throws are logged.
  @MainActor
  public func onAppContextChange(_ handler: @escaping () throws -> Void) {
    runtime.handlers.contextChanges.append(handler)
  }

  /// Ends the session as if the user had dismissed it; Apple's framework has no counterpart.
  ///
  /// The handlers of ``onDismissal(_:)`` run later, when the host has announced the dismissal.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the host refuses the request or the session has ended.
  @MainActor
  public func dismiss() throws { _ = try runtime.request(.sessionDismiss, EmptyResult.self) }

  /// Writes a message to the session log; messages longer than 8000 bytes are truncated.
  @MainActor
  public func log(_ level: LogLevel, _ message: String) {
    runtime.notify(.log(level.protocolValue, Self.truncated(message)))
  }

  /// Returns the first 8000 bytes of `message`, the limit of the log.
  static func truncated(_ message: String) -> String {
    String(decoding: message.utf8.prefix(8000), as: UTF8.self)
  }
}
