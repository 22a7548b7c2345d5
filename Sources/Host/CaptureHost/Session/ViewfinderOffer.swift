// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

/// What a host says of a viewfinder to whoever may look: how its ring is laid out, and how the extension's clock goes.
///
/// It is one packet, with the ring's descriptor, open for reading.
package struct ViewfinderOffer: Equatable {
  /// The version of this packet.
  private static let version: Int64 = 1
  /// The most bytes that it has.
  package static let mostBytes = 1024

  /// How the host has laid the ring out.
  package var geometry: FrameRingGeometry
  /// By how many nanoseconds the extension's clock is ahead of the host's.
  package var lead: Int64

  /// Describes a viewfinder.
  package init(geometry: FrameRingGeometry, lead: Int64) { (self.geometry, self.lead) = (geometry, lead) }

  /// The packet.
  var bytes: [UInt8] {
    let value: JSONValue = [
      "viewfinder": .integer(Self.version), "width": .integer(Int64(geometry.width)),
      "height": .integer(Int64(geometry.height)),
      "rate": [
        .integer(Int64(geometry.frameRateNumerator)), .integer(Int64(geometry.frameRateDenominator)),
      ],
      "slots": .integer(Int64(geometry.slots)), "lead": .integer(lead),
    ]
    return value.bytes()
  }

  /// Reads a packet; nil: it is of another version, or none.
  package init?(_ bytes: [UInt8]) {
    guard let value = try? JSONNode.parse(bytes).value, value["viewfinder"]?.integer == Self.version,
      let width = value["width"]?.integer.flatMap({ Int(exactly: $0) }),
      let height = value["height"]?.integer.flatMap({ Int(exactly: $0) }),
      let rate = value["rate"]?.elements?.compactMap({ $0.integer.flatMap { UInt32(exactly: $0) } }),
      rate.count == 2, let slots = value["slots"]?.integer.flatMap({ Int(exactly: $0) }),
      let lead = value["lead"]?.integer,
      let geometry = try? FrameRingGeometry(
        width: width,
        height: height,
        frameRateNumerator: rate[0],
        frameRateDenominator: rate[1],
        slots: slots
      )
    else { return nil }
    self.init(geometry: geometry, lead: lead)
  }
}
