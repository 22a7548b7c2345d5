// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// Plays sounds to the person.
package protocol SoundPlaying: AnyObject {
  /// Begins to play a sound, and does not wait for its end. `directory` is the extension's own; nil: it has none.
  func play(_ sound: CaptureSound, below directory: String?) throws(SoundFailure)
}

/// Why a sound is not played.
package enum SoundFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody plays sounds here.
  case nobody
  /// There is no program that plays any.
  case noPlayer
  /// The program that somebody has chosen is not there.
  case noChosenPlayer(String)
  /// No sound theme has it.
  case notInTheme(StandardSound)
  /// The extension is a single program.
  case noBundle
  /// The extension's file cannot be opened beneath its directory.
  case notOpened(Errno)
  /// It is no regular file.
  case notRegular
  /// It is larger than a sound may be.
  case tooLarge(limit: Int)
  /// The extension's file is no WAV file with plain samples.
  case notPlainWAV
  /// It is longer than a sound may be.
  case tooLong(seconds: Int)
  /// The only player plays nothing but WAV files.
  case onlyWAV(player: String)
  /// Another sound has not ended.
  case busy
  /// The player cannot be started.
  case notStarted(SystemCallError)

  /// The environment variable that names another player: a program that is given the path of a file.
  package static let playerVariable = "DARKROOM_SOUND_PLAYER"

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .nobody: "this session was launched so that it plays none"
    case .noPlayer:
      "there is no pw-play, paplay or aplay in PATH; install one, or set \(Self.playerVariable)"
    case .noChosenPlayer(let name):
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
