// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import SessionStore

/// Compares a state root with what was acknowledged. Recovery must have been made before, and nobody may be at work.
final class Check {
  /// What is looked at.
  let world: World
  /// What was acknowledged.
  let promises: Promises
  /// Whether what was not acknowledged may be cut short.
  let isAfterPowerFailure = CurrentProcess.environment("POWER") != nil
  /// Whether a call was refused, so that something may not have been made ordinary.
  let isRefused = CurrentProcess.environment("REFUSED") != nil
  private var faults = 0

  /// Looks at a world.
  init(_ world: World) throws {
    self.world = world
    promises = Promises(try world.marks.lines())
  }

  /// Says that something is wrong.
  func wrong(_ what: String) {
    faults += 1
    say("WRONG: \(what)")
  }

  /// Says that something is wrong unless it is right.
  func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
    if !isRight { wrong(what()) }
  }

  /// Looks at everything; ends the process with 1 if something is wrong.
  func run() throws {
    try checkSessions()
    try checkMailbox()
    try checkContext()
    try checkBundle()
    try checkLibrary()
    try look()
  }

  /// Looks only at what does not need to have been promised: no stray file, no lock, a whole log, true records.
  func look() throws {
    let entries = try Tree.list(world.root.path)
    checkLayout(entries)
    try checkLocks(entries)
    try checkRecords()
    let log = try SessionLog(world.root).verify()
    expect(log.wrong == nil, "the log is wrong: \(log)")
    if faults > 0 { exit(1) }
    say("right")
  }
}

/// What the marks say.
struct Promises {
  /// What is known of a session.
  struct Session {
    /// What its extension was to write.
    var plan = Plan.none
    /// What it has written.
    var written: Set<String> = []
    /// The delivery that its app is to get; whether that was durable.
    var delivery: (id: String, isNoted: Bool)?
    /// What was said of it: `delivered`, `ended`, `invalidating` and so on.
    var words: Set<String> = []
    /// The file that was added to the library; what became of it is in ``words``.
    var ingest: String?
    /// Whether its app was uninstalled since.
    var mayBeGone = false
  }

  /// The sessions by their ids.
  var sessions: [String: Session] = [:]
  /// Sessions that ``Account`` accounts for.
  var strangers: Set<String> = []
  /// Deliveries beside those of sessions; whether they are promised.
  var posts: [String: Bool] = [:]
  /// What the context can be.
  var contexts: Set<String> = ["-"]
  /// What versions can be installed, `-` for none.
  var versions: Set<String> = ["-"]

  /// Reads the words of all lines.
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
    case "spoke" where strangers.contains(argument): break
    case "strange", "put", "handed", "took": strangers.insert(argument)
    default: readSession(line, word, argument)
    }
  }

  private mutating func uninstall(isDone: Bool) {
    versions = isDone ? ["-"] : versions.union(["-"])
    contexts = isDone ? ["-"] : contexts.union(["-"])
    for id in sessions.keys { sessions[id]?.mayBeGone = true }
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
      session.words.insert(word)
    default: session.words.insert(word)
    }
    sessions[id] = session
  }
}
