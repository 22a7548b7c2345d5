// SPDX-License-Identifier: Apache-2.0

/// A number of bytes, written as a plain number or with a unit, such as `64MiB`.
package struct ByteCount: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of bytes.
  package var bytes: UInt64

  /// The units with their sizes in bytes. Decimal and binary units have different names.
  private static let units: [(name: String, bytes: UInt64)] = [
    ("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
    ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
  ]

  /// Creates a byte count.
  package init(bytes: UInt64) { self.bytes = bytes }

  /// Parses a byte count. A number without a unit is a number of bytes.
  package init(parsing text: String) throws(ValueFault) {
    let quantity = try DecimalQuantity(parsing: text, example: "64MiB")
    let name = quantity.unit.isEmpty ? "B" : quantity.unit
    guard let unit = Self.units.first(where: { $0.name == name }) else {
      throw .unknownUnit(name, units: Self.units.map(\.name))
    }
    bytes = try quantity.parts(scale: unit.bytes, smallest: "a byte")
  }

  /// The byte count in the largest binary unit that divides it without a remainder.
  package var description: String {
    let binary = Self.units[0...4]
    let unit = binary.last { bytes >= $0.bytes && bytes % $0.bytes == 0 }
    guard let unit else { return "\(bytes)B" }
    return "\(bytes / unit.bytes)\(unit.name)"
  }

  /// Compares the numbers of bytes.
  package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
}
