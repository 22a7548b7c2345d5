// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// How the pixels of a frame are laid out.
package enum FrameFormat: String, CaseIterable, Sendable {
  /// 8 bits, planes Y, U, V, chroma halved both ways.
  case i420
}

/// Which frames an extension wants, or which blocks of sound.
package enum FrameDelivery: String, CaseIterable, Sendable {
  /// The newest; those it was too slow for are dropped.
  case latest
  /// Every one; the source waits for the extension.
  case every
}

/// So many frames in so many seconds.
package struct FrameRate: Hashable, Sendable {
  /// The frames.
  package var numerator: Int
  /// The seconds.
  package var denominator: Int

  /// Makes a rate.
  package init(_ numerator: Int, _ denominator: Int = 1) {
    self.numerator = numerator
    self.denominator = denominator
  }

  init(_ name: String, from fields: FieldReader) throws(ProtocolViolation) {
    self = try fields.read(name, "an array of two integers above 0") { value in
      let parts = value.elements?.compactMap { $0.integer.flatMap(Int.init(exactly:)) } ?? []
      guard parts.count == 2, value.elements?.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
      return FrameRate(parts[0], parts[1])
    }
  }

  var json: JSONValue { [.integer(Int64(numerator)), .integer(Int64(denominator))] }
}

/// The camera that a session has.
package struct CameraDescription: WireValue {
  /// Pixels in a row.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The layout of the pixels.
  package var format: FrameFormat
  /// The source's own rate.
  package var frameRate: FrameRate
  /// What people call it.
  package var name: String

  /// Describes a camera.
  package init(
    width: Int,
    height: Int,
    format: FrameFormat = .i420,
    frameRate: FrameRate,
    name: String
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.frameRate = frameRate
    self.name = name
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    width = try fields.integer("width", in: 1...FrameRingLayout.maximumDimension)
    height = try fields.integer("height", in: 1...FrameRingLayout.maximumDimension)
    format = try fields.choice("format")
    frameRate = try FrameRate("frameRate", from: fields)
    name = try fields.string("name")
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      "format": .string(format.rawValue), "frameRate": frameRate.json, "name": .string(name),
    ]
  }
}

/// The result of `camera/start`: what is in the frame ring from now on.
package struct CameraStream: WireValue {
  /// Pixels in a row.
  package var width: Int
  /// Rows.
  package var height: Int
  /// The layout of the pixels.
  package var format: FrameFormat
  /// The source's own rate.
  package var frameRate: FrameRate
  /// How many frames the ring holds.
  package var slots: Int

  /// Describes a stream.
  package init(
    width: Int,
    height: Int,
    format: FrameFormat = .i420,
    frameRate: FrameRate,
    slots: Int = FrameRingLayout.defaultSlots
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.frameRate = frameRate
    self.slots = slots
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    width = try fields.integer("width", in: 1...FrameRingLayout.maximumDimension)
    height = try fields.integer("height", in: 1...FrameRingLayout.maximumDimension)
    format = try fields.choice("format")
    frameRate = try FrameRate("frameRate", from: fields)
    slots = try fields.integer("slots", in: FrameRingLayout.slotCounts)
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      "format": .string(format.rawValue), "frameRate": frameRate.json, "slots": .integer(Int64(slots)),
    ]
  }
}
