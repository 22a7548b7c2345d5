// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import SandboxEnforcement
internal import Synchronization

/// The filter programs that a launch installs, for tools that inspect them.
package struct InstalledFilters: Sendable, Hashable {
  /// The programs in the order of their installation: a single program, or the two programs that report
  /// refused calls.
  package let programs: [[UInt8]]

  /// Creates the programs for a compiled filter.
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

  /// The sixth argument of the launcher's calls between the installation of the two programs.
  package static let mark = UInt64(DARKROOM_LAUNCHERS_MARK)
}
