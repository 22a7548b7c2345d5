// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sound input for sandboxed extensions.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SoundSessionTests {
  /// The errors of an extension that attempts more than reading the ring.
  private static let expectedErrors = [
    "write: EBADF", "map: EACCES", "reopen: EPERM", "grow: EINVAL", "device: ENOENT",
  ]

  /// Returns the bytes of distinct stereo sample frames.
  private static func samples(_ sampleFrames: Int) -> [UInt8] {
    (0..<sampleFrames).flatMap { frame in
      let value = UInt16(truncatingIfNeeded: frame &* 3 &+ 1)
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
  private func record(_ microphone: String, _ home: TestHome) throws -> TestHome.Session {
    try home.run("dictaphone", script: "wait 60s\ndismiss\n", options: ["--microphone", microphone])
  }

  @Test(arguments: TestUser.available)
  func `delivers the samples of a WAV file unchanged to the extension and the app`(user: TestUser)
    throws
  {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    // The samples fit the ring, so that a slow machine cannot lose any. The last block is incomplete.
    let file = Self.wave(Self.samples(40_123))
    let path = home.file("sound.wav")
    try FileSystem.replaceContents(path, with: file)
    try home.giveOwnership(path)
    let session = try record(path, home)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["recording-1.wav"])
    #expect(try session.bytes("recording-1.wav") == file)
    #expect(session.record["sound"] == ["produced": 84, "consumed": 84, "dropped": 0])
    #expect(session.record["outcome"]?["by"]?.string == "extension")
    #expect(session.command.errors.contains("the recording has ended: finished"))
  }

  @Test(arguments: TestUser.available)
  func `lists an ALSA device and records it unchanged`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.installWithoutSwift()
    // The app context limits the recording to one second of the device.
    let samples = Self.samples(48000)
    let context = try home.darkroom("context", ["set", TestHome.app, #"{"seconds":1}"#])
    #expect(context.code == 0, "\(context.errors)")
    try FileSystem.replaceContents(home.file("heard.raw"), with: samples)
    try home.giveOwnership(home.file("heard.raw"))
    let configuration = """
      pcm.heard { type file  file /dev/null  infile "\(home.file("heard.raw"))"  format raw
        slave.pcm { type null }  hint { show on  description "Heard again" } }
      """
    home.variables = ["ALSA_CONFIG_PATH=\(try home.write("alsa.conf", configuration))"]
    let list = try home.darkroom("microphone", ["list", "--json"])
    #expect(
      try home.json(list.output)["microphones"] == [["name": "alsa:heard", "description": "Heard again"]],
      "\(list.errors)"
    )
    let session = try record("alsa:heard", home)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(try session.bytes("recording-1.wav") == Self.wave(samples))
  }

  @Test(arguments: TestUser.available)
  func `an extension can only read its sound ring, until the microphone is revoked`(user: TestUser)
    throws
  {
    let fixture = try MicrophoneApp(user)
    let output = fixture.home.file("\(fixture.home.nextOutputName).err")
    let command = try fixture.start("tone")
    try command.wait {
      String(decoding: try FileSystem.contents(output) ?? [], as: UTF8.self).contains("heard\n")
    }
    try fixture.setPermission("denied")
    let printedText = try command.end().errors
    for line in Self.expectedErrors { #expect(printedText.contains("\(line)\n"), "\(printedText)") }
    #expect(printedText.contains("descriptors: sound sound-event sound-done\n"))
    #expect(
      printedText.contains("microphone: {\"sampleRate\": 48000, \"channels\": 1, \"format\": \"s16le\"}\n")
    )
    #expect(printedText.contains("\nquiet\nagain: 4003\nquiet again\n"), "\(printedText)")
  }

  @Test(arguments: TestUser.available)
  func `an extension without microphone permission gets an empty ring and a refusal`(user: TestUser) throws {
    let fixture = try MicrophoneApp(user)
    try fixture.setPermission("denied")
    let printedText = try fixture.run("tone")
    #expect(
      printedText.contains("gets no sound: its app may not use the microphone (denied)"),
      "\(printedText)"
    )
    #expect(printedText.contains("microphone/start: 4003\n"))
    #expect(printedText.contains("\nquiet\nagain: 4003\nquiet again\n"))
    #expect(!printedText.contains("\nheard\n"))
  }

  @Test(arguments: TestUser.available)
  func `without a microphone or a usage description there is no ring`(user: TestUser)
    throws
  {
    let fixture = try MicrophoneApp(user)
    try fixture.setPermission("authorized")
    for option in [nil, "none"] {
      let printedText = try fixture.run(option)
      #expect(
        printedText.contains("microphone: null\ndescriptors: \nmicrophone/start: 4020\n"),
        "\(printedText)"
      )
    }
    let unreasoned = try MicrophoneApp(user, reason: nil)
    let printedText = try unreasoned.run("tone")
    #expect(
      printedText.contains(
        "\"usageDescriptions\" in app.json and extension.json must contain \"microphone\""
      ),
      "\(printedText)"
    )
    #expect(printedText.contains("microphone: null\ndescriptors: \nmicrophone/start: 4003\n"))
  }

  @Test(arguments: TestUser.available)
  func `no protocol message contains the path of the sound file`(user: TestUser) throws {
    let fixture = try MicrophoneApp(user)
    let path = fixture.home.file("secret-name.wav")
    try FileSystem.replaceContents(path, with: Self.wave(Self.samples(4800)))
    try fixture.home.giveOwnership(path)
    let printedText = try fixture.run(path)
    #expect(printedText.contains("ended: finished\n"), "\(printedText)")
    let messages = try fixture.messages()
    #expect(messages.contains("microphone/ended"))
    #expect(!messages.contains("secret-name") && !messages.contains(fixture.home.directory))
  }

  /// A world-readable device replaces a microphone.
  @Test(.enabled(if: TestUser.hasRoot), arguments: TestUser.available)
  func `the sound devices of the machine do not exist for an extension`(user: TestUser) throws {
    let fixture = try MicrophoneApp(user)
    let script = """
      mount -t tmpfs none "$0" && mkdir "$0/upper" "$0/work"
      mount -t overlay -o "lowerdir=/dev,upperdir=$0/upper,workdir=$0/work" none /dev
      mkdir /dev/snd && mknod -m 666 /dev/snd/pcmC0D0c c 1 5
      exec "$@"
      """
    let scratch = fixture.home.file("scratch")
    try FileSystem.makeDirectory(scratch)
    let namespacePrefix = ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", script, scratch]
    let inside = try fixture.startInMountNamespace(
      namespacePrefix,
      ["/usr/bin/head", "-c4", "/dev/snd/pcmC0D0c"]
    ).end()
    try #require(inside.output == [0, 0, 0, 0], "unreadable outside the sandbox: \(inside.errors)")
    let arguments = [
      fixture.home.programs.darkroom, "run", "--root", fixture.home.root, "--microphone", "none",
    ]
    let printedText = try fixture.startInMountNamespace(namespacePrefix, arguments + [MicrophoneApp.id]).end()
      .errors
    #expect(printedText.contains("device: ENOENT\n"), "\(printedText)")
  }

  @Test func `rejects invalid microphones with an exit code and a fix`() throws {
    let fixture = try MicrophoneApp(.root)
    let wrong: [(String, Int32, String)] = [
      ("tone:1", 64, "tone:48000x2"), ("nowhere.wav", 66, "name an existing WAV file"),
      ("/", 66, "this is not a regular file"),
      ("alsa:nowhere", 66, "darkroom microphone list"), ("/etc/passwd", 66, "ffmpeg -i INPUT"),
    ]
    for (microphone, code, fix) in wrong {
      let result = try fixture.start(microphone).end()
      #expect(result.code == code && result.errors.contains(fix), "\(result.code) \(result.errors)")
      #expect(try fixture.home.names("sessions") == [])
    }
  }
}

extension MicrophoneApp {
  /// Starts a command of the user in a mount namespace that root has prepared.
  fileprivate func startInMountNamespace(_ namespacePrefix: [String], _ arguments: [String]) throws -> Command
  {
    try Command(
      namespacePrefix + home.user.commandPrefix + arguments,
      environment: ["HOME=\(home.directory)", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"],
      input: "/dev/null",
      files: home.file("world-\(Randomness.hexadecimal(bytes: 4))"),
      directory: home.directory
    )
  }
}
