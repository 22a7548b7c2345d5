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
  /// Whether an examination of the machine is running.
  private let isDiagnosing = Atomic(false)
  private let appChanges = Broadcast<Void>(.bufferingNewest(1))
  private let launches = Broadcast<RunningSession>(.unbounded)

  /// A session, and what the client that launched it requested.
  package struct RunningSession: Sendable {
    let session: HostedSession
    /// The ID of the extension, the name of the program, or `APP/CONTROL` after a press of a control.
    package let target: String
    let visibility: HostClient.Visibility

    /// The ID of the session.
    package var id: String { session.id }
  }

  /// Creates the operations of a host. `settableLock` must be the lock state of its configuration.
  ///
  /// - Throws: An error if the lock state of the system cannot be watched.
  package init(host: DarkroomHost, version: String, settableLock: AdjustableLockState?) throws(HostError) {
    (self.host, self.version, self.settableLock) = (host, version, settableLock)
    lock = try host.makeLockStateSource()
  }

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - limits: The limits of the client.
  ///   - visibility: Whether ``sharedSessions()`` reports the sessions of the client.
  ///   - notify: Receives the name and the parameters of each notification, on any thread. The closure must not
  ///     block.
  /// - Returns: The client, which the caller closes.
  package func makeClient(
    _ limits: HostClient.Limits = .program,
    _ visibility: HostClient.Visibility = .shared,
    notify: @escaping @Sendable (String, JSONValue) -> Void
  ) -> HostClient {
    HostClient(self, limits, visibility, notify: notify)
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

  /// Examines the machine. An examination runs programs in sandboxes, so that one runs at a time.
  ///
  /// - Throws: `busy` if another examination is running.
  func diagnose(with policies: [CapturePolicy]) async throws(OperationError) -> MachineReport {
    guard isDiagnosing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
      throw .busy("another examination of the machine is running; repeat the request after its end")
    }
    defer { isDiagnosing.store(false, ordering: .releasing) }
    do throws(HostError) { return try await host.diagnose(with: policies) } catch {
      throw OperationError(error)
    }
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
  func noteAppChange() { appChanges.send(()) }

  /// Returns a stream with each running and each later session of the clients with shared sessions.
  package func sharedSessions() -> AsyncStream<RunningSession> {
    // A launch takes the same lock, so that the stream has each session once.
    sessions.withLock { sessions in
      launches.stream(after: sessions.values.filter { $0.visibility == .shared })
    }
  }

  /// Adds a session that a client has launched.
  func add(_ running: RunningSession) {
    sessions.withLock { sessions in
      sessions[running.id] = running
      if running.visibility == .shared { launches.send(running) }
    }
  }
}
