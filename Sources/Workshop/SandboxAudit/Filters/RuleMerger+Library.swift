// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import PolicyInterchange
internal import SandboxEnforcement
internal import SystemCalls

extension RuleMerger {
  /// The rule merger that uses the libseccomp of this machine.
  package static let libseccomp = RuleMerger(
    library: "libseccomp \(LibseccompSystemCalls.version)",
    merge: compile
  )

  /// Compiles the rules of a profile.
  @Sendable private static func compile(_ profile: CallProfile) throws(Failure) -> Merged {
    let compiled: LibseccompRules.Compiled
    do throws(LibseccompRules.Failure) {
      compiled = try LibseccompRules(profile).compile()
    } catch {
      switch error {
      case .conflict(let call): throw .conflict(call: call)
      case .library(let error): throw .other("\(error)")
      }
    }
    do throws(FilterProgramError) {
      return Merged(try FilterProgram(bytes: compiled.program), unknownCalls: Set(compiled.unknownCalls))
    } catch { throw .other("\(error)") }
  }
}

extension LibseccompRules {
  /// Creates the rules that a container runtime adds for a profile.
  fileprivate init(_ profile: CallProfile) {
    // libseccomp uses a separate token for x32.
    let tokens = profile.architectures.map { $0 == .x32 ? 0x4000_003E : $0.auditArchitecture }
    self.init(
      defaultAction: profile.defaultAction.returnValue,
      architectures: tokens,
      otherArchitectures: profile.otherArchitectures.returnValue
    )
    for rule in profile.rules {
      let comparisons = rule.conditions.compactMap(Comparison.init)
      rules += rule.calls.map { Rule(rule.action.returnValue, $0, comparisons) }
    }
  }
}

extension LibseccompRules.Comparison {
  /// Creates a comparison, or returns `nil` for an operation that only minijail has.
  fileprivate init?(_ comparison: ArgumentComparison) {
    let (index, value) = (comparison.index, comparison.value)
    switch comparison.operation {
    case .equal: self.init(index, .equal, value)
    case .notEqual: self.init(index, .notEqual, value)
    case .less: self.init(index, .less, value)
    case .lessOrEqual: self.init(index, .lessOrEqual, value)
    case .greater: self.init(index, .greater, value)
    case .greaterOrEqual: self.init(index, .greaterOrEqual, value)
    case .masked(let mask): self.init(index, .masked, mask, value)
    case .anyBit: return nil
    }
  }
}
