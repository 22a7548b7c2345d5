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

extension FakeState {
  /// Puts a delivery into the mailbox as the host does, and returns its ID.
  @discardableResult
  func post(
    _ reason: AppDeliveryReason = .captureExtension,
    type: String? = nil,
    at time: Int64 = 1_000,
    id: String = newName()
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
  var mail: [String] { get throws { try FileSystem.names(in: "\(container)/Activities") } }
}

/// Records events from any thread.
private final class Seen: Sendable {
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
private let performed = Seen()

/// An intent that records its calls.
private struct TestIntent: CameraCaptureIntent {
  static let title: LocalizedStringResource = "Test"

  func perform() async throws -> some IntentResult {
    performed.add("performed")
    return .result()
  }
}

@Suite(.timeLimit(.minutes(20))) struct LaunchTests {
  @Test func `a launch that waited is given whole, once, and what comes later as well`() async throws {
    let state = try FakeState()
    let cold = try state.post(type: "org.example.edit", at: 1_500)
    let manager = state.manager
    var iterator = manager.launches.makeAsyncIterator()
    let launch = try #require(try await iterator.next())
    #expect(launch.id == FakeState.id(cold))
    #expect(launch.kind == .captureExtension)
    #expect(launch.activity?.activityType == "org.example.edit")
    #expect(launch.activity?.userInfo?["photo"] as? String == "p-1500")
    #expect(launch.sessionID == UUID(uuidString: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"))
    #expect(launch.date == Date(timeIntervalSince1970: 1.5))
    #expect(try launch.appContext(as: [String: String].self) == ["filter": "sepia"])
    #expect(try state.mail == [])
    let warm = try state.post(.control)
    let second = try #require(try await iterator.next())
    #expect(second.id == FakeState.id(warm))
    #expect(second.kind == .control)
    #expect(second.control == "org.example.camera.shutter")
    #expect(second.activity == nil)
  }

  /// Repeated, because a delivery can arrive while the mailbox is being scanned.
  @Test(arguments: 0..<30)
  func `launches wait until somebody asks, and come in their order`(round: Int) async throws {
    let state = try FakeState()
    let manager = state.manager
    let ids = try [3, 1, 2].map { try state.post(at: $0 * 1000) }
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeState.id(ids[1]))
    // The other deliveries stay available for another consumer, because no consumer has requested them.
    #expect(try state.mail.count == 2)
    #expect(try await iterator.next()?.id == FakeState.id(ids[2]))
    #expect(try await iterator.next()?.id == FakeState.id(ids[0]))
  }

  @Test func `an action gets the activities of its type, and the sequence the others`() async throws {
    let state = try FakeState()
    let manager = state.manager
    let seen = Seen()
    let registration = manager.onContinueUserActivity("org.example.edit") { activity in
      seen.add(activity.activityType)
    }
    try state.post(type: "org.example.edit", at: 1000)
    let other = try state.post(type: "org.example.share", at: 2000)
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeState.id(other))
    await seen.wait(1)
    #expect(seen.all == ["org.example.edit"])
    registration.cancel()
    let late = try state.post(type: "org.example.edit", at: 3000)
    #expect(try await iterator.next()?.id == FakeState.id(late))
    #expect(seen.all == ["org.example.edit"])
  }

  @Test func `a control performs the intent in the app`() async throws {
    let state = try FakeState()
    let manager = state.manager
    try state.post(.control)
    let registration = manager.perform(TestIntent.self)
    defer { registration.cancel() }
    await performed.wait(1)
    #expect(performed.all == ["performed"])
    #expect(try state.mail == [])
  }

  @Test func `the host sees that the app listens as long as it does`() async throws {
    let state = try FakeState()
    let manager = state.manager
    let lock = "\(state.container)/app.lock"
    do {
      try state.post()
      var iterator = manager.launches.makeAsyncIterator()
      _ = try await iterator.next()
      #expect(try FileLock.isHeld(lock) == true)
    }
    // The thread releases the lock when it ends.
    _ = try FileLock.lock(lock)
  }

  @Test func `a cancelled consumer takes nothing with it`() async throws {
    let state = try FakeState()
    let manager = state.manager
    let task = Task { () -> ApplicationLaunch? in
      for await launch in manager.launches { return launch }
      return nil
    }
    task.cancel()
    #expect(await task.value == nil)
    let id = try state.post()
    var iterator = manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeState.id(id))
  }

  @Test func `what is no delivery is put aside, and holds nothing up`() async throws {
    let state = try FakeState()
    let box = "\(state.container)/Activities"
    let broken = "000000000000001-\(FakeState.newName()).json"
    try FileSystem.replaceContents("\(box)/\(broken)", with: Array("{".utf8))
    try FileSystem.replaceContents("\(box)/notes.txt", with: [1])
    try FileSystem.makeSymbolicLink("\(box)/000000000000002-\(FakeState.newName()).json", to: "/etc/passwd")
    let good = try state.post()
    var iterator = state.manager.launches.makeAsyncIterator()
    #expect(try await iterator.next()?.id == FakeState.id(good))
    #expect(try state.mail.contains(".damaged-\(broken)"))
  }

  @Test func `killed between any two steps of taking, the next process gets it`() async throws {
    let state = try FakeState()
    let mailbox = Mailbox(path: "\(state.container)/Activities")
    let id = try state.post()
    do {
      let claimed = try #require(try mailbox.claim(mailbox.waiting()[0]))
      #expect(claimed.delivery.id == id)
      // No other process can claim a delivery that is held.
      #expect(try mailbox.waiting() == [".taken-\(id)"])
      #expect(try mailbox.claim(".taken-\(id)") == nil)
      withExtendedLifetime(claimed) {}
      // The process dies here and releases its lock.
    }
    // A child that another test has just forked holds the lock until execve(2).
    var again: ClaimedDelivery?
    _ = try TestPatience.comes {
      again = try mailbox.claim(".taken-\(id)")
      return again != nil
    }
    let claimed = try #require(again)
    #expect(claimed.delivery.id == id)
    try claimed.remove()
    #expect(try state.mail == [])
    #expect(try mailbox.claim(".taken-\(id)") == nil)
    // If a recovered host writes a held delivery again, the delivery is still claimed only once.
    try state.post(id: id)
    let first = try #require(try mailbox.claim(mailbox.waiting()[0]))
    try state.post(id: id)
    #expect(try mailbox.claim(mailbox.waiting()[1]) == nil)
    #expect(try mailbox.waiting() == [".taken-\(id)"])
    withExtendedLifetime(first) {}
  }

  @Test func `of several processes each launch reaches one`() throws {
    let state = try FakeState()
    let apps = try (0..<3).map { _ in try ChildApp(["listen", state.container]) }
    let ids = try (0..<60).map { try state.post(at: Int64($0)) }
    var lines: [String] = []
    let deadline = TestPatience.deadline
    while lines.count < ids.count, MonotonicClock.now < deadline {
      for app in apps where try app.hasOutput() { lines.append(try app.line()) }
      MonotonicClock.sleep(milliseconds: 1)
    }
    #expect(try state.mail == [])
    for app in apps {
      try app.send(SIGKILL)
      while let line = try? app.line() { lines.append(line) }
    }
    #expect(lines.count == 60)
    #expect(Set(lines) == Set(ids.map { "launch \($0)" }))
  }
}
