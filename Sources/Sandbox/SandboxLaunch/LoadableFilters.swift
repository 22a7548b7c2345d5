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
  private static let cache = Mutex<
    [(filter: [UInt8], refusals: LaunchPlan.RefusalReports, made: LoadableFilters)]
  >([])
  /// The maximum number of cached programs. A host uses few policies at a time.
  private static let maximumCached = 8

  /// Returns the programs for a compiled filter from the cache, or creates them.
  static func cached(_ filter: [UInt8], _ refusals: LaunchPlan.RefusalReports) -> LoadableFilters {
    cache.withLock { cache in
      if let index = cache.firstIndex(where: { $0.refusals == refusals && $0.filter == filter }) {
        if index > 0 { cache.insert(cache.remove(at: index), at: 0) }
        return cache[0].made
      }
      let made = LoadableFilters(InstalledFilters(filter, refusals))
      cache.insert((filter, refusals, made), at: 0)
      if cache.count > maximumCached { cache.removeLast() }
      return made
    }
  }
}
