// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Observation
import Synchronization
import Testing

/// A view whose camera and buttons appear with a condition.
private struct ConditionalCamera: View {
  @Environment(\.lockState) private var lockState
  let recorder: LineRecorder

  var body: some View {
    if lockState == .unlocked {
      Viewfinder()
        .onCameraCaptureEvent { event in recorder.lines.append("\(event.phase)") }
        .onDisappear { recorder.lines.append("gone") }
    }
  }
}

/// A view with a counter of its own, in a view that is evaluated again.
private struct ReplacedCounters: View {
  @State private var generation = 0
  @Environment(\.lockState) private var lockState
  let recorder: LineRecorder

  var body: some View {
    let generation = generation
    EmptyView().onChange(of: lockState) { self.generation += 1 }
    PressCounter(recorder: recorder, name: "kept \(generation)")
    PressCounter(recorder: recorder, name: "new").id(generation)
  }
}

/// A view that counts the changes of the lock state.
private struct PressCounter: View {
  @State private var count = 0
  @Environment(\.lockState) private var lockState
  let recorder: LineRecorder
  let name: String

  var body: some View {
    EmptyView().onChange(of: lockState) {
      count += 1
      recorder.lines.append("\(name): \(count)")
    }
  }
}

/// A model with an observable value.
@MainActor @Observable private final class Level {
  var value = 0
}

/// A view that counts the evaluations of its body.
private struct LevelView: View {
  let level: Level
  let recorder: LineRecorder

  var body: some View {
    recorder.lines.append("level \(level.value)")
    return EmptyView()
  }
}

/// An observable value that any thread may change.
private final class SharedLevel: Observable, Sendable {
  private let registrar = ObservationRegistrar()
  private let stored = Mutex(0)

  var value: Int {
    registrar.access(self, keyPath: \.value)
    return stored.withLock(\.self)
  }

  /// Changes the value on another thread and waits for the change.
  func setInThread(_ value: Int) throws { try startSetting(value).join() }

  /// Starts a thread that announces a change, pauses, and changes the value.
  @discardableResult
  func startSetting(_ value: Int, after pause: @escaping @Sendable () -> Void = {}) throws -> HostThread {
    try HostThread { [self] in
      registrar.withMutation(of: self, keyPath: \.value) {
        pause()
        stored.withLock { $0 = value }
      }
    }
  }
}

/// A view that records the values that its body reads.
private struct SharedLevelView: View {
  let level: SharedLevel
  let recorder: LineRecorder
  var afterReading: @MainActor (Int) -> Void = { _ in }

  var body: some View {
    let value = level.value
    recorder.lines.append("level \(value)")
    afterReading(value)
    return EmptyView()
  }
}

/// An observable object with a new value for each reading, of which only a tracking keeps the key.
@MainActor private final class Readings: Observable {
  /// The key of a value.
  private final class Key: Hashable, Sendable {
    static func == (first: Key, second: Key) -> Bool { first === second }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// A reference that does not keep a key.
  private struct WeakKey { weak var key: Key? }

  private let registrar = ObservationRegistrar()
  private var keys: [WeakKey] = []

  private subscript(key: Key) -> Int { 0 }

  /// The numbers of readings and of trackings.
  var counts: [Int] { [keys.count, keys.count { $0.key != nil }] }

  func read() {
    let key = Key()
    keys.append(WeakKey(key: key))
    registrar.access(self, keyPath: \.[key])
  }
}

/// A view that is evaluated again for another reason than a change of the object that its body reads.
private struct ReadingView: View {
  @Environment(\.lockState) private var lockState
  let readings: Readings
  let recorder: LineRecorder

  var body: some View {
    readings.read()
    // The body reads the state, and not only the modifier.
    let state = lockState
    return EmptyView().onChange(of: state) { recorder.lines.append("\(readings.counts)") }
  }
}

/// An object that reports its end.
@MainActor private final class Owned {
  let recorder: LineRecorder

  init(_ recorder: LineRecorder) { self.recorder = recorder }

  isolated deinit { recorder.lines.append("released") }
}

/// A view that alone owns an object.
private struct OwningView: View {
  @State private var state: Owned
  let property: Owned

  init(_ recorder: LineRecorder) {
    state = Owned(recorder)
    property = Owned(recorder)
  }

  var body: some View { EmptyView() }
}

extension CurrentSessionTests {
  @MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ViewUpdateTests {
    @Test
    func `starts the camera and the buttons of a view that a condition adds, and ends the buttons after it`()
      async throws
    {
      let recorder = LineRecorder()
      try await runAsyncSession(preview: true) { host in
        try host.start()
        try host.press()
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.publish(luma: 80)
        #expect(try host.viewfinderPlanes(1).luma.allSatisfy { $0 == 80 })
        try host.press()
        try host.send(.notification(.lockChanged(.locked)))
        try host.answer(.captureUnsubscribe)
        try host.press()
        try host.dismiss()
      } extension: { session in
        try ConditionalCamera(recorder: recorder).appear(in: session)
      }
      #expect(recorder.lines == ["began", "gone"])
    }

    @Test
    func `logs the refusal of a camera that a condition adds, and requests the camera with the next one`()
      async throws
    {
      let recorder = LineRecorder()
      try await runAsyncSession { host in
        try host.start()
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.answer(.cameraStart(.latest), .failure(ErrorObject(code: 4001, message: "no")))
        try host.answer(.captureSubscribe())
        try host.expect(.log(.error, "a handler failed: no (4001)"))
        try host.send(.notification(.lockChanged(.locked)))
        try host.answer(.captureUnsubscribe)
        try host.send(.notification(.lockChanged(.unlocked)))
        try host.startCamera()
        try host.answer(.captureSubscribe())
        try host.dismiss()
      } extension: { session in
        try ConditionalCamera(recorder: recorder).appear(in: session)
      }
    }

    @Test
    func `keeps the state of a view that its enclosing view creates again, unless its identity changes`()
      async throws
    {
      let recorder = LineRecorder()
      try await runAsyncSession(camera: false) { host in
        try host.start()
        for state in [ExtensionProtocol.LockState.unlocked, .locked] {
          try host.send(.notification(.lockChanged(state)))
        }
        try host.dismiss()
      } extension: { session in
        try ReplacedCounters(recorder: recorder).appear(in: session)
      }
      #expect(recorder.lines == ["kept 0: 1", "new: 1", "kept 1: 2", "new: 1"])
    }

    @Test func `evaluates a body again after a change of an object that the body reads, and only then`()
      async throws
    {
      let (level, unread, recorder) = (Level(), Level(), LineRecorder())
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.send(.notification(.contextChanged("change")))
        try host.send(.notification(.contextChanged("nothing")))
        try host.dismiss()
      } extension: { session in
        try LevelView(level: level, recorder: recorder).appear(in: session)
        var steps = [{ level.value = 7 }, { unread.value = 5 }]
        session.onAppContextChange { steps.removeFirst()() }
      }
      #expect(recorder.lines == ["level 0", "level 7"])
    }

    @Test func `evaluates a body again after a task has changed an object between two events`() async throws {
      let (level, recorder) = (Level(), LineRecorder())
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.expect(.log(.info, "seen"))
        try host.dismiss()
      } extension: { session in
        try LevelView(level: level, recorder: recorder).appear(in: session)
        Task { @MainActor in
          level.value = 7
          while recorder.lines.count < 2 { await Task.yield() }
          session.log(.info, "seen")
        }
      }
      #expect(recorder.lines == ["level 0", "level 7"])
    }

    /// Runs a session until its view has read a value, but for at most ten seconds.
    private func runSession(
      until line: String,
      _ recorder: LineRecorder,
      _ scene: @escaping (LockedCameraCaptureSession) throws -> Void
    ) async throws {
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.expect(.log(.info, "seen"))
        try host.dismiss()
      } extension: { session in
        try scene(session)
        let limit = MonotonicClock.now + 10_000_000_000
        Task { @MainActor in
          while recorder.lines.last != line, MonotonicClock.now < limit { await Task.yield() }
          session.log(.info, "seen")
        }
      }
    }

    @Test func `evaluates a body after the change of another thread, not only when it is announced`()
      async throws
    {
      let (level, recorder) = (SharedLevel(), LineRecorder())
      try await runSession(until: "level 1", recorder) { session in
        try SharedLevelView(level: level, recorder: recorder).appear(in: session)
        // The session has time for an evaluation between the announcement and the change.
        try level.startSetting(1) { MonotonicClock.sleep(milliseconds: 300) }
      }
      #expect(recorder.lines.last == "level 1")
    }

    @Test func `evaluates a body again if another thread changes a value that the body has just read`()
      async throws
    {
      let (level, recorder) = (SharedLevel(), LineRecorder())
      try await runSession(until: "level 2", recorder) { session in
        let view = SharedLevelView(level: level, recorder: recorder) { value in
          if value == 1 { #expect(throws: Never.self) { try level.setInThread(2) } }
        }
        try view.appear(in: session)
        try level.setInThread(1)
      }
      #expect(recorder.lines == ["level 0", "level 1", "level 2"])
    }

    @Test func `tracks only the last evaluation of a body`() async throws {
      let (readings, recorder) = (Readings(), LineRecorder())
      try await runAsyncSession(camera: false) { host in
        try host.start()
        for state in [ExtensionProtocol.LockState.unlocked, .locked, .unlocked] {
          try host.send(.notification(.lockChanged(state)))
        }
        try host.dismiss()
      } extension: { session in
        try ReadingView(readings: readings, recorder: recorder).appear(in: session)
      }
      #expect(recorder.lines == ["[2, 1]", "[3, 1]", "[4, 1]"])
    }

    @Test func `keeps the properties and the state of a view until the session ends`() async throws {
      let recorder = LineRecorder()
      try await runAsyncSession(camera: false) { host in
        try host.start()
        try host.dismiss()
      } extension: { session in
        try OwningView(recorder).appear(in: session)
        session.onDismissal { _, _ in recorder.lines.append("dismissed") }
      }
      #expect(recorder.lines == ["dismissed", "released", "released"])
    }

    @Test func `keeps the state of an extension until the session ends`() async throws {
      struct Extension: LockedCameraCaptureExtension {
        @MainActor static let recorder = LineRecorder()
        @State private var state = Owned(recorder)
        var body: some LockedCameraCaptureExtensionScene {
          LockedCameraCaptureUIScene { session in
            EmptyView().onDismissal { _, _ in Self.recorder.lines.append("dismissed") }
          }
        }
      }
      let fake = try FakeHost()
      let thread = try HostThread {
        try fake.start()
        try fake.dismiss()
      }
      let session = try LockedCameraCaptureSession(try fake.channel(camera: false))
      let code = try session.show(Extension.self)
      try thread.join()
      #expect(code == 0)
      #expect(Extension.recorder.lines == ["dismissed", "released"])
    }
  }
}
