// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The control group of one session, which contains all processes of the session.
///
/// The group is locked as long as this value lives, so that the group of a dead host can be recognized.
package struct SessionControlGroup: ~Copyable {
  /// The limits of a group.
  package struct Limits: Sendable, Hashable {
    /// The maximum memory in bytes (`memory.max`).
    package var memory: Int
    /// The maximum number of processes and threads (`pids.max`).
    package var tasks: Int

    /// Creates limits.
    package init(memory: Int, tasks: Int) {
      self.memory = memory
      self.tasks = tasks
    }
  }

  /// The resource use of a group.
  package struct Usage: Sendable, Hashable {
    /// The current number of processes and threads (`pids.current`).
    package var tasks: Int
    /// The number of processes that the kernel has killed for the memory limit (`oom_kill` in
    /// `memory.events`).
    package var memoryKills: Int
    /// The number of forks that the kernel has refused (`max` in `pids.events`).
    package var refusedTasks: Int
  }

  /// The prefix of the names of all session groups.
  static let prefix = "darkroom-"

  /// The directory of the group.
  package let path: String
  /// `cgroup.procs`, open for writing. A process joins the group by writing `0`.
  package let members: Descriptor
  private let lock: FileLock

  /// Creates the group of a session.
  package static func make(
    _ session: String,
    in subtree: ControlGroupSubtree,
    _ limits: Limits
  ) throws(ControlGroupFault) -> SessionControlGroup {
    try subtree.divide()
    do throws(SystemCallError) {
      let path = "\(subtree.path)/\(prefix)\(session)"
      let lock = try makeLocked(path, in: subtree)
      do {
        try set(limits, path)
        let members = try FileSystem.open("\(path)/cgroup.procs", .write)
        return SessionControlGroup(path: path, members: members, lock: lock)
      } catch {
        try? FileSystem.removeDirectory(path)
        throw error
      }
    } catch { throw .system(error) }
  }

  /// Creates and locks the directory, while no process removes abandoned groups.
  private static func makeLocked(
    _ path: String,
    in subtree: ControlGroupSubtree
  ) throws(SystemCallError) -> FileLock {
    let whole = try FileLock.lock(owning: FileSystem.open(subtree.path, [.directory]))
    defer { extendLifetime(whole) }
    try FileSystem.makeDirectory(path, mode: 0o755)
    return try FileLock.lock(owning: FileSystem.open(path, [.directory]))
  }

  private init(path: String, members: consuming Descriptor, lock: consuming FileLock) {
    self.path = path
    self.members = members
    self.lock = lock
  }

  deinit {
    // The remaining processes are killed. The kernel takes a moment until the last one has left the group.
    try? ControlGroupSubtree.write("1", to: "\(path)/cgroup.kill")
    Self.remove(path)
  }

  private static func set(_ limits: Limits, _ path: String) throws(SystemCallError) {
    let values = [
      // All processes are killed together, because killing a single one would leave the session in an unknown
      // state.
      ("memory.oom.group", "1"), ("memory.max", "\(limits.memory)"), ("pids.max", "\(limits.tasks)"),
      // A kernel without swap lacks this file.
      ("memory.swap.max", "0"),
    ]
    for (name, value) in values {
      do { try ControlGroupSubtree.write(value, to: "\(path)/\(name)") } catch
        where error.errno == .noSuchFile
      {
        continue
      }
    }
  }

  /// The current resource use.
  package var usage: Usage {
    Usage(
      tasks: Self.number("\(path)/pids.current"),
      memoryKills: Self.event("oom_kill", "\(path)/memory.events"),
      refusedTasks: Self.event("max", "\(path)/pids.events")
    )
  }

  /// The maximum memory use so far, or `nil` before Linux 5.19, which lacks `memory.peak`.
  package var peakMemory: Int? {
    let peak = Self.number("\(path)/memory.peak")
    return peak > 0 ? peak : nil
  }

  private static func text(_ path: String) -> String {
    String(decoding: (try? FileSystem.contents(path)) ?? [], as: UTF8.self)
  }

  private static func number(_ path: String) -> Int { Int(text(path).filter(\.isNumber)) ?? 0 }

  private static func event(_ name: String, _ path: String) -> Int {
    for line in text(path).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == name { return Int(words[1]) ?? 0 }
    }
    return 0
  }

  /// Removes a group, waiting until it is empty.
  private static func remove(_ path: String) {
    for _ in 0..<200 {
      do {
        try FileSystem.removeDirectory(path)
        return
      } catch  where error.errno.rawValue == 16 {  // EBUSY: the last process has not left yet
        MonotonicClock.sleep(milliseconds: 5)
      } catch { return }
    }
  }

  /// Kills the remaining processes in groups of dead hosts and removes the groups. Returns the number of
  /// groups.
  @discardableResult
  package static func removeAbandoned(in subtree: ControlGroupSubtree) -> Int {
    guard let directory = try? FileSystem.open(subtree.path, [.directory]),
      let whole = try? FileLock.lock(owning: directory)
    else { return 0 }
    defer { extendLifetime(whole) }
    let names = ((try? FileSystem.names(in: subtree.path)) ?? []).filter { $0.hasPrefix(prefix) }
    return names.count { name in
      let path = "\(subtree.path)/\(name)"
      guard (try? FileLock.isHeld(path)) == false else { return false }
      try? ControlGroupSubtree.write("1", to: "\(path)/cgroup.kill")
      remove(path)
      return true
    }
  }
}
