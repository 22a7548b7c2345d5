// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension LockedCameraCaptureManager {
  /// The launches of the app, both those that were pending when the process started and later ones.
  ///
  /// Each launch is delivered to one consumer, exactly once: to an action of
  /// ``onContinueUserActivity(_:perform:)`` or an intent of ``perform(_:)`` that accepts it, otherwise to an
  /// iteration of this sequence. Until then it is stored on disk, even across a restart of the process.
  /// During an iteration, the host does not start the app again.
  public var launches: some AsyncSequence<ApplicationLaunch, Never> { Launches(dispatch: dispatch) }

  /// Whether a launch is stored for a consumer of this process, or is being delivered to it.
  ///
  /// An app that exits by itself checks this property first. Otherwise it could exit after a launch is removed
  /// from the disk and before the app's code receives it, because a slow disk can delay that by seconds.
  /// Launches that no consumer of this process accepts are not considered. Reads the files of the launches.
  public var hasPendingLaunches: Bool { dispatch?.hasPendingDeliveries() ?? false }

  /// Calls `action` in the main actor for each launch with an activity of the given type.
  ///
  /// Launches that were requested before this call are not lost.
  ///
  /// - Parameters:
  ///   - activityType: The type of the activities.
  ///   - action: Receives the activity.
  /// - Returns: The registration, which remains active until it is canceled.
  @discardableResult
  public func onContinueUserActivity(
    _ activityType: String,
    perform action: @escaping @MainActor @Sendable (NSUserActivity) -> Void
  ) -> LaunchRegistration {
    register {
      $0.activity?.activityType == activityType
    } action: { launch in
      guard let activity = launch.activity else { return }
      await action(activity)
    }
  }

  /// Performs an intent whenever a control opens the app, as the system does with Apple's; call it at the
  /// start of the app.
  ///
  /// `perform()` runs in this process. Errors that it throws are written to standard error, because no caller
  /// awaits its result.
  ///
  /// - Parameter intent: The type of the intent.
  /// - Returns: The registration, which remains active until it is canceled.
  @discardableResult
  public func perform<Intent: CameraCaptureIntent>(_ intent: Intent.Type) -> LaunchRegistration {
    register {
      $0.kind == .control
    } action: { _ in
      do { _ = try await intent.init().perform() } catch {
        CurrentProcess.writeToStandardError("\(intent).perform() failed: \(error)")
      }
    }
  }

  /// Registers an action for the launches that `accepts` accepts.
  private func register(
    _ accepts: @escaping @Sendable (ApplicationLaunch) -> Bool,
    action: @escaping @Sendable (ApplicationLaunch) async -> Void
  ) -> LaunchRegistration {
    guard let dispatch else { return LaunchRegistration {} }
    let number = dispatch.register {
      accepts(ApplicationLaunch($0))
    } _: { claimed in
      Task {
        defer { dispatch.endDelivery() }
        guard let launch = await claimed.accept() else { return }
        await action(launch)
      }
    }
    return LaunchRegistration { dispatch.unregister(number) }
  }
}

/// The registration of an action for launches; it remains active after this value is destroyed.
public struct LaunchRegistration: Sendable {
  private let end: @Sendable () -> Void

  /// Creates a registration from the closure that ends it.
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the registration: later launches are delivered to other consumers.
  public func cancel() { end() }
}

/// The launches of an app; see ``LockedCameraCaptureManager/launches``.
struct Launches: AsyncSequence, Sendable {
  typealias Element = ApplicationLaunch
  typealias Failure = Never

  let dispatch: LaunchDispatch?

  /// Starts to listen for launches.
  func makeAsyncIterator() -> Iterator { Iterator(listener: dispatch.map(Listener.init)) }

  /// A listener that is registered during its lifetime.
  final class Listener: Sendable {
    let dispatch: LaunchDispatch

    init(_ dispatch: LaunchDispatch) {
      self.dispatch = dispatch
      dispatch.startListening()
    }

    deinit { dispatch.stopListening() }
  }

  /// An iteration over the launches.
  struct Iterator: AsyncIteratorProtocol {
    let listener: Listener?

    /// Returns the next launch, or `nil` if the task is canceled or the process does not belong to an app.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ApplicationLaunch? {
      while let listener, let claimed = await listener.dispatch.next() {
        defer { listener.dispatch.endDelivery() }
        if let launch = await claimed.accept() { return launch }
      }
      return nil
    }
  }
}

extension ClaimedDelivery {
  /// Removes the delivery from the mailbox and returns the launch.
  ///
  /// It is called when the app's code receives the launch. If the file cannot be removed, the result is `nil`
  /// and the delivery returns to the mailbox.
  func accept() async -> ApplicationLaunch? {
    do {
      try await onPlainThread { try self.remove() }
      return ApplicationLaunch(delivery)
    } catch {
      CurrentProcess.writeToStandardError("a launch could not be received: \(error)")
      return nil
    }
  }
}
