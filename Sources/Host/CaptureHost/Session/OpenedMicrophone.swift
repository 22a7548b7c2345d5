// SPDX-License-Identifier: Apache-2.0

internal import Microphones

/// Opens what a person has typed for a microphone.
enum OpenedMicrophone {
  /// The source; nil: there is to be none.
  static func open(_ text: String) throws(SoundSourceError) -> sending (any SoundSource)? {
    switch MicrophoneSpecification(text) {
    case .none: nil
    case .tone(let tone): try SoundSourceOpener.tone(tone)
    case .device(let name): try MicrophoneOpener.open(name)
    case .file(let path): try SoundSourceOpener.file(path)
    }
  }
}
