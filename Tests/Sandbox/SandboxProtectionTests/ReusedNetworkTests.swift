// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The state of a network that an earlier session has used.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ReusedNetworkTests {
  /// A broker prepares the next session in advance, so that two networks alternate.
  private static let rounds = 3
  private static let sessions =
    ["network-state"] + Array(repeating: "network-state", count: rounds)
    + Array(repeating: "leave-in-network", count: rounds)
    + Array(repeating: "network-state", count: rounds)

  /// Returns the network states before and after other sessions have left all possible state, by network
  /// name. The first session of a host is omitted, because its network is not reused.
  private static func networkStates(
    _ user: ProbeUser,
    _ launcher: String,
    without: [String] = [],
    missing capability: String? = nil
  ) throws -> (before: [String: String], after: [String: String]) {
    let results = try ProbeHarness(user, missing: capability).attempt(
      sessions,
      without: without,
      options: ["--launcher", launcher],
      // A broker that starts over because of a mount reuses no network.
      ownMounts: true
    )
    #expect(results.allSatisfy { $0.verdict == "succeeded" }, "\(results) as \(user)")
    func networkState(_ results: ArraySlice<ProbeHarness.Result>) -> [String: String] {
      Dictionary(
        results.map { result in
          let words = result.text.split(separator: " ")
          // Zero would mean an unreadable file.
          #expect(words.count == 13 && !words.contains { $0.hasSuffix(":0") }, "\(result) as \(user)")
          return (words.first.map(String.init) ?? "", words.dropFirst().joined(separator: " "))
        }
      ) { _, last in last }
    }
    return (networkState(results.dropFirst().prefix(rounds)), networkState(results.suffix(rounds)))
  }

  /// Whether networks are reused. The networks of an unprivileged user belong to a broker, and without one to
  /// their sessions.
  private static func isReused(_ user: ProbeUser, _ launcher: String) -> Bool {
    user == .root || launcher != "direct"
  }

  /// Whether some sessions reused a network. Which ones, and how many networks alternate, depends on the
  /// timing of the broker.
  private static func isReused(_ before: [String: String], _ after: [String: String]) -> Bool {
    Set(before.keys).union(after.keys).count < 2 * rounds
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `a reused network has its initial state`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.networkStates(user, launcher)
    #expect(Set(before.values).union(after.values).count == 1, "\(before), \(after) as \(user)")
    if Self.isReused(user, launcher) {
      #expect(Self.isReused(before, after), "\(before), \(after) as \(user)")
    }
  }

  /// A shared network namespace file would show each session the time of the first one.
  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `timestamps in a reused network do not reveal earlier sessions`(user: ProbeUser, launcher: String)
    throws
  {
    let (before, after) = try Self.networkStates(user, launcher)
    if Self.isReused(user, launcher) {
      #expect(Self.isReused(before, after), "\(before), \(after) as \(user)")
    }
    for networkState in Array(before.values) + after.values {
      #expect(networkState.hasPrefix("times:own "), "\(networkState) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `a reused network would keep changes without the filter (control)`(user: ProbeUser, launcher: String)
    throws
  {
    let (before, after) = try Self.networkStates(user, launcher, without: ["refusing", "newNetwork"])
    // All new networks look the same, so that it does not matter which ones the last sessions have.
    let isChanged = !Set(after.values).isSubset(of: before.values)
    #expect(isChanged == Self.isReused(user, launcher), "\(before), \(after) as \(user)")
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `no network is reused without the filter`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.networkStates(user, launcher, without: ["refusing"])
    #expect(Set(before.values).union(after.values).count == 1, "\(before), \(after) as \(user)")
  }

  /// Creating a network requires CAP_SYS_ADMIN only, and entering it through a socket CAP_NET_ADMIN, which a
  /// service may lack.
  @Test(
    .enabled(if: ProbeUser.available.contains(.root), "needs root, which alone can lack a capability"),
    arguments: ["direct", "broker", "beside"]
  )
  func `root without CAP_NET_ADMIN reuses no network and launches`(launcher: String) throws {
    let (before, after) = try Self.networkStates(
      .root,
      launcher,
      without: ["refusing", "newNetwork"],
      missing: "net_admin"
    )
    // The first network was kept, which shows in the number of its sockets.
    let networkStates = (Array(before.values) + after.values).map {
      $0.split(separator: " ").filter { !$0.hasPrefix("sockstat:") }
    }
    #expect(Set(networkStates).count == 1, "\(before), \(after)")
  }
}
