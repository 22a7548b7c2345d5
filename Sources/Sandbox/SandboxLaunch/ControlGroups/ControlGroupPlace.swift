// SPDX-License-Identifier: Apache-2.0

/// Where a process is in the hierarchy of control groups, read from what the kernel says (cgroups(7)).
package enum ControlGroupPlace {
  /// The directory of the group that `membership` (`/proc/PID/cgroup`) names, below the mount of cgroup2 that `mounts`
  /// (`/proc/PID/mountinfo`) has.
  package static func directory(membership: String, mounts: String) throws(ControlGroupFault) -> String {
    guard let mount = hierarchy(mounts) else { throw .noHierarchy }
    let own = membership.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3)
    // A group above the root of the namespace is shown as one beside it.
    guard let own, !own.hasPrefix("/.."), let below = relative(String(own), to: mount.root) else {
      throw .outOfSight
    }
    return mount.point + below
  }

  /// The root and the mount point of the first mount of cgroup2.
  private static func hierarchy(_ mounts: String) -> (root: String, point: String)? {
    // A table can be long, and one line of it is wanted: nothing is made of the others.
    var rest = mounts.utf8[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if isHierarchy(line), let mount = mount(Substring(line)) { return mount }
      rest = rest[line.endIndex...].dropFirst()
    }
    return nil
  }

  /// Whether a line names cgroup2 behind its separator; in paths the kernel writes spaces as `\040`.
  private static func isHierarchy(_ line: Substring.UTF8View) -> Bool {
    var rest = line
    while let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      if rest[space...].starts(with: " - cgroup2 ".utf8) { return true }
      rest = rest[space...].dropFirst()
    }
    return false
  }

  /// The root and the mount point of a line of mountinfo (proc_pid_mountinfo(5)).
  private static func mount(_ line: Substring) -> (root: String, point: String)? {
    let words = line.split(separator: " ")
    guard words.count > 5 else { return nil }
    return (unescaped(words[3]), unescaped(words[4]))
  }

  /// What is left of `path` below `root`: empty, or with a slash in front.
  private static func relative(_ path: String, to root: String) -> String? {
    if root == "/" { return path == "/" ? "" : path }
    if path == root { return "" }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count)) : nil
  }

  /// Replaces the kernel's `\040` and the like.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
