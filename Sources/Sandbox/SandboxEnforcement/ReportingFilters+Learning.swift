// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension ReportingFilters {
  /// Derives the two of a session that is to be learned from.
  ///
  /// The first reports what the original refuses, with whatever answer, or every call. The second takes back what the
  /// first lets the launcher do, and is the ``LearningCeiling`` besides.
  package init(learning scope: LearningScope, from original: [UInt8], mark: UInt64) {
    let asked = scope == .everyCall ? Self.reportingAll.bytes : []
    self.init(
      FilterInstruction.all(of: asked + original),
      reporting: [.report, .notPermitted, .notImplemented, .notSupported],
      mark: mark,
      ceiling: LearningCeiling.program
    )
  }

  /// Reports every call but a few, which are left to what follows.
  private static var reportingAll: FilterAssembly {
    var part = FilterAssembly()
    part.load(.architecture)
    part.jump(.equal, MachineArchitecture.native.auditNumber, true: 1, false: 0)
    part.finish(.killProcess)
    part.load(.number)
    let numbers = LearningScope.unaskedCalls.compactMap { SystemCallTable.native.numbers[$0] }
    for (index, number) in numbers.enumerated() {
      part.jump(.equal, UInt32(number), true: UInt8(numbers.count - index), false: 0)
    }
    part.finish(.report)
    return part
  }
}
