// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

/// A user's temporary home directory with a state root, which is removed with this object.
final class TestHome {
  /// The ID of the sample app.
  static let app = "org.darkroom.sample"

  /// The owner of the directory.
  let user: TestUser
  /// The path of the directory, with a unique name.
  let directory: String
  /// The path of the state root.
  let root: String
  /// The programs of the build.
  let programs: TestPrograms
  /// The program that ``startDarkroom(_:_:input:)`` starts.
  var program: String
  /// A command prefix that switches to the user by itself, for commands in a container; or empty.
  var containerPrefix: [String] = []
  /// A command prefix that restricts every command.
  var confinementPrefix: [String] = []
  /// Additional environment variables of every command.
  var variables: [String] = []
  private var startedCommands = 0

  /// Creates a test home. Its unique path identifies the processes of its sessions.
  init(_ user: TestUser, root: String? = nil, below parent: String = "/tmp") throws {
    self.user = user
    programs = try TestPrograms.shared.get()
    program = programs.darkroom
    directory = "\(parent)/darkroom-place-\(Randomness.hexadecimal(bytes: 8))"
    self.root = root ?? "\(directory)/state"
    try FileSystem.makeDirectory(directory)
    try giveOwnership(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Changes the owner of a path to the user.
  func giveOwnership(_ path: String) throws {
    guard user == .regular, TestUser.hasRoot else { return }
    try #require(chown(path, TestUser.regularUserID, TestUser.regularUserID) == 0)
  }

  /// Returns the path of a file in the directory.
  func file(_ name: String) -> String { "\(directory)/\(name)" }

  /// Writes a file that the user owns, and returns its path.
  @discardableResult
  func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws -> String {
    try FileSystem.replaceContents(file(name), with: Array(text.utf8), mode: mode)
    try giveOwnership(file(name))
    return file(name)
  }

  /// The file name prefix of the next command's output.
  var nextOutputName: String { "command-\(startedCommands + 1)" }

  /// Starts a command as the user.
  func start(_ arguments: [String], input: String = "/dev/null") throws -> Command {
    startedCommands += 1
    return try Command(
      (containerPrefix.isEmpty ? user.commandPrefix : containerPrefix) + confinementPrefix + arguments,
      environment: [
        "HOME=\(directory)", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin", "SECRET=of the host",
      ] + variables,
      input: input,
      files: file("command-\(startedCommands)"),
      directory: directory
    )
  }

  /// Starts `darkroom` with this state root.
  func startDarkroom(_ subcommand: String, _ arguments: [String], input: String = "/dev/null") throws
    -> Command
  {
    try start([program, subcommand, "--root", root] + arguments, input: input)
  }

  /// Runs `darkroom` with this state root.
  func darkroom(_ subcommand: String, _ arguments: [String], input: String = "/dev/null") throws
    -> Command.Result
  {
    try startDarkroom(subcommand, arguments, input: input).end()
  }

  /// Installs an app, by default the sample app.
  func install(_ bundle: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try darkroom("install", [bundle ?? programs.bundle])
    try #require(result.code == 0, "\(result.errors)\(result.text)", sourceLocation: sourceLocation)
  }

  /// Installs the sample app without its Swift extensions.
  func installWithoutSwift(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try install(programs.bundleWithoutSwift, sourceLocation: sourceLocation)
  }
}

// MARK: - Sessions

extension TestHome {
  /// The result of a session.
  struct Session {
    /// The result of the command.
    var command: Command.Result
    /// The session record.
    var record: JSONValue
    /// The path of the delivered content, if there is any.
    var content: String

    /// The kind of the outcome.
    var outcome: String? { record["outcome"]?["kind"]?.string }
    /// The files that the record lists.
    var files: Set<String> { Set((record["files"]?.elements ?? []).compactMap { $0["path"]?.string }) }
    /// The reason of each quarantined path.
    var quarantined: [String: String] {
      var found: [String: String] = [:]
      for item in record["quarantined"]?.elements ?? [] {
        found[item["path"]?.string ?? "?"] = item["reason"]?.string
      }
      return found
    }

    /// The original name of each renamed path.
    var renamed: [String: String] {
      var found: [String: String] = [:]
      for item in record["sanitized"]?.elements ?? [] where item["change"]?.string == "renamed" {
        found[item["path"]?.string ?? "?"] = item["from"]?.string
      }
      return found
    }

    /// Returns the bytes of a delivered file.
    func bytes(_ name: String) throws -> [UInt8] {
      try #require(try FileSystem.contents("\(content)/\(name)", limit: 1 << 26))
    }

    /// Returns the text of a delivered file.
    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
  }

  /// Runs a program in a new session and checks that nothing is left.
  func exec(
    _ program: [String],
    options: [String] = [],
    input: String = "/dev/null",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Session {
    let record = file("record-\(startedCommands).json")
    let arguments = ["--app", Self.app, "--record", record] + options + ["--"] + program
    let session = try session(try darkroom("exec", arguments, input: input), record, sourceLocation)
    try expectNothingLeft(sourceLocation: sourceLocation)
    return session
  }

  /// Runs an extension with a script, optionally with the host under a tracer, and checks that nothing is
  /// left.
  func run(
    _ name: String,
    of app: String = TestHome.app,
    script: String,
    options: [String] = [],
    under tracer: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Session {
    let record = file("record-\(startedCommands).json")
    let script = try write("script-\(startedCommands)", script)
    let arguments = ["--record", record, "--script", script] + options + ["\(app).\(name)"]
    let command = tracer + [programs.darkroom, "run", "--root", root] + arguments
    let session = try session(try start(command).end(), record, of: app, sourceLocation)
    try expectNothingLeft(sourceLocation: sourceLocation)
    return session
  }

  private func session(
    _ result: Command.Result,
    _ path: String,
    of app: String = TestHome.app,
    _ sourceLocation: SourceLocation
  ) throws -> Session {
    let bytes = try? FileSystem.contents(path)
    let record = try json(
      try #require(
        bytes,
        "no record, exit code \(result.code): \(result.errors)",
        sourceLocation: sourceLocation
      )
    )
    let id = try #require(record["sessionID"]?.string)
    return Session(
      command: result,
      record: record,
      content: "\(root)/apps/\(app)/container/SessionContent/\(id)"
    )
  }

  /// Returns the output of a program that the unprivileged user runs, or an empty text if it fails.
  static func output(of command: [String]) -> String {
    guard let home = try? TestHome(.regular) else { return "" }
    // The directory of the home must exist until the program has ended.
    return withExtendedLifetime(home) { (try? home.start(command).end())?.text ?? "" }
  }

  /// Parses a JSON document.
  func json(_ bytes: [UInt8]) throws -> JSONValue { try JSONNode.parse(bytes, limits: .record).value }

  /// Returns the names in a directory of the state root.
  func names(_ directory: String) throws -> [String] { try FileSystem.names(in: "\(root)/\(directory)") }
}
