// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The section about the limits on resources.
  var resourceLimits: Section {
    let items = LimitName.allCases.filter { $0.bound == .maximum }
      .map { "\($0.sentence): \(limit($0))\(originSuffix(.limit($0)))" }
    let reserve = "\(limit(.freeReserve))\(originSuffix(.limit(.freeReserve)))"
    let scratch = QuantityText.text(policy.scratchBytes, .bytes)
    return Section(
      title: "Resource limits",
      statements: [
        Statement(
          .fact,
          "Maximum values:",
          items + ["bytes in /container: \(scratch)\(originSuffix(.scratch))"]
        ),
        Statement(
          .fact,
          "The session leaves the disk space free that the user reserves, and at least \(reserve)."
        ),
      ]
    )
  }

  /// The section about how a session can terminate.
  var terminationCauses: Section {
    let enforcedLimits: [LimitName] = [
      .wallClock, .cpuTime, .memory, .fileSize, .sessionBytes, .sessionFiles, .processes,
    ]
    return Section(
      title: "End of a session",
      statements: [
        Statement(
          .fact,
          "A session ends when its first process exits; all other processes of the session are killed."
        ),
        Statement(
          .fact,
          "The host terminates a session that exceeds one of these limits:",
          enforcedLimits.map { "\($0.sentence), \(limit($0))" }
        ),
        Statement(
          .fact,
          "A system call of another architecture kills the process immediately. Every other call that is not allowed "
            + "fails, and the process continues."
        ),
      ]
    )
  }

  /// The section about the layers that protect the host.
  var protection: Section {
    let absentLayers: Set<Layer> = !mode.hasNamespaces ? Self.namespaceLayers : []
    let optionalLayers = Layer.allCases.filter { policy.bestEffort.contains($0) }
    let required = Layer.allCases.filter {
      !optionalLayers.contains($0) && !absentLayers.contains($0) && $0 != .controlGroup
    }
    var statements: [Statement] = []
    if !mode.hasNamespaces {
      statements.append(
        Statement(
          .warning,
          "A restricted session has none of these layers:",
          Layer.allCases.filter(absentLayers.contains).map(\.rawValue)
        )
      )
    }
    statements.append(
      Statement(
        .fact,
        "A launch requires these layers: \(RuleText.list(required.map(\.rawValue)))."
      )
    )
    if optionalLayers.isEmpty {
      statements.append(Statement(.fact, "No layer is optional."))
    } else {
      statements.append(
        Statement(
          .warning,
          "A session runs without these layers if they are unavailable on the machine:\(originSuffix(.bestEffort))",
          optionalLayers.map { "\($0.rawValue): \($0.loss)" }
        )
      )
    }
    let accepted = DeniedAccess.allCases.filter { policy.acceptSingleMechanism.contains($0) }.map(\.rawValue)
    if !accepted.isEmpty {
      statements.append(
        Statement(
          .warning,
          "Without namespaces, a session runs even if a single mechanism of the kernel denies this access:"
            + originSuffix(.acceptSingleMechanism),
          accepted
        )
      )
    }
    return Section(title: "Protection of the host", statements: statements)
  }

  /// The layers that a session without namespaces lacks.
  private static let namespaceLayers: Set<Layer> = [
    .userNamespace, .mountNamespace, .pidNamespace, .networkNamespace, .ipcNamespace, .utsNamespace,
    .cgroupNamespace, .timeNamespace, .root,
  ]
}

extension LimitName {
  /// The subject of the limit, as the start of a line.
  fileprivate var sentence: String {
    switch self {
    case .processes: "processes and threads"
    case .descriptors: "open descriptors of one process"
    case .fileSize: "bytes of one file"
    case .cpuTime: "processor time of one process"
    case .wallClock: "time from launch to the end of the session"
    case .addressSpace: "address space of one process"
    case .sessionBytes: "bytes in /session"
    case .sessionFiles: "files and directories in /session"
    case .outputBytes: "recorded bytes of output"
    case .memory: "memory of all processes together"
    case .freeReserve: "bytes of the disk that remain free"
    }
  }
}

extension Layer {
  /// The effect on a session if the layer is missing.
  fileprivate var loss: String {
    switch self {
    case .landlock: "without it, only the session's root protects files"
    case .cgroupNamespace: "without it, control groups are visible by their names on the machine"
    case .timeNamespace: "without it, the session's clocks reveal how long the machine has been running"
    case .userNamespace:
      "without it, the session is restricted, with no namespaces and no separate root: only the filter and Landlock "
        + "protect the user's files and processes"
    default: "without it, its protection is missing"
    }
  }
}
