// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A run of a program in a session, with a directory for its input files, a state root and a user.
final class Trial {
  /// The user that runs the command.
  enum User: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// The superuser.
    case root
    /// The first regular UID on Debian (1000).
    case regular = "ordinary"

    var testDescription: String { rawValue }

    /// The users that the tests can run as.
    static let available: [User] = {
      if geteuid() == 0 { return allCases }
      print("SKIP: the compatibility tests as root: only root can run them as root, too")
      return [.regular]
    }()

    /// The shell command prefix that switches to this user.
    var commandPrefix: String {
      self == .regular && geteuid() == 0 ? "setpriv --reuid=1000 --regid=1000 --clear-groups " : ""
    }
  }

  /// The subcommand that runs a program.
  enum Subcommand: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// `darkroom exec`.
    case exec
    /// `darkroom run`, with the program as an installed extension.
    case run

    var testDescription: String { rawValue }
  }

  /// The result of a run.
  struct Result {
    /// The exit code of the command.
    var code: Int
    /// The program's output.
    var output: String
    /// The standard error of the command.
    var errors: String
    /// The names of the captured files.
    var captured: Set<String>
  }

  private let user: User
  private let directory: String
  private var files: String { "\(directory)/files" }
  private static let app = "org.example.compatibility"

  init(_ user: User) throws {
    self.user = user
    // Each session has its own /tmp, so the directory is elsewhere; a regular user must be able to enter it.
    directory =
      "\(geteuid() == 0 ? "/var/lib" : "/var/tmp")/darkroom-trial-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/files", mode: 0o755)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Runs a program and returns the result.
  func run(_ program: CompatibleProgram, _ subcommand: Subcommand) throws -> Result {
    for (name, text) in program.files {
      try FileSystem.makeDirectories(FileSystem.directoryName("\(files)/\(name)"), mode: 0o755)
      try FileSystem.replaceContents("\(files)/\(name)", with: Array(text.utf8), mode: 0o644)
    }
    if let preparation = program.preparation {
      try runShell("umask 022\n" + preparation.replacing("{files}", with: files))
    }
    return try subcommand == .exec ? execute(program) : runInstalled(program)
  }

  private func execute(_ program: CompatibleProgram) throws -> Result {
    let needsFiles = (program.arguments + program.options).contains { $0.contains("{files}") }
    let options = program.options.isEmpty && needsFiles ? ["--read-only", "{files}"] : program.options
    let arguments = (options + ["--"] + program.arguments).map { $0.replacing("{files}", with: files) }
    return try darkroom(["exec", "--app", Self.app] + arguments)
  }

  private func runInstalled(_ program: CompatibleProgram) throws -> Result {
    let arguments = program.arguments.map { $0.replacing("{files}", with: "/extension/files") }
    try install(arguments, manifest: "")
    var result = try darkroom(["run", Self.id])
    // Under `darkroom run`, the output of an extension goes to standard error.
    result.output = result.errors
    return result
  }

  /// Runs a program as an installed extension that reads frames of a test pattern from standard input.
  /// `seconds` is the time after which a script dismisses the session.
  func runWithCamera(_ arguments: [String], seconds: Int) throws -> Result {
    try install(arguments, manifest: #", "frames": "stdin", "usageDescriptions": {"camera": "To try it."}"#)
    try write("\(directory)/script.txt", "wait \(seconds)s\ndismiss\n")
    return try darkroom([
      "run", Self.id, "--camera", "pattern:64x48@10", "--script", "\(directory)/script.txt",
    ])
  }

  private static let id = "\(app).program"

  /// Installs an app with one extension, a shell script that executes the program.
  private func install(_ arguments: [String], manifest: String) throws {
    let bundle = "\(directory)/App/Extensions/Program"
    try FileSystem.makeDirectories(bundle, mode: 0o755)
    let line = arguments.map(Self.shellQuoted).joined(separator: " ")
    try write(
      "\(directory)/App/app.json",
      #"{"id": "\#(Self.app)", "name": "Compatibility", "usageDescriptions": {"camera": "To try it."}}"#
    )
    try write(
      "\(bundle)/extension.json",
      #"{"id": "\#(Self.id)", "name": "Program", "executable": "start.sh", "protocol": "none"\#(manifest)}"#
    )
    try write("\(bundle)/start.sh", "#!/bin/sh\nexec \(line)\n", mode: 0o755)
    try runShell("cp -a '\(files)' '\(bundle)/files' && chmod -R a+rX '\(directory)'")
    let installed = try darkroom(["install", "\(directory)/App"])
    try #require(installed.code == 0, "\(installed.errors)")
  }

  /// Runs `darkroom` as the user for at most 60 seconds, and returns the result.
  func darkroom(_ arguments: [String], input: String = "/dev/null") throws -> Result {
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    let line = arguments.map(Self.shellQuoted).joined(separator: " ")
    try runShell(
      """
      umask 022
      cd '\(directory)'
      mkdir -p root bin
      test -x bin/darkroom || cp '\(built)/darkroom' bin/
      chmod -R a+rX .
      \(user.commandPrefix.isEmpty ? "" : "chown 1000:1000 root")
      code=0
      env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/nonexistent DARKROOM_ROOT='\(directory)/root' DARKROOM_SERVE=none \
        \(user.commandPrefix)timeout -k 1 60 bin/darkroom \(line) <\(input) >output 2>errors || code=$?
      echo $code >code
      find root/apps/*/container/SessionContent -type f -printf '%f\\n' >captured 2>/dev/null || true
      """
    )
    func text(_ name: String) -> String {
      String(decoding: (try? FileSystem.contents("\(directory)/\(name)")) ?? [], as: UTF8.self)
    }
    return Result(
      code: Int(text("code").prefix { $0.isNumber }) ?? -1,
      output: text("output"),
      errors: text("errors"),
      captured: Set(text("captured").split(separator: "\n").map(String.init))
    )
  }

  private func write(_ path: String, _ text: String, mode: UInt32 = 0o644) throws {
    try FileSystem.replaceContents(path, with: Array(text.utf8), mode: mode)
  }

  /// Returns an argument in single quotes for the shell.
  private static func shellQuoted(_ word: String) -> String {
    "'\(word.replacing("'", with: #"'\''"#))'"
  }
}
