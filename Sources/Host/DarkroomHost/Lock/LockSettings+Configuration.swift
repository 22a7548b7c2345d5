// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LockMonitoring
internal import UserAuthentication

extension LockStatus {
  /// Creates a status from the reports of a monitor.
  init(_ monitor: LockMonitor) {
    state = ScreenLockState(monitor.state)
    wasUnlocked = monitor.firstUnlock == .done
    reports = monitor.reports.map { Report(state: ScreenLockState($0.state), reason: "\($0.reason)") }
  }
}

extension LockSettings {
  /// Creates settings from the configurations in a state directory.
  init(_ lock: LockConfiguration, _ authentication: AuthenticationConfiguration) {
    sources = lock.sources.map { Source($0) }
    method = Method(authentication.authenticator)
    timeLimit = .seconds(authentication.timeLimit)
  }

  /// Returns the configuration of the sources.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a name is empty or a path is not absolute.
  func lockConfiguration() throws(HostError) -> LockConfiguration {
    LockConfiguration(
      sources: try sources.map { source throws(HostError) in
        switch source {
        case .ownSession: .logind(.own)
        case .session(let id): .logind(.id(try Self.name(id)))
        case .seat(let name): .logind(.seat(try Self.name(name)))
        case .file(let path): .file(try Self.absolute(path))
        }
      }
    )
  }

  /// Returns the configuration of the authentication.
  ///
  /// - Throws: ``HostError/argument(_:)`` if a part of the settings is invalid.
  func authenticationConfiguration() throws(HostError) -> AuthenticationConfiguration {
    let (seconds, limits) = (timeLimit.components.seconds, AuthenticationConfiguration.timeLimits)
    guard let limit = Int(exactly: seconds), limits.contains(limit), timeLimit == .seconds(seconds) else {
      throw HostError(
        argument: "the time limit \(timeLimit) is invalid; use whole seconds from \(limits.lowerBound) to "
          + "\(limits.upperBound)"
      )
    }
    return AuthenticationConfiguration(try choice(), timeLimit: limit)
  }

  private func choice() throws(HostError) -> AuthenticatorChoice {
    switch method {
    case .automatic: return .automatic
    case .passcode: return .passcode
    case .pam(let service, let directory):
      guard AuthenticationConfiguration.isServiceName(service) else {
        throw HostError(
          argument: "'\(service)' is not a PAM service name; use letters, digits, - and _"
        )
      }
      return .pam(
        service: service,
        directory: try directory.map { path throws(HostError) in try Self.absolute(path) }
      )
    case .command(let words, let variables):
      guard let program = words.first else {
        throw HostError(argument: "the authentication command is empty; give the absolute path of a program")
      }
      return .command([try Self.absolute(program)] + words.dropFirst(), variables: variables)
    }
  }

  /// Returns a path if it is absolute. A relative path would depend on the directory in which a host is
  /// started.
  private static func absolute(_ path: String) throws(HostError) -> String {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw HostError(argument: "'\(path)' is not an absolute path; give a path that starts with a slash")
    }
    return path
  }

  private static func name(_ name: String) throws(HostError) -> String {
    guard !name.isEmpty else {
      throw HostError(argument: "the name of a session or seat is empty; 'loginctl' lists the sessions")
    }
    return name
  }
}

extension LockSettings.Source {
  /// Creates a source from that of a configuration.
  fileprivate init(_ source: LockSourceChoice) {
    switch source {
    case .logind(.own): self = .ownSession
    case .logind(.id(let id)): self = .session(id)
    case .logind(.seat(let seat)): self = .seat(seat)
    case .file(let path): self = .file(path)
    }
  }
}

extension LockSettings.Method {
  /// Creates a method from that of a configuration.
  fileprivate init(_ choice: AuthenticatorChoice) {
    switch choice {
    case .automatic: self = .automatic
    case .passcode: self = .passcode
    case .pam(let service, let directory): self = .pam(service: service, directory: directory)
    case .command(let words, let variables): self = .command(words, variables: variables)
    }
  }
}
