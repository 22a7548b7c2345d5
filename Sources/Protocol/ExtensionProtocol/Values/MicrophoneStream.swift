// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// How a sample is written.
package enum SampleFormat: String, CaseIterable, Sendable {
  /// 16 bits, signed, the lower byte first.
  case s16le
}

/// What a microphone gives: the microphone that a session has, and the format in which it is in the ring.
///
/// It has no name: an extension needs none, and it would tell of the machine.
package struct MicrophoneDescription: WireValue, Hashable {
  /// Samples of a channel in a second.
  package var sampleRate: Int
  /// How many channels there are.
  package var channels: Int
  /// How a sample is written.
  package var format: SampleFormat

  /// Describes a microphone.
  package init(sampleRate: Int, channels: Int, format: SampleFormat = .s16le) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.format = format
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    sampleRate = try fields.integer("sampleRate", in: SoundRingLayout.sampleRates)
    channels = try fields.integer("channels", in: SoundRingLayout.channelCounts)
    format = try fields.choice("format")
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "sampleRate": .integer(Int64(sampleRate)), "channels": .integer(Int64(channels)),
      "format": .string(format.rawValue),
    ]
  }
}

/// The result of `microphone/start`: what is in the sound ring from now on.
package struct MicrophoneStream: WireValue, Hashable {
  /// What the samples are.
  package var sound: MicrophoneDescription
  /// The most moments of a block.
  package var blockFrames: Int
  /// How many blocks the ring holds.
  package var slots: Int

  /// Describes a stream.
  package init(_ sound: MicrophoneDescription, blockFrames: Int, slots: Int) {
    self.sound = sound
    self.blockFrames = blockFrames
    self.slots = slots
  }

  /// Reads it.
  package init(from fields: FieldReader) throws(ProtocolViolation) {
    sound = try MicrophoneDescription(from: fields)
    blockFrames = try fields.integer("blockFrames", in: SoundRingLayout.blockSizes)
    slots = try fields.integer("slots", in: SoundRingLayout.slotCounts)
  }

  /// Writes it.
  package var json: JSONValue {
    [
      "sampleRate": .integer(Int64(sound.sampleRate)), "channels": .integer(Int64(sound.channels)),
      "format": .string(sound.format.rawValue), "blockFrames": .integer(Int64(blockFrames)),
      "slots": .integer(Int64(slots)),
    ]
  }
}

/// No more sound comes.
package struct MicrophoneEnding: WireValue, Hashable {
  /// Why.
  package var reason: Reason
  /// The same as a sentence for people, which names nothing of the machine.
  package var message: String

  /// Why no more sound comes.
  package enum Reason: String, CaseIterable, Sendable {
    /// The file that stands for a microphone is over.
    case finished
    /// The microphone is gone, or what drives it.
    case unplugged
    /// It gives no sound any more, for another reason.
    case failed
  }

  /// Describes an end. The sentence follows from the reason, so that it cannot say more.
  package init(_ reason: Reason) {
    self.reason = reason
    message =
      switch reason {
      case .finished: "the microphone has no more sound"
      case .unplugged: "the microphone is gone: it was unplugged, or its driver was"
      case .failed: "the microphone has failed"
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
