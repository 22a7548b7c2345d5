// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

@Suite struct NamedConsumerTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  /// Migrates a session with one file and returns its ID.
  private func deliver() throws -> SessionID {
    try store.migrate { try write("x", to: "\($0)/x") }.record.sessionID
  }

  /// Returns the updates that a run of a consumer receives without waiting, as text. The run is killed after
  /// `limit` updates.
  private func run(_ name: String, _ limit: Int = .max) throws -> [String] {
    var watch = try ContentWatch(store.app, consumer: name)
    var updates: [String] = []
    while updates.count < limit, let update = try watch.next(until: 0) {
      switch update {
      case .initial(let sessions): updates.append("initial \(sessions.map(\.id.description).sorted())")
      case .added(let session): updates.append("added \(session.id)")
      case .removed(let id): updates.append("removed \(id)")
      }
    }
    return updates
  }

  @Test func `reports missed changes once to a consumer that was not running`() throws {
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

  @Test func `does not report content added and removed while a consumer was not running`() throws {
    _ = try run("importer")
    try DeliveredContent(store.app).invalidate(deliver())
    #expect(try run("importer") == ["initial []"])
  }

  @Test func `repeats only an update that was not acknowledged`() throws {
    let ids = try (0..<4).map { _ in try deliver() }
    // The consumer is killed after the second addition, before it requests the third.
    let killed = try run("importer", 3)
    let rest = try run("importer")
    let added = (killed + rest).filter { $0.hasPrefix("added") }
    #expect(Set(added) == Set(ids.map { "added \($0)" }))
    #expect(added.count == ids.count + 1)
    #expect(killed.last == rest.dropFirst().first)
  }

  @Test func `allows one process per consumer name and rejects names that are paths`() throws {
    let watch = try ContentWatch(store.app, consumer: "importer")
    #expect(throws: StoreError.consumerBusy(app: store.app.id, consumer: "importer")) {
      _ = try run("importer")
    }
    _ = watch.descriptor
    for name in ["", "../x", ".hidden", "a/b", "-x", "a b"] {
      #expect(throws: StoreError.invalidConsumerName(name)) { _ = try run(name) }
    }
  }

  @Test func `ignores a line torn by a crash`() throws {
    let first = try deliver()
    _ = try run("importer")
    let path = "\(store.app.consumersDirectory)/importer"
    let second = try deliver()
    let file = try FileSystem.open(path, [.write, .append])
    try file.writeAll(Array("+\(second)".utf8.dropLast(3)))
    #expect(try run("importer") == ["initial [\"\(first)\"]", "added \(second)"])
    #expect(try run("importer").count == 1)
  }

  @Test func `the progress file of a consumer does not grow with removed entries`() throws {
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
