// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The credentials, namespaces, limits and other attributes of a process. Two processes with equal attributes
/// have the same privileges.
///
/// Attributes that a process cannot read of another process are not included: the Landlock ruleset, the
/// limits of the control group, and the contents of seccomp filters.
package struct ProcessAttributes: Sendable, Hashable {
  /// One attribute.
  package struct Fact: Sendable, Hashable {
    /// The name of the attribute, for messages.
    package var name: String
    /// The value of the attribute.
    package var value: String
  }

  /// All attributes, in the order in which they are compared.
  package let facts: [Fact]
  /// The OOM score adjustment (`/proc/PID/oom_score_adj`). Every user may raise it.
  private let oomScoreAdjustment: Int

  /// The lines of `/proc/PID/status` with the credentials of a process.
  private static let lines = [
    "Uid": "the UID", "Gid": "the GID", "Groups": "the list of supplementary groups",
    "NoNewPrivs": "no_new_privs", "Seccomp": "the seccomp mode",
    "Seccomp_filters": "the number of seccomp filters", "CapInh": "the inheritable capability set",
    "CapPrm": "the permitted capability set", "CapEff": "the effective capability set",
    "CapBnd": "the capability bounding set", "CapAmb": "the ambient capability set",
  ]

  /// The namespaces, by their names in `/proc/PID/ns`.
  private static let namespaces = [
    "cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "time_for_children", "user", "uts",
  ]

  /// The limits that a session inherits from its host. For a limit that a launch sets, this is the hard
  /// limit, up to the value of the launch. For other limits, it is both limits.
  private static let limits: [(name: String, resource: Int32, hardUpTo: UInt64?)] = [
    ("processor time", 0, .max), ("the file size", 1, .max), ("the data segment", 2, nil),
    ("the stack", 3, nil), ("resident memory", 5, nil), ("processes", 6, .max), ("descriptors", 7, .max),
    ("locked memory", 8, 64 << 10), ("address space", 9, .max), ("file locks", 10, nil),
    ("queued signals", 11, 1024), ("real-time processor time", 15, nil),
  ]

  /// Returns the attributes of a process, or `nil` if the process has exited or may not be inspected.
  package static func of(_ process: Int32) -> ProcessAttributes? {
    guard let facts = ProcessFacts(process) else { return nil }
    let directory = PathBase.directory(facts.rawDirectory)
    guard let status = try? FileSystem.open("status", in: directory, .read).readAll(limit: 1 << 16),
      let root = try? FileSystem.open("root", in: directory, [.path, .directory]).status(),
      let spaces = try? FileSystem.open("ns", in: directory, [.directory])
    else { return nil }
    var found = Self.words(of: status)
    for name in namespaces {
      // A kernel without this namespace has no link for it in any process.
      let target = try? FileSystem.linkTarget(name, in: .directory(spaces.rawValue))
      found.append(Fact(name: "the \(name) namespace", value: target ?? ""))
    }
    // The links are readable either all or not at all. Without them, the processes cannot be compared.
    guard found.contains(where: { $0.name == "the mnt namespace" && !$0.value.isEmpty }) else { return nil }
    found.append(Fact(name: "the root directory", value: "\(root.device):\(root.inode)"))
    // The label of AppArmor, SELinux or Smack.
    found.append(Fact(name: "the security label", value: text("attr/current", directory)))
    guard let limits = Self.limits(of: process) else { return nil }
    found += limits
    let nice = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process))
    found.append(Fact(name: "the nice value", value: "\(nice)"))
    found.append(Fact(name: "the personality", value: text("personality", directory)))
    let score = text("oom_score_adj", directory)
    return ProcessAttributes(facts: found, oomScoreAdjustment: Int(score.filter { !$0.isNewline }) ?? 0)
  }

  /// Returns the name of the first attribute that differs from another process's, or `nil` if there is none.
  /// A lower OOM score adjustment of the other process is not a difference.
  package func difference(to other: ProcessAttributes) -> String? {
    if let (own, _) = zip(facts, other.facts).first(where: { $0 != $1 }) { return own.name }
    if facts.count != other.facts.count { return "the set of attributes in /proc" }
    // The reverse condition would exclude systemd units, whose OOM score adjustment is higher than that of a
    // shell.
    return oomScoreAdjustment < other.oomScoreAdjustment ? "the OOM score adjustment" : nil
  }

  /// The attributes that confine a process in comparison with other processes of its user.
  private static let confinement: Set = [
    "no_new_privs", "the seccomp mode", "the number of seccomp filters", "the capability bounding set",
    "the security label",
  ]

  /// Returns the name of the first attribute that confines either this process or another one, but not both in
  /// the same way, or `nil` if there is none. Namespaces and limits are not compared.
  package func confinement(unlike other: ProcessAttributes) -> String? {
    let (own, others) = (confining, other.confining)
    if let (fact, _) = zip(own, others).first(where: { $0 != $1 }) { return fact.name }
    return own.count == others.count ? nil : "the set of attributes in /proc"
  }

  private var confining: [Fact] { facts.filter { Self.confinement.contains($0.name) } }

  private static func words(of status: [UInt8]?) -> [Fact] {
    (status ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, let name = lines[String(decoding: parts[0], as: UTF8.self)] else { return nil }
      let words = parts[1].split { $0 == 9 || $0 == 32 }.map { String(decoding: $0, as: UTF8.self) }
      return Fact(name: name, value: words.joined(separator: " "))
    }
  }

  /// Returns the contents of a file, or an empty text if the file does not exist.
  private static func text(_ name: String, _ directory: PathBase) -> String {
    let bytes = try? FileSystem.open(name, in: directory, .read).readAll(limit: 4096)
    return String(decoding: (bytes ?? nil) ?? [], as: UTF8.self)
  }

  private static func limits(of process: Int32) -> [Fact]? {
    var found: [Fact] = []
    for (name, resource, most) in limits {
      var limit = rlimit()
      guard darkroom_prlimit(process, resource, nil, &limit) == 0 else { return nil }
      let value = most.map { "\(min($0, UInt64(limit.rlim_max)))" } ?? "\(limit.rlim_cur) \(limit.rlim_max)"
      found.append(Fact(name: "the limit on \(name)", value: value))
    }
    return found
  }
}
