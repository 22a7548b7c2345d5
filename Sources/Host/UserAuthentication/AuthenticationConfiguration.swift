// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

/// The configuration of authentication.
package struct AuthenticationConfiguration: Hashable, Sendable {
  /// The authentication method.
  package var authenticator: AuthenticatorChoice
  /// The time limit of an attempt, in seconds.
  package var timeLimit: Int

  /// The valid time limits, in seconds.
  package static let timeLimits = 1...3600

  /// Creates a configuration.
  package init(_ authenticator: AuthenticatorChoice = .automatic, timeLimit: Int = 60) {
    self.authenticator = authenticator
    self.timeLimit = timeLimit
  }
}

/// A choice of an authentication method.
package enum AuthenticatorChoice: Hashable, Sendable {
  /// The passcode if it is set, otherwise the PAM service `darkroom`.
  case automatic
  /// The passcode.
  case passcode
  /// A PAM service, in the given directory or in the system's directories.
  case pam(service: String, directory: String?)
  /// A program with its arguments, and the names of the environment variables that it receives.
  case command([String], variables: [String])

  /// Returns the chosen method.
  func method(_ paths: AuthenticationPaths) -> any AuthenticationMethod {
    switch self {
    case .automatic where Passcode(paths).isSet, .passcode: PasscodeMethod(passcode: Passcode(paths))
    case .automatic: AutomaticMethod()
    case .pam(let service, let directory): PAMMethod(service: service, directory: directory)
    case .command(let arguments, let variables): CommandMethod(arguments: arguments, variables: variables)
    }
  }
}

/// The PAM service `darkroom`, with an error message that also suggests a passcode.
struct AutomaticMethod: AuthenticationMethod {
  private var service: PAMMethod { PAMMethod(service: "darkroom", directory: nil) }

  var unavailabilityReason: String? { service.unavailabilityReason.map(Self.withPasscode) }

  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome {
    let outcome = service.decide(context)
    guard case .unavailable(let reason) = outcome else { return outcome }
    return .unavailable(Self.withPasscode(reason))
  }

  private static func withPasscode(_ reason: String) -> String {
    "\(reason), or set a passcode with 'darkroom passcode set'"
  }
}

extension AuthenticationConfiguration {
  /// Reads the configuration. If the file does not exist, the default configuration is returned.
  package static func read(
    _ paths: AuthenticationPaths
  ) throws(AuthenticationError) -> AuthenticationConfiguration {
    guard let value = try PrivateDocument.read(paths.configurationFile) else {
      return AuthenticationConfiguration()
    }
    return try AuthenticationConfiguration(value, path: paths.configurationFile)
  }

  /// Writes the configuration atomically.
  package func write(_ paths: AuthenticationPaths) throws(AuthenticationError) {
    try PrivateDocument.write(json, to: paths.configurationFile)
  }

  /// The configuration as JSON.
  package var json: JSONValue {
    let limit = JSONValue.integer(Int64(timeLimit))
    switch authenticator {
    case .automatic: return ["version": 1, "authenticator": "automatic", "timeLimit": limit]
    case .passcode: return ["version": 1, "authenticator": "passcode", "timeLimit": limit]
    case .pam(let service, let directory):
      return .object([
        "version": 1, "authenticator": "pam", "timeLimit": limit, "service": .string(service),
        "directory": directory.map { .string($0) },
      ])
    case .command(let arguments, let variables):
      return [
        "version": 1, "authenticator": "command", "timeLimit": limit,
        "command": .array(arguments.map { .string($0) }),
        "environment": .array(variables.map { .string($0) }),
      ]
    }
  }

  /// Creates a configuration from JSON. Unknown members are errors, because their author may rely on them.
  init(_ value: JSONValue, path: String) throws(AuthenticationError) {
    let known = ["version", "authenticator", "timeLimit", "service", "directory", "command", "environment"]
    if let unknownMember = (value.members ?? []).first(where: { !known.contains($0.name) }) {
      throw .configuration(path: path, member: unknownMember.name)
    }
    guard value["version"] == 1 else { throw .configuration(path: path, member: "version") }
    guard let limit = value["timeLimit"]?.integer, let limit = Int(exactly: limit),
      Self.timeLimits.contains(limit)
    else { throw .configuration(path: path, member: "timeLimit") }
    timeLimit = limit
    authenticator = try Self.choice(value, path)
  }

  private static func choice(_ value: JSONValue, _ path: String) throws(AuthenticationError)
    -> AuthenticatorChoice
  {
    switch value["authenticator"]?.string {
    case "automatic": return .automatic
    case "passcode": return .passcode
    case "pam":
      guard let service = value["service"]?.string, isServiceName(service) else {
        throw .configuration(path: path, member: "service")
      }
      let directory = value["directory"]?.string
      guard directory?.hasPrefix("/") ?? value["directory"].map(\.isNull) ?? true else {
        throw .configuration(path: path, member: "directory")
      }
      return .pam(service: service, directory: directory)
    case "command":
      let arguments = (value["command"]?.elements ?? []).map(\.string)
      guard let program = arguments.first ?? nil, program.hasPrefix("/"), !arguments.contains(nil) else {
        throw .configuration(path: path, member: "command")
      }
      let names = (value["environment"]?.elements ?? []).map(\.string)
      guard !names.contains(nil) else { throw .configuration(path: path, member: "environment") }
      return .command(arguments.compactMap { $0 }, variables: names.compactMap { $0 })
    default: throw .configuration(path: path, member: "authenticator")
    }
  }

  /// Returns whether a text is a valid service name and cannot escape the directory of services.
  package static func isServiceName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "-_0123456789".unicodeScalars.contains($0))
      }
  }
}
