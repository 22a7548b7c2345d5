// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// The hard limits that the host inherited. An unprivileged process cannot raise them for a session.
enum InheritedLimits {
  /// Returns limits that the kernel accepts.
  ///
  /// The hard limits are read for each session, because another process may change them (prlimit(2)). A
  /// broker keeps the limits of the time of its creation.
  ///
  /// A limit of the policy or its default must be available in full. A limit that the launch itself sets
  /// (locked memory, signals) may be lower.
  ///
  /// - Throws: An error if the host's hard limit is below a limit of the policy.
  static func fit(
    _ limits: [LaunchPlan.ResourceLimit],
    hardLimit: (Resource) -> UInt64? = { CurrentProcess.hardLimit(of: $0.rawValue) }
  ) throws(PlanError) -> [LaunchPlan.ResourceLimit] {
    // Usually no limit has to change.
    var fitting = limits
    // A hard limit of 0 always fits.
    for (index, limit) in limits.enumerated() where limit.hard > 0 {
      guard let maximum = hardLimit(limit.resource), maximum < limit.hard else { continue }
      if let name = limit.resource.limitName, maximum < limit.soft {
        throw .limitAboveHost(name, wanted: limit.soft, maximum: maximum)
      }
      fitting[index] = .init(limit.resource, soft: min(limit.soft, maximum), hard: maximum)
    }
    return fitting
  }
}

extension Resource {
  /// The limit of a policy that sets this resource, or `nil` if no limit of a policy does.
  var limitName: LimitName? {
    switch self {
    case .processorTime: .cpuTime
    case .fileSize: .fileSize
    case .processes: .processes
    case .descriptors: .descriptors
    case .addressSpace: .addressSpace
    case .coreSize, .lockedMemory, .pendingSignals, .messageQueues, .nice, .realTimePriority: nil
    }
  }
}

extension LimitName {
  /// The option of the shell's `ulimit` for the corresponding hard limit and its unit (bytes, or 1 for
  /// counts), or `nil` for limits that are not resource limits.
  package var shellLimit: (option: String, unit: UInt64)? {
    switch self {
    case .cpuTime: ("-t", 1)
    // Bash uses units of 1024 bytes; dash uses blocks of 512 bytes.
    case .fileSize: ("-f", 1024)
    case .processes: ("-u", 1)
    case .descriptors: ("-n", 1)
    case .addressSpace: ("-v", 1024)
    case .wallClock, .sessionBytes, .sessionFiles, .outputBytes, .memory, .freeReserve: nil
    }
  }
}
