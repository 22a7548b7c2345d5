// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import Glibc
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Synchronization
import TestSupport
import Testing

extension FakeStateRoot {
  /// Puts a delivery into the mailbox as the host does, and returns its ID.
  @discardableResult
  func postDelivery(
    _ reason: AppDeliveryReason = .captureExtension,
    type: String? = nil,
    at time: Int64 = 1_000,
    id: String = newSessionName()
  ) throws -> String {
    let delivery = AppDelivery(
      id: id,
      reason: reason,
      activity: type.map { UserActivity(activityType: $0, userInfo: ["photo": .string("p-\(time)")]) },
      control: reason == .control ? "org.example.camera.shutter" : nil,
      session: "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11",
      appContext: ["filter": "sepia"],
      createdAt: time
    )
    let box = "\(container)/Activities"
    try FileSystem.replaceContents("\(box)/.new-\(id)", with: delivery.json.bytes())
    try FileSystem.rename("\(box)/.new-\(id)", to: "\(box)/\(delivery.fileName)", .noReplace)
    return id
  }

  /// The files in the mailbox.
  var mailboxFiles: [String] { get throws { try FileSystem.names(in: "\(container)/Activities") } }
}

/// Records events from any thread.
private final class EventRecorder: Sendable {
  private let items = Mutex<[String]>([])
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  var all: [String] { items.withLock(\.self) }

  func add(_ item: String) {
    items.withLock { $0.append(item) }
    continuation.yield()
  }

  /// Waits until `count` events are recorded.
  func wait(_ count: Int) async {
    for await _ in stream where all.count >= count { return }
  }
}

/// The calls of `TestIntent`, which has no other way to report them.
private let performedIntents = EventRecorder()

/// An intent that records its calls.
private struct TestIntent: CameraCaptureIntent {
  static let title: LocalizedStringResource = "Test"

  func perform() async throws -> some IntentResult {
    performedIntents.add("performed")
    return .result()
  }
}

@Suite(.timeLimit(.minutes(20))) struct ApplicationLaunchTests {
  @Test func `delivers a pending launch once with all its data, then later launches`() async throws {
    let state = try FakeStateRoot()
    let cold = try state.postDelivery(type: "org.example.edit", at: 1_500)
    let manager = state.manager
    var iterator = manager.launches.makeAsyncIterator()
    let launch = try #require(try await iterator.next())
    #expect(launch.id == FakeStateRoot.id(cold))
    #expect(launch.kind == .captureExtension)
    #expect(launch.activity?.activityType == "org.example.edit")
    #expect(launch.activity?.userInfo?["photo"] as? String == "p-1500")
    #expect(launch.sessionID == UUID(uuidString: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"))
    #expect(launch.date == Date(timeIntervalSince1970: 1.5))
    #expect(try launch.appContext(as: [String: String].self) == ["filter": "sepia"])
    #expect(try state.mailboxFiles == [])
    let warm = try state.postDelivery(.control)
    let second = try #require(try await iterator.next())
    #expect(second.id == FakeStateRoot.id(warm))
    #expect(second.kind == .control)
    #expect(second.control == "org.example.camera.shutter")
    #expect(second.activity == nil)
  }

  /// Repeated, because a delivery can arrive while the mailbox is being scanned.
  @Test(arguments: 0..<30)
  func `keeps launches until a consumer requests them, and delivers them in order`(round: Int) async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let ids = try [3, 1, 2].map { try state.postDelivery(at: $0 * 1000) }
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeStateRoot.id(ids[1]))
    // The other deliveries stay available for another consumer, because no consumer has requested them.
    #expect(try state.mailboxFiles.count == 2)
    #expect(try await iterator.next()?.id == FakeStateRoot.id(ids[2]))
    #expect(try await iterator.next()?.id == FakeStateRoot.id(ids[0]))
  }

  @Test func `delivers activities to the handler of their type, and all others to the sequence`() async throws
  {
    let state = try FakeStateRoot()
    let manager = state.manager
    let events = EventRecorder()
    let registration = manager.onContinueUserActivity("org.example.edit") { activity in
      events.add(activity.activityType)
    }
    try state.postDelivery(type: "org.example.edit", at: 1000)
    let other = try state.postDelivery(type: "org.example.share", at: 2000)
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeStateRoot.id(other))
    await events.wait(1)
    #expect(events.all == ["org.example.edit"])
    registration.cancel()
    let late = try state.postDelivery(type: "org.example.edit", at: 3000)
    #expect(try await iterator.next()?.id == FakeStateRoot.id(late))
    #expect(events.all == ["org.example.edit"])
  }

  @Test func `performs the intent of a control in the app`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    try state.postDelivery(.control)
    let registration = manager.perform(TestIntent.self)
    defer { registration.cancel() }
    await performedIntents.wait(1)
    #expect(performedIntents.all == ["performed"])
    #expect(try state.mailboxFiles == [])
  }

  @Test func `a launch is pending until the action for it runs`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    #expect(!manager.hasPendingLaunches)
    // Whether the launch was pending when the action was called.
    let events = EventRecorder()
    try await MainActor.run {
      let registration = manager.onContinueUserActivity("org.example.edit") { _ in
        events.add(manager.hasPendingLaunches ? "pending" : "lost")
      }
      try state.postDelivery(type: "org.example.edit", at: 1000)
      try state.postDelivery(type: "org.example.share", at: 2000)
      // This function blocks the actor that the action needs. The launch is removed from the disk, but is not
      // received yet.
      try waitUntil { try state.mailboxFiles.count == 1 }
      #expect(manager.hasPendingLaunches)
      withExtendedLifetime(registration) {}
    }
    await events.wait(1)
    #expect(events.all == ["pending"])
    // No consumer accepts the other launch.
    try waitUntil { !manager.hasPendingLaunches }
    // An iteration accepts it.
    do {
      var iterator = manager.launches.makeAsyncIterator()
      #expect(manager.hasPendingLaunches)
      #expect(try await iterator.next()?.activity?.activityType == "org.example.share")
      #expect(!manager.hasPendingLaunches)
    }
    #expect(try state.mailboxFiles == [])
  }

  /// Waits until a condition holds.
  private func waitUntil(_ condition: () throws -> Bool) throws {
    try #require(try TestTimeout.waitUntil(condition))
  }

  @Test func `holds the app lock while the app listens for launches`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let lock = "\(state.container)/app.lock"
    do {
      try state.postDelivery()
      var iterator = manager.launches.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(try FileLock.isHeld(lock) == true)
    }
    // The thread releases the lock when it ends.
    _ = try FileLock.lock(lock)
  }

  @Test func `loses no launch to a cancelled consumer`() async throws {
    let state = try FakeStateRoot()
    let manager = state.manager
    let task = Task { () -> ApplicationLaunch? in
      for await launch in manager.launches { return launch }
      return nil
    }
    task.cancel()
    #expect(await task.value == nil)
    let id = try state.postDelivery()
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeStateRoot.id(id))
  }

  @Test func `quarantines invalid deliveries without delaying valid ones`() async throws {
    let state = try FakeStateRoot()
    let box = "\(state.container)/Activities"
    let broken = "000000000000001-\(FakeStateRoot.newSessionName()).json"
    try FileSystem.replaceContents("\(box)/\(broken)", with: Array("{".utf8))
    try FileSystem.replaceContents("\(box)/notes.txt", with: [1])
    try FileSystem.makeSymbolicLink(
      "\(box)/000000000000002-\(FakeStateRoot.newSessionName()).json",
      to: "/etc/passwd"
    )
    let good = try state.postDelivery()
    var iterator = state.manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeStateRoot.id(good))
    #expect(try state.mailboxFiles.contains(".damaged-\(broken)"))
  }

  @Test func `delivers a launch to the next process if the receiver is killed between any two steps`()
    async throws
  {
    let state = try FakeStateRoot()
    let mailbox = Mailbox(path: "\(state.container)/Activities")
    let id = try state.postDelivery()
    do {
      let claimed = try #require(try mailbox.claim(mailbox.pendingNames()[0]))
      #expect(claimed.delivery.id == id)
      // No other process can claim a delivery that is held.
      #expect(try mailbox.pendingNames() == [".taken-\(id)"])
      #expect(try mailbox.claim(".taken-\(id)") == nil)
      withExtendedLifetime(claimed) {}
      // The process dies here and releases its lock.
    }
    // A child that another test has just forked holds the lock until execve(2).
    var again: ClaimedDelivery?
    _ = try TestTimeout.waitUntil {
      again = try mailbox.claim(".taken-\(id)")
      return again != nil
    }
    let claimed = try #require(again)
    #expect(claimed.delivery.id == id)
    try claimed.remove()
    #expect(try state.mailboxFiles == [])
    #expect(try mailbox.claim(".taken-\(id)") == nil)
    // If a recovered host writes a held delivery again, the delivery is still claimed only once.
    try state.postDelivery(id: id)
    let first = try #require(try mailbox.claim(mailbox.pendingNames()[0]))
    try state.postDelivery(id: id)
    #expect(try mailbox.claim(mailbox.pendingNames()[1]) == nil)
    #expect(try mailbox.pendingNames() == [".taken-\(id)"])
    withExtendedLifetime(first) {}
  }

  @Test func `delivers each launch to exactly one of several processes`() throws {
    let state = try FakeStateRoot()
    let apps = try (0..<3).map { _ in try ChildApp(["listen", state.container]) }
    let ids = try (0..<60).map { try state.postDelivery(at: Int64($0)) }
    var lines: [String] = []
    let deadline = TestTimeout.deadline
    while lines.count < ids.count, MonotonicClock.now < deadline {
      for app in apps where try app.hasOutput() { lines.append(try app.line()) }
      MonotonicClock.sleep(milliseconds: 1)
    }
    #expect(try state.mailboxFiles == [])
    for app in apps {
      try app.send(SIGKILL)
      while let line = try? app.line() { lines.append(line) }
    }
    #expect(lines.count == 60)
    #expect(Set(lines) == Set(ids.map { "launch \($0)" }))
  }
}
