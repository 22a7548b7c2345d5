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
      title: "How much it may use",
      statements: [
        Statement(.fact, "At most:", items + ["bytes in /container: \(scratch)\(originSuffix(.scratch))"]),
        Statement(.fact, "It leaves free of the disk what the person keeps free, and at least \(reserve)."),
      ]
    )
  }

  /// The section about how a session can terminate.
  var terminationCauses: Section {
    let enforcedLimits: [LimitName] = [
      .wallClock, .cpuTime, .memory, .fileSize, .sessionBytes, .sessionFiles, .processes,
    ]
    return Section(
      title: "How it can end",
      statements: [
        Statement(
          .fact,
          "It ends when its first process ends, and all others with it; nothing of it goes on running."
        ),
        Statement(
          .fact,
          "The host ends it when it goes beyond one of these:",
          enforcedLimits.map { "\($0.sentence), \(limit($0))" }
        ),
        Statement(
          .fact,
          "A system call of another architecture ends it at once. Every other call that is not allowed fails, and it can go on."
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
          "Such a session has none of these layers:",
          Layer.allCases.filter(absentLayers.contains).map(\.rawValue)
        )
      )
    }
    statements.append(
      Statement(
        .fact,
        "Without each of these layers there is no session: \(RuleText.list(required.map(\.rawValue)))."
      )
    )
    if optionalLayers.isEmpty {
      statements.append(Statement(.fact, "None may be missing."))
    } else {
      statements.append(
        Statement(
          .warning,
          "A session may do without these, where the machine lacks them:\(originSuffix(.bestEffort))",
          optionalLayers.map { "\($0.rawValue): \($0.loss)" }
        )
      )
    }
    return Section(title: "What protects the host", statements: statements)
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
    case .processes: "processes and threads together"
    case .descriptors: "open descriptors of one process"
    case .fileSize: "bytes of one file"
    case .cpuTime: "processor time of one process"
    case .wallClock: "time from launch to end"
    case .addressSpace: "address space of one process"
    case .sessionBytes: "bytes in /session"
    case .sessionFiles: "files and directories in /session"
    case .outputBytes: "bytes kept of its output"
    case .memory: "memory of all processes together"
    case .freeReserve: "bytes of the disk that stay free"
    }
  }
}

extension Layer {
  /// The effect on a session if the layer is missing.
  fileprivate var loss: String {
    switch self {
    case .landlock: "files are then kept closed by the session's root alone"
    case .cgroupNamespace: "control groups can then be seen by their names on the machine"
    case .timeNamespace: "its clocks then tell for how long the machine has been running"
    case .userNamespace:
      "it then runs restricted, without any namespace and without a root of its own: the filter and Landlock alone keep it "
        + "from the user's files and processes"
    default: "its protection is then missing"
    }
  }
}
