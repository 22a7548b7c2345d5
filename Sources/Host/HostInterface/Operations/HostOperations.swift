// SPDX-License-Identifier: Apache-2.0

package import DarkroomHost
package import JSONText
internal import LinuxPrimitives
internal import Synchronization

/// The operations of a host that programs in other languages request, over any transport.
///
/// Each connection of a transport is a ``HostClient``, which owns the sessions that it launches.
package final class HostOperations: Sendable {
  /// The host.
  package let host: DarkroomHost
  /// The version of Darkroom.
  package let version: String
  /// The lock state that clients can set, or `nil` if they cannot.
  let settableLock: AdjustableLockState?
  /// The lock state that the sessions follow.
  private let lock: any LockStateSource
  /// The sessions that have not ended.
  let sessions = Mutex<[String: RunningSession]>([:])
  private let appChanges = ChangeSignal()

  /// A session, and what the client that launched it requested.
  struct RunningSession: Sendable {
    let session: HostedSession
    /// The ID of the extension, the name of the program, or `APP/CONTROL` after a press of a control.
    let target: String
  }

  /// Creates the operations of a host. `settableLock` must be the lock state of its configuration.
  ///
  /// - Throws: An error if the lock state of the system cannot be watched.
  package init(host: DarkroomHost, version: String, settableLock: AdjustableLockState?) throws(HostError) {
    (self.host, self.version, self.settableLock) = (host, version, settableLock)
    lock = try host.makeLockStateSource()
  }

  /// Creates a client. `notify` receives the name and the parameters of each notification, on any thread, and
  /// must not block.
  package func makeClient(
    _ limits: HostClient.Limits = .program,
    notify: @escaping @Sendable (String, JSONValue) -> Void
  ) -> HostClient {
    HostClient(self, limits, notify: notify)
  }

  /// Returns the answer to a client that speaks these versions of the interface.
  func greeting(_ versions: [JSONValue]) throws(OperationError) -> JSONValue {
    let version = InterfaceDescription.version
    guard versions.contains(.integer(version)) else {
      throw OperationError(
        OperationError.failed,
        "this server speaks version \(version) of the interface only; update the client or the server",
        ["kind": "argument"]
      )
    }
    return [
      "version": .integer(version), "host": .string(self.version), "state": .string(host.statePath),
      "process": .integer(Int64(CurrentProcess.processID)),
    ]
  }

  /// Whether clients can set the lock state.
  package var isLockStateSettable: Bool { settableLock != nil }

  /// The lock state that the sessions follow.
  package var lockState: ScreenLockState { lock.state }

  /// Returns a stream with each later lock state.
  package func lockStateChanges() -> AsyncStream<ScreenLockState> { lock.changes() }

  /// Returns a stream with an element after each installation or removal of an app by a client.
  package func appsChanged() -> AsyncStream<Void> { appChanges.stream() }

  /// Reports that the installed apps have changed.
  func noteAppChange() { appChanges.send() }
}

/// A signal to several streams.
private final class ChangeSignal: Sendable {
  private struct State: Sendable {
    var next = 0
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// Returns a stream with an element after each signal. Signals that arrive before the element is taken are
  /// one element.
  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  func send() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield() }
  }
}
