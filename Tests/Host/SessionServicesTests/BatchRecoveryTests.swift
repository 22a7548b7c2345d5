// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionServices
import SessionStore
import TestSupport
import Testing

/// Tests of the decision that follows from the record of a killed host's session.
@Suite(.waiting) struct BatchRecoveryTests {
  private let scratch: ScratchDirectory
  private let app: AppStore
  private let definition = BatchDefinition(name: "scans", app: "org.example.camera", command: ["wc"])

  init() throws {
    scratch = try ScratchDirectory()
    let root = StateRoot(path: "\(scratch.path)/state")
    try root.prepare()
    app = try root.app("org.example.camera")
  }

  private func open() throws -> (BatchLedger, BatchHistory) {
    // A process that a concurrent test starts shares the lock of a closed ledger until it executes its program.
    let deadline = TestTimeout.deadline
    while true {
      switch try BatchLedger.open(definition, in: app.root) {
      case .opened(let ledger, let history): return (ledger, history)
      case .busy where MonotonicClock.now < deadline: continue
      case .busy, .different: throw LedgerUnavailable()
      }
    }
  }

  private struct LedgerUnavailable: Error {}

  private func complete(_ ledger: BatchLedger, _ history: inout BatchHistory) throws {
    try BatchRecovery.complete(ledger, &history, app: app) { () throws(StoreError) in
      try Recovery.run(in: app.root)
    }
  }

  /// Performs the first `count` steps of the migration of a session that exited with 0, and then stops like a
  /// killed host.
  private func interrupt(_ session: SessionID, after count: Int) throws {
    let workspace = try SessionWorkspace.prepare(for: app, id: session, extensionID: "\(app.id).batch")
    try FileSystem.replaceContents("\(workspace.places.contentDirectory)/out", with: [1])
    let draft = SessionRecord(
      sessionID: session,
      app: app.id,
      extensionID: "\(app.id).batch",
      startedAt: workspace.startedAt,
      endedAt: workspace.startedAt,
      outcome: .completed(exitCode: 0)
    )
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases.prefix(count) { try migration.perform(step) }
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `an input whose program had completed is not run again, at whatever step the host died`(_ count: Int)
    throws
  {
    let (input, session) = (BatchInput("/srv/one"), SessionID.random())
    var (ledger, history) = try open()
    try ledger.append(.started(input, session))
    history.add(.started(input, session))
    try interrupt(session, after: count)
    try complete(ledger, &history)
    let plan = BatchPlan([input], history, failures: .kept)
    // Before its record exists, only the host knows that a program with little content has completed. The
    // interrupted session delivers the content as that of a host that died, and the input is run again.
    let isRecorded = MigrationStep.allCases.prefix(count).contains(.record)
    #expect(plan.done == (isRecorded ? 1 : 0))
    #expect(plan.pending == (isRecorded ? [] : [input]))
    #expect(try DeliveredContent(app).list().map(\.id) == [session])
    #expect(history.unresolved.isEmpty)
  }

  @Test func `an input whose session was entered and never created is run again`() throws {
    let (input, session) = (BatchInput("/srv/one"), SessionID.random())
    var (ledger, history) = try open()
    try ledger.append(.started(input, session))
    history.add(.started(input, session))
    try complete(ledger, &history)
    #expect(BatchPlan([input], history, failures: .kept).pending == [input])
    #expect(try DeliveredContent(app).list().isEmpty)
  }

  @Test func `waits for no session of another batch, and reports a session that cannot be recovered`() throws
  {
    let (input, session) = (BatchInput("/srv/one"), SessionID.random())
    let other = try SessionWorkspace.prepare(for: app, extensionID: "\(app.id).batch")
    var (ledger, history) = try open()
    try complete(ledger, &history)
    let held = try SessionWorkspace.prepare(for: app, id: session, extensionID: "\(app.id).batch")
    try ledger.append(.started(input, session))
    history.add(.started(input, session))
    #expect {
      try complete(ledger, &history)
    } throws: { error in
      if case .notRecovered(session, input, nil) = error as? BatchError { true } else { false }
    }
    held.abandon()
    other.abandon()
    try complete(ledger, &history)
    #expect(BatchPlan([input], history, failures: .kept).pending == [input])
  }
}
