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

  @Test func `assembles a block from several reads, with the timestamp of its first sample`() throws {
    let (source, device) = try source([.sound(30, 1, at: 7_000_000), .nothing, .sound(70, 5, at: 11_000_000)])
    #expect(!device.isListening)
    let first = try next(source)
    #expect(device.isListening)
    #expect(first.outcome == .block(frames: 80))
    #expect(first.samples == [Int16](repeating: 1, count: 30) + [Int16](repeating: 5, count: 50))
    #expect(source.soundTime == 7_000_000)
    source.suspend()
    #expect(!device.isListening)
    source.suspend()
    #expect(device.stops == 1)
  }

  @Test func `counts samples that are lost in an overrun`() throws {
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

  @Test func `ends a block early at an overrun`() throws {
    let (source, _) = try source([
      .sound(20, 1, at: 1_000_000_000), .fail(.overrun), .sound(80, 2, at: 1_100_000_000),
    ])
    let first = try next(source)
    #expect(first.outcome == .block(frames: 20, lost: 0) && first.samples.count == 20)
    #expect(try next(source).outcome == .block(frames: 80, lost: 780))
  }

  @Test func `does not count a pause as lost samples`() throws {
    let (source, _) = try source([.sound(80, 1, at: 1_000_000_000), .sound(80, 2, at: 9_000_000_000)])
    _ = try next(source)
    source.suspend()
    #expect(try next(source).outcome == .block(frames: 80, lost: 0))
  }

  @Test func `distinguishes an unplugged, a failed and a silent microphone`() throws {
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
    #expect(try fault([], patience: 20) == .noSound(seconds: 0))
  }

  @Test func `stops waiting for sound when the stop signal is raised`() throws {
    let (source, _) = try source([])
    let stop = try StopSignal()
    stop.raise()
    let block = TestBlock(source.geometry)
    let error = #expect(throws: SoundSourceError.self) { try source.next(into: block.bytes, stop: stop) }
    #expect(error?.isStop == true)
  }

  @Test func `does not spin on a device that is not paced by time`() throws {
    let (source, device) = try source((0..<400).map { .sound(80, 1, at: UInt64($0) * 10_000_000) })
    // 1.25 seconds of sound and one more block.
    for _ in 0..<126 { _ = try next(source) }
    #expect(device.pauses >= 1)
  }

  @Test func `describes every microphone error with a fix`() {
    let holder = CameraHolder(process: 17, program: "arecord")
    let fixes: [(MicrophoneFault, String)] = [
      (.noSuchDevice("No such file or directory"), "darkroom microphone list"),
      (.permissionDenied, "usermod -aG audio"),
      (.microphoneBusy(holders: [holder]), "arecord (17); stop that process"),
      (.microphoneBusy(holders: []), "fuser -v /dev/snd"),
      (.noSupportedFormat, "plughw"), (.unplugged, "plug in the microphone"), (.failed("a", "b"), "a: b"),
      (.noSound(seconds: 5), "5 seconds"), (.noLibrary, "install libasound2"),
    ]
    for (fault, fix) in fixes { #expect("\(fault)".contains(fix), "\(fault)") }
    #expect(SoundSourceError("alsa:hw:0", .microphone(.microphoneBusy(holders: []))).isBusy)
  }
}
