// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// A filter that reports what it refuses, and the one that completes it.
///
/// Where the original answers `EPERM`, the first answers with a user notification (seccomp_unotify(2)): the call waits
/// until the host has refused it, and fails with `ENOSYS` if there is no host any more. Its listener has to be sent to
/// the host from behind the filter, so the first lets two calls through that no policy allows, and the second takes
/// them back: of the answers of two filters the stricter one counts, so together they allow what the original allows.
package struct ReportingFilters: Sendable, Hashable {
  /// Installed first, with a listener.
  package let first: [UInt8]
  /// Installed second.
  package let closing: [UInt8]

  /// How many instructions the first filter has beyond those of the original.
  static let additionalInstructions = 13
  /// How many instructions a first filter has at most beyond those of the original, whatever it reports.
  static let mostAdditionalInstructions = additionalInstructions + LearningScope.additionalInstructions

  /// Joins the two.
  init(first: [UInt8], closing: [UInt8]) {
    self.first = first
    self.closing = closing
  }

  /// Derives the two. `sendingFlags` are those of the one sendmsg(2) that sends the listener, `closingFlags` those of
  /// the one seccomp(2) that installs the second filter.
  package init(_ original: [UInt8], sendingFlags: UInt32, closingFlags: UInt32) {
    let calls = Calls(sendingFlags: sendingFlags, closingFlags: closingFlags)
    let opening = calls.answering(.allow)
    precondition(opening.count == Self.additionalInstructions)
    first = opening.bytes + Self.replacing([.notPermitted], in: original)
    var last = calls.answering(.notPermitted)
    last.finish(.allow)
    closing = last.bytes
  }

  /// Makes a report of some answers of a program.
  static func replacing(_ answers: [FilterAssembly.Action], in original: [UInt8]) -> [UInt8] {
    var report = FilterAssembly()
    report.finish(.report)
    let refusals = answers.map { answer in
      var refusal = FilterAssembly()
      refusal.finish(answer)
      return refusal.bytes
    }
    var program = original
    for start in stride(from: 0, to: original.count, by: SeccompFilter.instructionSize)
    where original[start] == UInt8(FilterAssembly.finishing) {
      let instruction = start..<start + SeccompFilter.instructionSize
      if refusals.contains(where: { original[instruction].elementsEqual($0) }) {
        program.replaceSubrange(instruction, with: report.bytes)
      }
    }
    return program
  }

  /// The two calls between the filters.
  struct Calls {
    /// The third argument of sendmsg(2).
    var sendingFlags: UInt32
    /// The second argument of seccomp(2).
    var closingFlags: UInt32

    /// Gives both the same answer and leaves every other call to what follows.
    func answering(_ action: FilterAssembly.Action) -> FilterAssembly {
      let table = SystemCallTable.native
      var part = FilterAssembly()
      part.load(.architecture)
      // Another architecture's calls are the original's to answer.
      part.jump(.equal, MachineArchitecture.native.auditNumber, true: 0, false: 11)
      part.load(.number)
      part.jump(.equal, number("sendmsg", table), true: 0, false: 3)
      part.load(.argument(2))
      part.jump(.equal, sendingFlags, true: 0, false: 7)
      part.finish(action)
      part.jump(.equal, number("seccomp", table), true: 0, false: 5)
      part.load(.argument(0))
      part.jump(.equal, Self.setModeFilter, true: 0, false: 3)
      part.load(.argument(1))
      part.jump(.equal, closingFlags, true: 0, false: 1)
      part.finish(action)
      return part
    }

    /// The corresponding constant is `SECCOMP_SET_MODE_FILTER`.
    private static let setModeFilter: UInt32 = 1

    private func number(_ call: String, _ table: SystemCallTable) -> UInt32 {
      guard let number = table.numbers[call] else { preconditionFailure("every table has \(call)") }
      return UInt32(number)
    }
  }
}
