// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A sample format.
package enum SampleFormat: String, CaseIterable, Sendable {
  /// Signed 16-bit little-endian.
  case s16le
}

/// The microphone of a session, and the format of its samples in the ring.
///
/// It has no name: extensions do not need one, and it would reveal information about the machine.
package struct MicrophoneDescription: WireValue, Hashable {
  /// The number of samples per second and channel.
  package var sampleRate: Int
  /// The number of channels.
  package var channels: Int
  package var format: SampleFormat

  /// Creates a microphone.
  package init(sampleRate: Int, channels: Int, format: SampleFormat = .s16le) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    sampleRate = try fields.integer("sampleRate", in: SoundRingLayout.sampleRates)
    channels = try fields.integer("channels", in: SoundRingLayout.channelCounts)
    format = try fields.choice("format")
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "sampleRate": .integer(Int64(sampleRate)), "channels": .integer(Int64(channels)),
      "format": .string(format.rawValue),
    ]
  }
}

/// The result of `microphone/start`: the contents of the sound ring.
package struct MicrophoneStream: WireValue, Hashable {
  /// The format of the samples.
  package var sound: MicrophoneDescription
  /// The maximum number of frames in a block.
  package var blockFrames: Int
  /// The number of blocks in the ring.
  package var slots: Int

  /// Creates a stream.
  package init(_ sound: MicrophoneDescription, blockFrames: Int, slots: Int) {
    self.sound = sound
    self.blockFrames = blockFrames
    self.slots = slots
  }

  /// Creates a value from its fields in a message.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    sound = try MicrophoneDescription(from: fields)
    blockFrames = try fields.integer("blockFrames", in: SoundRingLayout.blockSizes)
    slots = try fields.integer("slots", in: SoundRingLayout.slotCounts)
  }

  /// The value as JSON.
  package var json: JSONValue {
    [
      "sampleRate": .integer(Int64(sound.sampleRate)), "channels": .integer(Int64(sound.channels)),
      "format": .string(sound.format.rawValue), "blockFrames": .integer(Int64(blockFrames)),
      "slots": .integer(Int64(slots)),
    ]
  }
}

/// The parameters of `microphone/ended`: the microphone has stopped.
package struct MicrophoneEndNotice: WireValue, Hashable {
  package var reason: Reason
  /// The reason as a sentence for the user, without information about the machine.
  package var message: String

  /// A reason for which the microphone has stopped.
  package enum Reason: String, CaseIterable, Sendable {
    /// The file that simulates a microphone has ended.
    case finished
    /// The microphone or its driver was removed.
    case unplugged
    /// The microphone no longer delivers sound, for another reason.
    case failed
  }

  /// Creates a notice. The sentence depends only on the reason, so that it reveals nothing else.
  package init(_ reason: Reason) {
    self.reason = reason
    message =
      switch reason {
      case .finished: "the microphone has no more sound"
      case .unplugged: "the microphone or its driver was removed"
      case .failed: "the microphone has failed"
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
