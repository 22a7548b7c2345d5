// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A microphone, as far as a source needs it: an ALSA device, or a simulated one.
///
/// A frame consists of one sample per channel, as in ALSA.
package protocol SoundDevice: AnyObject {
  /// The number of frames per second.
  var sampleRate: Int { get }
  /// The number of channels.
  var channels: Int { get }

  /// Starts recording.
  func start() throws(MicrophoneFault)

  /// Stops recording.
  func stop()

  /// Returns the capture time of the oldest unread frame on the monotonic clock, or `nil` if there is none.
  func oldestFrameTime() throws(SoundDeviceError) -> UInt64?

  /// Reads the available frames, at most `frames`, and returns their number.
  func read(into samples: UnsafeMutableRawBufferPointer, frames: Int) throws(SoundDeviceError) -> Int

  /// Waits until the device is ready, at most the given time.
  func wait(milliseconds: Int, stop: StopSignal) -> SoundWaitResult

  /// Waits for the given time, regardless of the device. Returns `false` if the stop signal was raised first.
  func pause(milliseconds: Int, stop: StopSignal) -> Bool
}

/// The result of waiting for a device.
package enum SoundWaitResult: Sendable {
  /// The device is ready.
  case ready
  /// The time has passed.
  case timeUp
  /// The stop signal was raised.
  case stopped
}

/// An error while reading samples.
package enum SoundDeviceError: Error, Hashable {
  /// The samples were not read in time, or the machine was suspended. The device has stopped, and can be
  /// started again.
  case overrun
  /// The device failed.
  case fault(MicrophoneFault)
}
