// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// A failure of a microphone device.
package enum MicrophoneFault: Error, Hashable, Sendable {
  /// ALSA has no device with this name. The associated value is the library's message.
  case noSuchDevice(String)
  /// This user has no permission to open the device.
  case permissionDenied
  /// Another process is using the device.
  case microphoneBusy(holders: [CameraHolder])
  /// The device supports no 16-bit samples, or only unsupported rates or numbers of channels.
  case noSupportedFormat
  /// The device or its driver was removed.
  case unplugged
  /// A library call failed. The associated values are the function and the library's message.
  case failed(String, String)
  /// The device delivered no samples for `seconds`.
  case noSound(seconds: Int)
  /// The ALSA library is unavailable.
  case noLibrary
}

extension MicrophoneFault: CustomStringConvertible {
  /// The failure, with a fix.
  package var description: String {
    switch self {
    case .noSuchDevice(let words):
      "ALSA knows no such device to record from (\(words)); 'darkroom microphone list' shows those that there are"
    case .permissionDenied:
      "this user may not open it: run 'sudo usermod -aG audio USER' and log in again, or have a udev rule give the "
        + "person at the machine this one device (TAG+=\"uaccess\")"
    case .microphoneBusy(let holders): Self.busy(holders)
    case .noSupportedFormat:
      "it gives no samples of 16 bits that can be taken; name it by a plugin that converts, such as alsa:plughw:0"
    case .unplugged:
      "the microphone is gone: it was unplugged, or its driver was; plug it in and begin a new session"
    case .failed(let call, let words):
      "the microphone has failed: \(call): \(words); unplug it and plug it in again"
    case .noSound(let seconds):
      "the microphone has given no sound for \(seconds) seconds; unplug it and plug it in again, or see 'dmesg'"
    case .noLibrary:
      "libasound.so.2 cannot be loaded, which speaks with microphones; install libasound2 (libasound2t64 in Debian 13)"
    }
  }

  /// The message for a microphone that another process is using.
  private static func busy(_ holders: [CameraHolder]) -> String {
    guard !holders.isEmpty else {
      return
        "another process has the microphone, which this user can't see: 'sudo fuser -v /dev/snd/*' names it; end it"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return "the microphone is in use by \(names); end it, or name another microphone"
  }
}
