// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Microphones
import Testing

@Suite(.timeLimit(.minutes(20))) struct SoundRingTests {
  /// Operations of a process with the descriptor. Each prints its name and its result.
  static let attacks = """
    import errno, mmap, os, sys
    def attempt(name, action):
        try:
            action()
            print(name, "succeeded")
        except OSError as error:
            print(name, errno.errorcode[error.errno])
    for name, fd in (("given", int(sys.argv[1])), ("reopened", os.open("/proc/self/fd/" + sys.argv[1], os.O_RDWR))):
        attempt(name + " write", lambda: os.write(fd, b"x"))
        attempt(name + " mmap", lambda: mmap.mmap(fd, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
        attempt(name + " shrink", lambda: os.ftruncate(fd, 4096))
        attempt(name + " grow", lambda: os.ftruncate(fd, 1 << 24))
    """

  /// A pump, and the resources of the extension.
  final class Fixture {
    let ring: SoundRing
    let pump: SoundPump
    /// The ring as the extension maps it.
    let mapping: Mapping
    /// The eventfd with which the extension acknowledges blocks.
    let done: Descriptor

    init(_ source: sending any SoundSource) throws {
      ring = try SoundRing.make(source.geometry)
      mapping = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .read)
      let event = try EventCounter.make()
      done = try EventCounter.make()
      pump = try SoundPump.make(source: source, ring: ring, soundEvent: event, soundDone: done)
    }

    deinit { pump.stop() }

    /// Waits until the pump has published `count` blocks.
    func waitForBlocks(_ count: UInt64) { while pump.counts.produced < count { usleep(500) } }

    /// Returns the sequence, the position, the number of frames and the first sample of a block.
    func block(_ sequence: UInt64) -> [Int] {
      let start = ring.geometry.offset(ofSlot: ring.geometry.slot(ofFrame: sequence))
      func number<Number: FixedWidthInteger>(_ offset: Int, _ type: Number.Type) -> Int {
        Int(Number(littleEndian: mapping.bytes.loadUnaligned(fromByteOffset: start + offset, as: type)))
      }
      return [
        number(0, UInt64.self), number(24, UInt64.self), number(32, UInt32.self), number(64, Int16.self),
      ]
    }
  }

  /// Runs a Python program whose first argument is the number of an inherited descriptor.
  func python(_ program: String, _ descriptor: borrowing Descriptor) throws -> [String] {
    let inherited = dup(descriptor.rawValue)
    defer { close(inherited) }
    return try Python.lines(program, "\(inherited)")
  }

  @Test(.enabled(if: Python.isAvailable))
  func `prevents a reader with the descriptor from writing, mapping for writing and resizing`() throws {
    let ring = try SoundRing.make(SoundRingGeometry(sampleRate: 8000, channels: 1))
    #expect(
      try python(Self.attacks, ring.descriptor) == [
        "given write EBADF", "given mmap EACCES", "given shrink EINVAL", "given grow EINVAL",
        "reopened write EPERM", "reopened mmap EPERM", "reopened shrink EPERM", "reopened grow EPERM",
      ]
    )
    #expect(try MemoryFile.seals(ring.descriptor) == [.shrink, .grow, .futureWrite, .seal])
  }

  @Test(.enabled(if: Python.isAvailable))
  func `permits the same operations on an unsealed file (control)`() throws {
    let file = try MemoryFile.make(name: "open", size: 8192)
    let lines = try python(Self.attacks, file)
    #expect(lines.count == 8 && lines.allSatisfy { $0.hasSuffix(" succeeded") })
  }

  @Test(.enabled(if: Python.isAvailable))
  func `has a header and blocks that an independent reader can parse from the specification`() throws {
    let fixture = try Fixture(SoundSourceOpener.tone("tone:8000x2"))
    fixture.pump.start(.every)
    fixture.waitForBlocks(3)
    fixture.pump.stop()
    let program = """
      import mmap, struct, sys
      m = mmap.mmap(int(sys.argv[1]), 0, mmap.MAP_SHARED, mmap.PROT_READ)
      print(m[0:4].decode(), *struct.unpack_from("<8I", m, 4))
      slot = 4096 + 2 * struct.unpack_from("<I", m, 16)[0]
      print(*struct.unpack_from("<Q", m, slot), *struct.unpack_from("<QI", m, slot + 24))
      print(*struct.unpack_from("<4h", m, slot + 64), len(m))
      """
    let tone = [(160, 0), (160, 1), (161, 0), (161, 1)].map { ToneSource.sample($0.0, $0.1, rate: 8000) }
    #expect(
      try python(program, fixture.ring.descriptor) == [
        "DKSR 1 4096 128 384 8000 2 1 80", "3 160 80", "\(tone.map { "\($0)" }.joined(separator: " ")) 53248",
      ]
    )
  }

  @Test func `copies blocks for this process, and none that was overwritten or erased`() throws {
    let fixture = try Fixture(SoundSourceOpener.tone("tone:8000x2"))
    fixture.pump.start(.latest)
    fixture.waitForBlocks(3)
    let block = try #require(fixture.ring.block(3))
    let tone = (160..<240).flatMap {
      [ToneSource.sample($0, 0, rate: 8000), ToneSource.sample($0, 1, rate: 8000)]
    }
    #expect(block.samples == tone && block.position == 160)
    #expect(block.timestamp <= MonotonicClock.now)
    #expect(fixture.ring.block(1 << 40) == nil)
    fixture.waitForBlocks(132)
    #expect(fixture.ring.block(3) == nil)
    fixture.pump.erase()
    #expect(fixture.ring.block(fixture.ring.published) == nil)
  }

  @Test func `converts the timestamps of copied blocks to the clock of this process`() throws {
    let geometry = try SoundRingGeometry(sampleRate: 8000, channels: 1)
    let ring = try SoundRing.make(geometry, clockOffset: -1_000_000)
    _ = ring.beginFrame()
    ring.publish(timestamp: 5_000_000)
    #expect(ring.block(1)?.timestamp == 5_000_000)
  }

  @Test func `leaves nothing readable after an erase, and delivers sound again after a restart`() throws {
    let fixture = try Fixture(SoundSourceOpener.tone("tone:8000"))
    fixture.pump.start(.latest)
    fixture.waitForBlocks(3)
    let header = RingLayout.headerBytes
    #expect(fixture.mapping.bytes[header...].contains { $0 != 0 })
    fixture.pump.erase()
    let produced = fixture.pump.counts.produced
    while fixture.mapping.bytes[header...].contains(where: { $0 != 0 }) { usleep(500) }
    usleep(30_000)
    #expect(fixture.mapping.bytes[header...].allSatisfy { $0 == 0 })
    #expect(fixture.pump.counts.produced == produced)
    fixture.pump.start(.latest)
    fixture.waitForBlocks(produced + 1)
    #expect(fixture.block(produced + 1)[2] == 80)
  }

  @Test func `waits for acknowledgments with delivery of every block, and keeps the blocks contiguous`()
    throws
  {
    let bytes = wave((0..<200 * 80).map { Int16($0 / 80) })
    let path = "/tmp/sound-source-\(Randomness.hexadecimal(bytes: 8)).wav"
    try FileSystem.replaceContents(path, with: bytes)
    defer { try? FileSystem.unlink(path) }
    let fixture = try Fixture(SoundSourceOpener.file(path))
    fixture.pump.start(.every, pace: .consumption)
    fixture.waitForBlocks(128)
    usleep(30_000)
    #expect(fixture.ring.published == 128)
    for sequence in 1...128 {
      #expect(fixture.block(UInt64(sequence)) == [sequence, (sequence - 1) * 80, 80, sequence - 1])
    }
    try EventCounter.add(72, to: fixture.done)
    fixture.waitForBlocks(200)
    #expect(fixture.block(200) == [200, 199 * 80, 80, 199])
    try EventCounter.add(128, to: fixture.done)
    while fixture.pump.completion == nil { usleep(500) }
    #expect(fixture.pump.completion == .sourceEnded && fixture.pump.counts.dropped == 0)
  }

  @Test func `does not wait for a slow extension, and counts the dropped blocks`() throws {
    let fixture = try Fixture(SoundSourceOpener.tone("tone:8000"))
    fixture.pump.start(.latest)
    fixture.waitForBlocks(131)
    fixture.pump.stop()
    let counts = fixture.pump.counts
    // The pump may already have started the next block.
    #expect([counts.produced - 128, counts.produced - 127].contains(counts.dropped))
  }
}
