// SPDX-License-Identifier: Apache-2.0

import CameraSource
import LinuxPrimitives
import Microphones

/// A microphone with one channel and 8000 samples per second that performs a scripted sequence.
final class ScriptedMicrophone: SoundDevice {
  /// The result of a read.
  enum Step {
    /// A number of frames with this sample. The time is that of the first frame, in nanoseconds.
    case sound(Int, Int16, at: UInt64)
    /// No sound is available yet.
    case nothing
    /// A device error.
    case fail(SoundDeviceError)
  }

  let sampleRate = 8000
  let channels = 1
  /// The remaining steps, in order.
  private var steps: [Step]
  /// The number of frames of the first step that were read.
  private var taken = 0
  private(set) var isListening = false
  /// The number of starts.
  private(set) var starts = 0
  /// The number of stops.
  private(set) var stops = 0
  /// The number of unconditional waits.
  private(set) var pauses = 0

  init(_ steps: [Step]) { self.steps = steps }

  func start() { (isListening, starts) = (true, starts + 1) }

  func stop() { (isListening, stops) = (false, stops + 1) }

  func oldestFrameTime() throws(SoundDeviceError) -> UInt64? {
    guard case .sound(_, _, let time)? = steps.first else { return nil }
    return time + UInt64(taken) * 125_000
  }

  func read(into samples: UnsafeMutableRawBufferPointer, frames: Int) throws(SoundDeviceError) -> Int {
    switch steps.first {
    case nil: return 0
    case .nothing?:
      steps.removeFirst()
      return 0
    case .fail(let error)?:
      steps.removeFirst()
      throw error
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

  func wait(milliseconds: Int, stop: StopSignal) -> SoundWaitResult {
    guard (try? stop.wait(for: -1, .readable, until: MonotonicClock.now)) == true else { return .stopped }
    return .ready
  }

  func pause(milliseconds: Int, stop: StopSignal) -> Bool {
    pauses += 1
    let deadline = MonotonicClock.now + UInt64(min(milliseconds, 5)) * 1_000_000
    return (try? stop.wait(for: -1, .readable, until: deadline)) == true
  }
}
