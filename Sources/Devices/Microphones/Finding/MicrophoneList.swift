// SPDX-License-Identifier: Apache-2.0

internal import CALSA

/// A device to record from, as ALSA lists it.
package struct ListedMicrophone: Hashable, Sendable {
  /// What `--microphone` takes: `alsa:` and ALSA's name.
  package var name: String
  /// ALSA's words for it; lines are apart by commas.
  package var description: String
}

/// The devices to record from.
package enum MicrophoneList {
  /// The name of the device that hears nothing, which is always there.
  private static let null = "null"

  /// What ALSA's configuration lists. None of it is opened.
  package static func microphones() throws(MicrophoneFault) -> [ListedMicrophone] {
    let library = try ALSALibrary()
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    let result = Int(library.functions.device_name_hint(-1, "pcm", &hints))
    guard result >= 0, let hints else { throw .failed("snd_device_name_hint", library.words(result)) }
    defer { _ = library.functions.device_name_free_hint(hints) }
    var found: [ListedMicrophone] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      // Without a direction a device has both.
      guard let name = text(hint, "NAME", library), name != null,
        text(hint, "IOID", library) ?? "Input" == "Input"
      else { continue }
      let words = (text(hint, "DESC", library) ?? "").split(separator: "\n").joined(separator: ", ")
      found.append(ListedMicrophone(name: MicrophoneSpecification.devicePrefix + name, description: words))
    }
    return found
  }

  /// One thing that ALSA says of a device.
  private static func text(_ hint: UnsafeMutableRawPointer, _ what: String, _ library: ALSALibrary) -> String?
  {
    guard let text = library.functions.device_name_get_hint(hint, what) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
