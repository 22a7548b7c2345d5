// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import JSONText
package import SandboxPolicy
internal import SystemCalls

/// A policy made from what another format says, with everything that it does not say or says otherwise.
package struct PolicyImport: Sendable {
  /// The document.
  package var document: JSONValue
  /// What the two sides do not have in common.
  package var losses: [InterchangeLoss]

  /// Why there is no policy.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    /// The exact analysis came to no end.
    case analysis(AnalysisError)
    /// The document has mistakes, of which the name is the only one that can be.
    case document(PolicyDiagnostics)

    /// A sentence, or a line for each mistake.
    package var description: String {
      switch self {
      case .analysis(let error): "\(error)"
      case .document(let diagnostics): "\(diagnostics)"
      }
    }
  }

  /// Makes a policy from what a file says, and proves what it leaves out and adds.
  ///
  /// `supervision` is what is known of the processes that answer calls in place of the file's filter.
  package init(
    _ foreign: ForeignProfile,
    name: String,
    description: String,
    under supervision: Supervision = .unknown
  ) throws(Failure) {
    let space = CallSpace()
    let original: FilterBehavior
    let profile: CallProfile? = if case .profile(let profile) = foreign.meaning { profile } else { nil }
    do {
      original = try foreign.behavior(in: space)
      let draft = try PolicyDraft(original, of: profile)
      document = draft.document(name: name, description: description, foreign.surroundings)
    } catch { throw .analysis(error) }
    let policy: ResolvedPolicy
    do {
      let text = document.bytes(.indented)
      policy = try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "\(name).json"))
    } catch { throw .document(error) }
    do {
      let result = try CallProfile(policy).behavior(in: space)
      losses =
        try foreign.losses + Self.notes(original, supervision)
        + AllowanceComparison(original: original, under: supervision, result: result).losses()
    } catch { throw .analysis(error) }
  }

  /// What no policy has: calls of other architectures.
  private static func notes(
    _ original: FilterBehavior,
    _ supervision: Supervision
  ) throws(AnalysisError) -> [InterchangeLoss] {
    let space = original.space
    let native = try space.architecture(CallArchitecture.native.auditNumber)
    var notes: [InterchangeLoss] = []
    var rest = try original.permitted(under: supervision).subtracting(native)
    var names: [String] = []
    for architecture in CallArchitecture.allCases
    where architecture.auditNumber != CallArchitecture.native.auditNumber {
      let part = try space.architecture(architecture.auditNumber)
      if !(try rest.intersection(part).isEmpty) { names.append(architecture.rawValue) }
      rest = try rest.subtracting(part)
    }
    if !rest.isEmpty { names.append("others") }
    if !names.isEmpty { notes.append(InterchangeLoss("", .otherArchitectures(names), .stricter)) }
    return notes
  }
}
