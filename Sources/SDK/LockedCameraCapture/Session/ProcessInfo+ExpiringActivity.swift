// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import LinuxPrimitives
internal import Synchronization

extension ProcessInfo {
  /// Runs an operation that should finish before the session ends, for example closing a video file; Apple's
  /// name and signature.
  ///
  /// ``LockedCameraCaptureSession/withExpiringActivity(reason:_:)`` does the same for code of the main actor.
  /// Both can be called on any thread. In an app, which is not suspended, activities never expire.
  ///
  /// - Parameters:
  ///   - reason: A description of the operation, for the session record.
  ///   - block: The operation. It is called with `false` on a separate thread; the session waits until it
  ///     returns. If the host allows no more activities, it is called with `true` instead. If it has not
  ///     returned when the grace period of a dismissal is over, it is called again with `true` on another
  ///     thread, while the first call continues. The host then kills the process at its own time limit.
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

/// A block that is notified when its time is over.
private final class ExpiringBlock: Sendable {
  private let block: @Sendable (Bool) -> Void
  private let isRunning = Mutex(true)

  init(_ block: @escaping @Sendable (Bool) -> Void) { self.block = block }

  /// Calls the block on a separate thread, and suspends until it has returned.
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

  /// Notifies the block, unless it has returned.
  private func expire() {
    guard isRunning.withLock({ $0 }) else { return }
    Self.run { self.block(true) }
  }

  /// Runs `body` on a separate thread, or on the current one if no thread can be created.
  static func run(_ body: @escaping @Sendable () -> Void) {
    do throws(SystemCallError) { _ = try PlainThread.start(name: "darkroom-expiry") { body() } } catch {
      body()
    }
  }
}
