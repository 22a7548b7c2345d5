// SPDX-License-Identifier: Apache-2.0

/// The lock state of a state directory, and the reports of its sources.
public struct LockStatus: Sendable, Hashable {
  /// The combined state: locked if any source reports that, or is unavailable.
  public let state: ScreenLockState
  /// Whether the user has unlocked the machine since it started. Before that, no control launches an extension.
  public let wasUnlocked: Bool
  /// The reports of the sources. The first source is the lock of ``HostLock/lock()``.
  public let reports: [Report]

  /// The report of a source.
  public struct Report: Sendable, Hashable {
    /// The reported state.
    public let state: ScreenLockState
    /// The reason for the state, with the fix if the source is unavailable.
    public let reason: String
  }
}

/// The sources of the lock state, and the authentication of the user.
public struct LockSettings: Sendable, Hashable {
  /// The sources in addition to the lock of ``HostLock/lock()``.
  public var sources: [Source] = []
  /// The authentication method of ``AuthenticatorSelection/standard``.
  public var method: Method = .automatic
  /// The time limit for an answer of the user, in whole seconds from 1 to 3600.
  public var timeLimit: Duration = .seconds(60)

  /// Creates the default settings.
  public init() {}

  /// A source of the lock state.
  public enum Source: Sendable, Hashable {
    /// The session of logind that the process belongs to, or that of the user's display.
    case ownSession
    /// The session of logind with an ID.
    case session(String)
    /// The session in the foreground of a seat.
    case seat(String)
    /// A file at an absolute path, in which another program writes `locked` or `unlocked`.
    case file(String)
  }

  /// An authentication method.
  public enum Method: Sendable, Hashable {
    /// The passcode if it is set, otherwise the PAM service `darkroom`.
    case automatic
    /// The passcode (``HostPasscode``).
    case passcode
    /// A PAM service. The directory of the services is `nil` for the directories of the system.
    case pam(service: String, directory: String?)
    /// A program at an absolute path with its arguments, and the names of the environment variables that it
    /// receives. `darkroom lock configure --help` lists its exit codes.
    case command([String], variables: [String])
  }
}
