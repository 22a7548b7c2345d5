// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The reason why sessions have no control groups.
package enum ControlGroupFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// No cgroup2 file system is visible to this process.
  case noHierarchy
  /// The group of this process is outside the visible hierarchy.
  case outsideHierarchy
  /// A given path is not that of a control group.
  case notAGroup(path: String)
  /// The group of this process is not delegated to it.
  case notDelegated(path: String)
  /// The group contains processes that may not be moved.
  case shared(path: String)
  /// The hierarchy lacks required controllers.
  case noController(path: String, missing: String)
  /// A system call failed.
  case system(SystemCallError)

  /// A description of the problem.
  package var description: String {
    switch self {
    case .noHierarchy: "no cgroup2 file system is mounted"
    case .outsideHierarchy: "the control group of this process is outside the mounted hierarchy"
    case .notAGroup(let path): "\(path) is not a control group (cgroup2)"
    case .notDelegated(let path): "the control group \(path) is not delegated to this user"
    case .shared(let path): "the control group \(path) contains other processes"
    case .noController(let path, let missing): "the controller \(missing) is unavailable in \(path)"
    case .system(let error): "\(error)"
    }
  }

  /// Whether systemd could provide a suitable group.
  var isForSystemd: Bool {
    switch self {
    case .notDelegated, .shared: true
    case .noHierarchy, .outsideHierarchy, .notAGroup, .noController, .system: false
    }
  }

  package var fix: String {
    switch self {
    case .noHierarchy, .outsideHierarchy: "mount cgroup2 at /sys/fs/cgroup"
    case .notAGroup: "set DARKROOM_CGROUP to a directory below /sys/fs/cgroup, or unset it"
    case .noController:
      "boot with cgroup_no_v1=all (or systemd.unified_cgroup_hierarchy=1) to make the controllers memory and pids "
        + "available in cgroup2"
    case .notDelegated, .shared, .system:
      "start darkroom with 'systemd-run --user --scope -p Delegate=yes' (as root without --user), or set "
        + "DARKROOM_CGROUP to a control group without other processes"
    }
  }
}
