// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// A session of a host.
///
/// The session runs on a thread of its own until it is dismissed, the extension exits, or a deadline passes.
/// It continues if the program releases this object; ``DarkroomHost/close()`` dismisses it.
public final class HostedSession: Sendable {
  /// The ID of the session.
  public let id: String
  let core: SessionCore
  /// Keeps the resources of the host until the session has ended.
  private let host: DarkroomHost

  /// Creates the handle of a started session.
  init(_ id: String, _ core: SessionCore, _ host: DarkroomHost) {
    (self.id, self.core, self.host) = (id, core, host)
  }

  /// A capture button.
  public enum Button: String, Sendable, Hashable, CaseIterable {
    /// The shutter.
    case primary
    /// The second button.
    case secondary
  }

  /// An adjustment of a camera control that the extension has declared.
  public enum Adjustment: Sendable, Hashable {
    /// Sets the value. The value of a picker is the index of its title, from 0.
    case value(Double)
    /// Changes the value by a number of steps.
    case steps(Int)
    /// Selects the title of a picker.
    case title(String)
  }

  /// The events of the session, from its start. Several tasks can iterate over them.
  public var events: SessionEvents { SessionEvents(core.history) }

  /// The result of the session, after the migration of its content.
  ///
  /// Cancelling a task that waits for the result dismisses the session. The task still receives the result,
  /// after the migration.
  public var result: SessionResult {
    get async throws(HostError) {
      let core = core
      let result = await withTaskCancellationHandler {
        await core.awaitResult()
      } onCancel: {
        core.input.stop()
      }
      return try result.get()
    }
  }
}

// MARK: - Input

extension HostedSession {
  /// Presses a button and releases it. The extension receives a press only while it accepts presses
  /// (``SessionEvent/acceptsPresses(_:)``).
  ///
  /// - Returns: Whether the press and the release were added to the inputs of the session, as for ``press(_:)``.
  @discardableResult
  public func tap(_ button: Button) -> Bool {
    core.input.add(Self.command(button, .began), Self.command(button, .ended))
  }

  /// Presses a button.
  ///
  /// - Returns: Whether the press was added to the inputs of the session. An input is discarded if the session
  ///   has 1024 inputs that it has not handled, for example because the file system does not respond.
  @discardableResult
  public func press(_ button: Button) -> Bool { core.input.add(Self.command(button, .began)) }

  /// Releases a button.
  ///
  /// - Returns: Whether the release was added to the inputs of the session, as for ``press(_:)``.
  @discardableResult
  public func release(_ button: Button) -> Bool { core.input.add(Self.command(button, .ended)) }

  /// Cancels the press of a button: the extension must not capture.
  ///
  /// - Returns: Whether the cancellation was added to the inputs of the session, as for ``press(_:)``.
  @discardableResult
  public func cancel(_ button: Button) -> Bool { core.input.add(Self.command(button, .cancelled)) }

  /// Adjusts a camera control. The ID is that of the extension's declaration.
  ///
  /// - Returns: Whether the adjustment was added to the inputs of the session, as for ``press(_:)``.
  @discardableResult
  public func adjust(_ control: String, _ adjustment: Adjustment) -> Bool {
    switch adjustment {
    case .value(let value): core.input.add(.cameraControl(.set(control, value)))
    case .steps(let count): core.input.add(.cameraControl(.step(control, steps: count)))
    case .title(let title): core.input.add(.cameraControl(.select(control, title)))
    }
  }

  /// Dismisses the session for the user. The extension has the grace period to exit.
  public func dismiss() { core.input.end(.dismiss) }

  /// Terminates the session for the user, without a grace period. Its content is migrated.
  public func terminate() { core.input.end(.quit) }

  private static func command(_ button: Button, _ phase: CapturePhase) -> SessionCommand {
    .capture(CaptureEvent(button == .primary ? .primary : .secondary, phase))
  }
}

// MARK: - Viewfinder

extension HostedSession {
  /// Waits for the next frame of the viewfinder, and calls a closure with it, without a copy.
  ///
  /// While the closure reads, the extension draws into other frames. Frames are skipped while no task waits.
  /// The closure runs on the actor of the caller, one at a time for each session; keep it short.
  ///
  /// - Returns: The result of the closure, or `nil` if the session has no further frame, or the task is
  ///   cancelled.
  public nonisolated(nonsending) func withNextFrame<Result, Failure: Error>(
    _ body: (borrowing ViewfinderFrame) throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    try await core.frames.withNextFrame(body)
  }
}
