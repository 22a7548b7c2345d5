// SPDX-License-Identifier: Apache-2.0

/// A parameter of a system call.
package struct CallParameter: Sendable, Hashable {
  /// The name that the manual gives it.
  package let name: String
  /// What its values mean.
  package let kind: Kind

  /// What the values of a parameter mean, and so how they are written.
  package enum Kind: Sendable, Hashable {
    /// A file descriptor, or `AT_FDCWD`.
    case descriptor
    /// The address of a file's name.
    case path
    /// Another address.
    case pointer
    /// A number of bytes.
    case size
    /// Another number.
    case number
    /// A file's mode: type and permissions.
    case mode
    /// The id of a process, a thread or a group of processes.
    case process
    /// Flags that add up, and perhaps one of several values beside them.
    case flags(ConstantFamily)
    /// One of several values.
    case choice(ConstantFamily)
  }

  /// The constants that its values can be; nil if they are no constants.
  package var family: ConstantFamily? {
    switch kind {
    case .flags(let family), .choice(let family): family
    default: nil
    }
  }

  /// Reads `NAME:KIND`.
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
