// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension LockedCameraCaptureManager {
  /// Why the app is opened, cold or warm: what has waited since before it was started, and then what comes.
  ///
  /// Each launch is given to one consumer, exactly once: to an action of ``onContinueUserActivity(_:perform:)`` or an
  /// intent of ``perform(_:)`` if there is one for it, else to whoever waits here. It waits on disk until then, also
  /// across the end of the process. While somebody iterates the host starts the app no second time.
  public var launches: some AsyncSequence<ApplicationLaunch, Never> { Launches(dispatch: dispatch) }

  /// Calls `action` in the main actor for each activity of a type that the app is opened with.
  ///
  /// What was asked for before the call is not lost. Lasts until the result is cancelled.
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

  /// Performs an intent whenever a control opens the app, as the system does with Apple's: call it where the app begins.
  ///
  /// `perform()` runs in this process. An error that it throws is written to standard error, because nobody waits for
  /// its result. Lasts until the result is cancelled.
  @discardableResult
  public func perform<Intent: CameraCaptureIntent>(_ intent: Intent.Type) -> LaunchRegistration {
    register {
      $0.kind == .control
    } action: { _ in
      do { _ = try await intent.init().perform() } catch {
        CurrentProcess.complain("\(intent).perform() has failed: \(error)")
      }
    }
  }

  /// Has an action called for the launches that it is for.
  private func register(
    _ wants: @escaping @Sendable (ApplicationLaunch) -> Bool,
    action: @escaping @Sendable (ApplicationLaunch) async -> Void
  ) -> LaunchRegistration {
    guard let dispatch else { return LaunchRegistration {} }
    let number = dispatch.register {
      wants(ApplicationLaunch($0))
    } _: { claimed in
      Task {
        guard let launch = await claimed.received() else { return }
        await action(launch)
      }
    }
    return LaunchRegistration { dispatch.unregister(number) }
  }
}

/// An action that is called for launches; it stays in force when this value goes away.
public struct LaunchRegistration: Sendable {
  private let end: @Sendable () -> Void

  /// Describes a registration by how it ends.
  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends it: what comes from now on waits for somebody else.
  public func cancel() { end() }
}

/// The launches of an app; see ``LockedCameraCaptureManager/launches``.
struct Launches: AsyncSequence, Sendable {
  typealias Element = ApplicationLaunch
  typealias Failure = Never

  let dispatch: LaunchDispatch?

  /// Begins to listen.
  func makeAsyncIterator() -> Iterator { Iterator(listener: dispatch.map(Listener.init)) }

  /// Listens as long as it is there.
  final class Listener: Sendable {
    let dispatch: LaunchDispatch

    init(_ dispatch: LaunchDispatch) {
      self.dispatch = dispatch
      dispatch.enter()
    }

    deinit { dispatch.leave() }
  }

  /// One iteration.
  struct Iterator: AsyncIteratorProtocol {
    let listener: Listener?

    /// The next launch; nil if the task is cancelled, or the process is no app's.
    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ApplicationLaunch? {
      while let listener, let claimed = await listener.dispatch.next() {
        if let launch = await claimed.received() { return launch }
      }
      return nil
    }
  }
}

extension ClaimedDelivery {
  /// The launch, at the moment in which the app's code gets it: from now on it is nobody else's. Nil if it cannot be made
  /// so; then it is given back.
  func received() async -> ApplicationLaunch? {
    do {
      try await onPlainThread { try self.remove() }
      return ApplicationLaunch(delivery)
    } catch {
      CurrentProcess.complain("a launch could not be taken: \(error)")
      return nil
    }
  }
}
