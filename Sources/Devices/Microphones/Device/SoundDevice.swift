// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A microphone, as far as taking its sound needs it: one of the machine, or another that stands for it.
package protocol SoundDevice: AnyObject {
  /// Samples of a channel in a second.
  var sampleRate: Int { get }
  /// How many channels there are.
  var channels: Int { get }

  /// The microphone listens from now on.
  func start() throws(MicrophoneFault)

  /// It listens no more.
  func stop()

  /// When the first moment was heard that nobody has taken yet, on the clock that never jumps; nil: there is none.
  func oldest() throws(SoundTrouble) -> UInt64?

  /// Takes as many moments as there are, and at most `frames`; returns how many.
  func read(into samples: UnsafeMutableRawBufferPointer, frames: Int) throws(SoundTrouble) -> Int

  /// Waits for so many milliseconds at most.
  func wait(milliseconds: Int, stop: StopSignal) -> SoundSign

  /// Waits for so many milliseconds, whatever the device says; false if the signal was raised first.
  func pause(milliseconds: Int, stop: StopSignal) -> Bool
}

/// What a wait for a device came to.
package enum SoundSign: Sendable {
  /// The device has something to say.
  case ready
  /// The time is over.
  case timeUp
  /// The signal was raised.
  case stopped
}

/// What can come instead of sound.
package enum SoundTrouble: Error, Hashable {
  /// Nobody has taken the sound in time, or the machine has slept: the device has stopped, and can be started again.
  case overrun
  /// It gives no sound any more.
  case fault(MicrophoneFault)
}
