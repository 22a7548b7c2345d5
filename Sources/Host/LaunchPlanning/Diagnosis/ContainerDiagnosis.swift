// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Diagnoses the container around the host: the missing permissions, and the settings that grant them.
package enum ContainerDiagnosis {
  /// Returns the finding about the container, or `nil` if the host does not appear to be in a container.
  package static func finding(_ facts: MachineFacts) -> MachineFinding? {
    guard let container = facts.filter.container else { return nil }
    let missing = missingPermissions(facts)
    guard !missing.isEmpty else {
      return MachineFinding(
        "container",
        .present,
        "\(container), without a seccomp filter and without hidden parts of /proc"
      )
    }
    return MachineFinding(
      "container",
      .advice,
      "\(container), with \(missing.joined(separator: ", ")): where namespaces are refused, sessions run only under "
        + "the policy 'container', or another policy with userNamespace under bestEffort",
      [docker, kubernetes, policy]
    )
  }

  /// Returns the differences of the container from the machine around it that affect sessions.
  private static func missingPermissions(_ facts: MachineFacts) -> [String] {
    var missing: [String] = []
    if facts.filter.count > 0 { missing.append("a seccomp filter") }
    if !facts.maskedProcPaths.isEmpty {
      missing.append("\(facts.maskedProcPaths.count) hidden parts of /proc")
    }
    if facts.user == 0, facts.capabilities & SessionIdentity.systemAdministration == 0 {
      missing.append("a root user without CAP_SYS_ADMIN")
    }
    return missing
  }

  /// The fix for containers of Docker and Podman.
  static let docker = Fix(
    "In Docker or Podman, start the container without a seccomp filter and with an unmasked /proc; Darkroom's "
      + "filter is stricter",
    ["docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …"]
  )

  /// The fix for containers of Kubernetes, whose API server accepts procMount: Unmasked only with
  /// hostUsers: false.
  static let kubernetes = Fix(
    "In Kubernetes, set hostUsers: false in the pod, and procMount: Unmasked and seccompProfile.type: Unconfined in "
      + "the securityContext of the container"
  )

  /// The fix that needs no permission of the container.
  static let policy = Fix(
    "Or run sessions without namespaces, with fewer protections",
    ["darkroom exec --policy container …"]
  )
}
