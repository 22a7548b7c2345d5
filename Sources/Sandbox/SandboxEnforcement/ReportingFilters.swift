// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// A filter that reports what it refuses, and the one that completes it.
///
/// Where the original answers `EPERM`, the first answers with a user notification (seccomp_unotify(2)): the call waits
/// until the host has refused it, and fails with `ENOSYS` if there is no host any more. It is installed long before the
/// program, so it lets the launcher's calls through, which are known by a mark; and the second, which is installed last,
/// kills who makes one of them: of the answers of two filters the stricter one counts, so together they allow what the
/// original allows.
package struct ReportingFilters: Sendable, Hashable {
  /// Installed first, with a listener.
  package let first: [UInt8]
  /// Installed second.
  package let closing: [UInt8]

  /// How many instructions a first filter has at most beyond those of the original, whatever it reports.
  static let mostAdditionalInstructions =
    LauncherCalls.Marked.mostInstructions + 1 + LearningScope.additionalInstructions

  /// Derives the two. `mark` is the sixth argument of the launcher's calls.
  package init(_ original: [UInt8], mark: UInt64) {
    self.init(FilterInstruction.all(of: original), reporting: [.notPermitted], mark: mark, ceiling: [])
  }

  /// Makes a report of some answers of a program, unless the call is the launcher's. What is allowed takes no instruction
  /// more than it did. `ceiling` is what is refused besides, whatever is answered to a report.
  init(
    _ program: [FilterInstruction],
    reporting answers: [FilterAssembly.Action],
    mark: UInt64,
    ceiling: [UInt8]
  ) {
    let marked = LauncherCalls.Marked(beside: program, mark: mark)
    var first = FilterAssembly()
    for (place, instruction) in program.enumerated() {
      let isReported = answers.contains { instruction == .finish($0.rawValue) }
      first.append(isReported ? .skip(program.count - place - 1) : instruction)
    }
    first.append(marked.answering(.allow))
    first.finish(.report)
    self.first = first.bytes
    var closing = marked.answering(.killProcess)
    if ceiling.isEmpty { closing.finish(.allow) }
    self.closing = closing.bytes + ceiling
  }
}
