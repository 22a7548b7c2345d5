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
    help: "Follow a session of logind: own, its id, or seat:NAME for the one in front there"
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
    help: "How the person is asked; automatic: the passcode if one is set, else PAM"
  )
  private static let service = OptionSpec.value(
    "pam-service",
    "NAME",
    default: "darkroom",
    help: "The service of PAM"
  )
  private static let directory = OptionSpec.value(
    "pam-directory",
    "DIR",
    .directory,
    help: "Where PAM's services are, if not in the system's directories"
  )
  private static let program = OptionSpec.value(
    "command",
    "WORD",
    .text,
    .repeated,
    help: "The program that asks, by its absolute path; give it again for each argument"
  )
  private static let variable = OptionSpec.value(
    "pass",
    "VARIABLE",
    .text,
    .repeated,
    help: "A variable of the environment that the program is given, such as WAYLAND_DISPLAY"
  )
  private static let limit = OptionSpec.value(
    "time-limit",
    "SECONDS",
    .integer(AuthenticationConfiguration.timeLimits),
    default: "60",
    help: "How long the person has for an answer"
  )

  package static let spec = CommandSpec(
    "configure",
    summary: "Choose who says whether the person is locked out, and how the person is asked",
    discussion: """
      The whole configuration is replaced: what is not given is as it was in the beginning. What 'darkroom lock' says \
      always counts, too. Sessions that run keep the configuration that they began with.

      A program that asks ends with 0 for yes, 1 for no, 2 if the person has broken off, 3 after too many attempts, and \
      124 if the time was over. Everything else is no answer, and nobody is let in.
      """,
    options: [logind, file, authenticator, service, directory, program, variable, limit],
    examples: [
      ExampleSpec("darkroom lock configure --logind own", "Follow the locker of the desktop"),
      ExampleSpec(
        "darkroom lock configure --file /run/user/1000/locked --authenticator pam",
        "Follow a file"
      ),
      ExampleSpec("darkroom lock configure", "As in the beginning: only 'darkroom lock' counts"),
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
