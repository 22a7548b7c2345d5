// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The control group of one session: every process of it is in there, and none gets out.
///
/// The group is locked as long as this value lives, so that one whose host has died can be told from one in use.
package struct SessionControlGroup: ~Copyable {
  /// What a group may take.
  package struct Limits: Sendable, Hashable {
    /// Bytes of memory; the file is `memory.max`.
    package var memory: Int
    /// Processes and threads; the file is `pids.max`.
    package var tasks: Int

    /// Makes limits.
    package init(memory: Int, tasks: Int) {
      self.memory = memory
      self.tasks = tasks
    }
  }

  /// What a group has taken.
  package struct Usage: Sendable, Hashable {
    /// Processes and threads now; the file is `pids.current`.
    package var tasks: Int
    /// How often the kernel has ended processes for the limit of memory; `oom_kill` in `memory.events`.
    package var memoryKills: Int
    /// How often the kernel has refused a process; `max` in `pids.events`.
    package var refusedTasks: Int
  }

  /// What the names of all sessions' groups begin with.
  static let prefix = "darkroom-"

  /// The directory.
  package let path: String
  /// `cgroup.procs`, opened for writing: whoever writes `0` to it joins.
  package let members: Descriptor
  private let lock: FileLock

  /// Makes the group of a session.
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

  /// Makes the directory and locks it, while nobody looks for abandoned ones.
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
    // Whatever is still in it goes with it; the kernel takes a moment to let the last one leave.
    try? ControlGroupSubtree.write("1", to: "\(path)/cgroup.kill")
    Self.remove(path)
  }

  private static func set(_ limits: Limits, _ path: String) throws(SystemCallError) {
    let values = [
      // One process alone that is ended would leave a session in an unknown state: all are.
      ("memory.oom.group", "1"), ("memory.max", "\(limits.memory)"), ("pids.max", "\(limits.tasks)"),
      // A kernel without swap has no such file, and needs none.
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

  /// What it has taken so far.
  package var usage: Usage {
    Usage(
      tasks: Self.number("\(path)/pids.current"),
      memoryKills: Self.event("oom_kill", "\(path)/memory.events"),
      refusedTasks: Self.event("max", "\(path)/pids.events")
    )
  }

  /// The most memory that it had; nil before Linux 5.19, which has no `memory.peak`.
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

  /// Removes a group that is about to be empty.
  private static func remove(_ path: String) {
    for _ in 0..<200 {
      do {
        try FileSystem.removeDirectory(path)
        return
      } catch  where error.errno.rawValue == 16 {  // EBUSY: the last process is not wholly gone
        MonotonicClock.sleep(milliseconds: 5)
      } catch { return }
    }
  }

  /// Ends what is left in groups whose host has died, and removes them; how many there were.
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
