// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SessionStore

/// A follower that prints each change of an app's content until it is stopped.
struct ContentFollower: ~Copyable {
  /// The reason that a follower stopped.
  enum StopReason {
    /// The requested number of changes was printed.
    case countReached
    /// The timeout expired.
    case timedOut
    /// A signal was received.
    case signaled
    /// The reader of the output closed it.
    case readerClosed
  }

  private var watch: ContentWatch
  private let output: WatchOutput
  private let signals: Descriptor
  /// The number of changes that were printed.
  private(set) var changes = 0

  /// Starts to watch the content of an app. The existing content is the first update.
  init(
    _ app: AppStore,
    consumer: String?,
    output: WatchOutput,
    signals: consuming Descriptor
  ) throws(CommandFailure) {
    watch = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try ContentWatch(app, consumer: consumer)
    }
    self.output = output
    self.signals = signals
  }

  /// Prints updates until a stop reason occurs.
  mutating func follow(changes wanted: Int?, until deadline: UInt64?) throws(CommandFailure) -> StopReason {
    while true {
      while let update = try next() {
        output.print(update)
        // The update is acknowledged after it is written, so that the reader has it even if this process is
        // killed now.
        try acknowledge()
        if case .initial = update { continue }
        changes += 1
        if changes == wanted { return .countReached }
      }
      if let ending = try wait(until: deadline) { return ending }
    }
  }

  private mutating func acknowledge() throws(CommandFailure) {
    do { try watch.acknowledge() } catch { throw CommandFailure(error) }
  }

  /// Returns the next update that is available without waiting, or `nil` if there is none.
  private mutating func next() throws(CommandFailure) -> ContentUpdate? {
    do { return try watch.next(until: MonotonicClock.now) } catch { throw CommandFailure(error) }
  }

  /// Waits for changes. Returns a stop reason, or `nil` if a change is possible.
  private borrowing func wait(until deadline: UInt64?) throws(CommandFailure) -> StopReason? {
    let ready: [Readiness]
    do {
      // poll(2) always reports errors of the output descriptor. Without them, a closed reader would be
      // detected only at the next write.
      ready = try Poller.wait(
        [(watch.descriptor, .readable), (signals.rawValue, .readable), (output.console.output, [])],
        until: deadline
      )
    } catch { throw CommandFailure(.machine, "\(error)") }
    if ready[1].contains(.readable) { return .signaled }
    if !ready[2].isDisjoint(with: [.error, .hangUp]) { return .readerClosed }
    return ready[0].isEmpty ? .timedOut : nil
  }
}
