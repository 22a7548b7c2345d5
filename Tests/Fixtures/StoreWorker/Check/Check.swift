// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Compares a state root with the acknowledged operations. Recovery must be complete, and no other process
/// may use the root.
final class Check {
  /// The environment that is checked.
  let world: WorkerEnvironment
  /// The acknowledged operations.
  let promises: Promises
  /// Whether unacknowledged data may be truncated.
  let isAfterPowerFailure = CurrentProcess.environment("POWER") != nil
  /// Whether a call was refused, so that some entries could not be sanitized.
  let isRefused = CurrentProcess.environment("REFUSED") != nil
  private var faults = 0

  init(_ world: WorkerEnvironment) throws {
    self.world = world
    promises = Promises(try world.acknowledgments.lines())
  }

  /// Reports a violation.
  func fail(_ what: String) {
    faults += 1
    printLine("WRONG: \(what)")
  }

  /// Reports a violation unless a condition holds.
  func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
    if !isRight { fail(what()) }
  }

  /// Checks everything and exits with 1 if there is a violation.
  func run() throws {
    try checkSessions()
    try checkMailbox()
    try checkContext()
    try checkBundle()
    try checkLibrary()
    try checkInvariants()
  }

  /// Checks only invariants: no stray file, no lock, a valid log, correct records.
  func checkInvariants() throws {
    let entries = try Tree.list(world.root.path)
    checkLayout(entries)
    try checkLocks(entries)
    try checkRecords()
    let log = try SessionLog(world.root).verify()
    expect(log.invalidEntry == nil, "the log is wrong: \(log)")
    if faults > 0 { exit(1) }
    printLine("right")
  }
}

/// The acknowledged operations, as parsed from the acknowledgment log.
struct Promises {
  /// The acknowledged state of a session.
  struct Session {
    /// The plan of the extension.
    var plan = Plan.none
    /// The paths that the extension has written.
    var written: Set<String> = []
    /// The delivery for the app, and whether it was durable.
    var delivery: (id: String, isNoted: Bool)?
    /// The acknowledged states: `delivered`, `ended`, `invalidating` and so on.
    var reportedStates: Set<String> = []
    /// The file that was added to the library; its state is in ``reportedStates``.
    var ingest: String?
    /// Whether the app was uninstalled since.
    var mayBeRemoved = false
  }

  /// The sessions by ID.
  var sessions: [String: Session] = [:]
  /// The sessions that ``ContentAccounting`` checks.
  var misbehavingSessions: Set<String> = []
  /// The deliveries other than those of sessions, and whether they are acknowledged.
  var posts: [String: Bool] = [:]
  /// The possible app contexts.
  var contexts: Set<String> = ["-"]
  /// The possible installed versions, with `-` for none.
  var versions: Set<String> = ["-"]

  /// Parses all lines.
  init(_ lines: [[String]]) {
    for line in lines { read(line) }
  }

  private mutating func read(_ line: [String]) {
    guard let word = line.first else { return }
    let argument = line.count > 1 ? line[1] : "-"
    switch word {
    case "posting": posts[argument] = false
    case "posted": posts[argument] = true
    case "setting": contexts.insert(argument)
    case "set": contexts = [argument]
    case "installing": versions.insert(argument)
    case "installed": versions = [argument]
    case "uninstalling", "uninstalled": uninstall(isDone: word == "uninstalled")
    case "recovered", "speaks": break
    case "spoke" where misbehavingSessions.contains(argument): break
    case "strange", "put", "handed", "took": misbehavingSessions.insert(argument)
    default: readSession(line, word, argument)
    }
  }

  private mutating func uninstall(isDone: Bool) {
    versions = isDone ? ["-"] : versions.union(["-"])
    contexts = isDone ? ["-"] : contexts.union(["-"])
    for id in sessions.keys { sessions[id]?.mayBeRemoved = true }
    for id in posts.keys { posts[id] = false }
  }

  private mutating func readSession(_ line: [String], _ word: String, _ id: String) {
    var session = sessions[id] ?? Session()
    let last = line.last ?? ""
    switch word {
    case "began": session.plan = Plan(rawValue: last) ?? .none
    case "wrote": session.written.insert(last)
    case "telling": session.delivery = (last, false)
    case "noted": session.delivery = (last, true)
    case "ingesting", "copying":
      session.ingest = last
      session.reportedStates.insert(word)
    default: session.reportedStates.insert(word)
    }
    sessions[id] = session
  }
}
