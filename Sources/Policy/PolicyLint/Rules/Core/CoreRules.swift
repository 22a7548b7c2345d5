// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about grants that no policy may contain, one for each core area.
extension PolicyRule {
  /// The rule for each core area.
  static let core: [CoreArea: PolicyRule] = Dictionary(
    uniqueKeysWithValues: CoreArea.allCases.map { ($0, core($0)) }
  )

  /// The rules sorted by ID.
  static let coreRules: [PolicyRule] = CoreArea.allCases.compactMap { core[$0] }
    .sorted { $0.description.id < $1.description.id }

  /// Returns the rule for a core area.
  ///
  /// The parser already rejects such grants in documents and reports them as findings. This rule checks
  /// policies that were not created by the parser.
  private static func core(_ area: CoreArea) -> PolicyRule {
    let (id, name, summary) = area.ruleName
    let reason = area.reason
    return PolicyRule(
      id,
      name,
      .error,
      summary: summary,
      justification: "No policy can allow it: \(reason).",
      remediation: area.remediation
    ) { linted in
      linted.policy.calls.filter { PolicyCore.violation(of: $0) == area }.map { rule in
        RuleHit(
          rule.call,
          rule.origin,
          "\(linted.displayName(rule)) can never be allowed this way: \(reason)"
        )
      }
    }
  }
}

extension CoreArea {
  /// The ID, the name and the summary of the area's rule. IDs stay the same if areas are added or removed.
  fileprivate var ruleName: (id: String, name: String, summary: String) {
    switch self {
    case .network: ("DR0201", "network", "A socket call is allowed, or socketpair for any family")
    case .namespaces: ("DR0202", "namespaces", "Namespaces can be created or entered")
    case .mounts: ("DR0203", "mounts", "Mounts can be seen or changed")
    case .asynchronousCalls: ("DR0204", "asynchronous-calls", "io_uring is allowed")
    case .keyrings: ("DR0205", "keyrings", "The kernel's keyrings are accessible")
    case .otherProcesses: ("DR0206", "ptrace-family", "Other processes can be traced, read or written")
    case .kernelPrograms:
      ("DR0207", "kernel-programs", "Programs can be loaded into the kernel, or the kernel can be traced")
    case .userFaults: ("DR0208", "user-faults", "Page faults can be handled by the program")
    case .fileHandles: ("DR0209", "file-handles", "Files outside the root can be opened")
    case .machine: ("DR0210", "machine", "The machine can be changed")
    case .clock: ("DR0211", "clock", "The machine's clocks can be set")
    case .hardware: ("DR0212", "hardware", "Hardware can be used directly")
    case .personality: ("DR0213", "personality", "Any personality(2) can be set")
    case .filterListeners: ("DR0214", "filter-listeners", "A filter with a listener can be installed")
    case .deviceRequests:
      ("DR0215", "ioctl-without-request", "ioctl is allowed for arbitrary or harmful requests")
    case .hiddenFlags: ("DR0216", "hidden-flags", "A call is allowed whose flags are invisible to filters")
    case .scheduling: ("DR0217", "scheduling", "Other processes can be deprived of processor or disk time")
    }
  }

  /// The fix for a finding.
  fileprivate var remediation: String {
    let limited = PolicyCore.requirements.filter { $0.value.area == self }.sorted { $0.key < $1.key }
    let removal = PolicyCore.forbidden[self] == nil ? [] : ["Remove the call."]
    return (removal + limited.map { "\"\($0.key)\" can be allowed with \($0.value)." }).joined(separator: " ")
  }
}
