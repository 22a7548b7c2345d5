// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The specification of a microphone, as the user types it.
package enum MicrophoneSpecification: Hashable, Sendable {
  /// No microphone, as if the option were absent.
  case none
  /// A synthetic tone: `tone`, `tone:48000` or `tone:48000x2`.
  case tone(String)
  /// A device with its ALSA name, for example `alsa:default` or `alsa:hw:1`.
  case device(String)
  /// A WAV file. A file named `tone` is specified as `./tone`.
  case file(String)

  /// The prefix of device names.
  package static let devicePrefix = "alsa:"
  /// The specification of no microphone.
  package static let noneToken = "none"

  /// Creates a specification from the prefix of a text. The file or device is not accessed.
  package init(_ text: String) {
    if text == Self.noneToken {
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

/// Opens sound sources that are not devices.
package enum SoundSourceOpener {
  /// The specification of a synthetic tone, alone or before a colon.
  package static let tone = "tone"

  /// Creates the source of a tone from its specification. The defaults are 48000 samples per second and one
  /// channel.
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

  /// Opens the source of a WAV file.
  package static func file(_ path: String) throws(SoundSourceError) -> sending any SoundSource {
    try WaveFileSource.open(path)
  }
}
