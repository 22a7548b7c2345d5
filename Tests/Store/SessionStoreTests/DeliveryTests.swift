// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct DeliveryTests {
  let store: TemporaryStore
  let delivery = AppDelivery(
    id: "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11",
    reason: .captureExtension,
    activity: UserActivity(activityType: "org.example.edit"),
    createdAt: 1_750_000_000_000
  )

  init() throws { store = try TemporaryStore() }

  /// Returns the deliveries that are pending for the app.
  private func pendingDeliveries() throws -> [AppDelivery] {
    let directory = store.app.activitiesDirectory
    return try FileSystem.names(in: directory).map { name in
      let bytes = try #require(try FileSystem.contents("\(directory)/\(name)"))
      return try AppDelivery(json: try JSONNode.parse(bytes).value)
    }
  }

  /// Performs the first `count` steps of the migration of a session that opens its app, and then stops like a
  /// killed host.
  private func interrupt(after count: Int) throws {
    let workspace = try store.workspace()
    try write("whole", to: "\(workspace.places.contentDirectory)/capture.jpg")
    try PendingDelivery.write(delivery, in: workspace.places)
    let draft = store.draft(workspace)
    let migration = Migration(workspace, draft: draft)
    for step in MigrationStep.allCases.prefix(count) { try migration.perform(step) }
  }

  @Test(arguments: 0...MigrationStep.allCases.count)
  func `notifies the app once and only after its content is delivered if the host dies at any step`(
    _ count: Int
  )
    throws
  {
    try interrupt(after: count)
    let isNotified = try !pendingDeliveries().isEmpty
    #expect(isNotified == (count > MigrationStep.allCases.firstIndex(of: .notify) ?? 0))
    if isNotified { #expect(try DeliveredContent(store.app).list().count == 1) }
    _ = try Recovery.run(in: store.root)
    #expect(try pendingDeliveries() == [delivery])
    _ = try Recovery.run(in: store.root)
    #expect(try pendingDeliveries() == [delivery])
    #expect(try store.leftovers() == [])
  }

  @Test func `does not notify an app again that took its delivery before the host died`() throws {
    let stepsThroughNotification = (MigrationStep.allCases.firstIndex(of: .notify) ?? 0) + 1
    try interrupt(after: stepsThroughNotification)
    try FileSystem.unlink("\(store.app.activitiesDirectory)/\(delivery.fileName)")
    _ = try Recovery.run(in: store.root)
    #expect(try pendingDeliveries() == [])
    #expect(try DeliveredContent(store.app).list().count == 1)
  }

  @Test func `the foreground lock reports its holder and is free after release`() throws {
    let first = ForegroundLock.Holder(session: "one", extensionID: "org.example.first")
    let second = ForegroundLock.Holder(session: "two", extensionID: "org.example.second")
    do {
      let attempt = try ForegroundLock.attempt(in: store.root, for: first)
      guard case .acquired(let seat) = consume attempt else {
        Issue.record("the first session did not move into the foreground")
        return
      }
      guard case .held(let holder) = try ForegroundLock.attempt(in: store.root, for: second) else {
        Issue.record("a second session moved into the foreground")
        return
      }
      #expect(holder == first)
      _ = consume seat
    }
    guard case .acquired = try ForegroundLock.attempt(in: store.root, for: second) else {
      Issue.record("the released foreground lock was not acquired")
      return
    }
  }

  @Test func `erases content without following links and counts it`() throws {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    try write("outside", to: "\(store.outside)/file")
    try write("12345", to: "\(content)/one")
    try FileSystem.makeDirectories("\(content)/a/b/c")
    try write("123", to: "\(content)/a/b/two")
    try makeLink("\(store.outside)/file", "\(content)/link")
    try makeLink(store.outside, "\(content)/a/directory")
    let receipt = try ContentEraser.erase(workspace.places)
    #expect(receipt.files == 4)
    #expect(receipt.bytes == 8)
    #expect(try FileSystem.names(in: content) == [])
    #expect(try FileSystem.names(in: store.outside) == ["file"])
    #expect(try ContentEraser.erase(workspace.places).files == 0)
    workspace.abandon()
  }

  @Test func `keeps files that are created during an erasure`() async throws {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    for number in 0..<2000 { try write("old", to: "\(content)/old-\(number)") }
    let writer = Task.detached {
      for number in 0..<2000 { try write("new", to: "\(content)/new-\(number)") }
    }
    let receipt = try ContentEraser.erase(workspace.places)
    try await writer.value
    let names = try FileSystem.names(in: content)
    // Only new files that existed at the time of the scan may be erased; no other file is, and no file is
    // damaged.
    #expect(!names.contains { $0.hasPrefix("old-") })
    #expect(Int(receipt.files) + names.count == 4000)
    workspace.abandon()
  }

  @Test func `keeps files that replace erased ones at any checkpoint`() throws {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    for name in ["old", "replaced", "swapped"] { try write("old", to: "\(content)/\(name)") }
    // The kernel's file timestamps have a coarse resolution, and a free inode number is reused at once.
    MonotonicClock.sleep(milliseconds: 50)
    func put(_ text: String, over name: String) throws {
      try FileSystem.replaceContents("\(content)/\(name)", with: Array(text.utf8))
    }
    let receipt = try ContentEraser.erase(workspace.places) { moment in
      do {
        switch moment {
        case .scanned:
          try put("new", over: "replaced")
          try write("new", to: "\(content)/another")
        case .selected("swapped"): try put("first", over: "swapped")
        case .misidentified("swapped"): try put("second", over: "swapped")
        default: break
        }
      } catch { Issue.record(error) }
    }
    #expect(receipt.files == 1)
    var remaining = try TemporaryStore.tree(content)
    #expect(
      remaining.removeValue(forKey: "replaced") == "new" && remaining.removeValue(forKey: "another") == "new"
    )
    #expect(remaining.removeValue(forKey: "swapped") == "second")
    // Another file took its name in the meantime.
    #expect(
      remaining.count == 1 && remaining.first?.key.hasPrefix("swapped-") == true
        && remaining.first?.value == "first"
    )
    workspace.abandon()
  }

  private func makeLink(_ target: String, _ path: String) throws {
    try FileSystem.makeSymbolicLink(path, to: target)
  }
}
