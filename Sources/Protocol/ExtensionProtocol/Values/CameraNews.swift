// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// No more frames come.
package struct CameraEnding: WireValue, Hashable {
  /// Why.
  package var reason: Reason
  /// The same as a sentence for people.
  package var message: String

  /// Why no more frames come.
  package enum Reason: String, CaseIterable, Sendable {
    /// The film that stands for a camera is over.
    case finished
    /// The camera is gone, or what drives it.
    case unplugged
    /// Its frames have another size than the ring was made for.
    case formatChanged
    /// It gives no frames any more, for another reason.
    case failed
  }

  /// Describes an end, in words that say nothing of the host: neither where the frames came from nor who has them now.
  package init(_ reason: Reason) {
    self.reason = reason
    message =
      switch reason {
      case .finished: "the camera has no more frames"
      case .unplugged:
        "the camera is gone: it was unplugged, or its driver was; plug it in and begin a new session"
      case .formatChanged: "the frames of the camera have another size now, which needs a new session"
      case .failed: "the camera gives no frames any more; the record of the session says why"
      }
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    reason = try fields.choice("reason")
    message = try fields.string("message")
  }

  /// Writes it.
  package var json: JSONValue { ["reason": .string(reason.rawValue), "message": .string(message)] }
}

/// The camera goes on otherwise than it was described.
package struct CameraChange: WireValue, Hashable {
  /// How fast it is now.
  package var frameRate: FrameRate

  /// Describes a change.
  package init(frameRate: FrameRate) { self.frameRate = frameRate }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    frameRate = try FrameRate("frameRate", from: fields)
  }

  /// Writes it.
  package var json: JSONValue { ["frameRate": frameRate.json] }
}
