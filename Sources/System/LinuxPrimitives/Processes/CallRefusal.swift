// SPDX-License-Identifier: Apache-2.0

/// The refusal of system calls without which a host can neither start nor recover a session.
package struct CallRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The refused calls.
  package var calls: [RefusedCall]
  /// The filters that refuse the calls.
  package var filter: InheritedFilter
  /// The kernel release.
  package var kernel: String

  /// Creates a refusal.
  package init(
    _ calls: [RefusedCall],
    by filter: InheritedFilter = .current,
    kernel: String = KernelRelease.running.description
  ) {
    self.calls = calls
    self.filter = filter
    self.kernel = kernel
  }

  /// The refusal of the calls without which this process can neither migrate nor erase content, or `nil` if there are none.
  package static var current: CallRefusal? {
    let calls = RefusedCalls.current.required
    return calls.isEmpty ? nil : CallRefusal(calls)
  }

  /// The first calls, and the number of the others.
  private var names: String {
    let most = 4
    let named = calls.prefix(most).map(\.description).joined(separator: ", ")
    let others = calls.count - most
    return others > 0 ? "\(named) and \(others) more system call\(others == 1 ? "" : "s")" : named
  }

  /// The cause of the refusal.
  package var reason: String {
    if isKernel { return "Linux \(kernel) does not have \(names)" }
    guard filter.count > 0 else { return "an unknown restriction of this process refuses \(names)" }
    if let unit = filter.unit { return "the system call filter of the unit \(unit) refuses \(names)" }
    if let container = filter.container {
      return "the system call filter of this container (\(container)) refuses \(names)"
    }
    return "a system call filter that this process inherited refuses \(names)"
  }

  /// The fix, which depends on the origin of the filter.
  package var fix: String {
    if isKernel { return "run Linux 6.1 or newer" }
    let setting = "SystemCallFilter=" + calls.map(\.name).joined(separator: " ")
    if let unit = filter.unit { return "add \(setting) to that unit (systemctl edit \(unit))" }
    let calls = calls.count == 1 ? "the call" : "the calls"
    let profile = "a seccomp profile that allows \(calls) (docker run --security-opt seccomp=PROFILE.json)"
    if filter.container != nil { return "start the container with \(profile)" }
    return "allow \(calls): add \(setting) to a systemd unit, or start a container with \(profile)"
  }

  /// Whether the kernel is too old: there is no filter.
  private var isKernel: Bool {
    filter.count == 0 && calls.allSatisfy { $0.answer == .error(.notImplemented) }
  }

  /// The cause, the effect and the fix.
  package var description: String {
    "\(reason), without which content cannot be migrated or erased; \(fix)"
  }
}
