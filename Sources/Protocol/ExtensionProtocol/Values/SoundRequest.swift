// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A sound that every host knows.
package enum StandardSound: String, CaseIterable, Sendable {
  /// A picture was taken.
  case cameraShutter
  /// A film begins.
  case beginVideoRecording
  /// A film ends.
  case endVideoRecording
}

/// A sound that can be played for a capture event.
package enum CaptureSound: Hashable, Sendable {
  /// One that every host knows.
  case standard(StandardSound)
  /// A file of the extension, by its path below the extension's directory.
  case file(String)
}

/// The parameters of `capture/playSound`.
package struct SoundRequest: WireValue, Hashable {
  /// The number of the event that the sound is for.
  package var event: Int
  /// What is played if there is no file, or it cannot be played.
  package var sound: StandardSound?
  /// The file that is played, below the extension's directory.
  package var path: String?

  /// What to try, in this order.
  package var sounds: [CaptureSound] {
    [path.map(CaptureSound.file), sound.map(CaptureSound.standard)].compactMap(\.self)
  }

  /// Asks for one sound.
  package init(event: Int, _ sound: CaptureSound) {
    self.event = event
    switch sound {
    case .standard(let sound): self.sound = sound
    case .file(let path): self.path = path
    }
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    event = try fields.integer("event", in: 0...Int.max)
    sound = try fields.ifPresent("sound", FieldReader.choice)
    path = try fields.ifPresent("path", FieldReader.string)
    // One of the two there has to be, and the error names the first.
    if path == nil, sound == nil { sound = try fields.choice("sound") }
  }

  /// Writes it.
  package var json: JSONValue {
    .object([
      "event": .integer(Int64(event)), "sound": sound.map { .string($0.rawValue) },
      "path": path.map(JSONValue.string),
    ])
  }
}

/// The result of `capture/playSound`.
package struct SoundResult: WireValue {
  /// Whether it is being played.
  package var played: Bool

  /// Makes a result.
  package init(played: Bool) { self.played = played }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) { played = try fields.flag("played") }

  /// Writes it.
  package var json: JSONValue { ["played": .bool(played)] }
}
