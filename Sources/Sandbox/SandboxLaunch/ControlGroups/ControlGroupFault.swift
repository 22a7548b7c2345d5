// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Why sessions get no control groups of their own.
package enum ControlGroupFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The machine has no cgroup2 file system where this process sees it.
  case noHierarchy
  /// The group of this process lies outside of what it sees of the hierarchy.
  case outOfSight
  /// A path that was given is no control group.
  case notAGroup(path: String)
  /// Nobody has handed the group of this process over to it.
  case notDelegated(path: String)
  /// Others are in the group as well, and may not be moved.
  case shared(path: String)
  /// The hierarchy does not have the controllers that it takes.
  case noController(path: String, missing: String)
  /// The kernel refused something.
  case system(SystemCallError)

  /// What is so.
  package var description: String {
    switch self {
    case .noHierarchy: "no cgroup2 file system is mounted"
    case .outOfSight: "the control group of this process lies outside of the mounted hierarchy"
    case .notAGroup(let path): "\(path) is no group of a cgroup2 file system"
    case .notDelegated(let path): "the control group \(path) is not this user's to divide"
    case .shared(let path): "other processes are in the control group \(path), too"
    case .noController(let path, let missing): "the controller \(missing) is not available in \(path)"
    case .system(let error): "\(error)"
    }
  }

  /// Whether systemd could give what is missing.
  var isForSystemd: Bool {
    switch self {
    case .notDelegated, .shared: true
    case .noHierarchy, .outOfSight, .notAGroup, .noController, .system: false
    }
  }

  /// What to do about it.
  package var mend: String {
    switch self {
    case .noHierarchy, .outOfSight: "mount cgroup2 at /sys/fs/cgroup"
    case .notAGroup: "set DARKROOM_CGROUP to a directory below /sys/fs/cgroup, or do not set it"
    case .noController:
      "boot with cgroup_no_v1=all (or systemd.unified_cgroup_hierarchy=1), so that cgroup2 has the controllers memory and "
        + "pids"
    case .notDelegated, .shared, .system:
      "start darkroom with 'systemd-run --user --scope -p Delegate=yes' (as root without --user), or set DARKROOM_CGROUP "
        + "to a control group that is yours alone"
    }
  }
}
