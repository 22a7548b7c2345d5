// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import JSONText
package import SandboxPolicy
internal import SystemCalls

/// A policy imported from another format, with everything that was lost or changed.
package struct PolicyImport: Sendable {
  /// The policy document.
  package var document: JSONValue
  /// The differences between the original and the policy.
  package var losses: [InterchangeLoss]

  /// A reason why an import failed.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    /// The exact analysis exceeded its limits.
    case analysis(AnalysisError)
    /// The document is invalid. Only the given name can cause this.
    case document(PolicyDiagnostics)

    /// The reason as text; one line for each diagnostic of a document.
    package var description: String {
      switch self {
      case .analysis(let error): "\(error)"
      case .document(let diagnostics): "\(diagnostics)"
      }
    }
  }

  /// Creates a policy from a parsed file, and proves which calls the policy omits or adds.
  ///
  /// - Parameters:
  ///   - foreign: The parsed file.
  ///   - name: The name of the policy.
  ///   - description: The description of the policy.
  ///   - supervision: The known behavior of the processes that answer calls instead of the file's filter.
  /// - Throws: ``Failure`` if the analysis exceeds its limits, or if the name is invalid.
  package init(
    _ foreign: ForeignProfile,
    name: String,
    description: String,
    under supervision: Supervision = .unknown
  ) throws(Failure) {
    let space = CallSpace()
    let original: FilterBehavior
    let profile: CallProfile? = if case .profile(let profile) = foreign.content { profile } else { nil }
    do {
      original = try foreign.behavior(in: space)
      let draft = try PolicyDraft(original, of: profile)
      document = draft.document(name: name, description: description, foreign.resources)
    } catch { throw .analysis(error) }
    let policy: ResolvedPolicy
    do {
      let text = document.bytes(.indented)
      policy = try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "\(name).json"))
    } catch { throw .document(error) }
    do {
      let result = try CallProfile(policy).behavior(in: space)
      losses =
        try foreign.losses + Self.architectureLosses(original, supervision)
        + AllowanceComparison(original: original, under: supervision, result: result).losses()
    } catch { throw .analysis(error) }
  }

  /// Returns the losses for calls of other architectures, which no policy allows.
  private static func architectureLosses(
    _ original: FilterBehavior,
    _ supervision: Supervision
  ) throws(AnalysisError) -> [InterchangeLoss] {
    let space = original.space
    let native = try space.architecture(CallArchitecture.native.auditArchitecture)
    var architectureLosses: [InterchangeLoss] = []
    var rest = try original.permitted(under: supervision).subtracting(native)
    var names: [String] = []
    for architecture in CallArchitecture.allCases
    where architecture.auditArchitecture != CallArchitecture.native.auditArchitecture {
      let part = try space.architecture(architecture.auditArchitecture)
      if !(try rest.intersection(part).isEmpty) { names.append(architecture.rawValue) }
      rest = try rest.subtracting(part)
    }
    if !rest.isEmpty { names.append("others") }
    if !names.isEmpty {
      architectureLosses.append(InterchangeLoss("", .otherArchitectures(names), .stricter))
    }
    return architectureLosses
  }
}
