// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import FilterAnalysis
internal import LaunchPlanning
internal import PolicyExplanation
package import PolicyLint
internal import PolicyProof
internal import SystemCalls

extension FilterSource {
  /// Returns the facts that a check uses about a filter that is not a Darkroom policy.
  package func facts(name: String, under foreign: Supervision) throws(FilterSourceError) -> ForeignFilterFacts
  {
    let supervision = supervision(foreign: foreign)
    let invariants: [Invariant]
    do { invariants = try FilterInspection.invariants() } catch { throw .machine(error) }
    let space = CallSpace()
    do {
      let permitted = try behavior(in: space, name: name).permitted(under: supervision)
      var violations: [(name: String, reason: String, example: String)] = []
      for invariant in invariants {
        let broken = try permitted.intersection(invariant.set(in: space))
        guard let call = try broken.witness(preferring: Self.architectures) else { continue }
        violations.append((invariant.name, invariant.reason, CallName.text(call)))
      }
      return ForeignFilterFacts(
        source: name,
        violations: violations,
        unknownCall: try Self.unknown(permitted).map(CallName.text),
        foreignCall: try Self.foreign(permitted).map(CallName.text),
        remarks: remarks + libraryRemarks
      )
    } catch let failure as FilterSourceError { throw failure } catch {
      throw .analysis(name: name, error)
    }
  }

  /// Returns an allowed call of this machine whose number is above all known numbers, or `nil` if there is
  /// none.
  private static func unknown(_ permitted: CallSet) throws(AnalysisError) -> SeccompData? {
    let space = permitted.space
    var set = space.nothing
    for architecture in CallArchitecture.ofThisMachine where architecture != .x32 {
      let newest = CallTable.of(architecture).numbers.max() ?? 0
      let numbers = try space.numbers(newest + 1...CallArchitecture.x32Bit - 1)
      set = try set.union(space.architecture(architecture.auditArchitecture).intersection(numbers))
    }
    return try permitted.intersection(set).witness(preferring: architectures)
  }

  /// Returns an allowed call of an architecture that is not an architecture of this machine, or `nil` if
  /// there is none.
  private static func foreign(_ permitted: CallSet) throws(AnalysisError) -> SeccompData? {
    var rest = permitted
    for architecture in CallArchitecture.allCases {
      rest = try rest.subtracting(permitted.space.architecture(architecture.auditArchitecture))
    }
    return try rest.witness()
  }

  /// The architectures in which an example is searched first.
  private static let architectures = CallArchitecture.ofThisMachine.map(\.auditArchitecture)
}
