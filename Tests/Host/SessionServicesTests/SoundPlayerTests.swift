// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import SessionServices
import TestSupport
import Testing

/// Sounds, played by shell scripts that record their arguments and environment.
@Suite(.timeLimit(.minutes(20))) struct SoundPlayerTests {
  private let directory: ScratchDirectory
  private var bundle: String { "\(directory.path)/bundle" }
  private var theme: String { "\(directory.path)/data/sounds/freedesktop/stereo" }

  init() throws {
    directory = try ScratchDirectory()
    for name in ["bundle/sounds", "bin", "data/sounds/freedesktop/stereo"] {
      try FileSystem.makeDirectories("\(directory.path)/\(name)")
    }
  }

  private func write(_ path: String, _ text: String, mode: UInt32 = 0o644) throws {
    try FileSystem.replaceContents(path, with: Array(text.utf8), mode: mode)
  }

  /// Writes a sound into the bundle.
  private func writeSound(_ name: String, _ samples: String) throws {
    try FileSystem.replaceContents("\(bundle)/\(name)", with: WaveFile(samples: samples).bytes)
  }

  /// Installs a player in `PATH` that records its name, its argument, the file content and a variable.
  private func install(_ name: String, then: String = ":") throws {
    let script = """
      #!/bin/sh
      PATH=/usr/bin:/bin
      { echo "\(name) $# $1"; cat "$1"; echo; echo "${SECRET:-no secret} ${PULSE_SERVER:-no server}"; } >'\(directory.path)/new'
      mv '\(directory.path)/new' '\(directory.path)/notes'
      \(then)
      """
    try write("\(directory.path)/bin/\(name)", script, mode: 0o755)
    try replaceWithCopy("\(directory.path)/bin/\(name)")
  }

  private func player(_ overrides: [String: String] = [:]) -> SoundPlayer {
    // Excludes real players of the machine.
    let path = "\(directory.path)/bin"
    let variables = [
      "PATH": path, "XDG_DATA_DIRS": "\(directory.path)/data", "SECRET": "yes", "PULSE_SERVER": "here",
    ]
    return SoundPlayer { overrides[$0] ?? variables[$0] }
  }

  /// Waits for the record of the player and returns it.
  private func notes() throws -> String {
    let path = "\(directory.path)/notes"
    _ = TestTimeout.waitUntil(everyMilliseconds: 2) { access(path, F_OK) == 0 }
    let bytes = try #require(try FileSystem.contents(path))
    try FileSystem.unlink(path)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Plays a sound as soon as the previous one has finished.
  private func play(_ player: SoundPlayer, _ sound: CaptureSound) throws(SoundFailure) {
    while true {
      do throws(SoundFailure) { return try player.play(sound, below: bundle) } catch {
        guard error == .busy else { throw error }
        usleep(2000)
      }
    }
  }

  @Test func `plays a theme sound with the configured player in a clean environment`()
    throws
  {
    try install("loud")
    try write("\(theme)/camera-shutter.oga", "click")
    try write("\(theme)/device-removed.wav", "low")
    let player = player(["DARKROOM_SOUND_PLAYER": "\(directory.path)/bin/loud"])
    try play(player, .standard(.cameraShutter))
    #expect(try notes() == "loud 1 \(theme)/camera-shutter.oga\nclick\nno secret here\n")
    try play(player, .standard(.endVideoRecording))
    #expect(try notes().contains("\(theme)/device-removed.wav\nlow\n"))
    #expect(throws: SoundFailure.notInTheme(.beginVideoRecording)) {
      try play(player, .standard(.beginVideoRecording))
    }
  }

  @Test func `passes only the samples of a bundled sound through an unnamed file`()
    throws
  {
    try install("paplay")
    let chunk = "LIST\u{4}\0\0\0evil"
    let file = WaveFile(before: chunk, samples: "bundled.", after: "more that is evil")
    try FileSystem.replaceContents("\(bundle)/sounds/click.wav", with: file.bytes)
    try play(player(), .file("sounds/click.wav"))
    let handed = String(decoding: WaveFile(samples: "bundled.").bytes, as: UTF8.self)
    #expect(try notes() == "paplay 1 /proc/self/fd/0\n\(handed)\nno secret here\n")
  }

  @Test func `refuses to play a file that is not a valid sound of the extension`() throws {
    try install("paplay")
    try write("\(directory.path)/secret.wav", "secret")
    try write("\(bundle)/large.wav", "")
    try #require(
      truncate("\(bundle)/large.wav", 4 << 20 + 1) == 0 && mkfifo("\(bundle)/pipe.wav", 0o666) == 0
    )
    try #require(symlink("../secret.wav", "\(bundle)/link.wav") == 0)
    try write("\(bundle)/song.oga", "OggS")
    try writeSound("long.wav", String(repeating: "a", count: 8000 * 5 + 1))
    let player = player()
    let cases: [(String, SoundFailure)] = [
      ("large.wav", .tooLarge(limit: 4 << 20)), ("pipe.wav", .notRegular), ("sounds", .notRegular),
      ("../secret.wav", .notOpened(Errno(rawValue: EXDEV))), ("link.wav", .notOpened(Errno(rawValue: ELOOP))),
      ("\(directory.path)/secret.wav", .notOpened(Errno(rawValue: EXDEV))),
      ("none.wav", .notOpened(.noSuchFile)), ("", .notOpened(.noSuchFile)),
      ("song.oga", .notPlainWAV), ("long.wav", .tooLong(seconds: 5)),
    ]
    for (path, failure) in cases {
      #expect(throws: failure, "\(path)") { try play(player, .file(path)) }
    }
    #expect(throws: SoundFailure.noBundle) { try player.play(.file("large.wav"), below: nil) }
    // The failures have released the player, and a file of maximum size and length is played.
    try writeSound("large.wav", String(repeating: "a", count: 8000 * 5))
    try #require(truncate("\(bundle)/large.wav", 4 << 20) == 0)
    try play(player, .file("large.wav"))
    #expect(try notes().hasPrefix("paplay 1"))
  }

  @Test func `selects the first available player and passes only WAV files to aplay`() throws {
    let player = player(["PATH": "relative:\(directory.path)/bin", "DARKROOM_SOUND_PLAYER": ""])
    try write("\(theme)/camera-shutter.oga", "OggS")
    try writeSound("a.wav", "and so on")
    #expect(throws: SoundFailure.playerNotFound) { try play(player, .file("a.wav")) }
    try write("\(directory.path)/bin/pw-play", "no program")
    for name in ["aplay", "paplay"] {
      try install(name)
      let path = "\(directory.path)/bin/\(name)"
      try play(player, .file("a.wav"))
      let notes = try notes()
      #expect(notes.hasPrefix("\(name) 1 /proc/self/fd/0\nRIFF") && notes.contains("and so on"))
      guard name == "aplay" else { continue }
      #expect(throws: SoundFailure.onlyWAV(player: path)) { try play(player, .standard(.cameraShutter)) }
    }
    try play(player, .standard(.cameraShutter))
    #expect(try notes().hasPrefix("paplay"))
    let missing = self.player(["DARKROOM_SOUND_PLAYER": "/nowhere/player"])
    #expect(throws: SoundFailure.configuredPlayerNotFound("/nowhere/player")) {
      try play(missing, .file("a.wav"))
    }
  }

  @Test func `plays one sound at a time and kills a player that hangs`() throws {
    try install("paplay", then: "echo $$ >'\(directory.path)/pid'; exec sleep 1000")
    try writeSound("a.wav", "short")
    let player = player()
    try play(player, .file("a.wav"))
    #expect(throws: SoundFailure.busy) { try player.play(.file("a.wav"), below: bundle) }
    let path = "\(directory.path)/pid"
    while try FileSystem.status(path)?.size ?? 0 == 0 { usleep(2000) }
    let text = String(decoding: try FileSystem.contents(path) ?? [], as: UTF8.self)
    let process = try #require(Int32(text.split(separator: "\n")[0]))
    // The next sound starts only after the sound player has killed the hanging program.
    try install("paplay")
    try play(player, .file("a.wav"))
    #expect(kill(process, 0) == -1)
  }
}
