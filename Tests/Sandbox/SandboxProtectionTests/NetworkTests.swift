// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The state of a network that an earlier session has used.
@Suite(.timeLimit(.minutes(20)), .waiting) struct NetworkTests {
  /// A broker prepares the next session in advance, so that two networks alternate.
  private static let turns = 3
  private static let sessions =
    ["network-state"] + Array(repeating: "network-state", count: turns)
    + Array(repeating: "leave-in-network", count: turns)
    + Array(repeating: "network-state", count: turns)

  /// Returns the network states before and after other sessions have left all possible state, by network
  /// name. The first session of a host is omitted, because its network is not reused.
  private static func looks(
    _ user: ProbeUser,
    _ launcher: String,
    without: [String] = [],
    lacking capability: String? = nil
  ) throws -> (before: [String: String], after: [String: String]) {
    let results = try ProbeBench(user, lacking: capability).attempt(
      sessions,
      without: without,
      options: ["--launcher", launcher],
      // A broker that starts over because of a mount reuses no network.
      ownMounts: true
    )
    #expect(results.allSatisfy { $0.verdict == "succeeded" }, "\(results) as \(user)")
    func look(_ results: ArraySlice<ProbeBench.Result>) -> [String: String] {
      Dictionary(
        results.map { result in
          let words = result.text.split(separator: " ")
          // Zero would mean an unreadable file.
          #expect(words.count == 13 && !words.contains { $0.hasSuffix(":0") }, "\(result) as \(user)")
          return (words.first.map(String.init) ?? "", words.dropFirst().joined(separator: " "))
        }
      ) { _, last in last }
    }
    return (look(results.dropFirst().prefix(turns)), look(results.suffix(turns)))
  }

  /// Whether networks are reused. The networks of an unprivileged user belong to a broker, and without one to
  /// their sessions.
  private static func isHandedOn(_ user: ProbeUser, _ launcher: String) -> Bool {
    user == .root || launcher != "direct"
  }

  /// Whether some sessions reused a network. Which ones, and how many networks alternate, depends on the
  /// timing of the broker.
  private static func isKept(_ before: [String: String], _ after: [String: String]) -> Bool {
    Set(before.keys).union(after.keys).count < 2 * turns
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `a network that is handed on is as it was`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.looks(user, launcher)
    #expect(Set(before.values).union(after.values).count == 1, "\(before), \(after) as \(user)")
    if Self.isHandedOn(user, launcher) {
      #expect(Self.isKept(before, after), "\(before), \(after) as \(user)")
    }
  }

  /// A shared network namespace file would show each session the time of the first one.
  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `its times tell nothing of who had it before`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.looks(user, launcher)
    if Self.isHandedOn(user, launcher) {
      #expect(Self.isKept(before, after), "\(before), \(after) as \(user)")
    }
    for look in Array(before.values) + after.values {
      #expect(look.hasPrefix("times:own "), "\(look) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `it would not be without the filter`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.looks(user, launcher, without: ["refusing", "newNetwork"])
    // All new networks look the same, so that it does not matter which ones the last sessions have.
    let isChanged = !Set(after.values).isSubset(of: before.values)
    #expect(isChanged == Self.isHandedOn(user, launcher), "\(before), \(after) as \(user)")
  }

  @Test(arguments: ProbeUser.available, ["direct", "broker", "beside"])
  func `without the filter none is handed on`(user: ProbeUser, launcher: String) throws {
    let (before, after) = try Self.looks(user, launcher, without: ["refusing"])
    #expect(Set(before.values).union(after.values).count == 1, "\(before), \(after) as \(user)")
  }

  /// Creating a network requires CAP_SYS_ADMIN only, and entering it through a socket CAP_NET_ADMIN, which a
  /// service may lack.
  @Test(
    .enabled(if: ProbeUser.available.contains(.root), "needs root, which alone can lack a capability"),
    arguments: ["direct", "broker", "beside"]
  )
  func `a root that cannot enter one again hands none on, and launches`(launcher: String) throws {
    let (before, after) = try Self.looks(
      .root,
      launcher,
      without: ["refusing", "newNetwork"],
      lacking: "net_admin"
    )
    // The first network was kept, which shows in the number of its sockets.
    let looks = (Array(before.values) + after.values).map {
      $0.split(separator: " ").filter { !$0.hasPrefix("sockstat:") }
    }
    #expect(Set(looks).count == 1, "\(before), \(after)")
  }
}
