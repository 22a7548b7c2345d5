// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Synchronization
import Testing

/// A pump with a source that has its own clock, such as a camera.
@Suite(.timeLimit(.minutes(20))) struct CameraClockTests {
  /// The state of a camera that a test shares with the thread of the pump.
  private final class Knowledge: Sendable {
    /// The number of times that the camera was suspended.
    let rests = Atomic<Int>(0)
    /// The frame rate in frames per second.
    let rate = Atomic<Int>(1)
  }

  /// A camera whose nominal frame rate is low, but which always has a frame ready.
  private final class Camera: FrameSource {
    let name = "camera"
    let title = "Camera"
    var geometry: FrameGeometry {
      let rate = FrameRate(knowledge.rate.load(ordering: .relaxed)) ?? .standard
      return FrameGeometry(width: 64, height: 32, frameRate: rate)
    }
    let clock = FrameClock.source
    private(set) var frameTime: UInt64? = 7
    private let knowledge: Knowledge

    init(_ knowledge: Knowledge) { self.knowledge = knowledge }

    func next(
      into slot: UnsafeMutableRawBufferPointer,
      layout: FrameRingGeometry,
      stop: StopSignal
    ) throws(FrameSourceError) -> FrameOutcome {
      MonotonicClock.sleep(milliseconds: 1)
      return .frame
    }

    func rest() { knowledge.rests.add(1, ordering: .relaxed) }
  }

  @Test func `frames of a camera are given on at once, with the time at which it took them`() throws {
    let setting = try FramePumpTests.Setting(Camera(Knowledge()))
    let began = MonotonicClock.now
    setting.pump.start(.latest)
    setting.waitForFrames(5)
    // A pump that paces the source by its nominal rate would need a second for each frame.
    #expect(MonotonicClock.now - began < 3_000_000_000)
    setting.pump.pause()
    let start = setting.ring.geometry.offset(ofSlot: 0)
    let time = setting.mapping.bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
    #expect(time == 7)
  }

  @Test func `a camera rests while it is paused, and another rate is told once`() throws {
    let knowledge = Knowledge()
    let setting = try FramePumpTests.Setting(Camera(knowledge))
    setting.pump.start(.latest)
    setting.waitForFrames(2)
    #expect(setting.pump.takeNewRate() == nil)
    knowledge.rate.store(2, ordering: .relaxed)
    setting.waitForFrames(setting.pump.counts.produced + 3)
    #expect(setting.pump.takeNewRate() == FrameRate(2))
    #expect(setting.pump.takeNewRate() == nil && knowledge.rests.load(ordering: .relaxed) == 0)
    setting.pump.pause()
    while knowledge.rests.load(ordering: .relaxed) == 0 { MonotonicClock.sleep(milliseconds: 1) }
    setting.pump.erase()
    setting.pump.start(.latest)
    setting.waitForFrames(setting.pump.counts.produced + 2)
    #expect(knowledge.rests.load(ordering: .relaxed) == 1)
  }

  @Test func `a rate that changes before the first frame is told, too`() throws {
    let knowledge = Knowledge()
    let setting = try FramePumpTests.Setting(Camera(knowledge))
    knowledge.rate.store(2, ordering: .relaxed)
    setting.pump.start(.latest)
    setting.waitForFrames(2)
    #expect(setting.pump.takeNewRate() == FrameRate(2))
    #expect(setting.pump.takeNewRate() == nil)
  }
}
