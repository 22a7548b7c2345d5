// SPDX-License-Identifier: Apache-2.0

/// The names and numbers of the system calls of one architecture, as of the kernel version that the data
/// names.
package struct CallTable: Sendable {
  private let numbersByName: [String: UInt32]
  private let namesByNumber: [UInt32: String]

  /// Returns the table of an architecture. Each table is parsed on first use.
  package static func of(_ architecture: CallArchitecture) -> CallTable {
    switch architecture {
    case .x86: x86
    case .i386: i386
    case .x32: x32
    case .arm64: arm64
    case .arm: arm
    case .riscv: riscv
    case .power: power
    case .s390: s390
    }
  }

  /// Returns the number of a call as a filter sees it (for x32, with ``CallArchitecture/x32Bit``), or `nil`
  /// if the architecture does not have the call.
  package func number(of name: String) -> UInt32? { numbersByName[name] }

  /// Returns the name of a number, or `nil` if the number is unassigned.
  package func name(of number: UInt32) -> String? { namesByNumber[number] }

  /// The names of all calls, sorted.
  package var names: [String] { numbersByName.keys.sorted() }

  /// The numbers of all calls, sorted.
  package var numbers: [UInt32] { namesByNumber.keys.sorted() }

  /// Returns the first kernel version with a call, for example `6.8`, or `nil` if it is unknown.
  package static func since(_ name: String) -> String? { firstKernels[name] }

  /// The names of the calls of all architectures.
  package static let allNames: Set<String> = Set(
    CallArchitecture.allCases.flatMap { of($0).numbersByName.keys }
  )

  /// Creates the table of one architecture from its column.
  private init(_ architecture: CallArchitecture) {
    var numbers: [String: UInt32] = [:]
    var names: [UInt32: String] = [:]
    let bit = architecture == .x32 ? CallArchitecture.x32Bit : 0
    for (name, field) in CallRows.column(architecture.rawValue) {
      guard let number = CallRows.decimal(field) else { continue }
      let text = String(decoding: name, as: UTF8.self)
      numbers[text] = number | bit
      names[number | bit] = text
    }
    numbersByName = numbers
    namesByNumber = names
  }

  private static let x86 = CallTable(.x86)
  private static let i386 = CallTable(.i386)
  private static let x32 = CallTable(.x32)
  private static let arm64 = CallTable(.arm64)
  private static let arm = CallTable(.arm)
  private static let riscv = CallTable(.riscv)
  private static let power = CallTable(.power)
  private static let s390 = CallTable(.s390)

  /// The first kernel version of each call, by name.
  private static let firstKernels: [String: String] = Dictionary(
    CallRows.column("since").compactMap { name, field in
      field == CallRows.none
        ? nil : (String(decoding: name, as: UTF8.self), String(decoding: field, as: UTF8.self))
    },
    uniquingKeysWith: { first, _ in first }
  )
}
