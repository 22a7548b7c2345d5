// SPDX-License-Identifier: Apache-2.0

internal import SandboxEnforcement
internal import Synchronization

/// The programs of ``InstalledFilters`` where the kernel can read them.
///
/// `@unchecked Sendable`, because what is written once is only read from then on.
final class LoadableFilters: @unchecked Sendable {
  /// A program.
  struct Program {
    /// The instructions.
    var start: UnsafeRawPointer
    /// How many.
    var count: UInt16
  }

  /// The one that is installed first.
  let first: Program?
  /// The one that is installed after it, if there is one.
  let closing: Program?

  private init(_ filters: InstalledFilters) {
    let programs = filters.programs.map(Self.program)
    first = programs.first ?? nil
    closing = programs.dropFirst().first ?? nil
  }

  deinit {
    first?.start.deallocate()
    closing?.start.deallocate()
  }

  private static func program(_ bytes: [UInt8]) -> Program? {
    guard !bytes.isEmpty else { return nil }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    guard let start = memory.baseAddress else { return nil }
    return Program(start: UnsafeRawPointer(start), count: UInt16(bytes.count / SeccompFilter.instructionSize))
  }

  /// What was made for the last launches, the latest in front.
  private static let latest = Mutex<
    [(filter: [UInt8], refusals: LaunchPlan.RefusalReports, made: LoadableFilters)]
  >([])
  /// A host has few policies at a time.
  private static let mostLatest = 8

  /// What a launch makes of a compiled filter, made once for a filter that is launched with again and again.
  static func remembered(_ filter: [UInt8], _ refusals: LaunchPlan.RefusalReports) -> LoadableFilters {
    latest.withLock { latest in
      if let index = latest.firstIndex(where: { $0.refusals == refusals && $0.filter == filter }) {
        if index > 0 { latest.insert(latest.remove(at: index), at: 0) }
        return latest[0].made
      }
      let made = LoadableFilters(InstalledFilters(filter, refusals))
      latest.insert((filter, refusals, made), at: 0)
      if latest.count > mostLatest { latest.removeLast() }
      return made
    }
  }
}
