// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// The sound of a microphone. The device records only while sound is wanted.
package final class MicrophoneSource: SoundSource {
  /// The maximum time without any samples, in nanoseconds. Silence consists of samples, and does not count.
  package static let defaultTimeout: UInt64 = 5_000_000_000
  /// The maximum speed: five quarters of real time. ALSA's `null` device does not wait, and would otherwise
  /// use a whole processor.
  private static let maximumSpeed = (of: 4, in: 5)

  /// The name of the device.
  package let name: String
  package let geometry: SoundRingGeometry
  /// The capture time of the first frame of the newest block.
  package private(set) var soundTime: UInt64?
  private let device: any SoundDevice
  /// The maximum time without any samples, in nanoseconds.
  private let timeout: UInt64
  /// Whether the device is recording.
  private var isListening = false
  /// The expected capture time of the next frame if none is lost, or `nil` if it is unknown.
  private var expectedTime: UInt64?
  /// Whether frames were lost since the last block.
  private var hasLostFrames = false
  /// The start of the current interval for the speed limit, and the number of frames since then.
  private var second: (began: UInt64, frames: Int) = (0, 0)

  /// Creates a source that owns a device.
  package init(
    _ device: any SoundDevice,
    name: String,
    patience: UInt64 = defaultTimeout
  ) throws(SoundSourceError) {
    do throws(SoundRingLayoutError) {
      geometry = try SoundRingGeometry(sampleRate: device.sampleRate, channels: device.channels)
    } catch { throw SoundSourceError(name, .microphone(.noSupportedFormat)) }
    self.device = device
    self.name = name
    self.timeout = patience
  }

  /// The microphone determines the pace.
  package var clock: FrameClock { .source }

  /// Waits for a block. The block is shorter than usual only if frames after it were lost.
  package func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome {
    do throws(MicrophoneFault) {
      if let block = try block(into: samples, stop) { return block }
    } catch { throw SoundSourceError(name, .microphone(error)) }
    throw SoundSourceError(name, .stopped)
  }

  /// Stops recording until sound is requested again.
  package func suspend() {
    guard isListening else { return }
    device.stop()
    (isListening, expectedTime, hasLostFrames) = (false, nil, false)
  }

  /// Reads a block as ``next(into:stop:)`` does, or returns `nil` if the stop signal was raised first.
  private func block(
    into samples: UnsafeMutableRawBufferPointer,
    _ stop: StopSignal
  ) throws(MicrophoneFault) -> SoundOutcome? {
    var filled = 0
    var lost: UInt64 = 0
    var deadline = MonotonicClock.now + timeout
    while filled < geometry.blockFrames {
      if !isListening { try listen() }
      do throws(SoundDeviceError) {
        if filled == 0, let time = try device.oldestFrameTime() { lost = begin(at: time) }
        let start = filled * geometry.frameBytes
        let count = try device.read(
          into: samples.part(start..<geometry.blockBytes),
          frames: geometry.blockFrames - filled
        )
        if count > 0 {
          filled += count
          deadline = MonotonicClock.now + timeout
          guard throttle(count, stop) else { return nil }
          continue
        }
      } catch {
        if case .fault(let fault) = error { throw fault }
        device.stop()
        (isListening, hasLostFrames) = (false, true)
        if filled > 0 { break }
        continue
      }
      guard MonotonicClock.now < deadline else { throw .noSound(seconds: Int(timeout / 1_000_000_000)) }
      guard wait(stop) else { return nil }
    }
    expectedTime = soundTime.map { $0 + UInt64(filled) * 1_000_000_000 / UInt64(geometry.sampleRate) }
    return .block(frames: filled, lost: lost)
  }

  /// Waits for the device. Returns `false` if the stop signal was raised first.
  private func wait(_ stop: StopSignal) -> Bool {
    switch device.wait(milliseconds: 100, stop: stop) {
    case .stopped: false
    case .timeUp: true
    // A device that is ready without providing samples would be ready again at once.
    case .ready: device.pause(milliseconds: 2, stop: stop)
    }
  }

  /// Starts recording.
  private func listen() throws(MicrophoneFault) {
    try device.start()
    isListening = true
    second = (MonotonicClock.now, 0)
  }

  /// Records the capture time of a block, and returns the number of frames that were lost before it.
  private func begin(at time: UInt64) -> UInt64 {
    defer { (soundTime, hasLostFrames) = (time, false) }
    guard hasLostFrames, let expectedTime, time > expectedTime else { return 0 }
    return UInt64(UInt128(time - expectedTime) * UInt128(geometry.sampleRate) / 1_000_000_000)
  }

  /// Waits if a device delivers frames faster than real time. Returns `false` if the stop signal was raised
  /// first.
  private func throttle(_ count: Int, _ stop: StopSignal) -> Bool {
    second.frames += count
    let passed = MonotonicClock.now - second.began
    if passed >= 1_000_000_000 {
      second = (second.began + passed, 0)
    } else if second.frames * Self.maximumSpeed.of > geometry.sampleRate * Self.maximumSpeed.in {
      guard device.pause(milliseconds: Int((1_000_000_000 - passed) / 1_000_000) + 1, stop: stop) else {
        return false
      }
      second = (MonotonicClock.now, 0)
    }
    return true
  }
}
