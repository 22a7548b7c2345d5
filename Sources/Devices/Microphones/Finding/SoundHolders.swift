// SPDX-License-Identifier: Apache-2.0

internal import CameraDevices
internal import CameraSource
internal import LinuxPrimitives

/// Who has a microphone open.
enum SoundHolders {
  /// Where the kernel has the devices of sound.
  private static let directory = "/dev/snd"

  /// The processes that record from any device of the machine, as far as this user may look at them: which device stands
  /// behind a name of ALSA is not known before it is open.
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
