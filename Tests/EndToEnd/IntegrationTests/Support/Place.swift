// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import Testing

/// A person's directory with a state root in it, which goes away with its owner.
final class Place {
  /// The id of the sample app.
  static let app = "org.darkroom.sample"

  /// Whose it is.
  let person: Person
  /// Where it is; no other directory has this name.
  let directory: String
  /// The state root.
  let root: String
  /// The programs.
  let programs: Programs
  /// Words in front of every command that take something away from it.
  var confinement: [String] = []
  /// What stands in the environment of every command beside what everybody has.
  var variables: [String] = []
  private var commands = 0

  /// Makes a place; a session in it can be told from any other by its path.
  init(_ person: Person, root: String? = nil, below parent: String = "/tmp") throws {
    self.person = person
    programs = try Programs.shared.get()
    directory = "\(parent)/darkroom-place-\(Randomness.hexadecimal(bytes: 8))"
    self.root = root ?? "\(directory)/state"
    try FileSystem.makeDirectory(directory)
    try give(directory)
  }

  deinit { try? FileSystem.removeTree(directory) }

  /// Gives a path to the person.
  func give(_ path: String) throws {
    guard person == .ordinary, Person.hasRoot else { return }
    try #require(chown(path, Person.ordinaryUser, Person.ordinaryUser) == 0)
  }

  /// The path of a file of the person's.
  func file(_ name: String) -> String { "\(directory)/\(name)" }

  /// Makes a file of the person's.
  @discardableResult
  func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws -> String {
    try FileSystem.replaceContents(file(name), with: Array(text.utf8), mode: mode)
    try give(file(name))
    return file(name)
  }

  /// The beginning of the names of the output files of the command that is started next.
  var nextCommand: String { "command-\(commands + 1)" }

  /// Starts a command as this person.
  func start(_ words: [String], input: String = "/dev/null") throws -> Command {
    commands += 1
    return try Command(
      person.becoming + confinement + words,
      environment: [
        "HOME=\(directory)", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin", "SECRET=of the host",
      ] + variables,
      input: input,
      files: file("command-\(commands)"),
      directory: directory
    )
  }

  /// Starts `darkroom` with this place's state root.
  func startDarkroom(_ subcommand: String, _ words: [String], input: String = "/dev/null") throws -> Command {
    try start([programs.darkroom, subcommand, "--root", root] + words, input: input)
  }

  /// Runs `darkroom` with this place's state root.
  func darkroom(_ subcommand: String, _ words: [String], input: String = "/dev/null") throws -> Command.Result
  {
    try startDarkroom(subcommand, words, input: input).end()
  }

  /// Installs the sample app.
  func install(_ bundle: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try darkroom("install", [bundle ?? programs.bundle])
    try #require(result.code == 0, "\(result.errors)\(result.text)", sourceLocation: sourceLocation)
  }

  /// Installs the sample app without its extensions in Swift.
  func installSmall(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try install(programs.smallBundle, sourceLocation: sourceLocation)
  }
}

// MARK: - Sessions

extension Place {
  /// How a session went.
  struct Session {
    /// What the command said.
    var command: Command.Result
    /// The record.
    var record: JSONValue
    /// Where its content is, if there is any.
    var content: String

    /// The kind of the outcome.
    var outcome: String? { record["outcome"]?["kind"]?.string }
    /// The files that the record lists.
    var files: Set<String> { Set((record["files"]?.elements ?? []).compactMap { $0["path"]?.string }) }
    /// What was kept from the app, and why.
    var quarantined: [String: String] {
      var found: [String: String] = [:]
      for item in record["quarantined"]?.elements ?? [] {
        found[item["path"]?.string ?? "?"] = item["reason"]?.string
      }
      return found
    }

    /// What has got another name, and which it had.
    var renamed: [String: String] {
      var found: [String: String] = [:]
      for item in record["normalised"]?.elements ?? [] where item["change"]?.string == "renamed" {
        found[item["path"]?.string ?? "?"] = item["from"]?.string
      }
      return found
    }

    /// A file of the content.
    func bytes(_ name: String) throws -> [UInt8] {
      try #require(try FileSystem.contents("\(content)/\(name)", limit: 1 << 26))
    }

    /// A file of the content as text.
    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
  }

  /// Runs a program in a session of its own and checks that nothing is left.
  func exec(
    _ program: [String],
    options: [String] = [],
    input: String = "/dev/null",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Session {
    let record = file("record-\(commands).json")
    let words = ["--app", Self.app, "--record", record] + options + ["--"] + program
    let session = try session(try darkroom("exec", words, input: input), record, sourceLocation)
    try expectNothingLeft(sourceLocation: sourceLocation)
    return session
  }

  /// Runs an extension with a script, the host under a tracer if one is given, and checks that nothing is left.
  func run(
    _ name: String,
    of app: String = Place.app,
    script: String,
    options: [String] = [],
    under tracer: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Session {
    let record = file("record-\(commands).json")
    let script = try write("script-\(commands)", script)
    let words = ["--record", record, "--script", script] + options + ["\(app).\(name)"]
    let command = tracer + [programs.darkroom, "run", "--root", root] + words
    let session = try session(try start(command).end(), record, of: app, sourceLocation)
    try expectNothingLeft(sourceLocation: sourceLocation)
    return session
  }

  private func session(
    _ result: Command.Result,
    _ path: String,
    of app: String = Place.app,
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

  /// Reads a document.
  func json(_ bytes: [UInt8]) throws -> JSONValue { try JSONNode.parse(bytes).value }

  /// The names in a directory of the state root.
  func names(_ directory: String) throws -> [String] { try FileSystem.names(in: "\(root)/\(directory)") }
}
