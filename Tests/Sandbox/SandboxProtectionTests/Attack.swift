// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import Testing

/// An attack, as listed by `darkroom-probe --list`.
struct Attack: Sendable {
  /// The name of the attack.
  var name: String
  /// The class of the attack.
  var kind: String
  /// The argument; the host replaces names in braces.
  var argument: String
  /// A short description.
  var summary: String
  /// The layers that are expected to refuse the attack: names of layers, or ``kernel``.
  var layers: [String]

  /// The pseudo-layer for refusals by the kernel or the hardware.
  static let kernel = "kernel"

  /// The protections to remove for each removable layer.
  ///
  /// Removing the filter also removes the restrictions behind it that are not layers of their own: the
  /// namespace limits, the hidden mount table, and the layers that protect shown files.
  static let protections: [String: [String]] = [
    Layer.seccomp.rawValue: ["filter", "namespaceLimits", "mountTable", "layers"],
    Layer.landlock.rawValue: ["landlock"], Layer.root.rawValue: ["root"],
    Layer.networkNamespace.rawValue: ["network"], Layer.ipcNamespace.rawValue: ["ipc"],
    Layer.cgroupNamespace.rawValue: ["cgroup"], Layer.limits.rawValue: ["limits"],
    Layer.descriptors.rawValue: ["descriptors"], Layer.timeNamespace.rawValue: ["clocks"],
  ]

  /// The attempt in the format of the host's command line.
  var attempt: String { argument.isEmpty ? name : "\(name)=\(argument)" }

  /// The layers that a plan can omit.
  var removable: [String] { layers.filter { Self.protections[$0] != nil } }

  /// Whether nothing refuses the attack after its layers are removed.
  var succeedsWithoutRemovableLayers: Bool { removable.count == layers.count }

  /// Returns the protections to remove so that only one layer, or none, is left.
  func protections(except kept: String?) -> [String] {
    removable.filter { $0 != kept }.flatMap { Self.protections[$0] ?? [] }
  }
}

extension ProbeHarness {
  /// Returns every attack of the probe.
  func attacks() throws -> [Attack] {
    try output("'\(directory)/darkroom-probe' --list").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(parts.count == 5, "\(line)")
      return Attack(
        name: parts[0],
        kind: parts[1],
        argument: parts[2],
        summary: parts[3],
        layers: parts[4].split(separator: ",").map(String.init)
      )
    }
  }

  /// Makes attacks and returns their results. One host makes all attacks with the same removed protections.
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
