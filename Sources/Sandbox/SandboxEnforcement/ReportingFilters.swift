// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// A filter that reports refused calls to the host, and a second filter that completes it.
///
/// Where the original filter returns `EPERM`, the first filter returns a user notification
/// (seccomp_unotify(2)). The call waits until the host refuses it, and fails with `ENOSYS` if the host has
/// exited.
///
/// The first filter is installed long before the program starts, so it allows the launcher's calls, which
/// carry a mark. The second filter is installed last and kills a process that makes a marked call. The
/// stricter result of two filters counts, so both together allow exactly what the original allows.
package struct ReportingFilters: Sendable, Hashable {
  /// The program that is installed first, with a listener.
  package let first: [UInt8]
  /// The program that is installed second.
  package let closing: [UInt8]

  /// The maximum number of instructions that a first filter has in addition to those of the original.
  static let maximumAdditionalInstructions =
    LauncherCalls.Marked.maximumInstructions + 1 + LearningScope.additionalInstructions

  /// Creates both filters from the original. `mark` is the sixth argument of the launcher's calls.
  package init(_ original: [UInt8], mark: UInt64) {
    self.init(FilterInstruction.all(of: original), reporting: [.notPermitted], mark: mark, coreFilter: [])
  }

  /// Creates both filters from a program, replacing some of its return values by a report unless the call is
  /// the launcher's.
  ///
  /// An allowed call runs no additional instruction. The refusals of `coreFilter` hold whatever the host answers
  /// to a report.
  init(
    _ program: [FilterInstruction],
    reporting answers: [FilterAssembly.Action],
    mark: UInt64,
    coreFilter: [UInt8]
  ) {
    let marked = LauncherCalls.Marked(notAllowedBy: program, mark: mark)
    var first = FilterAssembly()
    for (place, instruction) in program.enumerated() {
      let isReported = answers.contains { instruction == .finish($0.rawValue) }
      first.append(isReported ? .skip(program.count - place - 1) : instruction)
    }
    first.append(marked.answering(.allow))
    first.finish(.report)
    self.first = first.bytes
    var closing = marked.answering(.killProcess)
    if coreFilter.isEmpty { closing.finish(.allow) }
    self.closing = closing.bytes + coreFilter
  }
}
