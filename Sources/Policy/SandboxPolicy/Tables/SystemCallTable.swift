// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// The names and numbers of the system calls of one architecture.
package struct SystemCallTable: Sendable {
  /// The number of each call, by name.
  package let numbers: [String: Int]
  /// The name of each call, by number.
  package let names: [Int: String]

  /// The table of the architecture that this program was built for.
  package static let native = SystemCallTable(.native)

  /// The names of all calls of the supported architectures.
  package static let allNames: Set<String> = {
    var names = Set<String>(minimumCapacity: 512)
    forEachEntry { name, _ in names.insert(String(decoding: name, as: UTF8.self)) }
    return names
  }()

  /// Whether at least one supported architecture has a call.
  package static func contains(_ name: String) -> Bool { SortedLines(text).contains(name) }

  /// Returns the number of a call on the native architecture, or `nil` if there is none.
  ///
  /// This search is faster than creating the table if only a few numbers are needed.
  package static func number(of name: String) -> Int? {
    SortedLines(text).words(after: name).flatMap { Int($0[column(of: .native)]) }
  }

  /// Returns the column with the numbers of an architecture, counted after the name.
  private static func column(of architecture: MachineArchitecture) -> Int {
    switch architecture {
    case .x86: 0
    case .arm: 1
    }
  }

  /// Creates the table of an architecture.
  package init(_ architecture: MachineArchitecture) {
    let column = Self.column(of: architecture)
    var numbers = [String: Int](minimumCapacity: 512)
    var names = [Int: String](minimumCapacity: 512)
    Self.forEachEntry { name, columns in
      guard let number = columns[column] else { return }
      let name = String(decoding: name, as: UTF8.self)
      numbers[name] = number
      names[number] = name
    }
    self.numbers = numbers
    self.names = names
  }

  /// The largest number in the table. The kernel assigns numbers in the order in which calls are added.
  package var newest: Int { names.keys.max() ?? -1 }

  /// The unassigned numbers below the largest one, as ranges.
  package var gaps: [ClosedRange<Int>] {
    let assigned = names.keys.sorted()
    return zip(assigned, assigned.dropFirst()).compactMap { lower, upper in
      upper - lower > 1 ? (lower + 1)...(upper - 1) : nil
    }
  }

  /// Calls a closure with the name and the two numbers of each line of the data.
  private static func forEachEntry(_ body: (Slice<UnsafeBufferPointer<UInt8>>, [Int?]) -> Void) {
    let bytes = SortedLines(text).bytes
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let name = bytes[start..<end].prefix { $0 != UInt8(ascii: " ") }
      var columns: [Int?] = []
      for byte in bytes[name.endIndex..<end] {
        switch byte {
        case UInt8(ascii: " "): columns.append(nil)
        case UInt8(ascii: "-"): break
        default: columns[columns.count - 1] = (columns.last.flatMap(\.self) ?? 0) * 10 + Int(byte - 0x30)
        }
      }
      body(name, columns)
      start = end + 1
    }
  }
}
