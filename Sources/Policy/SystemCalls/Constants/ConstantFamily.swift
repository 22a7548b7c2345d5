// SPDX-License-Identifier: Apache-2.0

/// The constants that one kind of argument can have: one of several values, flags that add up, or both.
package struct ConstantFamily: Sendable, Hashable {
  /// The family's name, for example `AddressFamily`.
  package let name: String
  /// The bits that hold one of several values; the others are flags.
  package let choiceMask: UInt64
  /// The constants; of two with the same value the first is the one that is printed.
  package let constants: [Constant]
  /// The architectures for which the values are not known.
  private let strangers: Set<CallArchitecture>

  private init(
    _ name: String,
    choiceMask: UInt64,
    _ constants: [Constant],
    unknownOn strangers: Set<CallArchitecture>
  ) {
    self.name = name
    self.choiceMask = choiceMask
    self.constants = constants
    self.strangers = strangers
  }

  /// The family of a name; nil if there is none.
  package static func named(_ name: String) -> ConstantFamily? {
    name == ioctlName ? ioctl : families[name]
  }

  /// All families.
  package static var all: [ConstantFamily] {
    (families.values + [ioctl].compactMap(\.self)).sorted { $0.name < $1.name }
  }

  /// Whether the values are known on an architecture.
  func isKnown(on architecture: CallArchitecture) -> Bool { !strangers.contains(architecture) }

  /// The value of a name; nil if the family has no such name, or the architecture no such value.
  package func value(of name: String, on architecture: CallArchitecture = .native) -> UInt64? {
    strangers.contains(architecture) ? nil : constants.first { $0.name == name }?.value(on: architecture)
  }

  /// A value in the family's words, what has no name in hexadecimal: `SOCK_STREAM|SOCK_CLOEXEC|0x10`; nil if no part
  /// of it has a name.
  ///
  /// Where only the bits of a mask are known, there is a choice only if it is among them.
  package func text(
    for value: UInt64,
    on architecture: CallArchitecture = .native,
    within mask: UInt64 = .max
  ) -> String? {
    guard !strangers.contains(architecture) else { return nil }
    // All bits of a word at once are no sum of flags.
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
    // A flag that contains another one has to be seen first: O_TMPFILE before O_DIRECTORY.
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

  package static func == (one: ConstantFamily, other: ConstantFamily) -> Bool { one.name == other.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// A constant as the data has it in one family.
  private struct Member {
    /// The constant.
    var constant: Constant
    /// Whether another name is printed for the value.
    var isAlias: Bool
  }

  /// Reads the families of a text: a line of `#`, the name and the mask for each, and a line for each constant.
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
      // The lines are sorted by name, and the sort keeps their order.
      let constants = members[name, default: []].sorted {
        ($0.constant.rank, $0.isAlias ? 1 : 0) < ($1.constant.rank, $1.isAlias ? 1 : 0)
      }
      let strangers = Constant.exceptions(head[3...]).keys
      return ConstantFamily(name, choiceMask: mask, constants.map(\.constant), unknownOn: Set(strangers))
    }
  }

  /// The constants that belong to no parameter alone, such as the permissions of a mode.
  static let other: ConstantFamily? = families["Other"]

  /// All families but that of ioctl(2).
  private static let families: [String: ConstantFamily] = Dictionary(
    read(TableFiles.constants).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first }
  )

  /// The requests of ioctl(2): as many as all others together, and seldom asked for.
  private static let ioctl: ConstantFamily? = read(TableFiles.ioctls).first
  private static let ioctlName = "IoctlRequest"
}
