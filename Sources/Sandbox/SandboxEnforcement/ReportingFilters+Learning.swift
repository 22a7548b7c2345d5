// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension ReportingFilters {
  /// Creates the two filters of a learning session.
  ///
  /// The first filter reports the calls that the original refuses with any return value, or all calls. The
  /// second filter revokes the exemption of the launcher's calls and includes ``LearningCoreFilter``.
  package init(learning scope: LearningScope, from original: [UInt8], mark: UInt64) {
    let asked = scope == .everyCall ? Self.reportingAll.bytes : []
    self.init(
      FilterInstruction.all(of: asked + original),
      reporting: [.report, .notPermitted, .notImplemented, .notSupported],
      mark: mark,
      coreFilter: LearningCoreFilter.program
    )
  }

  /// The instructions that report every call except those of ``LearningScope/unreportedCalls``, which the
  /// following instructions decide.
  private static var reportingAll: FilterAssembly {
    var part = FilterAssembly()
    part.load(.architecture)
    part.jump(.equal, MachineArchitecture.native.auditArchitecture, true: 1, false: 0)
    part.finish(.killProcess)
    part.load(.number)
    let numbers = LearningScope.unreportedCalls.compactMap { SystemCallTable.native.numbers[$0] }
    for (index, number) in numbers.enumerated() {
      part.jump(.equal, UInt32(number), true: UInt8(numbers.count - index), false: 0)
    }
    part.finish(.report)
    return part
  }
}
