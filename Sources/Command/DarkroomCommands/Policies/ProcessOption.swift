// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import SandboxAudit

/// The option that names a running process instead of a filter.
enum ProcessOption {
  /// The option.
  static let spec = OptionSpec.value(
    "pid",
    "PID",
    .integer(1...Int(Int32.max)),
    help: "Read the installed filters of the process PID (as root)"
  )

  /// Returns the argument that names the process, or `nil` if the option is not given.
  static func argument(_ parsed: ParsedCommand) -> String? {
    parsed.value(of: spec).map { FilterSource.processPrefix + $0 }
  }
}
