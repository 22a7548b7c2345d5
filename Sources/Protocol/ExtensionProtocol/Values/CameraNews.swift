// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The parameters of `camera/ended`: the camera has stopped.
package struct CameraEndNotice: WireValue, Hashable {
  package var reason: Reason
  /// The reason as a sentence for the user.
  package var message: String

  /// A reason for which the camera has stopped.
  package enum Reason: String, CaseIterable, Sendable {
    /// The video that simulates a camera has ended.
    case finished
    /// The camera or its driver was removed.
    case unplugged
    /// The size of the frames no longer matches the ring.
    case formatChanged
    /// The camera no longer delivers frames, for another reason.
    case failed
  }

  /// Creates a notice. Its sentence reveals nothing about the host: neither the source of the frames nor
  /// their current user.
  package init(_ reason: Reason) {
    self.reason = reason
    message =
      switch reason {
      case .finished: "the camera has no more frames"
      case .unplugged:
        "the camera or its driver was removed; plug in the camera and start a new session"
      case .formatChanged: "the size of the camera's frames has changed; start a new session"
      case .failed: "the camera no longer delivers frames; the session record contains the reason"
      }
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    reason = try fields.choice("reason")
    message = try fields.string("message")
  }

  /// The value as JSON.
  package var json: JSONValue { ["reason": .string(reason.rawValue), "message": .string(message)] }
}

/// The parameters of `camera/changed`: the camera's properties changed.
package struct CameraChange: WireValue, Hashable {
  /// The new frame rate.
  package var frameRate: FrameRate

  /// Creates a change.
  package init(frameRate: FrameRate) { self.frameRate = frameRate }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    frameRate = try FrameRate("frameRate", from: fields)
  }

  /// The value as JSON.
  package var json: JSONValue { ["frameRate": frameRate.json] }
}
