// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import Policies
package import PolicyProof
internal import SandboxEnforcement
package import SandboxLaunch
package import SandboxPolicy

/// Looks at compiled filters before anybody loads them.
package enum FilterInspection {
  /// What holds under every policy of this host.
  package static func invariants() throws(FilterInspectionError) -> [Invariant] {
    do {
      return try InvariantDocument(
        ShippedPolicies.invariants.text,
        source: ShippedPolicies.invariants.source
      ).invariants
    } catch { throw .invariants(error) }
  }

  /// How the programs of a launch report what they refuse.
  package static let reportingTerms = ReportingTerms(
    launcherCalls: LauncherCalls.names,
    mark: InstalledFilters.mark
  )

  /// What the programs of a launch are proved to do, the first one installed first.
  package static func prove(
    _ programs: [[UInt8]],
    _ policy: ResolvedPolicy,
    _ refusals: LaunchPlan.RefusalReports,
    invariants: [Invariant] = []
  ) throws(FilterInspectionError) -> FilterProof {
    let programs = try programs.map(decoded)
    let invariants = try self.invariants() + invariants
    let terms: ReportingTerms?
    switch refusals {
    case .silent: terms = nil
    case .reported: terms = reportingTerms
    // The host may let through whatever it is asked, and so no invariant may rest on its answer. What the policy says does
    // not hold: that is what learning is.
    case .learned: return FilterProver(invariants: invariants, supervision: .unknown).prove(programs)
    }
    return FilterProver(invariants: invariants, supervision: .notificationsRefused)
      .prove(programs, FilterProver.Expectation(PolicyMeaning(policy), reporting: terms))
  }

  /// A program as the kernel accepts it.
  package static func decoded(_ bytes: [UInt8]) throws(FilterInspectionError) -> FilterProgram {
    do { return try FilterProgram(bytes: bytes) } catch { throw .program(error) }
  }
}

/// Why nothing can be said of a filter.
package enum FilterInspectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kernel would not take the program.
  case program(FilterProgramError)
  /// The invariants cannot be read.
  case invariants(InvariantError)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .program(let error): "the compiled filter is none that the kernel takes: \(error)"
    case .invariants(let error): "the invariants cannot be read: \(error)"
    }
  }
}
