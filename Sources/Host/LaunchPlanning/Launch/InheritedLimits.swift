// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import SandboxPolicy

/// The hard limits that the host itself was started with: nobody without privileges can give a session more.
enum InheritedLimits {
  /// Limits that the kernel will accept.
  ///
  /// They are looked at for each session: somebody may have changed them meanwhile from outside (prlimit(2)), and a broker has those
  /// that there were when it was made.
  ///
  /// A limit that a policy named, or that it takes as standard, must be had as it stands. One that is the launch's own
  /// (locked memory, signals) may be tighter.
  static func fit(
    _ limits: [LaunchPlan.ResourceLimit],
    hardLimit: (Resource) -> UInt64? = { CurrentProcess.hardLimit(of: $0.rawValue) }
  ) throws(PlanError) -> [LaunchPlan.ResourceLimit] {
    // Mostly they are what they were.
    var fitting = limits
    // Nobody has less than nothing.
    for (index, limit) in limits.enumerated() where limit.hard > 0 {
      guard let most = hardLimit(limit.resource), most < limit.hard else { continue }
      if let name = limit.resource.limitName, most < limit.soft {
        throw .limitAboveHost(name, wanted: limit.soft, most: most)
      }
      fitting[index] = .init(limit.resource, soft: min(limit.soft, most), hard: most)
    }
    return fitting
  }
}

extension Resource {
  /// The limit of a policy that is set with this resource; nil if no policy says anything of it.
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
  /// The option of the shell's `ulimit` that shows and sets the corresponding hard limit, and its unit in bytes or
  /// ones; nil for limits that are no rlimit.
  package var shellLimit: (option: String, unit: UInt64)? {
    switch self {
    case .cpuTime: ("-t", 1)
    // The unit of Bash; dash counts in blocks of 512.
    case .fileSize: ("-f", 1024)
    case .processes: ("-u", 1)
    case .descriptors: ("-n", 1)
    case .addressSpace: ("-v", 1024)
    case .wallClock, .sessionBytes, .sessionFiles, .outputBytes, .memory, .freeReserve: nil
    }
  }
}
