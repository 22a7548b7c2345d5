// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Microphones
import Testing

/// Blocks of a scripted microphone, and its failures.
@Suite(.timeLimit(.minutes(20))) struct MicrophoneSourceTests {
  /// Creates a source of a scripted device that times out after `patience` milliseconds of silence.
  func source(_ steps: [ScriptedMicrophone.Step], patience: UInt64 = 5000) throws
    -> (source: MicrophoneSource, device: ScriptedMicrophone)
  {
    let device = ScriptedMicrophone(steps)
    return (try MicrophoneSource(device, name: "alsa:scripted", patience: patience * 1_000_000), device)
  }

  /// Reads a block.
  func next(_ source: MicrophoneSource) throws -> (outcome: SoundOutcome, samples: [Int16]) {
    let block = TestBlock(source.geometry)
    let outcome = try source.next(into: block.bytes, stop: StopSignal())
    guard case .block(let frames, _) = outcome else { return (outcome, []) }
    return (outcome, block.samples(frames))
  }

  @Test func `a block is put together of what comes, and has the time of its first moment`() throws {
    let (source, device) = try source([.sound(30, 1, at: 7_000_000), .nothing, .sound(70, 5, at: 11_000_000)])
    #expect(!device.isListening)
    let first = try next(source)
    #expect(device.isListening)
    #expect(first.outcome == .block(frames: 80))
    #expect(first.samples == [Int16](repeating: 1, count: 30) + [Int16](repeating: 5, count: 50))
    #expect(source.soundTime == 7_000_000)
    source.rest()
    #expect(!device.isListening)
    source.rest()
    #expect(device.stops == 1)
  }

  @Test func `sound that nobody has taken in time is lost, and is counted`() throws {
    // 80 frames at 8000 frames per second, from 1 s on and then from 1.5 s on.
    let (source, device) = try source([
      .sound(80, 1, at: 1_000_000_000), .fail(.overrun), .sound(80, 2, at: 1_500_000_000),
      .sound(80, 3, at: 1_510_000_000),
    ])
    #expect(try next(source).outcome == .block(frames: 80, lost: 0))
    #expect(try next(source).outcome == .block(frames: 80, lost: 3920))
    #expect(try next(source).outcome == .block(frames: 80, lost: 0))
    #expect(device.starts == 2)
  }

  @Test func `an overrun in the middle of a block ends it there`() throws {
    let (source, _) = try source([
      .sound(20, 1, at: 1_000_000_000), .fail(.overrun), .sound(80, 2, at: 1_100_000_000),
    ])
    let first = try next(source)
    #expect(first.outcome == .block(frames: 20, lost: 0) && first.samples.count == 20)
    #expect(try next(source).outcome == .block(frames: 80, lost: 780))
  }

  @Test func `a pause is nothing that was lost`() throws {
    let (source, _) = try source([.sound(80, 1, at: 1_000_000_000), .sound(80, 2, at: 9_000_000_000)])
    _ = try next(source)
    source.rest()
    #expect(try next(source).outcome == .block(frames: 80, lost: 0))
  }

  @Test func `a microphone that goes, fails or keeps quiet is told apart`() throws {
    func fault(_ steps: [ScriptedMicrophone.Step], patience: UInt64 = 5000) throws -> MicrophoneFault? {
      do { _ = try next(source(steps, patience: patience).source) } catch let error as SoundSourceError {
        guard case .microphone(let fault) = error.reason else { return nil }
        return fault
      }
      return nil
    }
    #expect(try fault([.fail(.fault(.unplugged))]) == .unplugged)
    #expect(
      try fault([.sound(3, 1, at: 1), .fail(.fault(.failed("snd_pcm_readi", "Input/output error")))])
        == .failed("snd_pcm_readi", "Input/output error")
    )
    #expect(try fault([], patience: 20) == .silent(seconds: 0))
  }

  @Test func `a raised signal ends the wait for sound`() throws {
    let (source, _) = try source([])
    let stop = try StopSignal()
    stop.raise()
    let block = TestBlock(source.geometry)
    let error = #expect(throws: SoundSourceError.self) { try source.next(into: block.bytes, stop: stop) }
    #expect(error?.isStop == true)
  }

  @Test func `a device that does not wait for time takes no processor`() throws {
    let (source, device) = try source((0..<400).map { .sound(80, 1, at: UInt64($0) * 10_000_000) })
    // 1.25 seconds of sound and one more block.
    for _ in 0..<126 { _ = try next(source) }
    #expect(device.pauses >= 1)
  }

  @Test func `every fault has a sentence with what to do`() {
    let holder = CameraHolder(process: 17, program: "arecord")
    let mends: [(MicrophoneFault, String)] = [
      (.noSuchDevice("No such file or directory"), "darkroom microphone list"),
      (.refused, "usermod -aG audio"),
      (.microphoneBusy(holders: [holder]), "arecord (17); end it"),
      (.microphoneBusy(holders: []), "fuser -v /dev/snd"),
      (.noKnownFormat, "plughw"), (.unplugged, "plug it in"), (.failed("a", "b"), "a: b"),
      (.silent(seconds: 5), "5 seconds"), (.noLibrary, "install libasound2"),
    ]
    for (fault, mend) in mends { #expect("\(fault)".contains(mend), "\(fault)") }
    #expect(SoundSourceError("alsa:hw:0", .microphone(.microphoneBusy(holders: []))).isBusy)
  }
}
