// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Diagnoses system calls that a filter outside Darkroom refuses.
package enum CallDiagnosis {
  /// Returns the finding about the calls that a host makes after it has executed a session's program.
  package static func finding(_ facts: MachineFacts) -> MachineFinding {
    if !facts.refusedCalls.required.isEmpty {
      let refusal = CallRefusal(facts.refusedCalls.required, by: facts.filter, kernel: facts.kernel)
      let detail =
        "\(refusal.reason): sessions cannot be launched, because their content could be neither migrated nor erased"
      return MachineFinding("calls", .missing, detail, [fix(refusal)])
    }
    guard !facts.refusedCalls.replaced.isEmpty else {
      return MachineFinding(
        "calls",
        .present,
        "all system calls that the content of a session requires are allowed"
      )
    }
    let refusal = CallRefusal(facts.refusedCalls.replaced, by: facts.filter, kernel: facts.kernel)
    let hasOpening = facts.refusedCalls.replaced.contains { $0.name == "openat2" }
    let unit = hasOpening ? "; RestrictSUIDSGID=yes in a systemd unit refuses openat2" : ""
    return MachineFinding(
      "calls",
      .advice,
      "\(refusal.reason): the host uses slower replacements\(unit)"
    )
  }

  /// Returns the cause for system call filters that another program has installed on this process.
  package static func filtered(_ facts: MachineFacts) -> Cause {
    let owner =
      facts.filter.unit.map { "the unit \($0)" } ?? facts.filter.container.map { "the container (\($0))" }
      ?? "the program that started this process"
    let count = facts.filter.count == 1 ? "a seccomp filter" : "\(facts.filter.count) seccomp filters"
    let service = Fix(
      "In a systemd service, remove RestrictNamespaces= and SystemCallFilter= from the unit",
      facts.filter.unit.map { ["systemctl edit --full \($0)"] } ?? []
    )
    var cause = Cause(
      "\(owner) has installed \(count) on this process, which can refuse clone, clone3, unshare and mount"
    )
    cause.fixes =
      facts.filter.unit == nil
      ? [ContainerDiagnosis.docker, ContainerDiagnosis.kubernetes, service] : [service]
    return cause
  }

  /// Returns the causes of an error number that filters return, if the facts show no other cause.
  static func causes(of errno: Errno, _ facts: MachineFacts) -> [Cause] {
    guard facts.filter.count > 0, [.notImplemented, .notPermitted, .permissionDenied].contains(errno) else {
      return []
    }
    return [filtered(facts)]
  }

  /// Returns the fix for a refusal.
  static func fix(_ refusal: CallRefusal) -> Fix {
    Fix(refusal.fix.prefix(1).uppercased() + refusal.fix.dropFirst())
  }
}
