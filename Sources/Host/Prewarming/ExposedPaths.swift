// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxLaunch
internal import Synchronization

/// The host paths that a prewarmed extension was shown, with their files and mounts.
///
/// The snapshot detects that a new launch would show another file or file system under a path.
final class ExposedPaths: Sendable {
  private let root: [RootItem]
  private let files: ShownFiles?
  private let mounts: ExposedMounts
  /// The mount table, which reports each change since it was opened once (proc_pid_mountinfo(5)).
  private let mountTable: Descriptor
  /// Whether the last check found no change. After a change, the value stays `false`.
  private let wasCurrent = Mutex(true)

  /// Records the paths that a plan shows.
  init(_ plan: LaunchPlan) throws(SystemCallError) {
    root = plan.root
    // Opened before the table is read, so that no change is missed.
    mountTable = try FileSystem.open("/proc/self/mountinfo", .read)
    mounts = try ExposedMounts(of: root)
    files = ShownFiles(root)
  }

  /// Whether no path has changed.
  var isCurrent: Bool {
    wasCurrent.withLock { wasCurrent in
      if wasCurrent { wasCurrent = check() }
      return wasCurrent
    }
  }

  private func check() -> Bool {
    guard let files, files.isCurrent else { return false }
    guard (try? Poller.wait([(mountTable.rawValue, [])], until: 0)) != [[]] else { return true }
    return (try? ExposedMounts(of: root)) == mounts
  }
}

/// The mounts above and below the paths of a root.
struct ExposedMounts: Hashable {
  private let lines: [[ArraySlice<UInt8>]]

  /// Creates the value from the mount table of this process.
  init(of root: [RootItem]) throws(SystemCallError) {
    guard let table = try FileSystem.open("/proc/self/mountinfo", .read).readAll(limit: 1 << 22) else {
      // Two unreadable tables must not compare as equal.
      throw SystemCallError("read", path: "/proc/self/mountinfo", errno: .fileTooLarge)
    }
    let paths = ShownFiles.paths(root).map { (try? FileSystem.realPath($0)) ?? $0 }
    self.init(table: table, paths: paths)
  }

  /// Creates the value from a mount table. The fields are mount ID, parent ID, device, root, mount point and
  /// options.
  init(table: [UInt8], paths: [String]) {
    let shown = paths.map { Array($0.utf8) }
    lines = table.split(separator: 0x0A).compactMap { line in
      let fields = Array(line.split(separator: 0x20, maxSplits: 6).prefix(6))
      guard fields.count == 6 else { return nil }
      return shown.contains { Self.areNested($0, fields[4]) } ? fields : nil
    }
  }

  /// Returns whether a path is equal to, above or below a mount point.
  private static func areNested(_ path: [UInt8], _ point: ArraySlice<UInt8>) -> Bool {
    // The kernel writes these bytes as octal escapes in the table.
    if path.contains(where: { $0 <= 0x20 || $0 == 0x5C }) { return true }
    return isPrefix(path[...], of: point) || isPrefix(point, of: path[...])
  }

  private static func isPrefix(_ upper: ArraySlice<UInt8>, of lower: ArraySlice<UInt8>) -> Bool {
    let upper = upper.last == 0x2F ? upper.dropLast() : upper
    return lower.starts(with: upper)
      && (lower.count == upper.count || lower.dropFirst(upper.count).first == 0x2F)
  }
}
