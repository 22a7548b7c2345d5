// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

extension ProcessInfo {
  /// Does something that should be finished before the session ends, for example closing a film; Apple's name and shape.
  ///
  /// ``LockedCameraCaptureSession/withExpiringActivity(reason:_:)`` does the same for code of the main actor. Both can be
  /// called in any thread. In an app, which is not suspended, nothing expires.
  ///
  /// - Parameters:
  ///   - reason: What is done, for the session's record.
  ///   - block: What is done; it is called with false in a thread of its own, and the session waits until it has returned.
  ///     If the host allows no such activity, it is called with true instead. If it has not returned when the grace of a
  ///     dismissal is over, it is called with true in another thread, while the first goes on: what is not finished now
  ///     is at the mercy of the host's limit.
  public func performExpiringActivity(
    withReason reason: String,
    using block: @escaping @Sendable (Bool) -> Void
  ) {
    guard let session = CurrentSession.session else { return ExpiringBlock.run { block(false) } }
    Task { @MainActor in
      let activity = ExpiringBlock(block)
      do {
        try await session.withExpiringActivity(reason: reason) { await activity.perform(in: session) }
      } catch {
        ExpiringBlock.run { block(true) }
      }
    }
  }
}

/// A block that is told when its time is over.
private final class ExpiringBlock: Sendable {
  private let block: @Sendable (Bool) -> Void
  private let isRunning = Mutex(true)

  init(_ block: @escaping @Sendable (Bool) -> Void) { self.block = block }

  /// Calls the block in a thread of its own, and suspends until it has returned.
  @MainActor
  func perform(in session: LockedCameraCaptureSession) async {
    session.onDismissal { [weak self] _, seconds in
      Task {
        try await Task.sleep(for: .seconds(seconds))
        self?.expire()
      }
    }
    await withCheckedContinuation { continuation in
      Self.run {
        self.block(false)
        self.isRunning.withLock { $0 = false }
        continuation.resume()
      }
    }
  }

  /// Tells the block, if it has not returned.
  private func expire() {
    guard isRunning.withLock({ $0 }) else { return }
    Self.run { self.block(true) }
  }

  /// Does something in a thread of its own, or here if there is none to be had.
  static func run(_ body: @escaping @Sendable () -> Void) {
    do throws(SystemCallError) { _ = try PlainThread.start(name: "darkroom-expiry") { body() } } catch {
      body()
    }
  }
}
