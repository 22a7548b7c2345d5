// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import SandboxPolicy
import SystemCalls

/// A simple reference compiler of policies: one rule after another, without optimization.
struct ReferenceCompiler {
  /// The instructions so far; jumps to the end of a rule are relative to the precomputed size of the rule.
  private var code: [FilterInstruction] = []

  private static let load: UInt16 = 0x20
  private static let and: UInt16 = 0x54
  private static let equal: UInt16 = 0x15
  private static let greaterOrEqual: UInt16 = 0x35
  private static let finish: UInt16 = 0x06

  /// Returns the program of a policy for this architecture; `answers` has the calls that are not refused with
  /// `EPERM`.
  static func program(
    _ policy: ResolvedPolicy,
    answers: [String: UInt16]
  ) throws -> FilterAnalysis.FilterProgram {
    var compiler = ReferenceCompiler()
    let table = CallTable.of(.native)
    compiler.add(load, 4)
    compiler.add(equal, MachineArchitecture.native.auditArchitecture, ifTrue: 1)
    compiler.add(finish, 0x8000_0000)
    for rule in policy.calls {
      if let number = table.number(of: rule.call) { compiler.allow(number, rule.conditions) }
    }
    let named = Set(policy.calls.map(\.call))
    compiler.add(load, 0)
    for number in table.numbers {
      let answer = table.name(of: number).flatMap { named.contains($0) ? nil : answers[$0] } ?? 1
      compiler.add(equal, number, ifFalse: 1)
      compiler.add(finish, 0x0005_0000 | UInt32(answer))
    }
    if MachineArchitecture.native == .x86 {
      compiler.add(equal, .max, ifTrue: 2)
      compiler.add(greaterOrEqual, CallArchitecture.x32Bit, ifFalse: 1)
      compiler.add(finish, 0x8000_0000)
    }
    compiler.add(finish, 0x0005_0026)
    return try FilterAnalysis.FilterProgram(compiler.code)
  }

  /// Allows a call under conditions.
  private mutating func allow(_ number: UInt32, _ conditions: [ArgumentCondition]) {
    let size = UInt8(3 + 3 * conditions.count)
    let start = code.count
    let remainingInstructions = { (at: Int) in size - UInt8(at - start) - 1 }
    add(Self.load, 0)
    add(Self.equal, number, ifFalse: remainingInstructions(code.count))
    for condition in conditions {
      add(Self.load, UInt32(16 + 8 * condition.index))
      add(Self.and, condition.mask)
      add(Self.equal, condition.value, ifFalse: remainingInstructions(code.count))
    }
    add(Self.finish, 0x7FFF_0000)
  }

  private mutating func add(_ operation: UInt16, _ value: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
    code.append(FilterInstruction(code: operation, ifTrue: ifTrue, ifFalse: ifFalse, value: value))
  }
}
