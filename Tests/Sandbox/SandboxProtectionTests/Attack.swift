// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import Testing

/// One line of `darkroom-probe --list`.
struct Attack: Sendable {
  /// Its name.
  var name: String
  /// Its class.
  var kind: String
  /// What it is given; names in braces are for the host to replace.
  var argument: String
  /// What it tries, in a few words.
  var words: String
  /// What is expected to refuse it: names of layers, or ``kernel``.
  var layers: [String]

  /// Stands for what the kernel or the machine refuses by itself.
  static let kernel = "kernel"

  /// What takes a layer out, where a plan can do without it.
  ///
  /// With the filter go the locks behind it that no layer of its own names: against a user namespace of the session's
  /// own, against the calls for mounts, and against what reaches the host through a file that it shows.
  static let protections: [String: [String]] = [
    Layer.seccomp.rawValue: ["filter", "namespaceLimits", "mountTable", "layers"],
    Layer.landlock.rawValue: ["landlock"], Layer.root.rawValue: ["root"],
    Layer.networkNamespace.rawValue: ["network"], Layer.ipcNamespace.rawValue: ["ipc"],
    Layer.cgroupNamespace.rawValue: ["cgroup"], Layer.limits.rawValue: ["limits"],
    Layer.descriptors.rawValue: ["descriptors"], Layer.timeNamespace.rawValue: ["clocks"],
  ]

  /// As the host takes it.
  var attempt: String { argument.isEmpty ? name : "\(name)=\(argument)" }

  /// The layers that a plan can do without.
  var removable: [String] { layers.filter { Self.protections[$0] != nil } }

  /// Whether nothing refuses it once its layers are out.
  var isOpenWithoutThem: Bool { removable.count == layers.count }

  /// The protections to take out so that only one of its layers is left, or none.
  func protections(except kept: String?) -> [String] {
    removable.filter { $0 != kept }.flatMap { Self.protections[$0] ?? [] }
  }
}

extension ProbeBench {
  /// Every attack that the probe knows.
  func attacks() throws -> [Attack] {
    try output("'\(directory)/darkroom-probe' --list").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 5, "\(line)")
      return Attack(
        name: parts[0],
        kind: parts[1],
        argument: parts[2],
        words: parts[3],
        layers: parts[4].split(separator: ",").map(String.init)
      )
    }
  }

  /// Makes attacks, and returns what came of each. Those that go with the same protections are made by one host.
  func make(
    _ attacks: [Attack],
    policy: String = "capture",
    without protections: (Attack) -> [String]
  ) throws -> [(attack: Attack, result: Result)] {
    var all: [(attack: Attack, result: Result)] = []
    for (without, group) in Dictionary(grouping: attacks, by: protections) {
      let results = try attempt(group.map(\.attempt), policy: policy, without: without)
      all += zip(group, results).map { (attack: $0, result: $1) }
    }
    return all
  }
}
