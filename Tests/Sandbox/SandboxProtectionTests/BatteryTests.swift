// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import TestSupport
import Testing

/// Every attack of the probe, in real sandboxes, whole ones and such as have a layer less.
///
/// The probe itself names the layers that refuse an attack; these tests take it at its word.
@Suite(.timeLimit(.minutes(20)), .waiting) struct BatteryTests {
  /// Denied calls that are answered as if the kernel had no such call, so that programs fall back.
  static let answeredAsMissing: Set = [
    "call-minus-one", "call-least", "call-512", "call-547", "call-600", "call-1000", "call-9999",
    "call-greatest", "sysinfo-uptime", "sysinfo-machine", "clone3", "clone3-cgroup", "clone3-user", "listns",
    "set-attribute", "setxattrat",
  ]

  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `no attack gets through`(user: ProbeUser, policy: String) throws {
    let bench = try ProbeBench(user)
    for (attack, result) in try bench.make(try bench.attacks(), policy: policy, without: { _ in [] }) {
      #expect(result.verdict != "succeeded", "\(attack.words): \(result)")
      // A stricter policy may refuse what an attempt needs to begin with.
      #expect(result.verdict != "untried" || policy != "capture", "\(attack.name): \(result.text)")
    }
  }

  /// The filter marks its refusals, so that they can be told from those of others.
  @Test(arguments: ProbeUser.available, ["capture", "strict"])
  func `a call that the filter is to refuse is refused by the filter itself`(
    user: ProbeUser,
    policy: String
  ) throws {
    let bench = try ProbeBench(user)
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
      // Another convention ends the program; one that the processor itself does not know, too.
      let isEnded = attack.kind == "conventions" && result.verdict.hasPrefix("SIG")
      // What an attempt begins with may not be shown.
      let isUntried = policy == "strict" && result.verdict == "untried"
      #expect(isRefused || isMissing || isEnded || isUntried, "\(attack.words): \(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `each layer that is to refuse an attack refuses it alone`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
    let attacks = try bench.attacks().filter { $0.removable.count > 1 }
    try #require(attacks.count > 50)
    for layer in Attack.protections.keys {
      let held = attacks.filter { $0.removable.contains(layer) }
      for (attack, result) in try bench.make(held, without: { $0.protections(except: layer) }) {
        #expect(result.verdict != "succeeded", "\(layer) does not suffice: \(attack.words): \(result)")
      }
    }
  }

  @Test(arguments: ProbeUser.available)
  func `without its layers an attack succeeds, or is refused by something else`(user: ProbeUser) throws {
    let bench = try ProbeBench(user)
    let attacks = try bench.attacks().filter { !$0.removable.isEmpty }
    let results = try bench.make(attacks) { attack in
      let off = attack.protections(except: nil)
      return off.contains("filter") ? off : off + ["usualErrno"]
    }
    var succeeded = 0
    for (attack, result) in results {
      if result.verdict == "succeeded" { succeeded += 1 }
      // A kernel may lack what is tried.
      let isMissing = ["ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT"].contains {
        result.text.hasSuffix($0)
      }
      // A machine that was started a moment ago has clocks of which nothing can be told.
      let isUntold = result.text.contains("untold")
      #expect(
        result.verdict == "succeeded" || isMissing || isUntold || !attack.isOpenWithoutThem,
        "\(attack.words): \(result)"
      )
      let isFilter = result.text.split(separator: " ").last == "EBADFD"
      #expect(!(isFilter && attack.layers.contains(Layer.seccomp.rawValue)), "\(attack.words): \(result)")
    }
    #expect(succeeded > 200, "too few attacks succeed to say that the tests can fail")
  }

  @Test func `the list of attacks is one that programs can read`() throws {
    let attacks = try ProbeBench(try #require(ProbeUser.available.first)).attacks()
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
      #expect(!attack.words.isEmpty && !attack.name.contains("="), "\(attack)")
    }
  }
}

extension ProbeBench {
  /// Makes every attack under the policy that refuses least, and expects that each is tried and none gets through.
  func expectNothingGetsThrough(options: [String] = []) throws {
    let attacks = try attacks()
    let results = try attempt(attacks.map(\.attempt), options: options)
    #expect(results.map(\.name) == attacks.map(\.name))
    for result in results {
      #expect(result.verdict != "succeeded" && result.verdict != "untried", "\(result)")
    }
  }
}
