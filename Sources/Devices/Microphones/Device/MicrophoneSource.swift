// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// The sound of a microphone. It listens only while sound is wanted.
package final class MicrophoneSource: SoundSource {
  /// How long a microphone may keep quiet, in nanoseconds: not silence, which is sound, but nothing at all.
  package static let standardPatience: UInt64 = 5_000_000_000
  /// How much of a second's sound a device may give in a second: one that does not wait for time, as ALSA's `null`, shall
  /// not take a processor.
  private static let most = (of: 4, in: 5)

  /// What people call the device.
  package let name: String
  package let geometry: SoundRingGeometry
  /// When the first moment of the newest block was heard.
  package private(set) var soundTime: UInt64?
  /// The device.
  private let device: any SoundDevice
  /// How long it may keep quiet, in nanoseconds.
  private let patience: UInt64
  /// Whether it listens.
  private var isListening = false
  /// When the next moment is to be heard if none is lost; nil: nobody knows.
  private var expected: UInt64?
  /// Whether moments were lost since the last block.
  private var hasLost = false
  /// Since when, and how many moments have come since then.
  private var second: (began: UInt64, frames: Int) = (0, 0)

  /// Takes a device over.
  package init(
    _ device: any SoundDevice,
    name: String,
    patience: UInt64 = standardPatience
  ) throws(SoundSourceError) {
    do throws(SoundRingLayoutError) {
      geometry = try SoundRingGeometry(sampleRate: device.sampleRate, channels: device.channels)
    } catch { throw SoundSourceError(name, .microphone(.noKnownFormat)) }
    self.device = device
    self.name = name
    self.patience = patience
  }

  /// The microphone itself.
  package var clock: FrameClock { .source }

  /// Waits for a block. It is shorter only where moments were lost behind it.
  package func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome {
    do throws(MicrophoneFault) {
      if let block = try block(into: samples, stop) { return block }
    } catch { throw SoundSourceError(name, .microphone(error)) }
    throw SoundSourceError(name, .stopped)
  }

  /// The microphone listens no more until sound is asked for.
  package func rest() {
    guard isListening else { return }
    device.stop()
    (isListening, expected, hasLost) = (false, nil, false)
  }

  /// The same as ``next(into:stop:)``; nil: the signal was raised first.
  private func block(
    into samples: UnsafeMutableRawBufferPointer,
    _ stop: StopSignal
  ) throws(MicrophoneFault) -> SoundOutcome? {
    var filled = 0
    var lost: UInt64 = 0
    var deadline = MonotonicClock.now + patience
    while filled < geometry.blockFrames {
      if !isListening { try listen() }
      do throws(SoundTrouble) {
        if filled == 0, let time = try device.oldest() { lost = begin(at: time) }
        let start = filled * geometry.frameBytes
        let count = try device.read(
          into: samples.part(start..<geometry.blockBytes),
          frames: geometry.blockFrames - filled
        )
        if count > 0 {
          filled += count
          deadline = MonotonicClock.now + patience
          guard keepPace(count, stop) else { return nil }
          continue
        }
      } catch {
        if case .fault(let fault) = error { throw fault }
        device.stop()
        (isListening, hasLost) = (false, true)
        if filled > 0 { break }
        continue
      }
      guard MonotonicClock.now < deadline else { throw .silent(seconds: Int(patience / 1_000_000_000)) }
      guard wait(stop) else { return nil }
    }
    expected = soundTime.map { $0 + UInt64(filled) * 1_000_000_000 / UInt64(geometry.sampleRate) }
    return .block(frames: filled, lost: lost)
  }

  /// Waits for the device; false if the signal was raised first.
  private func wait(_ stop: StopSignal) -> Bool {
    switch device.wait(milliseconds: 100, stop: stop) {
    case .stopped: false
    case .timeUp: true
    // A device that has something to say, but no sound, says it again at once.
    case .ready: device.pause(milliseconds: 2, stop: stop)
    }
  }

  /// The device begins to listen.
  private func listen() throws(MicrophoneFault) {
    try device.start()
    isListening = true
    second = (MonotonicClock.now, 0)
  }

  /// A block begins with a moment that was heard at this time; how many before it were lost.
  private func begin(at time: UInt64) -> UInt64 {
    defer { (soundTime, hasLost) = (time, false) }
    guard hasLost, let expected, time > expected else { return 0 }
    return UInt64(UInt128(time - expected) * UInt128(geometry.sampleRate) / 1_000_000_000)
  }

  /// Waits where a device gives more than there can be; false if the signal was raised first.
  private func keepPace(_ count: Int, _ stop: StopSignal) -> Bool {
    second.frames += count
    let passed = MonotonicClock.now - second.began
    if passed >= 1_000_000_000 {
      second = (second.began + passed, 0)
    } else if second.frames * Self.most.of > geometry.sampleRate * Self.most.in {
      guard device.pause(milliseconds: Int((1_000_000_000 - passed) / 1_000_000) + 1, stop: stop) else {
        return false
      }
      second = (MonotonicClock.now, 0)
    }
    return true
  }
}
