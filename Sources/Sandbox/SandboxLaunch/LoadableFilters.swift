// SPDX-License-Identifier: Apache-2.0

internal import SandboxEnforcement
internal import Synchronization

/// The programs of ``InstalledFilters`` in memory that the kernel can read.
///
/// `@unchecked Sendable`, because the memory is not written after the initialization.
final class LoadableFilters: @unchecked Sendable {
  /// A filter program in memory.
  struct Program {
    /// The instructions.
    var start: UnsafeRawPointer
    /// The number of instructions.
    var count: UInt16
  }

  /// The program that is installed first.
  let first: Program?
  /// The program that is installed second, or `nil`.
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

  /// The programs of the last launches, most recently used first.
  private static let latest = Mutex<
    [(filter: [UInt8], refusals: LaunchPlan.RefusalReports, made: LoadableFilters)]
  >([])
  /// The maximum number of cached programs. A host uses few policies at a time.
  private static let mostLatest = 8

  /// Returns the programs for a compiled filter from the cache, or creates them.
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
