// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sound input for sandboxed extensions.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SoundSessionTests {
  /// The errors of an extension that attempts more than reading the ring.
  private static let refused = [
    "write: EBADF", "map: EACCES", "reopen: EPERM", "grow: EINVAL", "device: ENOENT",
  ]

  /// Returns the bytes of distinct stereo sample frames.
  private static func samples(_ moments: Int) -> [UInt8] {
    (0..<moments).flatMap { moment in
      let value = UInt16(truncatingIfNeeded: moment &* 3 &+ 1)
      return [UInt8(value & 0xFF), UInt8(value >> 8), UInt8(~value & 0xFF), UInt8(~value >> 8)]
    }
  }

  /// Returns a WAV file with the given samples at 48 kHz.
  private static func wave(_ samples: [UInt8]) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let form = [1, 0, 2, 0] + number(48000) + number(192_000) + [4, 0, 16, 0]
    return Array("RIFF".utf8) + number(36 + samples.count) + Array("WAVEfmt ".utf8) + number(16) + form
      + Array("data".utf8) + number(samples.count) + samples
  }

  /// Runs the sample extension until the sound ends.
  private func record(_ microphone: String, _ place: Place) throws -> Place.Session {
    try place.run("dictaphone", script: "wait 60s\ndismiss\n", options: ["--microphone", microphone])
  }

  @Test(arguments: Person.available)
  func `what is in a file comes through the sandbox bit for bit, and is handed to the app`(person: Person)
    throws
  {
    let place = try Place(person)
    try place.installSmall()
    // The samples fit the ring, so that a slow machine cannot lose any. The last block is incomplete.
    let file = Self.wave(Self.samples(40_123))
    let path = place.file("sound.wav")
    try FileSystem.replaceContents(path, with: file)
    try place.give(path)
    let session = try record(path, place)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["recording-1.wav"])
    #expect(try session.bytes("recording-1.wav") == file)
    #expect(session.record["sound"] == ["produced": 84, "consumed": 84, "dropped": 0])
    #expect(session.record["outcome"]?["by"]?.string == "extension")
    #expect(session.command.errors.contains("the recording ends: finished"))
  }

  @Test(arguments: Person.available)
  func `a device of ALSA is listed, and recorded bit for bit`(person: Person) throws {
    let place = try Place(person)
    try place.installSmall()
    // The app context limits the recording to one second of the device.
    let samples = Self.samples(48000)
    let context = try place.darkroom("context", ["set", Place.app, #"{"seconds":1}"#])
    #expect(context.code == 0, "\(context.errors)")
    try FileSystem.replaceContents(place.file("heard.raw"), with: samples)
    try place.give(place.file("heard.raw"))
    let configuration = """
      pcm.heard { type file  file /dev/null  infile "\(place.file("heard.raw"))"  format raw
        slave.pcm { type null }  hint { show on  description "Heard again" } }
      """
    place.variables = ["ALSA_CONFIG_PATH=\(try place.write("alsa.conf", configuration))"]
    let list = try place.darkroom("microphone", ["list", "--json"])
    #expect(
      try place.json(list.output)["microphones"] == [["name": "alsa:heard", "description": "Heard again"]],
      "\(list.errors)"
    )
    let session = try record("alsa:heard", place)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.bytes("recording-1.wav") == Self.wave(samples))
  }

  @Test(arguments: Person.available)
  func `an extension can read its ring and nothing else, until the microphone is taken away`(person: Person)
    throws
  {
    let setting = try SoundSession(person)
    let output = setting.place.file("\(setting.place.nextCommand).err")
    let command = try setting.start("tone")
    try command.wait {
      String(decoding: try FileSystem.contents(output) ?? [], as: UTF8.self).contains("heard\n")
    }
    try setting.decide("denied")
    let said = try command.end().errors
    for line in Self.refused { #expect(said.contains("\(line)\n"), "\(said)") }
    #expect(said.contains("descriptors: sound sound-event sound-done\n"))
    #expect(said.contains("microphone: {\"sampleRate\": 48000, \"channels\": 1, \"format\": \"s16le\"}\n"))
    #expect(said.contains("\nquiet\nagain: 4003\nquiet again\n"), "\(said)")
  }

  @Test(arguments: Person.available)
  func `an extension whose person has said no gets an empty ring and a refusal`(person: Person) throws {
    let setting = try SoundSession(person)
    try setting.decide("denied")
    let said = try setting.run("tone")
    #expect(said.contains("gets no sound: its app may not use the microphone (denied)"), "\(said)")
    #expect(said.contains("microphone/start: 4003\n"))
    #expect(said.contains("\nquiet\nagain: 4003\nquiet again\n"))
    #expect(!said.contains("\nheard\n"))
  }

  @Test(arguments: Person.available)
  func `without a microphone, or a reason for one in the manifests, there is not even a ring`(person: Person)
    throws
  {
    let setting = try SoundSession(person)
    try setting.decide("authorized")
    for option in [nil, "none"] {
      let said = try setting.run(option)
      #expect(said.contains("microphone: null\ndescriptors: \nmicrophone/start: 4020\n"), "\(said)")
    }
    let unreasoned = try SoundSession(person, reason: nil)
    let said = try unreasoned.run("tone")
    #expect(said.contains("app.json and extension.json must have \"microphone\""), "\(said)")
    #expect(said.contains("microphone: null\ndescriptors: \nmicrophone/start: 4003\n"))
  }

  @Test(arguments: Person.available)
  func `no message names the file that the sound comes from`(person: Person) throws {
    let setting = try SoundSession(person)
    let path = setting.place.file("secret-name.wav")
    try FileSystem.replaceContents(path, with: Self.wave(Self.samples(4800)))
    try setting.place.give(path)
    let said = try setting.run(path)
    #expect(said.contains("ended: finished\n"), "\(said)")
    let messages = try setting.messages()
    #expect(messages.contains("microphone/ended"))
    #expect(!messages.contains("secret-name") && !messages.contains(setting.place.directory))
  }

  /// A world-readable device takes the place of a microphone.
  @Test(.enabled(if: Person.hasRoot), arguments: Person.available)
  func `the devices of sound that the machine has are not there for an extension`(person: Person) throws {
    let setting = try SoundSession(person)
    let script = """
      mount -t tmpfs none "$0" && mkdir "$0/upper" "$0/work"
      mount -t overlay -o "lowerdir=/dev,upperdir=$0/upper,workdir=$0/work" none /dev
      mkdir /dev/snd && mknod -m 666 /dev/snd/pcmC0D0c c 1 5
      exec "$@"
      """
    let scratch = setting.place.file("scratch")
    try FileSystem.makeDirectory(scratch)
    let world = ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", script, scratch]
    let inside = try setting.startInWorld(world, ["/usr/bin/head", "-c4", "/dev/snd/pcmC0D0c"]).end()
    try #require(inside.output == [0, 0, 0, 0], "the person can read it outside: \(inside.errors)")
    let words = [
      setting.place.programs.darkroom, "run", "--root", setting.place.root, "--microphone", "none",
    ]
    let said = try setting.startInWorld(world, words + [SoundSession.id]).end().errors
    #expect(said.contains("device: ENOENT\n"), "\(said)")
  }

  @Test func `what cannot be heard has its code and the mend`() throws {
    let setting = try SoundSession(.root)
    let wrong: [(String, Int32, String)] = [
      ("tone:1", 64, "tone:48000x2"), ("nowhere.wav", 66, "give a WAV file"), ("/", 66, "this is no file"),
      ("alsa:nowhere", 66, "darkroom microphone list"), ("/etc/passwd", 66, "ffmpeg -i INPUT"),
    ]
    for (microphone, code, mend) in wrong {
      let result = try setting.start(microphone).end()
      #expect(result.code == code && result.errors.contains(mend), "\(result.code) \(result.errors)")
      #expect(try setting.place.names("sessions") == [])
    }
  }
}

extension SoundSession {
  /// Starts a command of the user in a mount namespace that root has prepared.
  fileprivate func startInWorld(_ world: [String], _ words: [String]) throws -> Command {
    try Command(
      world + place.person.becoming + words,
      environment: ["HOME=\(place.directory)", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"],
      input: "/dev/null",
      files: place.file("world-\(Randomness.hexadecimal(bytes: 4))"),
      directory: place.directory
    )
  }
}
