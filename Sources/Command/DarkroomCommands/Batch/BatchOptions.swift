// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import Digests
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionServices
internal import SessionStore

/// The options of `darkroom batch`, and their values.
enum BatchOptions {
  static let inputs = OptionSpec.value(
    "inputs",
    "DIR|-",
    .text,
    .required,
    help: "Process the regular files in DIR, or the paths on standard input, one in each line"
  )
  static let recursive = OptionSpec.flag(
    "recursive",
    short: "r",
    help: "Process the files in the directories below DIR, too"
  )
  static let null = OptionSpec.flag(
    "null",
    short: "0",
    help: "Separate the paths on standard input by NUL, as 'find -print0' does"
  )
  static let jobs = OptionSpec.value(
    "jobs",
    short: "j",
    "N",
    .integer(1...1024),
    help: "Run at most N sessions at a time (default: the number of processors)"
  )
  static let app = OptionSpec.value(
    "app",
    "ID",
    .text,
    .required,
    help: "Migrate the content of each /session to the app ID"
  )
  static let policy = OptionSpec.value(
    "policy",
    "NAME|FILE",
    .choiceOrFile(PolicyFinder.shippedNames),
    default: "capture",
    help: "Run the program under this policy"
  )
  static let name = OptionSpec.value(
    "name",
    "NAME",
    .text,
    help: "Keep the ledger under NAME (default: a digest of the app, the inputs and the command)"
  )
  static let retryFailed = OptionSpec.flag("retry-failed", help: "Run the inputs that failed before again")
  static let keepGoing = OptionSpec.flag(
    "keep-going",
    help: "Run the other inputs after a failure (default)"
  )
  static let stopOnFailure = OptionSpec.flag(
    "stop-on-failure",
    help: "Start no further session after a failure"
  )
  static let shard = OptionSpec.value(
    "shard",
    "I/N",
    help: "Process every Nth input only, from position I on (0 to N - 1)"
  )
  static let shards = OptionSpec.value(
    "shards",
    "N",
    .integer(1...1_000_000),
    help: "Process the shard $JOB_COMPLETION_INDEX of N, as in an Indexed Job of Kubernetes"
  )

  /// All options, in the order of the help.
  static let all = [
    inputs, recursive, null, jobs, app, policy, ExecCommand.readOnly, ExecCommand.variable, name, retryFailed,
    keepGoing, stopOnFailure, shard, shards,
  ]

  /// The environment variable in which Kubernetes passes the index of a pod to its containers.
  static let indexVariable = "JOB_COMPLETION_INDEX"

  /// Throws if options contradict each other.
  static func check(_ parsed: ParsedCommand) throws(CommandFailure) {
    if parsed.has(keepGoing), parsed.has(stopOnFailure) {
      throw CommandFailure(.usage, "--keep-going cannot be combined with --stop-on-failure")
    }
    if parsed.has(shard), parsed.has(shards) {
      throw CommandFailure(.usage, "--shard cannot be combined with --shards")
    }
    let isList = parsed.value(of: inputs) == "-"
    if isList, parsed.has(recursive) {
      throw CommandFailure(.usage, "--recursive requires a directory after --inputs")
    }
    if !isList, parsed.has(null) { throw CommandFailure(.usage, "--null requires '--inputs -'") }
  }

  /// Returns the number of sessions to run at a time.
  static func jobs(_ parsed: ParsedCommand) -> Int {
    if let jobs = parsed.integer(of: jobs) { return jobs }
    return BatchRunner.defaultJobs
  }

  /// Returns the part of the inputs that this process runs.
  static func shard(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> BatchShard {
    if let text = parsed.value(of: shard) {
      if let shard = BatchShard(text) { return shard }
      throw CommandFailure(
        .usage,
        "--shard must be an index and a number of shards, such as 0/4, not '\(TextTable.printable(text))'"
      )
    }
    guard let count = parsed.integer(of: shards) else { return .whole }
    let index = console.environment(indexVariable)
    if let index = index.flatMap({ Int($0) }), let shard = BatchShard(index, of: count) { return shard }
    let found = index.map { "'\(TextTable.printable($0))'" } ?? "not set"
    throw CommandFailure(
      .usage,
      "\(indexVariable) is \(found); set the variable to an index from 0 to \(count - 1), or use --shard I/\(count)"
    )
  }

  /// Returns the inputs of all shards.
  static func inputs(_ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) -> [BatchInput] {
    let place = parsed.value(of: inputs) ?? ""
    do throws(BatchError) {
      if place == "-" {
        let separator = UInt8(ascii: parsed.has(null) ? "\0" : "\n")
        return try BatchInputs.list(from: console.input, separator: separator)
      }
      return try BatchInputs.files(in: place, parsed.has(recursive) ? .tree : .directory)
    } catch { throw CommandFailure(error) }
  }

  /// Returns the definition of the batch for a shard.
  static func definition(
    _ parsed: ParsedCommand,
    _ app: AppStore,
    _ command: [String],
    _ shard: BatchShard
  ) throws(CommandFailure) -> BatchDefinition {
    let chosen = parsed.value(of: name)
    let name = if let chosen { chosen } else { try defaultName(parsed, app, command) }
    let full = shard.name(name)
    guard FileSystem.isPortableName(full) else {
      throw CommandFailure(
        .usage,
        "'\(TextTable.printable(name))' is not a valid name of a batch; use letters, digits, dots, hyphens and underscores"
      )
    }
    guard full.utf8.count <= 200 else {
      throw CommandFailure(
        .usage,
        "the name of the batch has \(full.utf8.count) bytes; use at most 200"
      )
    }
    return BatchDefinition(name: full, app: app.id, command: command)
  }

  /// Returns a name that depends on the app, the inputs and the command.
  private static func defaultName(
    _ parsed: ParsedCommand,
    _ app: AppStore,
    _ command: [String]
  ) throws(CommandFailure) -> String {
    let place = parsed.value(of: inputs) ?? ""
    let inputs = place == "-" ? place : (try? FileSystem.realPath(place)) ?? place
    let depth = parsed.has(recursive) ? "tree" : "directory"
    let words = JSONValue.array(([app.id, inputs, depth] + command).map(JSONValue.string))
    do throws(DigestError) {
      let digest = try SHA256Digest.of(words.bytes(.compact))
      return "batch-\(hexadecimalText(Array(digest.bytes.prefix(8))))"
    } catch { throw CommandFailure(.machine, "\(error)") }
  }
}
