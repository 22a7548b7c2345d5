// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

@Suite struct NamedConsumerTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Migrates a session with one file and returns its ID.
  private func deliver() throws -> SessionID {
    try store.handOver { try write("x", to: "\($0)/x") }.record.sessionID
  }

  /// Returns the updates that a run of a consumer receives without waiting, as text. The run is killed after
  /// `killedAfter` updates.
  private func run(_ name: String, _ killedAfter: Int = .max) throws -> [String] {
    var watch = try ContentWatch(store.app, consumer: name)
    var told: [String] = []
    while told.count < killedAfter, let update = try watch.next(until: 0) {
      switch update {
      case .initial(let sessions): told.append("initial \(sessions.map(\.id.description).sorted())")
      case .added(let session): told.append("added \(session.id)")
      case .removed(let id): told.append("removed \(id)")
      }
    }
    return told
  }

  @Test func `a consumer that was away is told what it has missed, each change once`() throws {
    let first = try deliver()
    #expect(try run("importer") == ["initial []", "added \(first)"])
    #expect(try run("importer") == ["initial [\"\(first)\"]"])
    let second = try deliver()
    try DeliveredContent(store.app).invalidate(first)
    #expect(try run("importer") == ["initial []", "removed \(first)", "added \(second)"])
    #expect(try run("importer") == ["initial [\"\(second)\"]"])
    // A different name is a different consumer.
    #expect(try run("backup") == ["initial []", "added \(second)"])
  }

  @Test func `what came and went while it was away it is not told of`() throws {
    _ = try run("importer")
    try DeliveredContent(store.app).invalidate(deliver())
    #expect(try run("importer") == ["initial []"])
  }

  @Test func `an update that was not acknowledged comes again, and no other does`() throws {
    let ids = try (0..<4).map { _ in try deliver() }
    // The consumer is killed after the second addition, before it requests the third.
    let killed = try run("importer", 3)
    let rest = try run("importer")
    let added = (killed + rest).filter { $0.hasPrefix("added") }
    #expect(Set(added) == Set(ids.map { "added \($0)" }))
    #expect(added.count == ids.count + 1)
    #expect(killed.last == rest.dropFirst().first)
  }

  @Test func `one process at a time is a consumer, and a name stays in its directory`() throws {
    let watch = try ContentWatch(store.app, consumer: "importer")
    #expect(throws: StoreError.consumerBusy(app: store.app.id, consumer: "importer")) {
      _ = try run("importer")
    }
    _ = watch.descriptor
    for name in ["", "../x", ".hidden", "a/b", "-x", "a b"] {
      #expect(throws: StoreError.notAConsumer(name)) { _ = try run(name) }
    }
  }

  @Test func `a line that a crash has torn is no line`() throws {
    let first = try deliver()
    _ = try run("importer")
    let path = "\(store.app.consumersDirectory)/importer"
    let second = try deliver()
    let file = try FileSystem.open(path, [.write, .append])
    try file.writeAll(Array("+\(second)".utf8.dropLast(3)))
    #expect(try run("importer") == ["initial [\"\(first)\"]", "added \(second)"])
    #expect(try run("importer").count == 1)
  }

  @Test func `the place of a consumer does not grow with what is past`() throws {
    let path = "\(store.outside)/ledger"
    for _ in 0..<3 {
      let ledger = try #require(try NameLedger.open(path))
      for number in 0..<200 { try ledger.insert(["name \(number)"]) }
      try ledger.remove((0..<199).map { "name \($0)" })
    }
    let ledger = try #require(try NameLedger.open(path))
    #expect(ledger.names == ["name 199"])
    #expect(try #require(try FileSystem.contents(path)).count < 100)
  }
}
