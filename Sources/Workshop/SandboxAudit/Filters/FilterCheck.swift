// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import LaunchPlanning
package import PolicyLint
package import SandboxPolicy

/// The check of a policy, of a document with mistakes, or of a filter of another program.
package struct FilterCheck: Sendable {
  /// The argument that named the policy or filter.
  package let name: String
  private let subject: Subject

  /// The kinds of subjects of a check.
  private enum Subject: Sendable {
    case policy(ResolvedPolicy)
    /// A policy document with mistakes.
    case mistakes(PolicyDiagnostics)
    /// A filter that is not a Darkroom policy.
    case foreign(ForeignFilterFacts)
  }

  /// Reads the policy or filter that an argument names. `foreign` is the auditor's statement about the
  /// processes that answer on behalf of foreign filters.
  package init(_ name: String, under foreign: Supervision) throws(FilterSourceError) {
    self.name = name
    switch try FilterSource.identify(name) {
    case .foreign(let source): subject = .foreign(try source.facts(name: name, under: foreign))
    case .named(let name):
      subject = try Self.policy { () throws(PolicyFindingError) in try PolicyFinder.find(name) }
    case .document(let text, let path):
      subject = try Self.policy { () throws(PolicyFindingError) in try PolicyFinder.document(text, at: path) }
    }
  }

  private static func policy(
    _ find: () throws(PolicyFindingError) -> FoundPolicy
  ) throws(FilterSourceError) -> Subject {
    do throws(PolicyFindingError) { return .policy(try find().policy) } catch {
      if case .diagnostics(let diagnostics) = error { return .mistakes(diagnostics) }
      throw .policy(error)
    }
  }

  /// The policy, or `nil` if the argument does not name a valid policy.
  package var policy: ResolvedPolicy? {
    if case .policy(let policy) = subject { policy } else { nil }
  }

  /// Returns the findings with facts about a machine.
  package func findings(_ machine: MachineEvidence) -> [LintFinding] {
    switch subject {
    case .policy(let policy): PolicyLinter.findings(in: policy, machine: machine)
    case .mistakes(let diagnostics): PolicyLinter.findings(for: diagnostics)
    case .foreign(let facts): PolicyLinter.findings(in: facts)
    }
  }
}
