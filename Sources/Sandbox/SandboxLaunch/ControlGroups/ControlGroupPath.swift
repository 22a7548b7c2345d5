// SPDX-License-Identifier: Apache-2.0

/// The control group of a process, determined from the files of `/proc` (cgroups(7)).
package enum ControlGroupPath {
  /// Returns the directory of the group in `membership` (`/proc/PID/cgroup`), below the mount of cgroup2 in
  /// `mounts` (`/proc/PID/mountinfo`).
  package static func directory(membership: String, mounts: String) throws(ControlGroupFault) -> String {
    guard let mount = hierarchy(mounts) else { throw .noHierarchy }
    let own = membership.split(separator: "\n").first { $0.hasPrefix("0::") }?.dropFirst(3)
    // A group outside the namespace root is shown with a path that begins with `/..`.
    guard let own, !own.hasPrefix("/.."), let below = relative(String(own), to: mount.root) else {
      throw .outsideHierarchy
    }
    return mount.point + below
  }

  /// Returns the root and mount point of the first mount of cgroup2.
  private static func hierarchy(_ mounts: String) -> (root: String, point: String)? {
    // The table can be long, so only the matching line is parsed.
    var rest = mounts.utf8[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      if isHierarchy(line), let mount = mount(Substring(line)) { return mount }
      rest = rest[line.endIndex...].dropFirst()
    }
    return nil
  }

  /// Returns whether a line names cgroup2 after its separator. The kernel escapes spaces in paths as `\040`.
  private static func isHierarchy(_ line: Substring.UTF8View) -> Bool {
    var rest = line
    while let space = rest.firstIndex(of: UInt8(ascii: " ")) {
      if rest[space...].starts(with: " - cgroup2 ".utf8) { return true }
      rest = rest[space...].dropFirst()
    }
    return false
  }

  /// Returns the root and mount point of a line of mountinfo (proc_pid_mountinfo(5)).
  private static func mount(_ line: Substring) -> (root: String, point: String)? {
    let words = line.split(separator: " ")
    guard words.count > 5 else { return nil }
    return (unescaped(words[3]), unescaped(words[4]))
  }

  /// Returns the rest of `path` below `root`, which is empty or begins with a slash, or `nil` if `path` is
  /// outside.
  private static func relative(_ path: String, to root: String) -> String? {
    if root == "/" { return path == "/" ? "" : path }
    if path == root { return "" }
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count)) : nil
  }

  /// Returns a text with the kernel's escapes, such as `\040`, replaced.
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
