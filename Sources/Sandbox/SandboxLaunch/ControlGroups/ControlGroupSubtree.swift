// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// A part of the hierarchy of control groups that belongs to this host: it may make groups in it and divide what it has.
package struct ControlGroupSubtree: Sendable, Hashable {
  /// The directory.
  package let path: String
  /// The controllers that it can pass on, for example `memory`.
  package let controllers: Set<String>

  /// The controllers that bound a session.
  private static let wanted = ["memory", "pids"]
  /// The group of the host itself, once its own is divided: a group with processes can have no parts with controllers.
  private static let hostLeaf = "host"

  /// Finds the subtree of this process; nothing is changed. `given` is the path that somebody has named for it.
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
    // What merely belongs to the user may be divided as long as nobody else is in it. Root owns everything, which says
    // nothing.
    guard isOwn(own) else { throw .notDelegated(path: own) }
    guard try members(of: own) == [CurrentProcess.processID] else { throw .shared(path: own) }
    return try ControlGroupSubtree(checking: own)
  }

  /// Finds the subtree of this process, or asks systemd for one. That moves this process into a scope of its own.
  ///
  /// `mounts` gives the table of mounts (`/proc/self/mountinfo`) to who has it; nil: it is read, if it is needed.
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

  /// Whether the machine's hierarchy has the controllers at all, for a process in the group `own`.
  private static func hasControllers(_ own: String) -> Bool {
    let known = words("\(own)/cgroup.controllers")
    let mount = words("/sys/fs/cgroup/cgroup.controllers")
    return known.union(mount).isSuperset(of: wanted)
  }

  /// Takes a directory that may be used.
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

  /// Makes a subtree of a directory as it is, without asking for controllers.
  init(unchecked path: String) {
    self.path = path
    controllers = Self.words("\(path)/cgroup.controllers")
  }

  /// The directory of the group that this process is in.
  ///
  /// Where the hierarchy is mounted is found out once for each group: a host asks before each launch, and its table of
  /// mounts can be long. What is done there finds out by itself if it is no hierarchy any more.
  private static func ownDirectory(_ table: () -> [UInt8]? = { nil }) throws(ControlGroupFault) -> String {
    do {
      let membership = try FileSystem.contents("/proc/self/cgroup") ?? []
      if let known = known.withLock({ $0?.membership == membership ? $0 : nil }),
        (try? FileSystem.type(of: known.directory)) == fileSystemType
      {
        return known.directory
      }
      let mounts = try table() ?? FileSystem.contents("/proc/self/mountinfo") ?? []
      let directory = try ControlGroupPlace.directory(
        membership: String(decoding: membership, as: UTF8.self),
        mounts: String(decoding: mounts, as: UTF8.self)
      )
      known.withLock { $0 = (membership, directory) }
      return directory
    } catch let error as SystemCallError { throw .system(error) } catch let error as ControlGroupFault {
      throw error
    } catch { throw .outOfSight }
  }

  /// What was found out last.
  private static let known = Mutex<(membership: [UInt8], directory: String)?>(nil)
  /// The type of a hierarchy of version 2 (statfs(2), `CGROUP2_SUPER_MAGIC`).
  private static let fileSystemType = 0x6367_7270

  /// Whether systemd has marked a group as handed over (systemd.resource-control(5), `Delegate=`).
  private static func isDelegated(_ path: String) -> Bool {
    guard let directory = try? FileSystem.open(path, [.directory]) else { return false }
    return ["trusted.delegate", "user.delegate"].contains { name in
      (try? directory.attribute(name)) == [UInt8(ascii: "1")]
    }
  }

  /// Whether a group belongs to an ordinary user who is this process's.
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

  /// The words of a file; none if it cannot be read.
  static func words(_ path: String) -> Set<String> { Set((try? words(path, or: ())) ?? []) }
}

// MARK: - Dividing it

extension ControlGroupSubtree {
  /// Passes the controllers on to the groups in this one, moving its processes into a group of their own if it has any.
  ///
  /// Safe when several hosts do it at the same time.
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
      } catch  where error.errno.rawValue == 16 {  // EBUSY: there are processes in it
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

  /// Writes a word to one of the kernel's files.
  static func write(_ text: String, to path: String) throws(SystemCallError) {
    try FileSystem.open(path, .write).writeAll(Array(text.utf8))
  }
}
