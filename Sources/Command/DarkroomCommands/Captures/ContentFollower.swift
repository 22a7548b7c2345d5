// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// Follows an app's content and tells each change, until somebody or something ends that.
struct ContentFollower: ~Copyable {
  /// Why it ended.
  enum Ending {
    /// As many changes as were wanted have been told.
    case counted
    /// The time was over.
    case timedOut
    /// A signal came.
    case stopped
    /// Nobody reads what is told.
    case unread
  }

  private var watch: ContentWatch
  private let output: WatchOutput
  private let signals: Descriptor
  /// How many changes have been told.
  private(set) var changes = 0

  /// Begins to watch; what is there is the first thing to tell.
  init(
    _ app: AppStore,
    consumer: String?,
    output: WatchOutput,
    signals: consuming Descriptor
  ) throws(CommandFailure) {
    watch = try CommandFailure.store { () throws(StoreError) in try ContentWatch(app, consumer: consumer) }
    self.output = output
    self.signals = signals
  }

  /// Tells everything until one of the endings.
  mutating func follow(changes wanted: Int?, until deadline: UInt64?) throws(CommandFailure) -> Ending {
    while true {
      while let update = try next() {
        output.tell(update)
        // Written, so told: who reads it has it, also if this process ends now.
        try acknowledge()
        if case .initial = update { continue }
        changes += 1
        if changes == wanted { return .counted }
      }
      if let ending = try wait(until: deadline) { return ending }
    }
  }

  private mutating func acknowledge() throws(CommandFailure) {
    do { try watch.acknowledge() } catch { throw CommandFailure(error) }
  }

  /// The next update that needs no waiting.
  private mutating func next() throws(CommandFailure) -> ContentUpdate? {
    do { return try watch.next(until: MonotonicClock.now) } catch { throw CommandFailure(error) }
  }

  /// Waits for news; nil if there may be some.
  private borrowing func wait(until deadline: UInt64?) throws(CommandFailure) -> Ending? {
    let ready: [Readiness]
    do {
      // Errors of the output are always reported: a reader that went away would otherwise be noticed too late.
      ready = try Poller.wait(
        [(watch.descriptor, .readable), (signals.rawValue, .readable), (output.console.output, [])],
        until: deadline
      )
    } catch { throw CommandFailure(.machine, "\(error)") }
    if ready[1].contains(.readable) { return .stopped }
    if !ready[2].isDisjoint(with: [.error, .hangUp]) { return .unread }
    return ready[0].isEmpty ? .timedOut : nil
  }
}
