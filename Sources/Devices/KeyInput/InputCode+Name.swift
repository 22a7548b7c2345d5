// SPDX-License-Identifier: Apache-2.0

internal import CEvdev

/// The kernel's names, as libevdev knows them (``EvdevLibrary/fault`` says whether it is there).
extension InputCode: CustomStringConvertible {
  /// A key by its name, as `KEY_CAMERA`, or the one switch that is known here; nil if there is none of that name.
  package init?(name: String) {
    if name == InputCode.lensCover.description {
      self = .lensCover
      return
    }
    let number = EvdevLibrary.functions?.event_code_from_name(UInt32(Kind.key.rawValue), name) ?? -1
    // The name of the highest number is no key's.
    guard number >= 0, name != "KEY_MAX" else { return nil }
    self.init(.key, UInt16(number))
  }

  /// The name; a number that has none is given itself.
  package var description: String {
    guard let name = EvdevLibrary.functions?.event_code_get_name(UInt32(kind.rawValue), UInt32(number)) else {
      return "\(kind == .key ? "key" : "switch") \(number)"
    }
    return String(cString: name)
  }
}
