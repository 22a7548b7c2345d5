// SPDX-License-Identifier: Apache-2.0

package import CameraSource

/// What can be wrong with a microphone that is a device.
package enum MicrophoneFault: Error, Hashable, Sendable {
  /// There is nothing under its name; the library's own words.
  case noSuchDevice(String)
  /// This user may not open it.
  case refused
  /// Somebody else has it.
  case microphoneBusy(holders: [CameraHolder])
  /// It gives no samples of 16 bits, or none in numbers that are known.
  case noKnownFormat
  /// It is gone: unplugged, or its driver is.
  case unplugged
  /// The library could not do something; what, and its own words.
  case failed(String, String)
  /// No sound has come for so many seconds.
  case silent(seconds: Int)
  /// What speaks with devices is not there.
  case noLibrary
}

extension MicrophoneFault: CustomStringConvertible {
  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .noSuchDevice(let words):
      "ALSA knows no such device to record from (\(words)); 'darkroom microphone list' shows those that there are"
    case .refused:
      "this user may not open it: run 'sudo usermod -aG audio USER' and log in again, or have a udev rule give the "
        + "person at the machine this one device (TAG+=\"uaccess\")"
    case .microphoneBusy(let holders): Self.busy(holders)
    case .noKnownFormat:
      "it gives no samples of 16 bits that can be taken; name it by a plugin that converts, such as alsa:plughw:0"
    case .unplugged:
      "the microphone is gone: it was unplugged, or its driver was; plug it in and begin a new session"
    case .failed(let call, let words):
      "the microphone has failed: \(call): \(words); unplug it and plug it in again"
    case .silent(let seconds):
      "the microphone has given no sound for \(seconds) seconds; unplug it and plug it in again, or see 'dmesg'"
    case .noLibrary:
      "libasound.so.2 cannot be loaded, which speaks with microphones; install libasound2 (libasound2t64 in Debian 13)"
    }
  }

  /// A sentence for a microphone that somebody has.
  private static func busy(_ holders: [CameraHolder]) -> String {
    guard !holders.isEmpty else {
      return
        "another process has the microphone, which this user can't see: 'sudo fuser -v /dev/snd/*' names it; end it"
    }
    let names = holders.map(\.description).joined(separator: ", ")
    return "the microphone is in use by \(names); end it, or name another microphone"
  }
}
