// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A sound that every host supports.
package enum StandardSound: String, CaseIterable, Sendable {
  /// A photo was taken.
  case cameraShutter
  /// A video recording begins.
  case beginVideoRecording
  /// A video recording ends.
  case endVideoRecording
}

/// A sound for a capture event.
package enum CaptureSound: Hashable, Sendable {
  /// A sound that every host supports.
  case standard(StandardSound)
  /// A file of the extension, by its path below the extension's directory.
  case file(String)
}

/// The parameters of `capture/playSound`.
package struct SoundRequest: WireValue, Hashable {
  /// The number of the capture event.
  package var event: Int
  /// The standard sound, or the fallback if `path` cannot be played.
  package var sound: StandardSound?
  /// The path of the sound file below the extension's directory.
  package var path: String?

  /// The sounds to try, in this order.
  package var sounds: [CaptureSound] {
    [path.map(CaptureSound.file), sound.map(CaptureSound.standard)].compactMap(\.self)
  }

  /// Creates a request for one sound.
  package init(event: Int, _ sound: CaptureSound) {
    self.event = event
    switch sound {
    case .standard(let sound): self.sound = sound
    case .file(let path): self.path = path
    }
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    event = try fields.integer("event", in: 0...Int.max)
    sound = try fields.ifPresent("sound", FieldReader.choice)
    path = try fields.ifPresent("path", FieldReader.string)
    // One of the two is required; the error names the first.
    if path == nil, sound == nil { sound = try fields.choice("sound") }
  }

  /// The value as JSON.
  package var json: JSONValue {
    .object([
      "event": .integer(Int64(event)), "sound": sound.map { .string($0.rawValue) },
      "path": path.map(JSONValue.string),
    ])
  }
}

/// The result of `capture/playSound`.
package struct SoundResult: WireValue {
  /// Whether the host plays a sound.
  package var played: Bool

  /// Creates a result.
  package init(played: Bool) { self.played = played }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) { played = try fields.flag("played") }

  /// The value as JSON.
  package var json: JSONValue { ["played": .bool(played)] }
}
