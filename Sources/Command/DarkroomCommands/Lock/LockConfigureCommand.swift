// SPDX-License-Identifier: Apache-2.0

package import CommandGrammar
internal import JSONText
internal import LinuxPrimitives
internal import LockMonitoring
internal import SessionStore
internal import UserAuthentication

/// `darkroom lock configure`: selects the sources of the lock state and the authentication method.
package enum LockConfigureCommand: Command {
  private static let logind = OptionSpec.value(
    "logind",
    "SESSION",
    .text,
    .repeated,
    help: "Follow a session of logind: own, its ID, or seat:NAME (the active session of the seat)"
  )
  private static let file = OptionSpec.value(
    "file",
    "FILE",
    .file,
    .repeated,
    help: "Follow a file in which another program writes locked or unlocked"
  )
  private static let authenticator = OptionSpec.value(
    "authenticator",
    "WAY",
    .choice(["automatic", "passcode", "pam", "command"]),
    default: "automatic",
    help: "Authenticate the user in this way; automatic is the passcode if it is set, otherwise PAM"
  )
  private static let service = OptionSpec.value(
    "pam-service",
    "NAME",
    default: "darkroom",
    help: "Use this PAM service"
  )
  private static let directory = OptionSpec.value(
    "pam-directory",
    "DIR",
    .directory,
    help: "Read the PAM services from DIR instead of the system directories"
  )
  private static let program = OptionSpec.value(
    "command",
    "WORD",
    .text,
    .repeated,
    help: "Authenticate with this program (absolute path); repeat the option for each argument"
  )
  private static let variable = OptionSpec.value(
    "pass",
    "VARIABLE",
    .text,
    .repeated,
    help: "Pass an environment variable to the program, such as WAYLAND_DISPLAY"
  )
  private static let limit = OptionSpec.value(
    "time-limit",
    "SECONDS",
    .integer(AuthenticationConfiguration.timeLimits),
    default: "60",
    help: "Limit the time for an answer"
  )

  package static let spec = CommandSpec(
    "configure",
    summary: "Configure the lock sources and the authentication",
    discussion: """
      The complete configuration is replaced: options that are not given get their default values. The state of \
      'darkroom lock' is always a source. Running sessions keep their configuration.

      Exit codes of a program of --command:

        0    the user is authenticated
        1    the authentication failed
        2    the user cancelled
        3    too many attempts have failed
        124  the time limit was exceeded

      With every other exit code, the user is not authenticated.
      """,
    options: [logind, file, authenticator, service, directory, program, variable, limit],
    examples: [
      ExampleSpec("darkroom lock configure --logind own", "Follow the screen locker of the desktop"),
      ExampleSpec(
        "darkroom lock configure --file /run/user/1000/locked --authenticator pam",
        "Follow a file, and authenticate with PAM"
      ), ExampleSpec("darkroom lock configure", "Restore the default configuration"),
    ],
    exitCodes: [
      ExitCode.usage.when("The command line is invalid, or an option requires another one"),
      ExitCode.unusableStore,
    ]
  )

  package static func run(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> Int32 {
    let lock = LockConfiguration(sources: try sources(parsed))
    let limit = parsed.integer(of: limit) ?? AuthenticationConfiguration().timeLimit
    let authentication = AuthenticationConfiguration(try method(parsed), timeLimit: limit)
    let root = try CommonOptions.stateRoot(parsed, console)
    do { try lock.write(LockPaths(root: root.path)) } catch { throw CommandFailure(.store, "\(error)") }
    do { try authentication.write(AuthenticationPaths(root: root.path)) } catch {
      throw CommandFailure(.store, "\(error)")
    }
    if parsed.has(CommonOptions.json) {
      console.print(["lock": lock.json, "authentication": authentication.json])
    } else {
      console.print("configured; 'darkroom lock status' shows the state")
    }
    return 0
  }

  /// Returns the configured sources, sessions first.
  private static func sources(_ parsed: ParsedCommand) throws(CommandFailure) -> [LockSourceChoice] {
    var sources: [LockSourceChoice] = []
    for text in parsed.values(of: logind) {
      let session: LogindSession =
        text == "own" ? .own : text.hasPrefix("seat:") ? .seat(String(text.dropFirst(5))) : .id(text)
      guard text != "", text != "seat:" else {
        throw CommandFailure(.usage, "--logind requires a session: own, a session ID, or seat:NAME")
      }
      sources.append(.logind(session))
    }
    for path in parsed.values(of: file) { sources.append(.file(try absolute(path, "--file"))) }
    return sources
  }

  /// Returns the configured authentication method.
  private static func method(_ parsed: ParsedCommand) throws(CommandFailure) -> AuthenticatorChoice {
    let words = parsed.values(of: program)
    let method = parsed.value(of: authenticator) ?? "automatic"
    if method != "command" && !words.isEmpty {
      throw CommandFailure(.usage, "--command requires --authenticator command")
    }
    switch method {
    case "passcode": return .passcode
    case "pam":
      let service = parsed.value(of: service) ?? "darkroom"
      guard AuthenticationConfiguration.isServiceName(service) else {
        throw CommandFailure(.usage, "'\(service)' is not a PAM service name; use letters, digits, - and _")
      }
      guard let directory = parsed.value(of: directory) else { return .pam(service: service, directory: nil) }
      return .pam(service: service, directory: try absolute(directory, "--pam-directory"))
    case "command":
      guard let program = words.first else {
        throw CommandFailure(.usage, "--authenticator command requires --command PROGRAM")
      }
      let command = [try absolute(program, "--command")] + words.dropFirst()
      return .command(command, variables: parsed.values(of: variable))
    default: return .automatic
    }
  }

  /// Returns a path if it is absolute. A relative path would depend on the directory in which a host is
  /// started.
  private static func absolute(_ path: String, _ option: String) throws(CommandFailure) -> String {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw CommandFailure(.usage, "\(option) requires an absolute path, not '\(path)'")
    }
    return path
  }
}
