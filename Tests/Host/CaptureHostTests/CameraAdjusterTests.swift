// SPDX-License-Identifier: Apache-2.0

import CameraSource
import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import Synchronization
import TestSupport
import Testing

/// Camera settings that are applied on a separate thread.
@Suite(.timeLimit(.minutes(20))) struct CameraAdjusterTests {
  /// A lens with automatic focus that blocks each setting until the test opens the gate.
  private final class Lens: CameraSettings {
    /// The state that the test observes.
    final class Log: Sendable {
      let values = Mutex(["focus": 40, "automaticFocus": 1])
      let calls = Mutex<[String]>([])
      let gate = Mutex(())
    }

    let log: Log
    let location: CameraLocation?
    init(_ log: Log, at place: CameraLocation? = nil) { (self.log, self.location) = (log, place) }

    func allSettings() -> [CameraSetting] {
      let values = log.values.withLock { $0 }
      let isAutomatic = values["automaticFocus"] == 1
      return [
        CameraSetting(
          .focus,
          from: 0,
          to: 250,
          step: 5,
          standard: 0,
          value: values["focus"] ?? 0,
          isAdjustable: !isAutomatic
        ),
        CameraSetting(.automaticFocus, from: 0, to: 1, standard: 1, value: values["automaticFocus"] ?? 0),
      ]
    }

    func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int {
      log.gate.withLock { _ in }
      log.calls.withLock { $0.append("\(name.rawValue) \(value)") }
      if value == 250 { throw SystemCallError("ioctl", errno: .inputOutput) }
      log.values.withLock { values in
        values[name.rawValue] = value
        // Automatic focus selects its own focus value.
        if name == .automaticFocus, value == 1 { values["focus"] = 75 }
      }
      return value
    }
  }

  private let log = Lens.Log()

  /// Submits a setting. Returns `false` if the queue is full.
  private func submit(_ adjuster: CameraAdjuster, _ id: Int64, _ name: String, _ value: Int) throws -> Bool {
    try adjuster.submit(.set(CameraSettingRequest(name: name, value: value)), .integer(id))
  }

  /// Waits for a number of replies and returns them in order.
  private func awaitReplies(_ adjuster: CameraAdjuster, _ count: Int) -> [Reply] {
    var replies: [Reply] = []
    _ = TestTimeout.waitUntil {
      replies += adjuster.takeAnswers()
      return replies.count >= count
    }
    return replies
  }

  private func outcomeText(_ reply: Reply) -> String {
    if case .failure(let error) = reply.outcome { "\(error.code): \(error.message)" } else { "done" }
  }

  @Test func `applies settings in order, rejects invalid values and restores the originals on close`() throws
  {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(adjuster.descriptor == nil)
    let requests: [(String, Int)] = [
      ("focus", 100), ("automaticFocus", 0), ("focus", 102), ("focus", 255), ("zoom", 1), ("focus", 100),
      ("focus", 250), ("focus", 90),
    ]
    for (index, request) in requests.enumerated() {
      #expect(try submit(adjuster, Int64(index), request.0, request.1))
    }
    let replies = awaitReplies(adjuster, requests.count)
    #expect(replies.map(\.id) == requests.indices.map { .integer(Int64($0)) })
    #expect(
      replies.map(outcomeText) == [
        "4021: focus cannot be set now, because another setting controls it; set automaticFocus to 0 first",
        "done",
        "4021: focus: 102 is out of range, 0 to 250 in steps of 5",
        "4021: focus: 255 is out of range, 0 to 250 in steps of 5",
        "4021: the camera has no setting with this name; its settings are focus, automaticFocus", "done",
        "4021: focus cannot be set: ioctl: Input/output error (EIO)", "done",
      ]
    )
    adjuster.close()
    #expect(log.values.withLock { $0["automaticFocus"] } == 1)
    #expect(
      log.calls.withLock { $0 } == [
        "automaticFocus 0", "focus 100", "focus 250", "focus 90", "focus 40", "automaticFocus 1",
      ]
    )
  }

  @Test func `restores the manual focus value after automatic focus has changed it`() throws {
    log.values.withLock { $0["automaticFocus"] = 0 }
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try submit(adjuster, 1, "automaticFocus", 1))
    #expect(awaitReplies(adjuster, 1).map(outcomeText) == ["done"])
    #expect(log.values.withLock { $0 } == ["focus": 75, "automaticFocus": 1])
    adjuster.close()
    #expect(log.values.withLock { $0 } == ["focus": 40, "automaticFocus": 0])
    #expect(adjuster.takeFaults() == [])
  }

  @Test func `reports a value that the camera rejects on restore after a second attempt`() throws {
    log.values.withLock { $0 = ["focus": 250, "automaticFocus": 0] }
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try submit(adjuster, 1, "focus", 100))
    #expect(awaitReplies(adjuster, 1).map(outcomeText) == ["done"])
    adjuster.close()
    #expect(log.calls.withLock { $0 } == ["focus 100", "focus 250", "focus 250"])
    #expect(
      adjuster.takeFaults() == [
        "the camera setting focus could not be restored to 250: ioctl: Input/output error (EIO)"
      ]
    )
  }

  @Test func `rejects queued settings with an error when the camera is stopped`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try submit(adjuster, 1, "automaticFocus", 0))
    _ = awaitReplies(adjuster, 1)
    try log.gate.withLock { _ in
      let taken = try (2...5).map { try submit(adjuster, Int64($0), "focus", 200 + $0 * 5) }
      #expect(taken == [true, true, true, true])
      adjuster.cancel()
    }
    let replies = awaitReplies(adjuster, 4)
    #expect(
      replies.allSatisfy { outcomeText($0) == "4002: the camera was stopped before the request was executed" }
    )
    // The applied settings remain until the end of the session.
    #expect(try submit(adjuster, 6, "focus", 90))
    #expect(awaitReplies(adjuster, 1).map(outcomeText) == ["done"])
    #expect(log.calls.withLock { $0.filter { $0 != "focus 210" } } == ["automaticFocus 0", "focus 90"])
    adjuster.close()
  }

  @Test func `queues at most 16 requests without blocking while the camera is slow`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    let taken = try log.gate.withLock { _ in
      // The first request is in progress and counts until it is answered.
      try (0..<100).filter { try submit(adjuster, $0, "automaticFocus", 0) }
    }
    #expect(taken == Array(0..<16))
    #expect(awaitReplies(adjuster, taken.count).map(outcomeText) == taken.map { _ in "done" })
    adjuster.close()
  }

  @Test func `answers queued requests and restores the camera when it is revoked`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try submit(adjuster, 1, "automaticFocus", 0))
    _ = awaitReplies(adjuster, 1)
    try log.gate.withLock { _ in
      let taken = try (2...5).map { try submit(adjuster, Int64($0), "focus", 200 + $0 * 5) }
      #expect(taken == [true, true, true, true])
      adjuster.revoke()
      let replies = adjuster.takeAnswers()
      #expect(replies.map(\.id) == (2...5).map { .integer(Int64($0)) })
      #expect(
        replies.allSatisfy {
          outcomeText($0) == "4003: the camera permission was revoked before the request was executed"
        }
      )
    }
    #expect(TestTimeout.waitUntil { log.values.withLock { $0["automaticFocus"] } == 1 })
    // The camera can be granted again.
    #expect(try submit(adjuster, 6, "automaticFocus", 0))
    #expect(awaitReplies(adjuster, 1).map(outcomeText) == ["done"])
    adjuster.close()
    #expect(log.values.withLock { $0["automaticFocus"] } == 1)
  }

  @Test func `returns the available settings with their current values`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try adjuster.submit(.readSettings, .integer(7)))
    let reply = try #require(awaitReplies(adjuster, 1).first)
    guard case .success(let result) = reply.outcome else {
      Issue.record("the extension should receive the settings")
      return
    }
    #expect(try CameraSettingsResult(result: result, of: .cameraSettings).settings == Lens(log).allSettings())
  }

  @Test func `records the original values before a change and deletes the record after restoring`() throws {
    let scratch = try ScratchDirectory()
    let places = StateRoot(path: scratch.path).session(.random())
    try FileSystem.makeDirectories(places.directory)
    let notes = CameraSettingsBackup(places)
    let place = CameraLocation(path: "/dev/video7", device: "usb-1 Lens")
    let adjuster = CameraAdjuster(Lens(log, at: place))
    var expected = CameraSettingsBackup.Camera(path: place.path, device: place.device)
    expected.values = [
      CameraSettingsBackup.Value("automaticFocus", 1), CameraSettingsBackup.Value("focus", 40),
    ]
    try log.gate.withLock { _ in
      let request = CameraSettingRequest(name: "automaticFocus", value: 0)
      let isTaken = try adjuster.submit(.set(request), .integer(1), noting: notes)
      #expect(isTaken)
      // The camera has not been changed yet.
      #expect(
        TestTimeout.waitUntil { notes.read()?.values == [CameraSettingsBackup.Value("automaticFocus", 1)] }
      )
    }
    for value in [100, 90] { #expect(try submit(adjuster, Int64(value), "focus", value)) }
    #expect(awaitReplies(adjuster, 3).map(outcomeText) == ["done", "done", "done"])
    #expect(notes.read() == expected)
    adjuster.close()
    #expect(notes.read() == nil)
  }

  @Test func `rejects a setting if the original value cannot be recorded`() throws {
    let scratch = try ScratchDirectory()
    let notes = CameraSettingsBackup(StateRoot(path: scratch.path).session(.random()))
    let adjuster = CameraAdjuster(Lens(log, at: CameraLocation(path: "/dev/video7", device: "Lens")))
    let request = CameraSettingRequest(name: "automaticFocus", value: 0)
    #expect(try adjuster.submit(.set(request), .integer(1), noting: notes))
    let sentences = awaitReplies(adjuster, 1).map(outcomeText)
    #expect(sentences.first?.hasPrefix("4021: automaticFocus cannot be set: ") == true, "\(sentences)")
    adjuster.close()
    #expect(log.calls.withLock { $0 } == [])
  }
}
