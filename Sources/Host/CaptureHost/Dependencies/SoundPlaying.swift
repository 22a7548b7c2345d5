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
    case .unavailable: "this session was launched so that it plays none"
    case .playerNotFound:
      "there is no pw-play, paplay or aplay in PATH; install one, or set \(Self.playerVariable)"
    case .configuredPlayerNotFound(let name):
      "\(Self.playerVariable) names \(name), which is not a program; give an absolute path, or a name in PATH"
    case .notInTheme(let sound):
      "no freedesktop sound theme in XDG_DATA_DIRS has a file for \(sound.rawValue); install sound-theme-freedesktop"
    case .noBundle: "the extension is a single program, and has no files of its own"
    case .notOpened(let errno):
      "the extension's file cannot be opened (\(errno.name)); give a path below its directory, through no link"
    case .notRegular: "what the extension wants played is no regular file"
    case .tooLarge(let limit): "the extension's file has more than \(limit) bytes; give a shorter sound"
    case .notPlainWAV:
      "the extension's file is no WAV file with one or two channels of 8, 16, 24 or 32 bits, 8000 to 192000 times a second; convert it"
    case .tooLong(let seconds): "the extension's sound is longer than \(seconds) seconds; give a shorter one"
    case .onlyWAV(let player):
      "\(player) plays only WAV files, and the sound theme has others; install pw-play or paplay"
    case .busy: "another sound has not ended"
    case .notStarted(let error): "the player cannot be started: \(error)"
    }
  }
}
