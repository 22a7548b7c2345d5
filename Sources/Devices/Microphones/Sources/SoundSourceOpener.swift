// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What a person types for a microphone.
package enum MicrophoneSpecification: Hashable, Sendable {
  /// None: as if nothing had been typed.
  case none
  /// A made-up tone: `tone`, `tone:48000` or `tone:48000x2`.
  case tone(String)
  /// A device, by the name that ALSA has for it: `alsa:default`, `alsa:hw:1`.
  case device(String)
  /// A WAV file. One of the name `tone` is written `./tone`.
  case file(String)

  /// What stands before the name of a device.
  package static let devicePrefix = "alsa:"
  /// What stands for no microphone.
  package static let noneWord = "none"

  /// Tells what was typed by its beginning; nothing is looked at.
  package init(_ text: String) {
    if text == Self.noneWord {
      self = .none
    } else if text == SoundSourceOpener.tone || text.hasPrefix("\(SoundSourceOpener.tone):") {
      self = .tone(text)
    } else if text.hasPrefix(Self.devicePrefix) {
      self = .device(String(text.dropFirst(Self.devicePrefix.count)))
    } else {
      self = .file(text)
    }
  }
}

/// Makes sources that are no devices.
package enum SoundSourceOpener {
  /// What stands for a made-up tone, alone or before a colon.
  package static let tone = "tone"

  /// The source of a tone as it was typed: 48000 samples a second and one channel where nothing else is said.
  package static func tone(_ text: String) throws(SoundSourceError) -> sending any SoundSource {
    var (rate, channels): (Int?, Int?) = (48000, 1)
    if text != tone {
      let parts = text.dropFirst(tone.count + 1).split(separator: "x", omittingEmptySubsequences: false)
      rate = Int(parts[0])
      if parts.count == 2 { channels = Int(parts[1]) }
      if parts.count > 2 { channels = nil }
    }
    guard let rate, let channels,
      let geometry = try? SoundRingGeometry(sampleRate: rate, channels: channels)
    else { throw SoundSourceError(text, .tone) }
    return ToneSource(geometry)
  }

  /// The source of a WAV file.
  package static func file(_ path: String) throws(SoundSourceError) -> sending any SoundSource {
    try WaveFileSource.open(path)
  }
}
