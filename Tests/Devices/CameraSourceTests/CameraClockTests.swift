// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization
import Testing

/// A pump with a source that has its own clock, such as a camera.
@Suite(.timeLimit(.minutes(20))) struct CameraClockTests {
  /// The state of a camera that a test shares with the thread of the pump.
  private final class CameraState: Sendable {
    /// The number of times that the camera was suspended.
    let suspensions = Atomic<Int>(0)
    /// The frame rate in frames per second.
    let rate = Atomic<Int>(1)
  }

  /// A camera whose nominal frame rate is low, but which always has a frame ready.
  private final class FakeCamera: FrameSource {
    let name = "camera"
    let title = "Camera"
    var geometry: FrameGeometry {
      let rate = FrameRate(state.rate.load(ordering: .relaxed)) ?? .standard
      return FrameGeometry(width: 64, height: 32, frameRate: rate)
    }
    let clock = FrameClock.source
    private(set) var frameTime: UInt64? = 7
    private let state: CameraState

    init(_ state: CameraState) { self.state = state }

    func next(
      into slot: UnsafeMutableRawBufferPointer,
      layout: FrameRingGeometry,
      stop: StopSignal
    ) throws(FrameSourceError) -> FrameOutcome {
      MonotonicClock.sleep(milliseconds: 1)
      return .frame
    }

    func suspend() { state.suspensions.add(1, ordering: .relaxed) }
  }

  @Test func `delivers camera frames immediately with their capture timestamps`() throws {
    let fixture = try FramePumpTests.Fixture(FakeCamera(CameraState()))
    let began = MonotonicClock.now
    fixture.pump.start(.latest)
    fixture.waitForFrames(5)
    // A pump that paces the source by its nominal rate would need a second for each frame.
    #expect(MonotonicClock.now - began < 3_000_000_000)
    fixture.pump.pause()
    let start = fixture.ring.geometry.offset(ofSlot: 0)
    let time = fixture.mapping.bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
    #expect(time == 7)
  }

  @Test func `idles the camera while the pump is paused, and reports a changed frame rate once`() throws {
    let state = CameraState()
    let fixture = try FramePumpTests.Fixture(FakeCamera(state))
    fixture.pump.start(.latest)
    fixture.waitForFrames(2)
    #expect(fixture.pump.takeChangedRate() == nil)
    state.rate.store(2, ordering: .relaxed)
    fixture.waitForFrames(fixture.pump.counts.produced + 3)
    #expect(fixture.pump.takeChangedRate() == FrameRate(2))
    #expect(fixture.pump.takeChangedRate() == nil && state.suspensions.load(ordering: .relaxed) == 0)
    fixture.pump.pause()
    while state.suspensions.load(ordering: .relaxed) == 0 { MonotonicClock.sleep(milliseconds: 1) }
    fixture.pump.erase()
    fixture.pump.start(.latest)
    fixture.waitForFrames(fixture.pump.counts.produced + 2)
    #expect(state.suspensions.load(ordering: .relaxed) == 1)
  }

  @Test func `reports a frame rate that changes before the first frame`() throws {
    let state = CameraState()
    let fixture = try FramePumpTests.Fixture(FakeCamera(state))
    state.rate.store(2, ordering: .relaxed)
    fixture.pump.start(.latest)
    fixture.waitForFrames(2)
    #expect(fixture.pump.takeChangedRate() == FrameRate(2))
    #expect(fixture.pump.takeChangedRate() == nil)
  }
}
