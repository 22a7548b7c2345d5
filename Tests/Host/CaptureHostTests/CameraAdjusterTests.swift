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
    let place: CameraPlace?
    init(_ log: Log, at place: CameraPlace? = nil) { (self.log, self.place) = (log, place) }

    func all() -> [CameraSetting] {
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
  private func ask(_ adjuster: CameraAdjuster, _ id: Int64, _ name: String, _ value: Int) throws -> Bool {
    try adjuster.ask(.set(CameraSettingWish(name: name, value: value)), .integer(id))
  }

  /// Waits for a number of replies and returns them in order.
  private func answers(_ adjuster: CameraAdjuster, _ count: Int) -> [Reply] {
    var replies: [Reply] = []
    _ = TestPatience.comes {
      replies += adjuster.takeAnswers()
      return replies.count >= count
    }
    return replies
  }

  private func sentence(_ reply: Reply) -> String {
    if case .failure(let error) = reply.outcome { "\(error.code): \(error.message)" } else { "done" }
  }

  @Test func `it is set as asked, refused with the reason, and set back in the end, the last first`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(adjuster.descriptor == nil)
    let wishes: [(String, Int)] = [
      ("focus", 100), ("automaticFocus", 0), ("focus", 102), ("focus", 255), ("zoom", 1), ("focus", 100),
      ("focus", 250), ("focus", 90),
    ]
    for (index, wish) in wishes.enumerated() {
      #expect(try ask(adjuster, Int64(index), wish.0, wish.1))
    }
    let replies = answers(adjuster, wishes.count)
    #expect(replies.map(\.id) == wishes.indices.map { .integer(Int64($0)) })
    #expect(
      replies.map(sentence) == [
        "4021: focus cannot be set now, something else sets it; set automaticFocus to 0 first", "done",
        "4021: focus goes from 0 to 250 in steps of 5, not 102",
        "4021: focus goes from 0 to 250 in steps of 5, not 255",
        "4021: the camera has no setting of this name; it has focus, automaticFocus", "done",
        "4021: focus was not set: ioctl: Input/output error (EIO)", "done",
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

  @Test func `what an automatic sets by itself is as it was when the automatic is off again`() throws {
    log.values.withLock { $0["automaticFocus"] = 0 }
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try ask(adjuster, 1, "automaticFocus", 1))
    #expect(answers(adjuster, 1).map(sentence) == ["done"])
    #expect(log.values.withLock { $0 } == ["focus": 75, "automaticFocus": 1])
    adjuster.close()
    #expect(log.values.withLock { $0 } == ["focus": 40, "automaticFocus": 0])
    #expect(adjuster.takeFaults() == [])
  }

  @Test func `what the camera refuses to have back is told, after a second attempt`() throws {
    log.values.withLock { $0 = ["focus": 250, "automaticFocus": 0] }
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try ask(adjuster, 1, "focus", 100))
    #expect(answers(adjuster, 1).map(sentence) == ["done"])
    adjuster.close()
    #expect(log.calls.withLock { $0 } == ["focus 100", "focus 250", "focus 250"])
    #expect(
      adjuster.takeFaults() == [
        "focus of the camera could not be set back to 250: ioctl: Input/output error (EIO)"
      ]
    )
  }

  @Test func `whoever stops the camera has nothing moved any more that was not begun`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try ask(adjuster, 1, "automaticFocus", 0))
    _ = answers(adjuster, 1)
    try log.gate.withLock { _ in
      let taken = try (2...5).map { try ask(adjuster, Int64($0), "focus", 200 + $0 * 5) }
      #expect(taken == [true, true, true, true])
      adjuster.cancel()
    }
    let replies = answers(adjuster, 4)
    #expect(replies.allSatisfy { sentence($0) == "4002: the camera was stopped before this was done" })
    // The applied settings remain until the end of the session.
    #expect(try ask(adjuster, 6, "focus", 90))
    #expect(answers(adjuster, 1).map(sentence) == ["done"])
    #expect(log.calls.withLock { $0.filter { $0 != "focus 210" } } == ["automaticFocus 0", "focus 90"])
    adjuster.close()
  }

  @Test func `a camera that takes long keeps nobody waiting, and only so much waits for it`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    let taken = try log.gate.withLock { _ in
      // The first request is in progress and counts until it is answered.
      try (0..<100).filter { try ask(adjuster, $0, "automaticFocus", 0) }
    }
    #expect(taken == Array(0..<16))
    #expect(answers(adjuster, taken.count).map(sentence) == taken.map { _ in "done" })
    adjuster.close()
  }

  @Test func `whoever takes the camera away answers what waits, and finds it as it was`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try ask(adjuster, 1, "automaticFocus", 0))
    _ = answers(adjuster, 1)
    try log.gate.withLock { _ in
      let taken = try (2...5).map { try ask(adjuster, Int64($0), "focus", 200 + $0 * 5) }
      #expect(taken == [true, true, true, true])
      adjuster.revoke()
      let replies = adjuster.takeAnswers()
      #expect(replies.map(\.id) == (2...5).map { .integer(Int64($0)) })
      #expect(replies.allSatisfy { sentence($0) == "4003: the camera was taken away before this was done" })
    }
    #expect(TestPatience.comes { log.values.withLock { $0["automaticFocus"] } == 1 })
    // The camera can be granted again.
    #expect(try ask(adjuster, 6, "automaticFocus", 0))
    #expect(answers(adjuster, 1).map(sentence) == ["done"])
    adjuster.close()
    #expect(log.values.withLock { $0["automaticFocus"] } == 1)
  }

  @Test func `what it can be set to is told with the values of now`() throws {
    let adjuster = CameraAdjuster(Lens(log))
    #expect(try adjuster.ask(.look, .integer(7)))
    let reply = try #require(answers(adjuster, 1).first)
    guard case .success(let result) = reply.outcome else {
      Issue.record("it should be told")
      return
    }
    #expect(try CameraSettingsResult(result: result, of: .cameraSettings).settings == Lens(log).all())
  }

  @Test func `how it was is noted before it is set, and no longer when it was set back`() throws {
    let scratch = try ScratchDirectory()
    let places = StateRoot(path: scratch.path).session(.random())
    try FileSystem.makeDirectories(places.directory)
    let notes = CameraNotes(places)
    let place = CameraPlace(path: "/dev/video7", device: "usb-1 Lens")
    let adjuster = CameraAdjuster(Lens(log, at: place))
    var expected = CameraNotes.Left(path: place.path, device: place.device)
    expected.values = [CameraNotes.Value("automaticFocus", 1), CameraNotes.Value("focus", 40)]
    try log.gate.withLock { _ in
      let wish = CameraSettingWish(name: "automaticFocus", value: 0)
      let isTaken = try adjuster.ask(.set(wish), .integer(1), noting: notes)
      #expect(isTaken)
      // The camera has not been changed yet.
      #expect(TestPatience.comes { notes.read()?.values == [CameraNotes.Value("automaticFocus", 1)] })
    }
    for value in [100, 90] { #expect(try ask(adjuster, Int64(value), "focus", value)) }
    #expect(answers(adjuster, 3).map(sentence) == ["done", "done", "done"])
    #expect(notes.read() == expected)
    adjuster.close()
    #expect(notes.read() == nil)
  }

  @Test func `what cannot be noted is not set`() throws {
    let scratch = try ScratchDirectory()
    let notes = CameraNotes(StateRoot(path: scratch.path).session(.random()))
    let adjuster = CameraAdjuster(Lens(log, at: CameraPlace(path: "/dev/video7", device: "Lens")))
    let wish = CameraSettingWish(name: "automaticFocus", value: 0)
    #expect(try adjuster.ask(.set(wish), .integer(1), noting: notes))
    let sentences = answers(adjuster, 1).map(sentence)
    #expect(sentences.first?.hasPrefix("4021: automaticFocus was not set: ") == true, "\(sentences)")
    adjuster.close()
    #expect(log.calls.withLock { $0 } == [])
  }
}
