// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the sound of sessions that this process hosts. The extension Dictaphone uses its microphone from its start
/// to the end of the sound, or from the first press if a test has to be ready before.
@Suite(.timeLimit(.minutes(20))) struct SessionSoundTests {
  /// The samples per second of the test sounds.
  private static let rate = 8000

  /// Installs Dictaphone. Returns the ID of the extension.
  private static func install(_ fixture: HostFixture, startsAtPress: Bool = false) async throws -> String {
    let bundle = fixture.file("Dictaphone")
    let start = #"self.ask("microphone\/start", delivery=self.delivery)"#
    let changes =
      startsAtPress
      ? #"/^ *\#(start)$/d; /("primary", "began"):$/{n;s/self\.finish()/\#(start)/}"# : ""
    try runShell(
      """
      mkdir -p '\(bundle)/Extensions'
      cp -R '\(PackageDirectory.path)/Plugins/Dictaphone' '\(bundle)/Extensions/'
      sed -i '\(changes)' '\(bundle)/Extensions/Dictaphone/dictaphone.py'
      cat >'\(bundle)/app.json' <<'END'
      {"id": "\(HostFixture.app)", "name": "Sample", "usageDescriptions": {"microphone": "The tests listen."}}
      END
      """
    )
    return try #require(try await fixture.host.apps.install(bundleAt: bundle).app.extensions.first).id
  }

  /// Returns options with a microphone and without a watchdog, because the extension shows no viewfinder.
  private static func options(_ microphone: String?) -> LaunchOptions {
    var options = LaunchOptions(microphone: microphone.map { MicrophoneSelection($0) })
    options.watchdog = .zero
    return options
  }

  /// Writes a WAV file with one channel, in which the value of each sample is its index.
  private static func writeWave(frames: Int, to path: String) throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + number(36 + 2 * frames, 4) + Array("WAVEfmt ".utf8)
    bytes += number(16, 4) + number(1, 2) + number(1, 2) + number(rate, 4) + number(2 * rate, 4)
    bytes += number(2, 2) + number(16, 2) + Array("data".utf8) + number(2 * frames, 4)
    bytes += (0..<frames).flatMap { number($0, 2) }
    try FileSystem.replaceContents(path, with: bytes)
  }

  @Test func `yields the samples of the microphone with their positions, until the sound ends`() async throws
  {
    let fixture = try HostFixture()
    let id = try await Self.install(fixture, startsAtPress: true)
    let path = fixture.file("sound.wav")
    try Self.writeWave(frames: 3 * Self.rate, to: path)
    let started = MonotonicClock.now
    let session = try await fixture.host.launch(id, Self.options(path))
    var (last, time): (UInt64, UInt64) = (0, 0)
    try await session.events.awaitPresses()
    var sound = session.sound.makeAsyncIterator()
    session.press(.primary)
    // On a busy machine, the first blocks are overwritten before this task continues.
    var heard: Int?
    while let block = await sound.next() {
      #expect(block.sequence > last && block.sampleRate == Self.rate && block.channels == 1)
      #expect(block.samples == (0..<block.frames).map { Int16(Int(block.position) + $0) })
      #expect((started...MonotonicClock.now).contains(block.timestamp) && block.timestamp >= time)
      (last, time) = (block.sequence, block.timestamp)
      heard = (heard ?? Int(block.position)) + Int(block.lost) + block.frames
    }
    #expect(heard == 3 * Self.rate)
    // The extension dismisses its session at the end of the sound.
    let result = try await session.result
    #expect(result.files.map(\.path) == ["recording-1.wav"], "\(result.summary)")
    // An ended session keeps no recorded sound.
    #expect(await session.sound.first { _ in true } == nil)
  }

  @Test func `has no sound without the permission`() async throws {
    let fixture = try HostFixture()
    let id = try await Self.install(fixture)
    try await fixture.host.apps.find(HostFixture.app).permissions.set(.microphone, to: .denied)
    let session = try await fixture.host.launch(id, Self.options("tone:8000"))
    let listener = Task { await session.sound.first { _ in true } }
    try await session.events.awaitPresses()
    try await Task.sleep(for: .milliseconds(200))
    session.dismiss()
    #expect(await listener.value == nil)
    #expect(try await session.result.outcome == .dismissed(by: .user))
  }

  @Test func `has no sound after the permission is revoked`() async throws {
    let fixture = try HostFixture()
    let id = try await Self.install(fixture)
    let session = try await fixture.host.launch(id, Self.options("tone:8000"))
    // The time from the last block to the end of the session.
    let quiet = Task {
      let clock = ContinuousClock()
      var latest = clock.now
      for await _ in session.sound { latest = clock.now }
      return clock.now - latest
    }
    #expect(await session.sound.first { _ in true } != nil)
    try await fixture.host.apps.find(HostFixture.app).permissions.set(.microphone, to: .denied)
    try await Task.sleep(for: .seconds(5))
    session.dismiss()
    #expect(await quiet.value > .seconds(1))
    #expect(try await session.result.outcome == .dismissed(by: .user))
  }

  @Test func `ends at once in a session without a microphone, and in a cancelled task`() async throws {
    let fixture = try HostFixture()
    let id = try await Self.install(fixture)
    let silent = try await fixture.host.launch(id, Self.options(nil))
    for await _ in silent.sound { Issue.record("a session without a microphone has sound") }
    silent.dismiss()
    #expect(try await silent.result.outcome == .dismissed(by: .user))

    let session = try await fixture.host.launch(id, Self.options("tone:8000"))
    let listener = Task { for await _ in session.sound {} }
    listener.cancel()
    await listener.value
    session.dismiss()
    #expect(try await session.result.outcome == .dismissed(by: .user))
  }
}
