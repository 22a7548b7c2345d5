// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A delegated subtree of the control group hierarchy, in which this host may create groups.
package struct ControlGroupSubtree: Sendable, Hashable {
  /// The directory of the subtree's root group.
  package let path: String
  /// The available controllers, for example `memory`.
  package let controllers: Set<String>

  /// The controllers that limit a session.
  private static let wanted = ["memory", "pids"]
  /// The name of the group for the host itself when its group has child groups: a group with processes cannot
  /// have children with controllers.
  private static let hostLeaf = "host"

  /// Finds the subtree of this process without changing anything. `given` is a path that the user has
  /// configured.
  package static func find(given: String?) throws(ControlGroupFault) -> ControlGroupSubtree {
    if let given { return try ControlGroupSubtree(checking: given) }
    return try find(from: ownDirectory())
  }

  /// Finds the subtree of a process that is in the group `own`.
  private static func find(from own: String) throws(ControlGroupFault) -> ControlGroupSubtree {
    if FileSystem.lastComponent(own) == hostLeaf {
      let parent = FileSystem.directoryName(own)
      if isDelegated(parent) || isOwn(parent) { return try ControlGroupSubtree(checking: parent) }
    }
    if isDelegated(own) { return try ControlGroupSubtree(checking: own) }
    // A group that the user owns without delegation may be used if it contains no other process. Root owns
    // every group, so its ownership proves nothing.
    guard isOwn(own) else { throw .notDelegated(path: own) }
    guard try members(of: own) == [CurrentProcess.processID] else { throw .shared(path: own) }
    return try ControlGroupSubtree(checking: own)
  }

  /// Finds the subtree of this process, or requests one from systemd, which moves this process to a new
  /// scope.
  ///
  /// `mounts` returns the mount table (`/proc/self/mountinfo`) if the caller has it, or `nil` to read it when
  /// it is needed.
  package static func obtain(
    given: String?,
    mounts: () -> [UInt8]? = { nil }
  ) throws(ControlGroupFault) -> ControlGroupSubtree {
    let own = if given == nil { Optional(try ownDirectory(mounts)) } else { String?.none }
    do {
      if let own { return try find(from: own) }
      return try find(given: given)
    } catch {
      let place = if let own { own } else { try ownDirectory() }
      guard error.isForSystemd, hasControllers(place), ScopeRequest.make() else { throw error }
    }
    return try find(given: given)
  }

  /// Returns whether the machine's hierarchy has the required controllers, for a process in the group `own`.
  private static func hasControllers(_ own: String) -> Bool {
    let known = words("\(own)/cgroup.controllers")
    let mount = words("/sys/fs/cgroup/cgroup.controllers")
    return known.union(mount).isSuperset(of: wanted)
  }

  /// Creates a subtree of a directory, after checking that it can be used.
  private init(checking path: String) throws(ControlGroupFault) {
    guard path.hasPrefix("/"), (try? FileSystem.type(of: path)) == Self.fileSystemType else {
      throw .notAGroup(path: path)
    }
    for file in ["", "/cgroup.procs", "/cgroup.subtree_control"] {
      do { try FileSystem.checkWritable(path + file) } catch { throw .notDelegated(path: path) }
    }
    let controllers = Self.words("\(path)/cgroup.controllers")
    for name in Self.wanted where !controllers.contains(name) {
      throw .noController(path: path, missing: name)
    }
    self.path = path
    self.controllers = controllers
  }

  /// Creates a subtree of a directory without checking it.
  init(unchecked path: String) {
    self.path = path
    controllers = Self.words("\(path)/cgroup.controllers")
  }

  /// Returns the directory of this process's control group.
  ///
  /// The result is cached per group, because a host needs it before each launch and its mount table can be
  /// long. Later operations in the directory detect if it is not in a hierarchy any longer.
  private static func ownDirectory(_ table: () -> [UInt8]? = { nil }) throws(ControlGroupFault) -> String {
    do {
      let membership = try FileSystem.contents("/proc/self/cgroup") ?? []
      if let known = known.withLock({ $0?.membership == membership ? $0 : nil }),
        (try? FileSystem.type(of: known.directory)) == fileSystemType
      {
        return known.directory
      }
      let mounts = try table() ?? FileSystem.contents("/proc/self/mountinfo") ?? []
      let directory = try ControlGroupPath.directory(
        membership: String(decoding: membership, as: UTF8.self),
        mounts: String(decoding: mounts, as: UTF8.self)
      )
      known.withLock { $0 = (membership, directory) }
      return directory
    } catch let error as SystemCallError { throw .system(error) } catch let error as ControlGroupFault {
      throw error
    } catch { throw .outsideHierarchy }
  }

  /// The cached result.
  private static let known = Mutex<(membership: [UInt8], directory: String)?>(nil)
  /// The file system type of cgroup2 (statfs(2), `CGROUP2_SUPER_MAGIC`).
  private static let fileSystemType = 0x6367_7270

  /// Returns whether systemd has marked a group as delegated (systemd.resource-control(5), `Delegate=`).
  private static func isDelegated(_ path: String) -> Bool {
    guard let directory = try? FileSystem.open(path, [.directory]) else { return false }
    return ["trusted.delegate", "user.delegate"].contains { name in
      (try? directory.attribute(name)) == [UInt8(ascii: "1")]
    }
  }

  /// Returns whether a group belongs to this process's user, who is not root.
  private static func isOwn(_ path: String) -> Bool {
    let user = CurrentProcess.effectiveUserID
    guard user != 0, let status = try? FileSystem.status(path) else { return false }
    return status.owner == user
  }

  private static func members(of path: String) throws(ControlGroupFault) -> [Int32] {
    do { return try words("\(path)/cgroup.procs", or: ()).compactMap { Int32($0) } } catch {
      throw .system(error)
    }
  }

  private static func words(_ path: String, or: Void) throws(SystemCallError) -> [String] {
    let text = try FileSystem.contents(path) ?? []
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Returns the words of a file, or an empty set if it cannot be read.
  static func words(_ path: String) -> Set<String> { Set((try? words(path, or: ())) ?? []) }
}

// MARK: - Division

extension ControlGroupSubtree {
  /// Enables the controllers for child groups. Moves the processes of this group to a child group, if there
  /// are any.
  ///
  /// Several hosts can do this concurrently.
  package func divide() throws(ControlGroupFault) {
    let order = Self.wanted.filter(controllers.contains).map { "+\($0)" }.joined(separator: " ")
    guard !order.isEmpty, !Self.words("\(path)/cgroup.subtree_control").isSuperset(of: Self.wanted) else {
      return
    }
    // Processes can start while others are moved.
    for _ in 0..<8 {
      do {
        try Self.write(order, to: "\(path)/cgroup.subtree_control")
        return
      } catch  where error.errno.rawValue == 16 {  // EBUSY: the group contains processes
        try moveMembers()
      } catch { throw .system(error) }
    }
    throw .shared(path: path)
  }

  private func moveMembers() throws(ControlGroupFault) {
    let leaf = "\(path)/\(Self.hostLeaf)"
    do throws(SystemCallError) {
      do { try FileSystem.makeDirectory(leaf, mode: 0o755) } catch  where error.errno == .fileExists {}
      for process in try Self.words("\(path)/cgroup.procs", or: ()) {
        do { try Self.write(process, to: "\(leaf)/cgroup.procs") } catch  where error.errno == .noSuchProcess
        {
          continue
        }
      }
    } catch { throw .system(error) }
  }

  /// Writes a text to one of the kernel's files.
  static func write(_ text: String, to path: String) throws(SystemCallError) {
    try FileSystem.open(path, .write).writeAll(Array(text.utf8))
  }
}
