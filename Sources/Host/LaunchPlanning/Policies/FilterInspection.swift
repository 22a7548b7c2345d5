// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import Policies
package import PolicyProof
internal import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy

/// Analyzes compiled filters before they are loaded.
package enum FilterInspection {
  /// Returns the invariants that hold under every policy of this host.
  package static func invariants() throws(FilterInspectionError) -> [Invariant] {
    do {
      return try InvariantDocument(
        ShippedPolicies.invariants.text,
        source: ShippedPolicies.invariants.source
      ).invariants
    } catch { throw .invariants(error) }
  }

  /// The way in which a launch's programs report refused calls.
  package static let reportingTerms = ReportingParameters(
    launcherCalls: LauncherCalls.names,
    mark: InstalledFilters.mark
  )

  /// Returns the proof of a launch's programs, which are in the order of installation.
  package static func prove(
    _ programs: [[UInt8]],
    _ policy: ResolvedPolicy,
    _ refusals: LaunchPlan.RefusalReports,
    invariants: [Invariant] = []
  ) throws(FilterInspectionError) -> FilterProof {
    let programs = try programs.map(decoded)
    let invariants = try self.invariants() + invariants
    let terms: ReportingParameters?
    switch refusals {
    case .silent: terms = nil
    case .reported: terms = reportingTerms
    // In a learning session the supervisor may allow every reported call, so no invariant may depend on its
    // answer. The policy itself is not proved, because learning does not enforce it.
    case .learned: return FilterProver(invariants: invariants, supervision: .unknown).prove(programs)
    }
    return FilterProver(invariants: invariants, supervision: .notificationsRefused)
      .prove(programs, FilterProver.Expectation(PolicySemantics(policy), reporting: terms))
  }

  /// Returns a program that the kernel would accept.
  package static func decoded(_ bytes: [UInt8]) throws(FilterInspectionError) -> FilterProgram {
    do { return try FilterProgram(bytes: bytes) } catch { throw .program(error) }
  }
}

/// A reason why a filter cannot be analyzed.
package enum FilterInspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel would not accept the program.
  case program(FilterProgramError)
  /// The invariants cannot be read.
  case invariants(InvariantError)

  /// A sentence with the fix, if one is known.
  package var description: String {
    switch self {
    case .program(let error): "the kernel would reject the compiled filter: \(error.reason)"
    case .invariants(let error): "the invariants cannot be read: \(error)"
    }
  }
}
