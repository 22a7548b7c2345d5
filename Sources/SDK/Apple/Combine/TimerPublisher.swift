// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Synchronization

/// A publisher that sends values only while it is connected; Combine's name.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the values, until the returned object is canceled or released.
  func connect() -> any Cancellable
}

extension ConnectablePublisher {
  /// Returns a publisher that is connected as long as it has a receiver.
  public func autoconnect() -> AnyPublisher<Output, Failure> {
    let connection = SharedConnection()
    return AnyPublisher { receiver in
      let subscription = deliver(to: receiver)
      connection.add { connect() }
      return AnyCancellable {
        subscription.cancel()
        connection.remove()
      }
    }
  }
}

/// The connection of a publisher, shared by its receivers. It may be used on any thread.
private final class SharedConnection: Sendable {
  private struct State: Sendable {
    var receivers = 0
    var connection: AnyCancellable?
  }

  private let state = Mutex(State())

  /// Counts a receiver; the first one starts the connection.
  func add(_ connect: () -> any Cancellable) {
    let isFirst = state.withLock { state in
      state.receivers += 1
      return state.receivers == 1
    }
    guard isFirst else { return }
    let connection = connect()
    let kept = AnyCancellable { connection.cancel() }
    state.withLock { if $0.receivers > 0 { $0.connection = kept } }
  }

  /// Counts a receiver that has ended; the last one ends the connection.
  func remove() {
    let connection = state.withLock { state in
      state.receivers -= 1
      guard state.receivers == 0 else { return nil as AnyCancellable? }
      defer { state.connection = nil }
      return state.connection
    }
    connection?.cancel()
  }
}

extension Timer {
  /// A publisher of the current date at equal distances; Combine's name.
  public final class TimerPublisher: ConnectablePublisher, Sendable {
    private let receivers = Receivers<Date, Never>()
    private let interval: TimeInterval
    private let tolerance: TimeInterval?
    private let mode: RunLoop.Mode
    /// The run loop, which only ``connect()`` uses.
    private nonisolated(unsafe) let runLoop: RunLoop

    /// Creates a publisher.
    ///
    /// - Parameters:
    ///   - interval: The distance in seconds.
    ///   - tolerance: The time in seconds by which a value can be late, or `nil` for 0.
    ///   - runLoop: The run loop in which the values are sent.
    ///   - mode: The mode of the run loop in which the values are sent.
    public init(interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode)
    {
      (self.interval, self.tolerance, self.runLoop, self.mode) = (interval, tolerance, runLoop, mode)
    }

    /// Delivers the values to a receiver, until the returned object is canceled or released.
    public func deliver(to receiver: Receiver<Date, Never>) -> AnyCancellable { receivers.add(receiver) }

    /// Starts the timer, until the returned object is canceled or released.
    public func connect() -> any Cancellable {
      let timer = Timer(timeInterval: interval, repeats: true) { [receivers] _ in receivers.send(Date()) }
      if let tolerance { timer.tolerance = tolerance }
      runLoop.add(timer, forMode: mode)
      return AnyCancellable { timer.invalidate() }
    }
  }

  /// Returns a publisher of the current date at equal distances.
  ///
  /// - Parameters:
  ///   - interval: The distance in seconds.
  ///   - tolerance: The time in seconds by which a value can be late, or `nil` for 0.
  ///   - runLoop: The run loop in which the values are sent.
  ///   - mode: The mode of the run loop in which the values are sent.
  /// - Returns: The publisher, which sends nothing before it is connected.
  public static func publish(
    every interval: TimeInterval,
    tolerance: TimeInterval? = nil,
    on runLoop: RunLoop,
    in mode: RunLoop.Mode
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode)
  }
}
