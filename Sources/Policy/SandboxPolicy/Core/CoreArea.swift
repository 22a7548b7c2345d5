// SPDX-License-Identifier: Apache-2.0

/// An area of restrictions that no policy can lift.
package enum CoreArea: String, CaseIterable, Sendable, Hashable {
  /// No network of any kind; the only sockets are connected pairs between the session's own processes.
  case network
  /// No namespaces other than those that the host created.
  case namespaces
  /// No changes to mounts.
  case mounts
  /// No io_uring(7), whose operations bypass the filter.
  case asynchronousCalls
  /// No access to the keys of the host (keyrings(7)).
  case keyrings
  /// No access to other processes.
  case otherProcesses
  /// No control of the scheduling of other processes; one of them has to end the session.
  case scheduling
  /// No programs inside the kernel, and no tracing of the kernel.
  case kernelPrograms
  /// No userfaultfd(2), which exploits use to win races in the kernel.
  case userFaults
  /// No file handles, which open files outside the root directory (open_by_handle_at(2)).
  case fileHandles
  /// No changes to the machine: kernel, modules, power, swap, quotas, host name.
  case machine
  /// No changes to the machine's clocks.
  case clock
  /// No direct access to hardware.
  case hardware
  /// No change of the execution domain (personality(2)).
  case personality
  /// No filters with a listener inside the session.
  case filterListeners
  /// No ioctl(2) requests other than those that a policy names one by one.
  case deviceRequests
  /// No calls whose flags the filter cannot see.
  case hiddenFlags
}

extension CoreArea {
  /// The reason for the restriction, as part of a sentence.
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
