// SPDX-License-Identifier: Apache-2.0

internal import Microphones

/// Opens microphone sources that are specified by the user.
enum MicrophoneSourceOpener {
  /// Returns the source, or `nil` if the text specifies no microphone.
  static func open(_ text: String) throws(SoundSourceError) -> sending (any SoundSource)? {
    switch MicrophoneSpecification(text) {
    case .none: nil
    case .tone(let tone): try SoundSourceOpener.tone(tone)
    case .device(let name): try MicrophoneOpener.open(name)
    case .file(let path): try SoundSourceOpener.file(path)
    }
  }
}
