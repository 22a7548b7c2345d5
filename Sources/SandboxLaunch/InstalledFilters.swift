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
      let pair = ReportingFilters(
        filter,
        sendingFlags: Self.sendingFlags,
        closingFlags: Self.closingFlags
      )
      programs = [pair.first, pair.closing]
    case .learned(let scope):
      let pair = ReportingFilters(
        learning: scope,
        from: filter,
        sendingFlags: Self.sendingFlags,
        closingFlags: Self.closingFlags
      )
      programs = [pair.first, pair.closing]
    }
  }

  /// What was made for the last launches, the latest in front.
  private static let latest = Mutex<
    [(filter: [UInt8], refusals: LaunchPlan.RefusalReports, made: InstalledFilters)]
  >([])
  /// A host has few policies at a time.
  private static let mostLatest = 8

  /// What a launch makes of a compiled filter, made once for a filter that is launched with again and again.
  static func remembered(_ filter: [UInt8], _ refusals: LaunchPlan.RefusalReports) -> InstalledFilters {
    latest.withLock { latest in
      if let index = latest.firstIndex(where: { $0.refusals == refusals && $0.filter == filter }) {
        if index > 0 { latest.insert(latest.remove(at: index), at: 0) }
        return latest[0].made
      }
      let made = InstalledFilters(filter, refusals)
      latest.insert((filter, refusals, made), at: 0)
      if latest.count > mostLatest { latest.removeLast() }
      return made
    }
  }

  /// The flags of the one sendmsg(2) that sends the listener to the host, between the programs.
  package static let sendingFlags = UInt32(DARKROOM_SENDING_FLAGS)
  /// The flags of the one seccomp(2) that installs the second program.
  package static let closingFlags = UInt32(DARKROOM_CLOSING_FLAGS)
}
