// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Exits this process (exit(3)).
  package static func end(_ code: Int32) -> Never { exit(code) }

  /// Writes a line to standard error. Failures are ignored because they cannot be reported.
  package static func writeToStandardError(_ sentence: String) {
    let error = Descriptor(owning: 2)
    try? error.writeAll(Array((sentence + "\n").utf8))
    _ = error.release()
  }
}
