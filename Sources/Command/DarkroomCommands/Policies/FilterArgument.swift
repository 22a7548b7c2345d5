// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import LaunchPlanning
internal import LinuxPrimitives
internal import SandboxAudit

/// An argument that names a filter, and the exit codes for its errors.
enum FilterArgument {
  /// The kind of value.
  static let value = ValueKind.choiceOrFile(PolicyFinder.shippedNames)
  static let help =
    "A shipped policy, or the path of a document, a compiled filter, a seccomp profile (OCI, Docker, Podman), a systemd unit, "
    + "or a minijail policy (.policy); - for standard input, \(FilterSource.processPrefix)PID, or "
    + "\(FilterSource.stackPrefix)OLDEST,...,NEWEST"
}

extension CommandFailure {
  /// Creates the failure for an error of a filter.
  init(_ error: FilterSourceError) {
    switch error {
    case .policy(let error): self = SessionCommands.failure(error)
    case .process(_, .noProcess), .unreadable: self.init(.missing, "\(error)")
    case .notProcessID, .notStack, .notSingleProgram: self.init(.usage, "\(error)")
    case .tooLarge, .profile, .notFilter, .compiler, .rules, .conflict, .library, .analysis:
      self.init(.data, "\(error)")
    case .process, .processFilter, .machine: self.init(.machine, "\(error)")
    case .notEqual, .comparison: self.init(.breach, "\(error)")
    case .noCertificate: self.init(.unavailable, "\(error)")
    case .notWritten: self.init(.output, "\(error)")
    }
  }

  /// Runs an operation on filters, and converts its errors to command failures.
  static func mappingFilterErrors<Result>(
    _ body: () throws(FilterSourceError) -> Result
  ) throws(CommandFailure) -> Result {
    do { return try body() } catch { throw CommandFailure(error) }
  }
}
