// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
package import PolicyExplanation
internal import SandboxEnforcement
package import SandboxPolicy
package import SystemCalls

/// The explanation of a call under a policy, which was compared with the compiled filter for all arguments.
package struct CheckedExplanation: Sendable {
  /// The explanation.
  package let explanation: CallExplanation
  /// The reason why the explanation must not be relied on, or `nil` if the compiled filter agrees. A reason is a defect of
  /// Darkroom.
  package let defect: String?

  /// Explains a call under a policy.
  package init(
    of call: ParsedCall,
    under policy: ResolvedPolicy,
    mode: SessionMode
  ) throws(FilterSourceError) {
    explanation = CallExplanation(of: call, under: policy, mode: mode)
    let filter: SeccompFilter
    do { filter = try SeccompCompiler.compile(mode.effective(policy)) } catch { throw .machine(error) }
    do {
      let found = try explanation.disagreement(with: FilterProgram(bytes: filter.instructions))
      defect = found.map { found in
        "INTERNAL ERROR: do not rely on this explanation: \(found); please report it with the policy"
      }
    } catch {
      defect = "the explanation could not be compared with the compiled filter: \(error)"
    }
  }
}
