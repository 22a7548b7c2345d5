// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What a process may do and where it stands, as the kernel says it: who it is, what it can, in which namespaces, under
/// which limits. Two processes that stand alike could each do what the other does.
///
/// What no process can see of another is not in it: a Landlock ruleset, the control group's limits, which seccomp filters
/// there are.
package struct ProcessStanding: Sendable, Hashable {
  /// One fact.
  package struct Fact: Sendable, Hashable {
    /// What it is called, for people.
    package var name: String
    /// How it stands.
    package var value: String
  }

  /// All of them, in the order in which they are told.
  package let facts: [Fact]
  /// How soon the kernel ends it when memory runs out (`/proc/PID/oom_score_adj`). Anybody may be ended sooner.
  private let dispensability: Int

  /// The lines of `/proc/PID/status` that say who a process is and what it can.
  private static let lines = [
    "Uid": "the user", "Gid": "the group", "Groups": "the supplementary groups",
    "NoNewPrivs": "no_new_privs", "Seccomp": "the seccomp mode", "Seccomp_filters": "the seccomp filters",
    "CapInh": "inheritable capabilities", "CapPrm": "permitted capabilities",
    "CapEff": "effective capabilities", "CapBnd": "the capability bounding set",
    "CapAmb": "ambient capabilities",
  ]

  /// The namespaces, as `/proc/PID/ns` names them.
  private static let namespaces = [
    "cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "time_for_children", "user", "uts",
  ]

  /// The limits that a session takes from its host: the hard ones of what a launch sets, as far as it could use them;
  /// both of what it leaves as it is.
  private static let limits: [(name: String, resource: Int32, hardUpTo: UInt64?)] = [
    ("processor time", 0, .max), ("the size of a file", 1, .max), ("data", 2, nil), ("the stack", 3, nil),
    ("resident memory", 5, nil), ("processes", 6, .max), ("descriptors", 7, .max),
    ("locked memory", 8, 64 << 10), ("address space", 9, .max), ("locks", 10, nil),
    ("queued signals", 11, 1024), ("real-time work", 15, nil),
  ]

  /// How a process stands; nil if it has ended, or if this one may not look.
  package static func of(_ process: Int32) -> ProcessStanding? {
    guard let facts = ProcessFacts(process) else { return nil }
    let directory = PathBase.directory(facts.rawDirectory)
    guard let status = try? FileSystem.open("status", in: directory, .read).readAll(limit: 1 << 16),
      let root = try? FileSystem.open("root", in: directory, [.path, .directory]).status(),
      let spaces = try? FileSystem.open("ns", in: directory, [.directory])
    else { return nil }
    var found = Self.words(of: status)
    for name in namespaces {
      // A kernel that has no such namespace has none for anybody.
      let target = try? FileSystem.linkTarget(name, in: .directory(spaces.rawValue))
      found.append(Fact(name: "the \(name) namespace", value: target ?? ""))
    }
    // One may look at all or at none: then there is no likeness.
    guard found.contains(where: { $0.name == "the mnt namespace" && !$0.value.isEmpty }) else { return nil }
    found.append(Fact(name: "the root directory", value: "\(root.device):\(root.inode)"))
    // What AppArmor, SELinux or Smack calls it.
    found.append(Fact(name: "the security label", value: text("attr/current", directory)))
    guard let limits = Self.limits(of: process) else { return nil }
    found += limits
    let nice = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process))
    found.append(Fact(name: "the nice value", value: "\(nice)"))
    found.append(Fact(name: "the personality", value: text("personality", directory)))
    let score = text("oom_score_adj", directory)
    return ProcessStanding(facts: found, dispensability: Int(score.filter { !$0.isNewline }) ?? 0)
  }

  /// The first fact in which another process stands otherwise; nil: they stand alike, or it is the other that loses.
  package func difference(to other: ProcessStanding) -> String? {
    if let (own, _) = zip(facts, other.facts).first(where: { $0 != $1 }) { return own.name }
    if facts.count != other.facts.count { return "what the kernel says" }
    // The other way round a unit, which is ended sooner than a shell is, would serve none.
    return dispensability < other.dispensability ? "how soon it is ended when memory runs out" : nil
  }

  private static func words(of status: [UInt8]?) -> [Fact] {
    (status ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, let name = lines[String(decoding: parts[0], as: UTF8.self)] else { return nil }
      let words = parts[1].split { $0 == 9 || $0 == 32 }.map { String(decoding: $0, as: UTF8.self) }
      return Fact(name: name, value: words.joined(separator: " "))
    }
  }

  /// What a file says; nothing where there is none.
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
