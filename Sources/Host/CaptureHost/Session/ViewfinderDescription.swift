// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

/// The description of a viewfinder for a client: the layout of its ring, and the offset of the extension's
/// clock.
///
/// The description is sent as one packet, with the descriptor of the ring, which is open for reading.
package struct ViewfinderDescription: Equatable {
  /// The version of the packet.
  private static let version: Int64 = 1
  /// The maximum size of the packet, in bytes.
  package static let maximumBytes = 1024

  /// The layout of the ring.
  package var geometry: FrameRingGeometry
  /// The difference between the extension's clock and the host's clock, in nanoseconds.
  package var clockLead: Int64

  /// Creates a description.
  package init(geometry: FrameRingGeometry, lead: Int64) {
    (self.geometry, self.clockLead) = (geometry, lead)
  }

  /// The packet.
  var bytes: [UInt8] {
    let value: JSONValue = [
      "viewfinder": .integer(Self.version), "width": .integer(Int64(geometry.width)),
      "height": .integer(Int64(geometry.height)),
      "rate": [
        .integer(Int64(geometry.frameRateNumerator)), .integer(Int64(geometry.frameRateDenominator)),
      ],
      "slots": .integer(Int64(geometry.slots)), "lead": .integer(clockLead),
    ]
    return value.bytes()
  }

  /// Creates a description from a packet, or returns `nil` if the packet is malformed or has another version.
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
