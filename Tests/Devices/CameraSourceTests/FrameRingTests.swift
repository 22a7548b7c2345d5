// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Testing

@Suite struct FrameRingTests {
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
        attempt(name + " pwrite", lambda: os.pwrite(fd, b"x", 128))
        attempt(name + " mmap", lambda: mmap.mmap(fd, 4096, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
        attempt(name + " shrink", lambda: os.ftruncate(fd, 4096))
        attempt(name + " grow", lambda: os.ftruncate(fd, 1 << 24))
    """

  /// Creates a ring of small frames.
  func ring(_ width: Int = 64, _ height: Int = 32) throws -> FrameRing {
    try FrameRing.make(FrameGeometry(width: width, height: height).ringGeometry())
  }

  /// Runs a Python program whose first argument is the number of an inherited descriptor.
  func python(_ program: String, _ descriptor: borrowing Descriptor, in directory: TemporaryDirectory) throws
    -> [String]
  {
    let inherited = dup(descriptor.rawValue)
    defer { close(inherited) }
    let path = try directory.write("program.py", Array(program.utf8))
    let output = try ExternalProgram.output("python3 '\(path)' \(inherited)")
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: ExternalProgram.hasPython))
  func `prevents a reader with the descriptor from writing, mapping for writing and resizing`() throws {
    let directory = try TemporaryDirectory()
    let ring = try ring()
    #expect(
      try python(Self.attacks, ring.descriptor, in: directory) == [
        "given write EBADF", "given pwrite EBADF", "given mmap EACCES", "given shrink EINVAL",
        "given grow EINVAL",
        "reopened write EPERM", "reopened pwrite EPERM", "reopened mmap EPERM", "reopened shrink EPERM",
        "reopened grow EPERM",
      ]
    )
  }

  @Test(.enabled(if: ExternalProgram.hasPython))
  func `permits the same operations on an unsealed file (control)`() throws {
    let directory = try TemporaryDirectory()
    let file = try MemoryFile.make(name: "open", size: 8192)
    let lines = try python(Self.attacks, file, in: directory)
    #expect(lines.count == 10 && lines.allSatisfy { $0.hasSuffix(" succeeded") })
  }

  @Test func `has exactly the seals that the protocol specifies`() throws {
    #expect(try MemoryFile.seals(ring().descriptor) == [.shrink, .grow, .futureWrite, .seal])
  }

  @Test(.enabled(if: ExternalProgram.hasPython))
  func `has a header and frames that an independent reader can parse from the specification`() throws {
    let directory = try TemporaryDirectory()
    let ring = try ring(65, 33)
    let source = try open("pattern:65x33@30000/1001")
    for _ in 1...5 {
      _ = try source.next(into: ring.beginFrame(), layout: ring.geometry, stop: StopSignal())
      ring.publish(timestamp: 77)
    }
    let program = """
      import mmap, struct, sys
      m = mmap.mmap(int(sys.argv[1]), 0, mmap.MAP_SHARED, mmap.PROT_READ)
      print(m[0:4].decode(), *struct.unpack_from("<10I", m, 4))
      for plane in range(3): print(*struct.unpack_from("<4I", m, 48 + 16 * plane))
      published, = struct.unpack_from("<Q", m, 128)
      print(published, len(m))
      slot = 4096 + (published - 1) % 4 * struct.unpack_from("<I", m, 16)[0]
      print(*struct.unpack_from("<2Q", m, slot))
      print(sum(m[slot + 64:slot + 64 + 65 * 33]))
      """
    let lines = try python(program, ring.descriptor, in: directory)
    let slot = TestSlot(ring.geometry)
    let again = try open("pattern:65x33")
    for _ in 1...5 { _ = try again.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) }
    #expect(
      lines == [
        "DKFR 1 4096 4 4096 65 33 1 30 1 3", "64 65 33 65", "2209 33 17 33", "2770 33 17 33", "5 20480",
        "5 77",
        "\(slot.planes[0].reduce(0) { $0 + Int($1) })",
      ]
    )
  }

  @Test func `reuses slots in order, and clears the sequence of a slot while it is being written`() throws {
    let ring = try ring()
    let mapping = try Mapping(ring.descriptor, length: ring.geometry.totalBytes, .read)
    func sequences() -> [UInt64] {
      (0..<4).map { SharedWord(in: mapping.bytes, at: ring.geometry.offset(ofSlot: $0)).load() }
    }
    let published = SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published)
    #expect(published.load() == 0 && sequences() == [0, 0, 0, 0])
    for _ in 1...6 {
      _ = ring.beginFrame()
      ring.publish()
    }
    #expect(published.load() == 6 && sequences() == [5, 6, 3, 4])
    _ = ring.beginFrame()
    _ = ring.beginFrame()
    #expect(published.load() == 6 && sequences() == [5, 6, 0, 4])
    #expect(ring.publish() == 7)
    #expect(published.load() == 7 && sequences() == [5, 6, 7, 4] && ring.published == 7)
  }

  @Test func `erases the samples of a sensor together with the pixels`() throws {
    let raw = BayerFormat(code: "RG10")
    let geometry = try FrameGeometry(width: 64, height: 32, raw: raw).ringGeometry()
    let ring = try FrameRing.make(geometry)
    let mapping = try Mapping(ring.descriptor, length: geometry.totalBytes, .read)
    for _ in 0..<geometry.slots {
      let slot = ring.beginFrame()
      for offset in 64..<geometry.slotStride { slot[offset] = 0xFF }
      ring.publish()
    }
    #expect(mapping.bytes[(4096 + (geometry.raw?.offset ?? 0))...].first == 0xFF)
    ring.erase()
    #expect(mapping.bytes[4096...].allSatisfy { $0 == 0 })
  }

  @Test func `never yields a torn frame to a reader that checks the sequence before and after`() throws {
    let ring = try ring()
    let geometry = ring.geometry
    let mapping = try Mapping(ring.descriptor, length: geometry.totalBytes, .read)
    let finished = try StopSignal()
    let writer = try PlainThread.start(name: "writer") {
      guard let source = try? TestPatternSource(FrameGeometry(width: 64, height: 32)) else { return }
      for _ in 1...20_000 {
        _ = try? source.next(into: ring.beginFrame(), layout: geometry, stop: finished)
        ring.publish()
      }
      finished.raise()
    }
    let published = SharedWord(in: mapping.bytes, at: FrameRingLayout.Header.published)
    var (whole, torn) = (0, 0)
    while published.load() < 20_000 {
      let newest = published.load()
      // The reader is most likely to race with the writer in the slot that is written next.
      let start = geometry.offset(ofSlot: geometry.slot(ofFrame: newest + 1))
      let slot = UnsafeRawBufferPointer(rebasing: mapping.bytes[start..<(start + geometry.slotStride)])
      let sequence = SharedWord(in: mapping.bytes, at: start)
      let before = sequence.load()
      let number = TestPatternSource.frameNumber(in: slot, layout: geometry)
      if before == 0 || sequence.loadAfterData() != before {
        torn += 1
      } else {
        whole += 1
        #expect(UInt64(number) == before)
      }
    }
    writer.join()
    print("read while it was written: \(whole) whole frames, \(torn) refused")
    #expect(ring.published == 20_000)
  }
}

@Suite struct FrameRingLayoutTests {
  /// Returns a header with changed fields.
  func header(_ changes: [(offset: Int, value: UInt32)]) throws -> [UInt8] {
    var bytes = try FrameGeometry(width: 65, height: 33).ringGeometry().header
    for change in changes {
      withUnsafeBytes(of: change.value.littleEndian) {
        bytes.replaceSubrange(change.offset..<(change.offset + 4), with: $0)
      }
    }
    return bytes
  }

  @Test func `restores a layout from its header`() throws {
    let raw = ["RG10", "GRBG"].map { BayerFormat(code: $0) }
    for (width, height, raw) in [
      (1, 1, nil), (640, 480, raw[0]), (1921, 1081, raw[1]), (1, 1, raw[0]), (16384, 1, nil),
    ] {
      let geometry = try FrameGeometry(width: width, height: height, raw: raw).ringGeometry(slots: 7)
      let read = try geometry.header.withUnsafeBytes {
        try FrameRingGeometry(header: $0, fileBytes: geometry.totalBytes)
      }
      #expect(read == geometry && geometry.slotStride.isMultiple(of: 4096))
    }
  }

  @Test(
    arguments: [
      (0, 0, "magic"), (4, 2, "version"), (8, 64, "headerBytes"), (12, 0, "slots"), (12, 1, "slots"),
      (12, 65, "slots"), (16, 0, "slotStride"), (16, 4097, "slotStride"), (16, 0xFFFF_F000, "slotStride"),
      (20, 0, "width"), (20, 16385, "width"), (24, 0, "height"), (28, 2, "format"),
      (32, 0, "frameRateNumerator"),
      (36, 0, "frameRateDenominator"), (40, 2, "planes"), (48, 63, "plane 0 offset"),
      (52, 64, "plane 0 stride"),
      (56, 34, "plane 0 rows"), (60, 66, "plane 0 rowBytes"), (48, 0xFFFF_FFFF, "plane 0 end"),
      (84, 0xFFFF_FFFF, "plane 2 end"),
    ] as [(Int, UInt32, String)]
  )
  func `rejects a header with an invalid field and names the field`(offset: Int, value: UInt32, name: String)
    throws
  {
    let bytes = try header([(offset, value)])
    let error = #expect(throws: FrameRingLayoutError.self) {
      try bytes.withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 1 << 30) }
    }
    guard case .field(name, _, _)? = error else {
      Issue.record("\(String(describing: error)) instead of \(name)")
      return
    }
  }

  @Test(
    arguments: [
      (3264, 65, "rawOffset"), (3393, 65, "rawOffset"), (3392, 64, "rawStride"), (14656, 65, "raw end"),
    ] as [(UInt32, UInt32, String)]
  )
  func `rejects samples of a sensor that overlap the pixels or exceed the slot`(
    offset: UInt32,
    stride: UInt32,
    name: String
  ) throws {
    func read(_ offset: UInt32, _ stride: UInt32) throws -> FrameRingGeometry {
      // The code of RGGB; 3 planes of 65 by 33 pixels end at 64 + 65 * 33 + 2 * 33 * 17 = 3331.
      let bytes = try header([(16, 16384), (96, 0x4247_4752), (100, offset), (104, stride)])
      return try bytes.withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 1 << 30) }
    }
    #expect(try read(3392, 65).raw?.format == BayerFormat(code: "RGGB"))
    let error = #expect(throws: FrameRingLayoutError.self) { try read(offset, stride) }
    guard case .field(name, _, _)? = error else {
      Issue.record("\(String(describing: error)) instead of \(name)")
      return
    }
  }

  @Test func `ignores samples of a sensor in a format that it does not know`() throws {
    let bytes = try header([(96, 0x3030_3030)])
    let geometry = try bytes.withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 1 << 30) }
    #expect(geometry.raw == nil)
  }

  @Test func `rejects a file that is shorter than its header requires`() throws {
    let bytes = try header([])
    #expect(throws: FrameRingLayoutError.tooShort(bytes: 20479, needed: 20480)) {
      try bytes.withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 20479) }
    }
    #expect(throws: FrameRingLayoutError.tooShort(bytes: 100, needed: 4096)) {
      try bytes.prefix(100).withUnsafeBytes { try FrameRingGeometry(header: $0, fileBytes: 20480) }
    }
  }

  @Test func `counts the frames between two reads as dropped`() {
    #expect(FrameRingLayout.dropped(last: 3, newest: 4) == 0)
    #expect(FrameRingLayout.dropped(last: 3, newest: 9) == 5)
    #expect(FrameRingLayout.dropped(last: 3, newest: 3) == 0)
  }
}
