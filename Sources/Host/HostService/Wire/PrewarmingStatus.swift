// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The state of a server's prewarming.
package struct PrewarmingStatus: Sendable, Equatable {
  /// The number of prewarmed extensions.
  package var waiting: Int
  /// The maximum number of prewarmed extensions.
  package var maximumWaiting: Int
  /// The number of prewarmed extensions that were used by a launch.
  package var launched: Int
  /// The number of sessions that a broker started.
  package var brokered: Int
  /// The reason why the broker is unavailable as a clause, or `nil` if it is available.
  package var brokerFault: String?

  /// Creates a description of the prewarming.
  package init(waiting: Int, maximumWaiting: Int, launched: Int, brokered: Int, brokerFault: String? = nil) {
    self.waiting = waiting
    self.maximumWaiting = maximumWaiting
    self.launched = launched
    self.brokered = brokered
    self.brokerFault = brokerFault
  }

  /// The description as JSON.
  var json: JSONValue {
    .object([
      "prewarmed": .integer(Int64(waiting)), "maximumPrewarmed": .integer(Int64(maximumWaiting)),
      "launched": .integer(Int64(launched)), "brokered": .integer(Int64(brokered)),
      "brokerFault": brokerFault.map { .string(String($0.prefix(Self.longestFault))) },
    ])
  }

  /// A reply has to fit into one packet.
  private static let longestFault = 512

  /// Creates a description from JSON, or returns `nil` if it is not valid.
  init?(_ value: JSONValue?) {
    func number(_ name: String) -> Int? { value?[name]?.integer.flatMap { Int(exactly: $0) } }
    // Servers of earlier versions send `waiting` and `mostWaiting`.
    guard let waiting = number("prewarmed") ?? number("waiting"),
      let maximumWaiting = number("maximumPrewarmed") ?? number("mostWaiting"),
      let launched = number("launched"), let brokered = number("brokered")
    else { return nil }
    self.init(
      waiting: waiting,
      maximumWaiting: maximumWaiting,
      launched: launched,
      brokered: brokered,
      brokerFault: value?["brokerFault"]?.string
    )
  }
}
