// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives

/// The display of a session's viewfinder that hands the frames to tasks of the embedding program.
///
/// While a task reads a frame, the display is busy, so that the extension does not overwrite the frame.
/// Frames that no task waits for are skipped: a task that waits receives the next frame.
final class FrameGate: PreviewDisplay, Sendable {
  /// A frame with the ring that contains it.
  ///
  /// Sendable, because the session's thread and the reading task use it one after the other: the thread takes
  /// no other frame while the display is busy.
  private struct OfferedFrame: @unchecked Sendable {
    /// Keeps the memory mapped, even if the session ends meanwhile.
    let ring: PreviewRing
    let frame: PreviewRing.Frame
  }

  /// The ring of the session. Sendable, because only the session's thread uses it.
  private struct SessionRing: @unchecked Sendable { let ring: PreviewRing }

  private struct State: Sendable {
    var ring: SessionRing?
    /// The frame for the next task that waits.
    var offered: OfferedFrame?
    /// Whether a task reads a frame.
    var isReading = false
    /// Whether another process reads a frame in the shared memory.
    var isHeld = false
    /// The number of tasks that wait.
    var waiting = 0
    /// Whether no frame follows.
    var isClosed = false

    var isBusy: Bool { offered != nil || isReading || isHeld }
  }

  /// The result of a wait.
  private enum Arrival: Sendable {
    case frame(OfferedFrame)
    case closed
  }

  private let state = WatchedValue(State())
  /// Wakes the session's thread, because a task waits or has read a frame.
  private let event: HeldDescriptor

  /// Creates a display without frames.
  init() throws(SystemCallError) { event = HeldDescriptor(try EventCounter.make()) }

  private func wake() { try? EventCounter.add(to: event.descriptor) }

  /// Waits for the next frame, and calls `body` with it. Returns `nil` if no frame follows, or the task is
  /// cancelled.
  nonisolated(nonsending) func withNextFrame<Result, Failure: Error>(
    _ body: (borrowing ViewfinderFrame) throws(Failure) -> Result
  ) async throws(Failure) -> Result? {
    guard let offered = await take({ $0.isReading = true }) else { return nil }
    defer {
      state.change { $0.isReading = false }
      wake()
    }
    return try body(ViewfinderFrame(offered.frame, offered.ring.geometry))
  }

  /// Waits for the next frame, and changes the state with `note` when it is taken. Returns `nil` if no frame
  /// follows, or the task is cancelled.
  private func take(_ note: (inout State) -> Void) async -> OfferedFrame? {
    state.change { $0.waiting += 1 }
    wake()
    let arrival = await state.next { state -> Arrival? in
      if let frame = state.offered {
        state.offered = nil
        note(&state)
        return .frame(frame)
      }
      return state.isClosed ? .closed : nil
    }
    state.change { state in
      state.waiting -= 1
      // No task is left that would release the frame.
      if state.waiting == 0 { state.offered = nil }
    }
    if case .frame(let offered) = arrival { return offered }
    wake()
    return nil
  }

  /// Ends the display: tasks that wait receive no further frame. A frame that is being read stays mapped.
  func close() {
    state.change { state in
      state.ring = nil
      state.isClosed = true
    }
  }
}

// MARK: - Frames for another process

extension FrameGate {
  /// Waits for the ring of the session. Returns `nil` if the session ends without one, or the task is
  /// cancelled.
  func memory() async throws(SystemCallError) -> ViewfinderMemory? {
    let found = await state.next { state -> SessionRing?? in
      if let ring = state.ring { return .some(ring) }
      return state.isClosed ? .some(nil) : nil
    }
    guard let ring = found ?? nil else { return nil }
    return try ViewfinderMemory(ring.ring)
  }

  /// Releases the held frame, and waits for the next one, which stays held. Returns `nil` if no frame follows,
  /// or the task is cancelled.
  func holdNextFrame() async -> HeldViewfinderFrame? {
    releaseHeldFrame()
    guard let offered = await take({ $0.isHeld = true }) else { return nil }
    return HeldViewfinderFrame(offered.frame, offered.ring.geometry)
  }

  /// Releases the held frame, so that the extension can overwrite it.
  func releaseHeldFrame() {
    state.change { $0.isHeld = false }
    wake()
  }
}

// MARK: - On the thread of the session

extension FrameGate {
  var isOpen: Bool {
    let state = state.current
    return !state.isClosed && (state.waiting > 0 || state.isBusy)
  }

  var isBusy: Bool { state.current.isBusy }
  var writable: Int32? { nil }
  var readable: Int32? { event.rawValue }

  func begin(_ ring: PreviewRing) {
    let ring = SessionRing(ring: ring)
    state.change { $0.ring = ring }
  }

  func show(_ frame: PreviewRing.Frame) {
    guard let ring = state.current.ring?.ring else { return }
    let frame = OfferedFrame(ring: ring, frame: frame)
    state.change { state in if state.waiting > 0, !state.isBusy { state.offered = frame } }
  }

  func flush() { _ = try? EventCounter.take(event.descriptor) }
  func stateChanged(_ state: PreviewState) {}
  func finish() {}
}

extension ViewfinderFrame {
  /// Creates a frame of a ring.
  fileprivate init(_ frame: PreviewRing.Frame, _ geometry: FrameRingGeometry) {
    self.init(
      width: geometry.width,
      height: geometry.height,
      sequence: frame.sequence,
      timestamp: frame.timestamp,
      planes: geometry.viewfinderPlanes,
      pixels: frame.pixels
    )
  }
}
