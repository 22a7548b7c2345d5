// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import TestSupport
import Testing

/// Every attack of the probe in real sandboxes, complete and with single layers removed.
///
/// The probe names the layers that refuse an attack; these tests verify them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct AttackBatteryTests {
  /// Refused calls that fail as if the kernel did not implement them, so that programs fall back.
  static let answeredAsMissing: Set = [
    "call-minus-one", "call-least", "call-512", "call-547", "call-600", "call-1000", "call-9999",
    "call-greatest", "sysinfo-uptime", "sysinfo-machine", "clone3", "clone3-cgroup", "clone3-user", "listns",
    "set-attribute", "setxattrat",
  ]

  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `no attack succeeds`(user: ProbeUser, policy: String) throws {
    let bench = try ProbeHarness(user)
    for (attack, result) in try bench.make(try bench.attacks(), policy: policy, without: { _ in [] }) {
      #expect(result.verdict != "succeeded", "\(attack.summary): \(result)")
      // A stricter policy may refuse the preparation of an attack.
      #expect(result.verdict != "untried" || policy != "capture", "\(attack.name): \(result.text)")
    }
  }

  /// The filter uses a distinct errno, so that its refusals are identifiable.
  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `the filter itself refuses each call assigned to it`(
    user: ProbeUser,
    policy: String
  ) throws {
    let bench = try ProbeHarness(user)
    let filtered = try bench.attacks().filter {
      $0.layers.contains(Layer.seccomp.rawValue) && $0.kind != "state"
    }
    try #require(filtered.count > 200)
    let results = try bench.make(filtered, policy: policy) {
      $0.protections(except: Layer.seccomp.rawValue) + ["usualErrno"]
    }
    for (attack, result) in results {
      let isRefused = result.verdict == "refused" && result.text.hasSuffix("EBADFD")
      let isMissing =
        Self.answeredAsMissing.contains(attack.name)
        && ["ENOSYS", "EOPNOTSUPP"].contains { result.text.hasSuffix($0) }
      // Other calling conventions kill the program, including those that the processor does not support.
      let isEnded = attack.kind == "conventions" && result.verdict.hasPrefix("SIG")
      // The files that an attempt needs may not be shown.
      let isUntried = policy == "strict" && result.verdict == "untried"
      #expect(isRefused || isMissing || isEnded || isUntried, "\(attack.summary): \(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `each layer assigned to an attack suffices alone`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let attacks = try bench.attacks().filter { $0.removable.count > 1 }
    try #require(attacks.count > 50)
    for layer in Attack.protections.keys {
      let assigned = attacks.filter { $0.removable.contains(layer) }
      for (attack, result) in try bench.make(assigned, without: { $0.protections(except: layer) }) {
        #expect(result.verdict != "succeeded", "\(layer) does not suffice: \(attack.summary): \(result)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `an attack succeeds or is refused by another layer if its layers are removed`(user: ProbeUser) throws {
    let bench = try ProbeHarness(user)
    let attacks = try bench.attacks().filter { !$0.removable.isEmpty }
    let results = try bench.make(attacks) { attack in
      let removed = attack.protections(except: nil)
      return removed.contains("filter") ? removed : removed + ["usualErrno"]
    }
    var succeeded = 0
    for (attack, result) in results {
      if result.verdict == "succeeded" { succeeded += 1 }
      // The kernel may not support the attempted call.
      let isMissing = ["ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT"].contains {
        result.text.hasSuffix($0)
      }
      // After a recent boot, the clocks are too low for a decision.
      let isIndeterminate = result.text.contains("untold")
      #expect(
        result.verdict == "succeeded" || isMissing || isIndeterminate
          || !attack.succeedsWithoutRemovableLayers,
        "\(attack.summary): \(result)"
      )
      let isFilter = result.text.split(separator: " ").last == "EBADFD"
      #expect(!(isFilter && attack.layers.contains(Layer.seccomp.rawValue)), "\(attack.summary): \(result)")
    }
    #expect(succeeded > 200, "too few attacks succeed to say that the tests can fail")
  }

  @Test func `the attack list is machine-readable`() throws {
    let attacks = try ProbeHarness(try #require(ProbeUser.available.first)).attacks()
    #expect(Set(attacks.map(\.name)).count == attacks.count)
    let kinds = Dictionary(grouping: attacks, by: \.kind).mapValues(\.count)
    #expect(
      Set(kinds.keys) == [
        "conventions", "network", "files", "processes", "kernel", "leaks", "resources", "state",
      ]
    )
    let layers = Set(Layer.allCases.map(\.rawValue)).union([Attack.kernel])
    for attack in attacks {
      #expect(!attack.layers.isEmpty && layers.isSuperset(of: attack.layers), "\(attack)")
      #expect(!attack.summary.isEmpty && !attack.name.contains("="), "\(attack)")
    }
  }
}

extension ProbeHarness {
  /// Makes every attack under the least strict policy and expects that each is tried and refused.
  func expectNoAttackSucceeds(options: [String] = []) throws {
    let attacks = try attacks()
    let results = try attempt(attacks.map(\.attempt), options: options)
    #expect(results.map(\.name) == attacks.map(\.name))
    for result in results {
      #expect(result.verdict != "succeeded" && result.verdict != "untried", "\(result)")
    }
  }
}
