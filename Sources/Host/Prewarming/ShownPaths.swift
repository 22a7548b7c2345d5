// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import Synchronization

/// What an extension that waits was shown of the host, and by what is noticed that a launch would show it something else:
/// another file under a path, or another file system.
final class ShownPaths: Sendable {
  private let root: [RootItem]
  private let files: ShownFiles?
  private let mounts: ShownMounts
  /// Tells of every change of the mounts since it was opened, once (proc_pid_mountinfo(5)).
  private let table: Descriptor
  /// Whether everything was as it had been, at the last look; once it was not, it never is again.
  private let wasCurrent = Mutex(true)

  /// Looks at what a plan shows.
  init(_ plan: LaunchPlan) throws(SystemCallError) {
    root = plan.root
    // Opened before it is read, so that no change is missed.
    table = try FileSystem.open("/proc/self/mountinfo", .read)
    mounts = try ShownMounts(of: root)
    files = ShownFiles(root)
  }

  /// Whether everything is as it was.
  var isCurrent: Bool {
    wasCurrent.withLock { wasCurrent in
      if wasCurrent { wasCurrent = look() }
      return wasCurrent
    }
  }

  private func look() -> Bool {
    guard let files, files.isCurrent else { return false }
    guard (try? Poller.wait([(table.rawValue, [])], until: 0)) != [[]] else { return true }
    return (try? ShownMounts(of: root)) == mounts
  }
}

/// The mounts that have to do with what a root shows: what it lies on, and what lies on it.
struct ShownMounts: Hashable {
  private let lines: [[ArraySlice<UInt8>]]

  /// Reads the table of this process.
  init(of root: [RootItem]) throws(SystemCallError) {
    guard let table = try FileSystem.open("/proc/self/mountinfo", .read).readAll(limit: 1 << 22) else {
      // Two tables of which nothing is known are not the same.
      throw SystemCallError("read", path: "/proc/self/mountinfo", errno: .fileTooLarge)
    }
    let paths = ShownFiles.paths(root).map { (try? FileSystem.realPath($0)) ?? $0 }
    self.init(table: table, paths: paths)
  }

  /// Picks them out of a table: number, parent, device, root, mount point and options of each.
  init(table: [UInt8], paths: [String]) {
    let shown = paths.map { Array($0.utf8) }
    lines = table.split(separator: 0x0A).compactMap { line in
      let fields = Array(line.split(separator: 0x20, maxSplits: 6).prefix(6))
      guard fields.count == 6 else { return nil }
      return shown.contains { Self.areRelated($0, fields[4]) } ? fields : nil
    }
  }

  /// Whether one of two paths is the other, or leads to it.
  private static func areRelated(_ path: [UInt8], _ point: ArraySlice<UInt8>) -> Bool {
    // The kernel writes these as numbers in its table.
    if path.contains(where: { $0 <= 0x20 || $0 == 0x5C }) { return true }
    return isPrefix(path[...], of: point) || isPrefix(point, of: path[...])
  }

  private static func isPrefix(_ upper: ArraySlice<UInt8>, of lower: ArraySlice<UInt8>) -> Bool {
    let upper = upper.last == 0x2F ? upper.dropLast() : upper
    return lower.starts(with: upper)
      && (lower.count == upper.count || lower.dropFirst(upper.count).first == 0x2F)
  }
}
