// SPDX-License-Identifier: Apache-2.0

/// A parameter of a system call.
package struct CallParameter: Sendable, Hashable {
  /// The name in the manual page.
  package let name: String
  /// The kind of its values.
  package let kind: Kind

  /// A kind of parameter values, which determines their textual form.
  package enum Kind: Sendable, Hashable {
    /// A file descriptor, or `AT_FDCWD`.
    case descriptor
    /// The address of a path.
    case path
    /// Any other address.
    case pointer
    /// A number of bytes.
    case size
    /// Any other number.
    case number
    /// A file mode: type and permissions.
    case mode
    /// The ID of a process, a thread or a process group.
    case process
    /// A combination of flags, optionally with one of several values.
    case flags(ConstantFamily)
    /// One of several values.
    case choice(ConstantFamily)
  }

  /// The constants of its values, or `nil` if the values are not constants.
  package var family: ConstantFamily? {
    switch kind {
    case .flags(let family), .choice(let family): family
    default: nil
    }
  }

  /// Creates a parameter from `NAME:KIND`.
  init(_ word: ArraySlice<UInt8>) {
    guard let (name, kind) = TextLines.halves(word, at: UInt8(ascii: ":")) else {
      preconditionFailure("a parameter has a kind")
    }
    self.name = TextLines.text(name)
    self.kind = Self.kind(TextLines.text(kind))
  }

  private static func kind(_ word: String) -> Kind {
    switch word {
    case "fd": return .descriptor
    case "path": return .path
    case "ptr": return .pointer
    case "size": return .size
    case "num": return .number
    case "mode": return .mode
    case "pid": return .process
    default:
      guard let family = ConstantFamily.named(word) else { preconditionFailure("there is a family \(word)") }
      return family.choiceMask == UInt64(UInt32.max) ? .choice(family) : .flags(family)
    }
  }
}
