// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
internal import SessionStore
internal import UserAuthentication

/// The lock of a state directory, which the sessions of a host with ``LockStateSelection/standard`` follow.
///
/// All hosts and commands of the state directory share the lock.
public struct HostLock: Sendable {
  private let root: StateRoot
  private let launching: SessionLaunching

  /// The time in which the screen locker of a logind session unlocks, in milliseconds.
  private static let lockerTime = 2000

  /// The result of an authentication without an authenticator.
  fileprivate static let noAuthenticator = UserAuthenticationResult.unavailable(
    "the host has no authenticator; set HostConfiguration.authenticator"
  )

  /// Creates the lock of a state directory.
  init(_ root: StateRoot, _ launching: SessionLaunching) { (self.root, self.launching) = (root, launching) }

  /// Whether the sessions of the host follow this lock.
  package var isFollowed: Bool {
    if case .standard = launching.configuration.lockState { true } else { false }
  }

  /// Returns the current state and the reports of the sources.
  public func status() async throws(HostError) -> LockStatus {
    let root = root
    return try await HostThread.run { () throws(HostError) in LockStatus(Self.monitor(root)) }
  }

  /// Locks durably, until ``unlock()`` or `darkroom unlock`. Running sessions are notified.
  ///
  /// - Throws: ``HostError/system(_:)`` if the state cannot be written.
  public func lock() async throws(HostError) {
    let root = root
    try await HostThread.run { () throws(HostError) in
      do throws(SystemCallError) { try LockControl(root: root.path).lock() } catch { throw HostError(error) }
    }
  }

  /// Authenticates the user with the authenticator of the host (``HostConfiguration/authenticator``), and
  /// unlocks after a success.
  ///
  /// A followed session of logind is requested to unlock, and its screen locker decides; a followed file is not
  /// changed. ``status()`` returns whether the screen is unlocked then. If the task is cancelled, the
  /// authentication is cancelled.
  ///
  /// - Returns: The result of the authentication.
  ///
  /// - Throws: ``HostError/system(_:)`` if the user cannot be authenticated for technical reasons.
  public func unlock() async throws(HostError) -> UserAuthenticationResult {
    let (root, launching) = (root, launching)
    return try await HostThread.run { (signals: HostSignals) throws(HostError) in
      let monitor = Self.monitor(root)
      guard let authenticator = try launching.authenticator(monitor, unlocking: monitor) else {
        return Self.noAuthenticator
      }
      let attempt = authenticator.begin(reason: "Unlock Darkroom.")
      while true {
        if let result = attempt.result {
          if result == .succeeded { monitor.wait(milliseconds: Self.lockerTime) { $0.state == .unlocked } }
          return UserAuthenticationResult(result)
        }
        do throws(SystemCallError) {
          let found = try Poller.wait([
            (attempt.descriptor, .readable), (signals.descriptor.rawValue, .readable),
          ])
          guard found[1].isEmpty else {
            attempt.cancel()
            return .cancelled
          }
        } catch { throw HostError(error) }
      }
    }
  }

  /// Returns the sources of the lock state and the authentication method.
  ///
  /// - Throws: ``HostError/store(_:)`` if a configuration is damaged.
  public func settings() async throws(HostError) -> LockSettings {
    let root = root
    return try await HostThread.run { () throws(HostError) in
      do {
        return LockSettings(
          try LockConfiguration.read(LockPaths(root: root.path)),
          try AuthenticationConfiguration.read(AuthenticationPaths(root: root.path))
        )
      } catch { throw HostError.store(.init("\(error)")) }
    }
  }

  /// Replaces the sources of the lock state and the authentication method. Running sessions keep the previous
  /// ones.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a part of the settings is invalid, or ``HostError/store(_:)`` if they
  ///   cannot be written.
  public func set(_ settings: LockSettings) async throws(HostError) {
    let lock = try settings.lockConfiguration()
    let authentication = try settings.authenticationConfiguration()
    let root = root
    try await HostThread.run { () throws(HostError) in
      do {
        try lock.write(LockPaths(root: root.path))
        try authentication.write(AuthenticationPaths(root: root.path))
      } catch { throw HostError.store(.init("\(error)")) }
    }
  }

  /// Returns a monitor whose sources have reported.
  private static func monitor(_ root: StateRoot) -> LockMonitor {
    let environment = LockEnvironment(environment: SessionLaunching.environment)
    let monitor = LockMonitor(root: root.path, environment: environment)
    monitor.waitForFirstReports()
    return monitor
  }
}

extension UserAuthenticationResult {
  /// Creates a result from that of a session's authentication.
  fileprivate init(_ result: AuthenticationResult) {
    switch result {
    case .succeeded: self = .succeeded
    case .failed: self = .failed
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .tooManyAttempts: self = .tooManyAttempts
    case .noAuthenticator: self = HostLock.noAuthenticator
    case .unavailable(let reason): self = .unavailable(reason)
    }
  }
}
