// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A pixel format.
package enum FrameFormat: String, CaseIterable, Sendable {
  /// 8-bit planar Y, U and V with 4:2:0 subsampling.
  case i420
}

/// A mode of delivering frames or blocks of sound.
package enum FrameDelivery: String, CaseIterable, Sendable {
  /// The newest frame; frames are dropped if the extension is too slow.
  case latest
  /// Every frame; the source waits for the extension.
  case every
}

/// A frame rate: a number of frames in a number of seconds.
package struct FrameRate: Hashable, Sendable {
  /// The number of frames.
  package var numerator: Int
  /// The number of seconds.
  package var denominator: Int

  /// Creates a rate.
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

/// The camera of a session.
package struct CameraDescription: WireValue {
  /// The width of a frame in pixels.
  package var width: Int
  /// The height of a frame in rows.
  package var height: Int
  /// The pixel format.
  package var format: FrameFormat
  /// The format of the sensor's samples that each frame has as well, or `nil` if it has none.
  package var raw: BayerFormat?
  /// The frame rate of the source.
  package var frameRate: FrameRate
  /// The camera's name for the user.
  package var name: String

  /// Creates a camera.
  package init(
    width: Int,
    height: Int,
    format: FrameFormat = .i420,
    raw: BayerFormat? = nil,
    frameRate: FrameRate,
    name: String
  ) {
    self.width = width
    self.height = height
    self.format = format
    self.raw = raw
    self.frameRate = frameRate
    self.name = name
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    width = try fields.integer("width", in: 1...FrameRingLayout.maximumDimension)
    height = try fields.integer("height", in: 1...FrameRingLayout.maximumDimension)
    format = try fields.choice("format")
    // A reader that does not know the format ignores the samples.
    raw = try fields.ifPresent("raw", FieldReader.string).flatMap(BayerFormat.init(code:))
    frameRate = try FrameRate("frameRate", from: fields)
    name = try fields.string("name")
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      "format": .string(format.rawValue), "raw": raw.map { .string($0.code) }, "frameRate": frameRate.json,
      "name": .string(name),
    ])
  }
}

/// The result of `camera/start`: the contents of the frame ring.
package struct CameraStream: WireValue {
  /// The width of a frame in pixels.
  package var width: Int
  /// The height of a frame in rows.
  package var height: Int
  /// The pixel format.
  package var format: FrameFormat
  /// The frame rate of the source.
  package var frameRate: FrameRate
  /// The number of frames in the ring.
  package var slots: Int

  /// Creates a stream.
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

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    width = try fields.integer("width", in: 1...FrameRingLayout.maximumDimension)
    height = try fields.integer("height", in: 1...FrameRingLayout.maximumDimension)
    format = try fields.choice("format")
    frameRate = try FrameRate("frameRate", from: fields)
    slots = try fields.integer("slots", in: FrameRingLayout.slotCounts)
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "width": .integer(Int64(width)), "height": .integer(Int64(height)),
      "format": .string(format.rawValue), "frameRate": frameRate.json, "slots": .integer(Int64(slots)),
    ]
  }
}
