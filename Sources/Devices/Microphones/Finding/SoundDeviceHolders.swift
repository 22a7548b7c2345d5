// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import LinuxPrimitives

/// The processes that have a microphone open.
enum SoundDeviceHolders {
  /// The directory of the kernel's sound devices.
  private static let directory = "/dev/snd"

  /// Returns the processes that record from any device of the machine and that this user can inspect. The
  /// device behind an ALSA name is unknown before the name is opened.
  static func find() -> [CameraHolder] {
    let names = ((try? FileSystem.names(in: directory)) ?? []).filter {
      $0.hasPrefix("pcm") && $0.hasSuffix("c")
    }
    var found: [CameraHolder] = []
    for name in names.sorted() {
      for holder in DeviceHolders.find("\(directory)/\(name)") where !found.contains(holder) {
        found.append(holder)
      }
    }
    return found
  }
}
