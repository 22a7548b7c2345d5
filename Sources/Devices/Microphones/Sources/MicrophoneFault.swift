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
      "ALSA has no such capture device (\(words)); 'darkroom microphone list' lists the microphones"
    case .permissionDenied:
      "this user may not open the microphone; run 'sudo usermod -aG audio USER' and log in again, or let a udev rule "
        + "grant access to the user at the machine (TAG+=\"uaccess\")"
    case .microphoneBusy(let holders): Self.busy(holders)
    case .noSupportedFormat:
      "the device has no supported format with 16-bit samples; use a plugin that converts, such as alsa:plughw:0"
    case .unplugged:
      "the microphone or its driver was removed; plug in the microphone and start a new session"
    case .failed(let call, let words):
      "the microphone has failed: \(call): \(words); unplug it and plug it in again"
    case .noSound(let seconds):
      "the microphone delivered no sound for \(seconds) seconds; unplug it and plug it in again, or see 'dmesg'"
    case .noLibrary:
      "libasound.so.2, which reads microphones, cannot be loaded; install libasound2 (libasound2t64 in Debian 13)"
    }
  }

  /// The message for a microphone that another process is using.
  private static func busy(_ holders: [CameraHolder]) -> String {
    guard !holders.isEmpty else {
      return
        "a process that this user cannot inspect uses the microphone; find it with 'sudo fuser -v /dev/snd/*' and stop it"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return "the microphone is in use by \(names); stop that process, or name another microphone"
  }
}
