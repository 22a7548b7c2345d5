// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite(.waiting) struct BatchLedgerTests {
  private let store: TemporaryStore
  private let definition = BatchDefinition(name: "scans", app: "org.example.camera", command: ["wc", "{}"])
  private let one = BatchInput("/srv/one")
  private let two = BatchInput("/srv/two\nlines \u{1B}[31m")

  init() throws { store = try TemporaryStore() }

  private var path: String { "\(store.root.batch("scans"))/ledger.ndjson" }

  private func open(_ definition: BatchDefinition? = nil) throws -> (BatchLedger, BatchHistory) {
    // A process that a concurrent test starts shares the lock of a closed ledger until it executes its program.
    let deadline = TestTimeout.deadline
    while true {
      switch try BatchLedger.open(definition ?? self.definition, in: store.root) {
      case .opened(let ledger, let history): return (ledger, history)
      case .busy where MonotonicClock.now < deadline: continue
      case .busy, .different: throw LedgerUnavailable()
      }
    }
  }

  private struct LedgerUnavailable: Error {}

  /// A run of two inputs, of which one failed and then succeeded.
  private let entries: [BatchEntry] = {
    let (one, two) = (BatchInput("/srv/one"), BatchInput("/srv/two\nlines \u{1B}[31m"))
    let sessions = (0..<3).map { _ in SessionID.random() }
    return [
      .started(one, sessions[0]), .started(two, sessions[1]),
      .delivered(sessions[0], BatchResult(.completed(exitCode: 3), lastLine: "no \"paper\"")),
      .delivered(sessions[1], BatchResult(.dismissed(.init(by: .hostDied)))), .started(two, sessions[2]),
      .delivered(sessions[2], BatchResult(.completed(exitCode: 0))),
    ]
  }()

  @Test func `reads the entries that it has written`() throws {
    try {
      let (ledger, history) = try open()
      #expect(history == BatchHistory())
      for entry in entries { try ledger.append(entry) }
    }()
    let (_, history) = try open()
    var expected = BatchHistory()
    for entry in entries { expected.add(entry) }
    #expect(history == expected)
    #expect(history.attempt(one)?.result == BatchResult(.completed(exitCode: 3), lastLine: "no \"paper\""))
    #expect(history.attempt(two)?.result?.outcome == .completed(exitCode: 0))
    #expect(history.unresolved.isEmpty)
  }

  @Test func `a ledger that was truncated at any byte has the entries of its complete lines`() throws {
    try {
      let (ledger, _) = try open()
      for entry in entries { try ledger.append(entry) }
    }()
    let whole = try #require(try FileSystem.contents(path))
    for length in 0...whole.count {
      try FileSystem.replaceContents(path, with: Array(whole.prefix(length)))
      let complete = max(0, whole.prefix(length).count { $0 == UInt8(ascii: "\n") } - 1)
      var expected = BatchHistory()
      for entry in entries.prefix(complete) { expected.add(entry) }
      let isContinued = length % 16 == 0
      try {
        let (ledger, history) = try open()
        #expect(history == expected, "\(length) bytes")
        // The rest of a truncated line must not become a part of the next entry.
        if isContinued { for entry in entries.dropFirst(complete) { try ledger.append(entry) } }
      }()
      guard isContinued else { continue }
      let (_, history) = try open()
      #expect(history.unresolved.isEmpty, "\(length) bytes")
      #expect(history.attempt(two)?.result?.outcome == .completed(exitCode: 0), "\(length) bytes")
    }
  }

  @Test func `ignores an invalid last line, and refuses an invalid line before the last one`() throws {
    try {
      let (ledger, _) = try open()
      try ledger.append(entries[0])
    }()
    let whole = try #require(try FileSystem.contents(path))
    try FileSystem.replaceContents(path, with: whole + [0, 0, 0, UInt8(ascii: "\n")])
    try {
      let (_, history) = try open()
      #expect(history.unresolved.map(\.input) == [one])
      #expect(try FileSystem.contents(path) == whole)
    }()
    let header: [UInt8] = whole.prefix { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
    let damaged = header + Array("{}\n".utf8) + Array(whole[header.count...])
    try FileSystem.replaceContents(path, with: damaged)
    #expect {
      try open()
    } throws: { error in
      if case .damaged(let found, _) = error as? StoreError { found == path } else { false }
    }
  }

  @Test func `a second process cannot open the ledger of a running batch`() throws {
    let (ledger, _) = try open()
    guard case .busy = try BatchLedger.open(definition, in: store.root) else {
      Issue.record("the ledger has two holders")
      return
    }
    withExtendedLifetime(ledger) {}
  }

  @Test func `refuses another command or app under the same name`() throws {
    try { _ = try open() }()
    let others = [
      BatchDefinition(name: "scans", app: "org.example.camera", command: ["wc", "-l", "{}"]),
      BatchDefinition(name: "scans", app: "org.example.other", command: ["wc", "{}"]),
      // Both spellings are the same text, but not the same arguments.
      BatchDefinition(name: "scans", app: "org.example.camera", command: ["wc", "{}", "e\u{301}"]),
    ]
    for other in others {
      guard case .different(let found) = try BatchLedger.open(other, in: store.root) else {
        Issue.record("\(other)")
        continue
      }
      #expect(found == definition)
    }
    let composed = BatchDefinition(name: "scans", app: "org.example.camera", command: ["wc", "{}", "\u{E9}"])
    #expect(others[2] != composed)
  }

  @Test func `a new attempt replaces the result of an earlier session of its input`() {
    var history = BatchHistory()
    for entry in entries.prefix(5) { history.add(entry) }
    #expect(history.unresolved.map(\.input) == [two])
    // The result of the earlier session arrives late and does not concern the new session.
    history.add(entries[3])
    #expect(history.unresolved.map(\.input) == [two])
  }

  @Test func `runs new and interrupted inputs, and failed inputs only on request`() throws {
    var history = BatchHistory()
    for entry in entries.prefix(4) { history.add(entry) }
    let three = BatchInput("/srv/three")
    let broken = BatchInput(bytes: Array("/srv/".utf8) + [0xFF])
    let plan = BatchPlan([one, two, three, broken], history, failures: .kept)
    #expect(plan.pending == [two, three])
    #expect(plan.failed.map(\.input) == [one])
    #expect(plan.unusable == [broken])
    #expect(plan.total == 4)
    #expect(BatchPlan([one, two, three], history, failures: .retried).pending == [one, two, three])
    for entry in entries { history.add(entry) }
    #expect(BatchPlan([two], history, failures: .retried).done == 1)
  }

  @Test func `inputs with equal text and different bytes are two inputs`() {
    let (composed, decomposed) = (BatchInput("/srv/\u{E9}"), BatchInput("/srv/e\u{301}"))
    #expect(composed.path == decomposed.path)
    #expect(Set([composed, decomposed]).count == 2)
    #expect([composed, decomposed].sorted() == [decomposed, composed])
  }
}
