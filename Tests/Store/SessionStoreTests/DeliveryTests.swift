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
  private func mail() throws -> [AppDelivery] {
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
    try PendingDelivery.note(delivery, in: workspace.places)
    let draft = store.draft(workspace)
    let handOver = HandOver(workspace, draft: draft)
    for step in HandOverStep.allCases.prefix(count) { try handOver.perform(step) }
  }

  @Test(arguments: 0...HandOverStep.allCases.count)
  func `wherever the host dies, the app is told once, and not before its content is there`(_ count: Int)
    throws
  {
    try interrupt(after: count)
    let isTold = try !mail().isEmpty
    #expect(isTold == (count > HandOverStep.allCases.firstIndex(of: .tell) ?? 0))
    if isTold { #expect(try DeliveredContent(store.app).list().count == 1) }
    _ = try Recovery.run(in: store.root)
    #expect(try mail() == [delivery])
    _ = try Recovery.run(in: store.root)
    #expect(try mail() == [delivery])
    #expect(try store.leftovers() == [])
  }

  @Test func `an app that has taken what it was told before the host died is not told again`() throws {
    let told = (HandOverStep.allCases.firstIndex(of: .tell) ?? 0) + 1
    try interrupt(after: told)
    try FileSystem.unlink("\(store.app.activitiesDirectory)/\(delivery.fileName)")
    _ = try Recovery.run(in: store.root)
    #expect(try mail() == [])
    #expect(try DeliveredContent(store.app).list().count == 1)
  }

  @Test func `the seat has one holder, who is known, and is free when that is gone`() throws {
    let first = Seat.Holder(session: "one", extensionID: "org.example.first")
    let second = Seat.Holder(session: "two", extensionID: "org.example.second")
    do {
      let attempt = try Seat.attempt(in: store.root, for: first)
      guard case .taken(let seat) = consume attempt else {
        Issue.record("nobody has the seat")
        return
      }
      guard case .held(let holder) = try Seat.attempt(in: store.root, for: second) else {
        Issue.record("the seat is taken")
        return
      }
      #expect(holder == first)
      _ = consume seat
    }
    guard case .taken = try Seat.attempt(in: store.root, for: second) else {
      Issue.record("the seat is free again")
      return
    }
  }

  @Test func `what is there is erased without following anything, and counted`() throws {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    try write("outside", to: "\(store.outside)/file")
    try write("12345", to: "\(content)/one")
    try FileSystem.makeDirectories("\(content)/a/b/c")
    try write("123", to: "\(content)/a/b/two")
    try runLink("\(store.outside)/file", "\(content)/link")
    try runLink(store.outside, "\(content)/a/directory")
    let receipt = try ContentEraser.erase(workspace.places)
    #expect(receipt.files == 4)
    #expect(receipt.bytes == 8)
    #expect(try FileSystem.names(in: content) == [])
    #expect(try FileSystem.names(in: store.outside) == ["file"])
    #expect(try ContentEraser.erase(workspace.places).files == 0)
    workspace.abandon()
  }

  @Test func `what is made while something is erased is kept`() async throws {
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

  @Test func `what is new keeps its place at every moment, also under the name of something old`() throws {
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
        case .looked:
          try put("new", over: "replaced")
          try write("new", to: "\(content)/another")
        case .chosen("swapped"): try put("first", over: "swapped")
        case .mistaken("swapped"): try put("second", over: "swapped")
        default: break
        }
      } catch { Issue.record(error) }
    }
    #expect(receipt.files == 1)
    var left = try TemporaryStore.tree(content)
    #expect(left.removeValue(forKey: "replaced") == "new" && left.removeValue(forKey: "another") == "new")
    #expect(left.removeValue(forKey: "swapped") == "second")
    // Another file took its name in the meantime.
    #expect(left.count == 1 && left.first?.key.hasPrefix("swapped-") == true && left.first?.value == "first")
    workspace.abandon()
  }

  private func runLink(_ target: String, _ path: String) throws {
    try FileSystem.makeSymbolicLink(path, to: target)
  }
}
