// SPDX-License-Identifier: Apache-2.0

/// The system calls of one architecture: names and numbers.
package struct SystemCallTable: Sendable {
  /// The number of each call, by name.
  package let numbers: [String: Int]
  /// The name of each call, by number.
  package let names: [Int: String]

  /// The table of the architecture that this program was built for.
  package static let native = SystemCallTable(.native)

  /// The names of every call that some supported architecture has.
  package static let everyName: Set<String> = Set(rows.map { String($0[0]) })

  /// The table of an architecture.
  package init(_ architecture: MachineArchitecture) {
    let column =
      switch architecture {
      case .x86: 1
      case .arm: 2
      }
    var numbers: [String: Int] = [:]
    var names: [Int: String] = [:]
    for row in Self.rows {
      guard let number = Int(row[column]) else { continue }
      numbers[String(row[0])] = number
      names[number] = String(row[0])
    }
    self.numbers = numbers
    self.names = names
  }

  /// The number of the newest call in the table; the kernel numbers calls in the order of their arrival.
  package var newest: Int { names.keys.max() ?? -1 }

  /// The numbers below the newest that mean nothing, as ranges.
  package var gaps: [ClosedRange<Int>] {
    let assigned = names.keys.sorted()
    return zip(assigned, assigned.dropFirst()).compactMap { lower, upper in
      upper - lower > 1 ? (lower + 1)...(upper - 1) : nil
    }
  }

  /// The lines of the data, as columns.
  private static var rows: [[Substring]] {
    text.split(separator: "\n").map { $0.split(separator: " ") }
  }
}
