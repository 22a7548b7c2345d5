// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import TestSupport
import Testing

@Suite struct Y4MSourceTests {
  /// A stream with one frame of 2×2 pixels: four luma samples, and one sample of each chroma plane.
  static let small = Array("YUV4MPEG2 W2 H2 F25:1\nFRAME\n".utf8) + [1, 2, 3, 4, 5, 6]

  /// Returns all frames of a source as planes without padding.
  func frames(_ source: any FrameSource) throws -> [[UInt8]] {
    let slot = try TestSlot(source.geometry)
    var frames: [[UInt8]] = []
    while try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .frame {
      frames.append(slot.pixels)
    }
    return frames
  }

  @Test func `delivers the frames of a stream unchanged, whatever parameters their lines have`() throws {
    let bytes = Self.small + Array("FRAME Ixyz XQ=1\n".utf8) + [6, 5, 4, 3, 2, 1]
    let source = try stream(bytes)
    #expect(source.geometry.frameRate == FrameRate(25))
    #expect(try frames(source) == [[1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]])
    let slot = try TestSlot(source.geometry)
    #expect(try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .end)
  }

  @Test func `ends a stream without frames immediately`() throws {
    #expect(try frames(stream(Array("YUV4MPEG2 W2 H2\n".utf8))) == [])
  }

  @Test func `copies each row of a frame into planes with padded rows`() throws {
    let source = try stream(Self.small)
    let slot = TestSlot(try paddedLayout(source.geometry.ringGeometry()))
    #expect(try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal()) == .frame)
    #expect(slot.pixels == [1, 2, 3, 4, 5, 6])
  }

  @Test func `averages chroma samples to YUV420, and repeats the last sample at odd edges`() throws {
    let line444 = Array("YUV4MPEG2 W3 H3 C444\nFRAME\n".utf8)
    let luma: [UInt8] = Array(1...9)
    let u: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80, 90]
    let v: [UInt8] = [0, 255, 0, 255, 0, 255, 0, 255, 0]
    #expect(try frames(stream(line444 + luma + u + v)) == [luma + [30, 45, 75, 90] + [128, 128, 128, 0]])
    let line422 = Array("YUV4MPEG2 W3 H3 C422\nFRAME\n".utf8)
    let half: [UInt8] = [10, 20, 30, 40, 50, 60]
    #expect(
      try frames(stream(line422 + luma + half + half)) == [luma + [20, 30, 50, 60] + [20, 30, 50, 60]]
    )
    let mono = Array("YUV4MPEG2 W3 H3 Cmono\nFRAME\n".utf8)
    #expect(try frames(stream(mono + luma)) == [luma + [UInt8](repeating: 128, count: 8)])
  }

  @Test(arguments: [
    ("YUV4MPEG2 W2 H2", Y4MFault.headerTruncated, 0),
    ("YUV4MPEG2 W2 H2 X\(String(repeating: "y", count: 2000))\n", .lineTooLong(limit: 1024), 0),
    ("YUV4MPEG2 W2 H2\nFRAM\n123456", .frameExpected(frame: 1), 16),
    ("YUV4MPEG2 W2 H2\nFRAMES\n123456", .frameExpected(frame: 1), 16),
    ("YUV4MPEG2 W2 H2\nFRAME\n123456FRA", .frameTruncated(frame: 2, bytes: 0, needed: 6), 28),
    ("YUV4MPEG2 W2 H2\nFRAME\n123456FRAME\n1234", .frameTruncated(frame: 2, bytes: 4, needed: 6), 38),
    ("YUV4MPEG2 W2 H2 C444\nFRAME\n123456789", .frameTruncated(frame: 1, bytes: 9, needed: 12), 36),
    ("YUV4MPEG2 W2 H2\nFRAME\n\(String(repeating: "1", count: 3000))", .frameExpected(frame: 2), 28),
  ])
  func `reports each error of a stream with its byte offset`(text: String, fault: Y4MFault, byte: Int) throws
  {
    let error = try failure { try stream(Array(text.utf8)) }
    #expect(error == FrameSourceError("stream", .stream(fault, byte: byte)))
    #expect(error?.description.hasPrefix("stream: at byte \(byte): ") == true)
  }

  @Test func `rejects oversized frames before memory is allocated`() throws {
    for (size, field) in [
      ("W16385 H1", "width"), ("W1 H999999999", "height"), ("W16384 H16384", "slotStride"),
    ] {
      let error = try failure { try stream(Array("YUV4MPEG2 \(size) C444\n".utf8)) }
      guard case .size(.field(let name, _, _))? = error?.reason else {
        Issue.record("\(size) was accepted")
        continue
      }
      #expect(name == field)
    }
  }

  @Test func `reads a stream completely that arrives byte by byte through a pipe`() throws {
    let pipe = try Pipe.make()
    let writer = try pipe.writeEnd.duplicate().release()
    _ = try PlainThread.start(name: "trickle") { [bytes = Self.small + Self.small.suffix(12)] in
      let output = Descriptor(owning: writer)
      for byte in bytes { try? output.writeAll([byte]) }
    }
    let reader = try pipe.readEnd.duplicate()
    _ = consume pipe
    let source = try FrameSourceOpener.open(reader, name: "pipe", stop: StopSignal())
    #expect(try frames(source) == [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]])
  }

  @Test(arguments: ["", "YUV4MPEG2", "YUV4MPEG2 W2 H2", "YUV4MPEG2 W2 H2\nFRAME\n12"])
  func `stops waiting for a pipe when the stop signal is raised`(text: String) throws {
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Array(text.utf8))
    let stop = try StopSignal()
    _ = try PlainThread.start(name: "stopper") {
      _ = try? Poller.wait([], until: MonotonicClock.now + 20_000_000)
      stop.raise()
    }
    let error = #expect(throws: FrameSourceError.self) {
      let source = try FrameSourceOpener.open(pipe.readEnd.duplicate(), name: "pipe", stop: stop)
      let slot = try TestSlot(source.geometry)
      _ = try source.next(into: slot.bytes, layout: slot.layout, stop: stop)
    }
    #expect(error == FrameSourceError("pipe", .stopped))
  }
}

@Suite(.enabled(if: ExternalProgram.hasFFmpeg), .waiting) struct Y4MFFmpegComparisonTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Creates a stream of smooth moving images with ffmpeg.
  func stream(_ pixelFormat: String, size: String = "128x96") throws -> String {
    let path = directory.file("a.y4m")
    try ExternalProgram.output(
      """
      ffmpeg -v error -y -f lavfi -i testsrc2=size=\(size):rate=30000/1001,gblur=sigma=6 -frames:v 5 \
      -pix_fmt \(pixelFormat) -strict -1 -f yuv4mpegpipe '\(path)'
      """
    )
    return path
  }

  @Test(arguments: ["128x96", "101x75"])
  func `delivers exactly the raw planes of streams from ffmpeg`(size: String) throws {
    let path = try stream("yuv420p", size: size)
    let source = try open(path)
    #expect(source.geometry.frameRate == FrameRate(30000, 1001))
    #expect(source.geometry.range == .limited)
    let frames = try Y4MSourceTests().frames(source)
    #expect(frames.count == 5)
    #expect(try frames.flatMap { $0 } == ExternalProgram.planes(of: path, pixelFormat: "yuv420p"))
  }

  @Test func `delivers a grayscale stream with full range and neutral chroma`() throws {
    let path = try stream("gray")
    let source = try open(path)
    #expect(source.geometry.range == .full)
    let luma = try ExternalProgram.planes(of: path, pixelFormat: "gray")
    let frames = try Y4MSourceTests().frames(source)
    #expect(frames.flatMap { $0.prefix(128 * 96) } == luma)
    #expect(frames.allSatisfy { $0.dropFirst(128 * 96).allSatisfy { $0 == 128 } })
  }

  @Test(arguments: ["yuv422p", "yuv444p"])
  func `converts YUV422 and YUV444 streams to YUV420 as ffmpeg does`(pixelFormat: String) throws {
    let path = try stream(pixelFormat)
    let frames = try Y4MSourceTests().frames(open(path))
    #expect(frames.count == 5)
    let oracle = try ExternalProgram.planes(of: path, pixelFormat: "yuv420p")
    let found = difference(frames.flatMap { $0 }, oracle)
    #expect(found.mean <= 1, "mean \(found.mean), largest \(found.largest)")
  }

  @Test func `rejects a 10-bit stream`() throws {
    let path = try stream("yuv420p10le")
    let error = try failure { try open(path) }
    #expect(error == FrameSourceError(path, .stream(.pixelFormat("420p10"), byte: 0)))
  }

  @Test func `reads a FIFO that ffmpeg writes to until its end`() throws {
    let (fifo, path) = (directory.file("fifo"), try stream("yuv420p"))
    try ExternalProgram.output("mkfifo '\(fifo)'")
    try ExternalProgram.output(
      "(ffmpeg -v error -y -i '\(path)' -f yuv4mpegpipe '\(fifo)' >/dev/null 2>&1 &)"
    )
    #expect(try Y4MSourceTests().frames(open(fifo)).count == 5)
  }
}
