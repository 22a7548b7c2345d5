// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import TestSupport
import Testing

/// Reading a microphone in an extension, from a ring that is written according to the specification.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SoundDeliveryTests {
  /// A sound ring with eight slots, and the host's side of it.
  ///
  /// It is `@unchecked Sendable` because a test passes it to one thread and uses it again only after that
  /// thread has ended.
  final class FakeSound: @unchecked Sendable {
    static let description = MicrophoneDescription(sampleRate: 8000, channels: 2)
    private static let stride = 128
    private let ring: Descriptor
    private let memory: Mapping
    private let event: Descriptor
    private let done: Descriptor
    private var published: UInt64 = 0

    init() throws {
      ring = try MemoryFile.make(name: "sound", size: 4096 + 8 * Self.stride)
      memory = try Mapping(ring, length: 4096 + 8 * Self.stride, .readWrite)
      event = try EventCounter.make()
      done = try EventCounter.make()
      // magic, version, headerBytes, slots, slotStride, sampleRate, channels, format, blockFrames
      let header: [UInt32] = [0x5253_4B44, 1, 4096, 8, UInt32(Self.stride), 8000, 2, 1, 16]
      for (index, value) in header.enumerated() {
        memory.bytes.storeBytes(of: value.littleEndian, toByteOffset: 4 * index, as: UInt32.self)
      }
    }

    /// Returns the end of the extension.
    func channel() throws -> SoundChannel {
      SoundChannel(
        sound: try ring.duplicate(),
        soundEvent: try event.duplicate(),
        soundDone: try done.duplicate()
      )
    }

    /// Publishes a block of two frames, whose samples are the block number and its negative.
    func publish(position: UInt64, announce: Bool = true) throws {
      published += 1
      let slot = 4096 + Int((published - 1) % 8) * Self.stride
      func put(_ value: UInt64, _ place: Int) {
        memory.bytes.storeBytes(of: value.littleEndian, toByteOffset: place, as: UInt64.self)
      }
      put(0, slot)
      put(published * 1000, slot + 8)
      put(position, slot + 24)
      put(2, slot + 32)
      for (index, sign) in [1, -1, 1, -1].enumerated() {
        let sample = Int16(truncatingIfNeeded: Int(published) * sign)
        memory.bytes.storeBytes(of: sample.littleEndian, toByteOffset: slot + 64 + 2 * index, as: Int16.self)
      }
      put(published, slot)
      put(published, 128)
      if announce { try EventCounter.add(to: event) }
    }

    /// Waits until the extension has acknowledged `count` more blocks.
    func waitUntilDone(_ count: UInt64) throws {
      var total: UInt64 = 0
      let deadline = TestTimeout.deadline
      while total < count {
        let ready = try Poller.wait([(done.rawValue, .readable)], until: deadline)
        guard !ready[0].isEmpty else { throw FakeHostError(description: "only \(total) blocks were done") }
        total += try EventCounter.take(done)
      }
    }
  }

  private nonisolated static let stream = MicrophoneStream(FakeSound.description, blockFrames: 16, slots: 8)

  /// Returns the start message of a session with this microphone.
  private nonisolated static func start() -> SessionStart {
    var start = FakeHost.sessionStart()
    start.devices.microphone = FakeSound.description
    return start
  }

  /// Runs a session with a fake host and a fake microphone.
  private func runSession(
    _ host: @escaping @Sendable (FakeHost, FakeSound) throws -> Void,
    extension body: (LockedCameraCaptureSession) throws -> Void
  ) throws {
    let (other, sound) = (try FakeHost(), try FakeSound())
    var channel = try other.channel(camera: false)
    channel.sound = try sound.channel()
    let thread = try HostThread { try host(other, sound) }
    let session = try LockedCameraCaptureSession(channel)
    try body(session)
    try session.run()
    try thread.join()
  }

  @Test func `delivers every block in order, and counts lost samples`() throws {
    var received: [SoundBlock] = []
    var described: SessionMicrophone?
    try runSession { host, sound in
      try host.start(Self.start())
      try host.answer(.microphoneStart(.latest), .success(Self.stream.json))
      try sound.publish(position: 0)
      try sound.publish(position: 2)
      try sound.waitUntilDone(2)
      // Ten frames are lost before this block.
      try sound.publish(position: 14)
      try sound.waitUntilDone(1)
      try host.dismiss()
    } extension: { session in
      session.onSound { received.append($0) }
      try session.startMicrophone()
      described = session.microphone
    }
    #expect(described?.sampleRate == 8000 && described?.channels == 2 && described?.endReason == nil)
    #expect(received.map(\.samples) == [[1, -1, 1, -1], [2, -2, 2, -2], [3, -3, 3, -3]])
    #expect(received.map(\.position) == [0, 2, 14] && received.map(\.lost) == [0, 0, 10])
    #expect(received.map(\.timestamp) == [1000, 2000, 3000] && received.allSatisfy { $0.frames == 2 })
  }

  @Test func `continues with the oldest block in the ring if the extension is too slow`() throws {
    var received: [Int16] = []
    var lost: [UInt64] = []
    try runSession { host, sound in
      try host.start(Self.start())
      for block in 0..<11 { try sound.publish(position: UInt64(2 * block)) }
      try host.answer(.microphoneStart(.latest), .success(Self.stream.json))
      try sound.waitUntilDone(11)
      try host.dismiss()
    } extension: { session in
      session.onSound { block in
        received.append(block.samples[0])
        lost.append(block.lost)
      }
      try session.startMicrophone()
    }
    #expect(received == [4, 5, 6, 7, 8, 9, 10, 11])
    #expect(lost == [6, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `reports the end of the sound after the blocks in the ring`() throws {
    var received = 0
    var reasons: [SessionMicrophone.EndReason?] = []
    try runSession { host, sound in
      try host.start(Self.start())
      try host.answer(.microphoneStart(.every), .success(Self.stream.json))
      try sound.publish(position: 0, announce: false)
      try host.send(.notification(.microphoneEnded(MicrophoneEndNotice(.unplugged))))
      try sound.waitUntilDone(1)
      try host.dismiss()
    } extension: { session in
      session.onSound { _ in
        received += 1
        reasons.append(session.microphone?.endReason)
      }
      session.onDismissal { _, _ in reasons.append(session.microphone?.endReason) }
      try session.startMicrophone(.every)
    }
    #expect(received == 1 && reasons == [nil, .unplugged])
  }

  @Test func `delivers no sound after the microphone permission is revoked`() throws {
    var received = 0
    try runSession { host, sound in
      try host.start(Self.start())
      try host.answer(.microphoneStart(.latest), .success(Self.stream.json))
      try sound.publish(position: 0)
      try sound.waitUntilDone(1)
      let denied = Permissions(camera: .denied, microphone: .denied)
      try host.send(.notification(.permissionChanged(denied)))
      try host.send(.notification(.contextChanged("other")))
      try host.expect(.log(.debug, "told"))
      try sound.publish(position: 2)
      try host.dismiss()
    } extension: { session in
      session.onSound { _ in received += 1 }
      session.onAppContextChange { session.log(.debug, "told") }
      try session.startMicrophone()
    }
    #expect(received == 1)
  }
}
