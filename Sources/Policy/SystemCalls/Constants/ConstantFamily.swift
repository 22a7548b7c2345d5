// SPDX-License-Identifier: Apache-2.0

/// The constants of one kind of argument: one of several values, a combination of flags, or both.
package struct ConstantFamily: Sendable, Hashable {
  /// The family's name, for example `AddressFamily`.
  package let name: String
  /// The bits that hold one of several values; the others are flags.
  package let choiceMask: UInt64
  /// The constants. If two have the same value, text uses the first one.
  package let constants: [Constant]
  /// The architectures for which the values are unknown.
  private let unknownArchitectures: Set<CallArchitecture>

  private init(
    _ name: String,
    choiceMask: UInt64,
    _ constants: [Constant],
    unknownOn unknownArchitectures: Set<CallArchitecture>
  ) {
    self.name = name
    self.choiceMask = choiceMask
    self.constants = constants
    self.unknownArchitectures = unknownArchitectures
  }

  /// Returns the family with a name, or `nil` if there is none.
  package static func named(_ name: String) -> ConstantFamily? {
    name == ioctlName ? ioctl : families[name]
  }

  /// All families, sorted by name.
  package static var all: [ConstantFamily] {
    (families.values + [ioctl].compactMap(\.self)).sorted { $0.name < $1.name }
  }

  /// Whether the values are known on an architecture.
  func isKnown(on architecture: CallArchitecture) -> Bool { !unknownArchitectures.contains(architecture) }

  /// Returns the value of a constant, or `nil` if the family does not have it or the architecture does not
  /// define it.
  package func value(of name: String, on architecture: CallArchitecture = .native) -> UInt64? {
    unknownArchitectures.contains(architecture)
      ? nil : constants.first { $0.name == name }?.value(on: architecture)
  }

  /// Returns a value as names of constants, or `nil` if no part of the value has a name.
  ///
  /// Parts without a name are hexadecimal: `SOCK_STREAM|SOCK_CLOEXEC|0x10`. If only the bits of a mask are
  /// known, the choice is named only if the mask includes it.
  package func text(
    for value: UInt64,
    on architecture: CallArchitecture = .native,
    within mask: UInt64 = .max
  ) -> String? {
    guard !unknownArchitectures.contains(architecture) else { return nil }
    // A value with all 32 bits set is not a combination of flags.
    if UInt32(truncatingIfNeeded: value) == .max {
      return constants.first { $0.value(on: architecture) == value }?.name
    }
    var rest = value
    var found: [Int] = []
    let known = constants.map { $0.value(on: architecture) }
    if choiceMask & mask != 0, let choice = known.firstIndex(of: value & choiceMask) {
      found.append(choice)
      rest &= ~choiceMask
    }
    // A flag that contains another one is tried first: `O_TMPFILE` before `O_DIRECTORY`.
    let flags = known.indices.filter { (known[$0] ?? 0) & ~choiceMask != 0 }
      .sorted { (known[$0] ?? 0).nonzeroBitCount > (known[$1] ?? 0).nonzeroBitCount }
    for index in flags {
      guard let flag = known[index], rest & flag == flag, rest != 0 else { continue }
      found.append(index)
      rest &= ~flag
    }
    if value == 0, found.isEmpty { return known.firstIndex(of: 0).map { constants[$0].name } ?? "0" }
    guard !found.isEmpty else { return nil }
    let names = found.sorted().map { constants[$0].name }
    return (names + (rest == 0 ? [] : [NumberText.hexadecimal(rest)])).joined(separator: "|")
  }

  /// Whether two families have the same name.
  package static func == (one: ConstantFamily, other: ConstantFamily) -> Bool { one.name == other.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// A constant as a member of a family.
  private struct Member {
    var constant: Constant
    /// Whether text uses another name for the value.
    var isAlias: Bool
  }

  /// Returns the families in a text: a line with `#`, name and mask for each family, and a line for each
  /// constant.
  private static func read(_ bytes: [UInt8]) -> [ConstantFamily] {
    var heads: [[ArraySlice<UInt8>]] = []
    var members: [String: [Member]] = [:]
    for line in TextLines.of(bytes, comment: UInt8(ascii: ";")) {
      let words = TextLines.words(line)
      guard line.first != UInt8(ascii: "#") else {
        heads.append(words)
        continue
      }
      let constant = Constant(words)
      for family in TextLines.pieces(of: words[1], between: UInt8(ascii: ",")) {
        let isAlias = family.last == UInt8(ascii: "~")
        members[TextLines.text(isAlias ? family.dropLast() : family), default: []]
          .append(Member(constant: constant, isAlias: isAlias))
      }
    }
    return heads.compactMap { head in
      guard head.count > 2, let mask = TextLines.hexadecimal(head[2]) else { return nil }
      let name = TextLines.text(head[1])
      // The lines are sorted by name, and the sort is stable.
      let constants = members[name, default: []].sorted {
        ($0.constant.sortValue, $0.isAlias ? 1 : 0) < ($1.constant.sortValue, $1.isAlias ? 1 : 0)
      }
      let unknownArchitectures = Constant.exceptions(head[3...]).keys
      return ConstantFamily(
        name,
        choiceMask: mask,
        constants.map(\.constant),
        unknownOn: Set(unknownArchitectures)
      )
    }
  }

  /// The constants that do not belong to one kind of parameter, such as the permissions of a mode.
  static let other: ConstantFamily? = families["Other"]

  /// All families other than that of ioctl(2).
  private static let families: [String: ConstantFamily] = Dictionary(
    read(TableFiles.constants).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first }
  )

  /// The requests of ioctl(2), which are as many as all other constants together and rarely needed.
  private static let ioctl: ConstantFamily? = read(TableFiles.ioctls).first
  private static let ioctlName = "IoctlRequest"
}
