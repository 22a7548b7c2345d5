// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import SandboxEnforcement
internal import Synchronization

/// The programs that a launch installs, for whoever wants to look at what is really loaded.
package struct InstalledFilters: Sendable, Hashable {
  /// The programs, the first one installed first: one, or the pair that reports.
  package let programs: [[UInt8]]

  /// What a launch makes of a compiled filter.
  package init(_ filter: [UInt8], _ refusals: LaunchPlan.RefusalReports) {
    switch refusals {
    case .silent: programs = [filter]
    case .reported:
      let pair = ReportingFilters(filter, mark: Self.mark)
      programs = [pair.first, pair.closing]
    case .learned(let scope):
      let pair = ReportingFilters(learning: scope, from: filter, mark: Self.mark)
      programs = [pair.first, pair.closing]
    }
  }

  /// The sixth argument of the launcher's calls between the programs.
  package static let mark = UInt64(DARKROOM_LAUNCHERS_MARK)
}
