// SPDX-License-Identifier: Apache-2.0

import CameraSource
import LinuxPrimitives
import Microphones

/// A microphone of one channel and 8000 samples a second that does what a test says.
final class ScriptedMicrophone: SoundDevice {
  /// What happens next.
  enum Step {
    /// So many moments of this sample, the first heard at this time.
    case sound(Int, Int16, at: UInt64)
    /// There is nothing now.
    case nothing
    /// Something else comes than sound.
    case fail(SoundTrouble)
  }

  let sampleRate = 8000
  let channels = 1
  /// What happens, in this order; then nothing.
  private var steps: [Step]
  /// How many moments of the first step were taken.
  private var taken = 0
  /// Whether it listens.
  private(set) var isListening = false
  /// How often it has begun to.
  private(set) var starts = 0
  /// How often it was told to stop.
  private(set) var stops = 0
  /// How often somebody has waited whatever it says.
  private(set) var pauses = 0

  init(_ steps: [Step]) { self.steps = steps }

  func start() { (isListening, starts) = (true, starts + 1) }

  func stop() { (isListening, stops) = (false, stops + 1) }

  func oldest() throws(SoundTrouble) -> UInt64? {
    guard case .sound(_, _, let time)? = steps.first else { return nil }
    return time + UInt64(taken) * 125_000
  }

  func read(into samples: UnsafeMutableRawBufferPointer, frames: Int) throws(SoundTrouble) -> Int {
    switch steps.first {
    case nil: return 0
    case .nothing?:
      steps.removeFirst()
      return 0
    case .fail(let trouble)?:
      steps.removeFirst()
      throw trouble
    case .sound(let count, let sample, _)?:
      let given = min(frames, count - taken)
      for index in 0..<given {
        samples.storeBytes(of: sample.littleEndian, toByteOffset: 2 * index, as: Int16.self)
      }
      taken += given
      if taken == count {
        steps.removeFirst()
        taken = 0
      }
      return given
    }
  }

  func wait(milliseconds: Int, stop: StopSignal) -> SoundSign {
    guard (try? stop.wait(for: -1, .readable, until: MonotonicClock.now)) == true else { return .stopped }
    return .ready
  }

  func pause(milliseconds: Int, stop: StopSignal) -> Bool {
    pauses += 1
    let deadline = MonotonicClock.now + UInt64(min(milliseconds, 5)) * 1_000_000
    return (try? stop.wait(for: -1, .readable, until: deadline)) == true
  }
}
