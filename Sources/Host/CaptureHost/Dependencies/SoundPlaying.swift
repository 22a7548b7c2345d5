// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A service that plays sounds to the user.
package protocol SoundPlaying: AnyObject {
  /// Starts to play a sound, without waiting for its end.
  ///
  /// `directory` is the directory of the extension, or `nil` if the extension is a single program.
  func play(_ sound: CaptureSound, below directory: String?) throws(SoundFailure)
}

/// The reason why a sound is not played.
package enum SoundFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session has no service that plays sounds.
  case unavailable
  /// No player program was found.
  case playerNotFound
  /// The player program that the environment variable names was not found.
  case configuredPlayerNotFound(String)
  /// The sound theme does not contain the sound.
  case notInTheme(StandardSound)
  /// The extension is a single program and has no files.
  case noBundle
  /// The file cannot be opened below the extension's directory.
  case notOpened(Errno)
  /// The file is not a regular file.
  case notRegular
  /// The file is larger than the limit in bytes.
  case tooLarge(limit: Int)
  /// The file is not a WAV file with uncompressed samples.
  case notPlainWAV
  /// The sound is longer than the limit in seconds.
  case tooLong(seconds: Int)
  /// The only available player plays only WAV files.
  case onlyWAV(player: String)
  /// Another sound is being played.
  case busy
  /// The player could not be started.
  case notStarted(SystemCallError)

  /// The environment variable that names a player program. The program receives the path of a sound file as
  /// its argument.
  package static let playerVariable = "DARKROOM_SOUND_PLAYER"

  /// The message for the user, with a fix.
  package var description: String {
    switch self {
    case .unavailable: "this session plays no sounds"
    case .playerNotFound:
      "pw-play, paplay and aplay are not in PATH; install one of them, or set \(Self.playerVariable)"
    case .configuredPlayerNotFound(let name):
      "\(Self.playerVariable): \(name) is not an executable program; set an absolute path, or a name in PATH"
    case .notInTheme(let sound):
      "no freedesktop sound theme in XDG_DATA_DIRS has a file for \(sound.rawValue); install sound-theme-freedesktop"
    case .noBundle: "the extension is a single program without sound files"
    case .notOpened(let errno):
      "the extension's sound file cannot be opened: \(errno); name a file in the bundle, without symbolic links"
    case .notRegular: "the extension's sound file is not a regular file"
    case .tooLarge(let limit): "the extension's sound file is larger than \(limit) bytes; use a shorter sound"
    case .notPlainWAV:
      "the extension's sound file is not a WAV file with 1 or 2 channels, 8, 16, 24 or 32 bits, 8000 to 192000 Hz; "
        + "convert it"
    case .tooLong(let seconds): "the extension's sound is longer than \(seconds) seconds; use a shorter sound"
    case .onlyWAV(let player):
      "\(player) plays only WAV files, and the sound theme has other formats; install pw-play or paplay"
    case .busy: "another sound is being played"
    case .notStarted(let error): "the player cannot be started: \(error)"
    }
  }
}
