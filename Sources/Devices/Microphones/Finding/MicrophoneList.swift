// SPDX-License-Identifier: Apache-2.0

internal import CALSA

/// A capture device, as ALSA lists it.
package struct ListedMicrophone: Hashable, Sendable {
  /// The argument of `--microphone`: `alsa:` and ALSA's name.
  package var name: String
  /// ALSA's description, with commas instead of newlines.
  package var description: String
}

/// The capture devices.
package enum MicrophoneList {
  /// The name of the device that records silence and always exists.
  private static let null = "null"

  /// Returns the devices in ALSA's configuration, without opening them.
  package static func microphones() throws(MicrophoneFault) -> [ListedMicrophone] {
    let library = try ALSALibrary()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    let result = Int(library.functions.device_name_hint(-1, "pcm", &hints))
    guard result >= 0, let hints else { throw .failed("snd_device_name_hint", library.message(result)) }
    defer { _ = library.functions.device_name_free_hint(hints) }
    var found: [ListedMicrophone] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      // A device without a direction supports both.
      guard let name = text(hint, "NAME", library), name != null,
        text(hint, "IOID", library) ?? "Input" == "Input"
      else { continue }
      let words = (text(hint, "DESC", library) ?? "").split(separator: "\n").joined(separator: ", ")
      found.append(ListedMicrophone(name: MicrophoneSpecification.devicePrefix + name, description: words))
    }
    return found
  }

  /// Returns a property of a device in the list.
  private static func text(_ hint: UnsafeMutableRawPointer, _ what: String, _ library: ALSALibrary) -> String?
  {
    guard let text = library.functions.device_name_get_hint(hint, what) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
