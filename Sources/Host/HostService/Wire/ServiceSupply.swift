// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What a server keeps between sessions, for whoever asks.
package struct ServiceSupply: Sendable, Equatable {
  /// How many extensions wait to be launched.
  package var waiting: Int
  /// How many can wait at once.
  package var mostWaiting: Int
  /// How many were launched that had waited.
  package var launched: Int
  /// How many sessions began in what a broker had prepared.
  package var brokered: Int
  /// Why there is no broker, in a clause; nil: there is one.
  package var brokerFault: String?

  /// Describes what is kept.
  package init(waiting: Int, mostWaiting: Int, launched: Int, brokered: Int, brokerFault: String? = nil) {
    self.waiting = waiting
    self.mostWaiting = mostWaiting
    self.launched = launched
    self.brokered = brokered
    self.brokerFault = brokerFault
  }

  /// As it is sent.
  var json: JSONValue {
    .object([
      "waiting": .integer(Int64(waiting)), "mostWaiting": .integer(Int64(mostWaiting)),
      "launched": .integer(Int64(launched)), "brokered": .integer(Int64(brokered)),
      "brokerFault": brokerFault.map { .string(String($0.prefix(Self.longestFault))) },
    ])
  }

  /// A reply has to fit into one packet.
  private static let longestFault = 512

  /// Reads it; nil: it is none.
  init?(_ value: JSONValue?) {
    func number(_ name: String) -> Int? { value?[name]?.integer.flatMap { Int(exactly: $0) } }
    guard let waiting = number("waiting"), let mostWaiting = number("mostWaiting"),
      let launched = number("launched"), let brokered = number("brokered")
    else { return nil }
    self.init(
      waiting: waiting,
      mostWaiting: mostWaiting,
      launched: launched,
      brokered: brokered,
      brokerFault: value?["brokerFault"]?.string
    )
  }
}
