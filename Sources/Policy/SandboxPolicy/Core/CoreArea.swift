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
    case .network: "a session has no network, and no sockets to processes outside"
    case .namespaces: "a session cannot create or enter namespaces"
    case .mounts: "a session cannot see or change mounts"
    case .asynchronousCalls: "io_uring executes operations that bypass the filter"
    case .keyrings: "the kernel's keyrings belong to the host"
    case .otherProcesses: "a session cannot inspect other processes"
    case .scheduling: "a session must not starve the process that terminates it"
    case .kernelPrograms: "a session cannot load programs into the kernel or trace it"
    case .userFaults: "page faults that a program handles help to exploit the kernel"
    case .fileHandles: "file handles can open files outside the session's root"
    case .machine: "a session cannot change the machine"
    case .clock: "a session cannot set the machine's clocks"
    case .hardware: "a session has no direct hardware access"
    case .personality: "other personalities disable protections of the kernel"
    case .filterListeners: "a filter with a listener would let the session handle its own calls"
    case .deviceRequests: "ioctl reaches every driver, and some requests inject input into terminals"
    case .hiddenFlags: "the filter cannot read the flags of clone3, so the call always fails with ENOSYS"
    }
  }
}
