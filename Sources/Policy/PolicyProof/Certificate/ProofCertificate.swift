// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// A proof that a filter permits no forbidden call of some invariants, for verification by a small
/// independent program.
///
/// For each instruction, the certificate lists facts about the calls that reach it. A checker tests that the
/// facts are inductive, instruction by instruction, and that no permitted call is a forbidden one. The
/// checker does not have to search.
package struct ProofCertificate: Sendable {
  /// The facts of each instruction: every call that reaches the instruction is in one of the sets.
  let facts: [[CallFact]]
  /// The forbidden calls of each invariant.
  let claims: [(invariant: Invariant, forbidden: [CallFact])]
  /// The assumptions about the processes that answer instead of the filter.
  let supervision: Supervision
  let program: FilterProgram

  /// The maximum number of facts in a certificate.
  private static let factLimit = 50_000

  /// Creates the certificate of a program.
  package init(
    of program: FilterProgram,
    _ invariants: [Invariant],
    under supervision: Supervision
  ) throws(CertificateError) {
    self.program = program
    self.supervision = supervision
    facts = try Self.facts(program)
    claims = invariants.map { ($0, $0.forbidden.flatMap(\.facts)) }
    for (index, operation) in program.operations.enumerated() {
      guard case .finish(let answer) = operation else { continue }
      if case .constant(let value) = answer, !Verdict(returnValue: value).permits(under: supervision) {
        continue
      }
      for (invariant, forbidden) in claims {
        let isOpen = facts[index].contains { fact in
          forbidden.contains { !fact.intersection($0).isContradictory }
        }
        if isOpen { throw .unproved(invariant.name, instruction: index) }
      }
    }
  }

  /// Returns the facts of each instruction, which follow from the first one: any call reaches it.
  private static func facts(_ program: FilterProgram) throws(CertificateError) -> [[CallFact]] {
    var facts = [[CallFact]](repeating: [], count: program.instructions.count)
    facts[0] = [CallFact()]
    var count = 0
    for (index, operation) in program.operations.enumerated() {
      facts[index] = merged(facts[index])
      count += facts[index].count
      guard count <= factLimit else { throw .tooLarge }
      for fact in facts[index] {
        for (target, next) in successors(of: fact, index, operation, program) where !next.isContradictory {
          facts[target].append(next)
        }
      }
    }
    return facts
  }

  /// Returns facts that differ only in their numbers as one fact.
  private static func merged(_ facts: [CallFact]) -> [CallFact] {
    var order: [CallFact] = []
    var numbers: [CallFact: [ClosedRange<UInt32>]] = [:]
    for fact in facts {
      var key = fact
      key.numbers = []
      if numbers[key] == nil { order.append(key) }
      numbers[key, default: []] += fact.numbers
    }
    return order.map { key in
      var fact = key
      fact.numbers = CallFact.union(numbers[key] ?? [])
      return fact
    }
  }

  /// Returns the facts after an instruction, each with the instruction that follows.
  private static func successors(
    of fact: CallFact,
    _ index: Int,
    _ operation: FilterInstruction.Operation,
    _ program: FilterProgram
  ) -> [(target: Int, fact: CallFact)] {
    var next = fact
    switch operation {
    case .finish: return []
    case .jump(let distance): return [(index + 1 + Int(distance), fact)]
    case .branch(let comparison, .constant(let constant)):
      let targets = program.successors(of: index)
      return [true, false].map { isTrue in
        (targets[isTrue ? 0 : 1], fact.after(comparison, constant, isTrue: isTrue))
      }
    case .branch: return program.successors(of: index).map { ($0, fact) }
    case .load(.accumulator, .word(let word)): next.accumulator = .init(word: word, mask: .max)
    case .calculate(.and, .constant(let mask)): next.accumulator?.mask &= mask
    case .load(.accumulator, _), .calculate, .negate, .copyFromIndex: next.accumulator = nil
    case .load(.index, _), .store, .copyToIndex: break
    }
    return [(index + 1, next)]
  }
}

/// A reason for which a certificate cannot be created.
package enum CertificateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The facts of an instruction allow a forbidden call of the invariant with this name.
  case unproved(String, instruction: Int)
  /// The certificate would exceed the maximum number of facts.
  case tooLarge

  /// A sentence with the reason.
  package var description: String {
    switch self {
    case .unproved(let name, let instruction):
      "the facts of instruction \(instruction) do not prove \(name); the proof of 'darkroom policy "
        + "verify' itself is exact"
    case .tooLarge:
      "the filter has too many paths for a certificate; the proof of 'darkroom policy verify' itself is exact"
    }
  }
}

extension ForbiddenCalls {
  /// The forbidden calls as facts: a call is forbidden if it is in one of the sets.
  fileprivate var facts: [CallFact] {
    var facts = subject.facts
    for condition in when {
      facts = facts.flatMap { fact in
        condition.values.map { fact.intersection(CallFact(condition, equals: $0)) }
      }
    }
    guard !unless.isEmpty else { return facts }
    return facts.flatMap { fact in unless.flatMap { fact.excluding($0) } }
  }
}

extension CallFact {
  /// Creates the set of the calls for which a masked argument equals a value.
  fileprivate init(_ condition: InvariantCondition, equals value: UInt64) {
    bits = Set(Self.halves(condition, value, holds: true))
  }

  /// Returns the calls for which a condition does not hold, because the argument has none of its values.
  fileprivate func excluding(_ condition: InvariantCondition) -> [CallFact] {
    condition.values.reduce([self]) { facts, value in
      facts.flatMap { fact in
        Self.halves(condition, value, holds: false).map { half in
          var other = fact
          other.bits.insert(half)
          return other
        }
      }
    }
  }

  private static func halves(_ condition: InvariantCondition, _ value: UInt64, holds: Bool) -> [BitFact] {
    [(0, UInt64(0)), (1, 32)].compactMap { half, shift in
      let mask = UInt32(truncatingIfNeeded: condition.mask >> shift)
      guard mask != 0 else { return nil }
      return BitFact(
        word: 4 + 2 * condition.index + half,
        mask: mask,
        value: UInt32(truncatingIfNeeded: value >> shift) & mask,
        holds: holds
      )
    }
  }
}

extension ForbiddenCalls.Subject {
  /// The calls, with any arguments.
  fileprivate var facts: [CallFact] {
    func fact(_ architecture: CallArchitecture, _ numbers: [ClosedRange<UInt32>]) -> CallFact {
      CallFact(
        architectures: [architecture.auditArchitecture...architecture.auditArchitecture],
        numbers: numbers
      )
    }
    func own(_ architecture: CallArchitecture) -> ClosedRange<UInt32> {
      switch architecture {
      case .x32: CallArchitecture.x32Bit ... .max
      case .x86: 0...CallArchitecture.x32Bit - 1
      case .i386, .arm64, .arm, .riscv, .power, .s390: 0 ... .max
      }
    }
    switch self {
    case .call(let name):
      return CallArchitecture.allCases.compactMap { architecture in
        CallTable.of(architecture).number(of: name).map { fact(architecture, [$0...$0]) }
      }
    case .every(let architecture): return [fact(architecture, [own(architecture)])]
    case .unknown(let architecture):
      var rest = [own(architecture)]
      for number in CallTable.of(architecture).numbers {
        rest = rest.flatMap { range -> [ClosedRange<UInt32>] in
          guard range.contains(number) else { return [range] }
          return (number > range.lowerBound ? [range.lowerBound...number - 1] : [])
            + (number < range.upperBound ? [number + 1...range.upperBound] : [])
        }
      }
      return [fact(architecture, rest)]
    }
  }
}
