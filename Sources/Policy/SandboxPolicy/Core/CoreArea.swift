// SPDX-License-Identifier: Apache-2.0

/// A part of what no policy can take away.
package enum CoreArea: String, CaseIterable, Sendable, Hashable {
  /// No network of any kind, and no socket but connected pairs between the session's own processes.
  case network
  /// No namespace beyond those that the host made.
  case namespaces
  /// No change of what is mounted where.
  case mounts
  /// No queue through which calls bypass the filter.
  case asynchronousCalls
  /// No keys of the host.
  case keyrings
  /// No look into other processes.
  case otherProcesses
  /// No hand on when other processes run, of which one has to end the session.
  case scheduling
  /// No programs inside the kernel, and no tracing of it.
  case kernelPrograms
  /// No faults handled outside the kernel, which attacks use to win races.
  case userFaults
  /// No files opened past the root.
  case fileHandles
  /// No change of the machine: kernel, modules, power, swap, quotas, names.
  case machine
  /// No change of the machine's clocks.
  case clock
  /// No direct use of hardware.
  case hardware
  /// No second personality of the kernel.
  case personality
  /// No filter whose owner sits inside.
  case filterListeners
  /// No requests to drivers but those named one by one.
  case deviceRequests
  /// No call whose flags the filter cannot see.
  case hiddenFlags
}

extension CoreArea {
  /// Why the area is closed, as part of a sentence.
  package var reason: String {
    switch self {
    case .network: "a session has no network, and no socket that leads out of it"
    case .namespaces: "a session cannot make or enter namespaces"
    case .mounts: "a session cannot see or change mounts"
    case .asynchronousCalls: "io_uring makes calls that the filter does not see"
    case .keyrings: "the kernel's keys belong to the host"
    case .otherProcesses: "a session cannot look into other processes"
    case .scheduling: "a session cannot keep the process from the processor that ends it"
    case .kernelPrograms: "a session cannot run programs in the kernel or trace it"
    case .userFaults: "faults handled by the program help to attack the kernel"
    case .fileHandles: "file handles open files past the session's root"
    case .machine: "the machine is not the session's to change"
    case .clock: "the machine's clocks are not the session's to set"
    case .hardware: "a session has no direct use of hardware"
    case .personality: "other personalities switch protections of the kernel off"
    case .filterListeners: "a filter with a listener would let the session answer its own calls"
    case .deviceRequests: "ioctl reaches every driver, and some requests type into terminals"
    case .hiddenFlags: "the filter cannot see the flags of clone3, so it always answers ENOSYS"
    }
  }
}
