// SPDX-License-Identifier: Apache-2.0

internal import CEvdev

/// Names of the kernel, as libevdev defines them. ``EvdevLibrary/fault`` reports whether the library is
/// available.
extension InputCode: CustomStringConvertible {
  /// Creates the code of a key name such as `KEY_CAMERA`, or of the supported switch, or returns `nil` if the
  /// name is unknown.
  package init?(name: String) {
    if name == InputCode.lensCover.description {
      self = .lensCover
      return
    }
    let number = EvdevLibrary.functions?.event_code_from_name(UInt32(Kind.key.rawValue), name) ?? -1
    // `KEY_MAX` is a limit and not a key.
    guard number >= 0, name != "KEY_MAX" else { return nil }
    self.init(.key, UInt16(number))
  }

  /// The kernel's name, or the number if the code has no name.
  package var description: String {
    guard let name = EvdevLibrary.functions?.event_code_get_name(UInt32(kind.rawValue), UInt32(number)) else {
      return "\(kind == .key ? "key" : "switch") \(number)"
    }
    return String(cString: name)
  }
}
