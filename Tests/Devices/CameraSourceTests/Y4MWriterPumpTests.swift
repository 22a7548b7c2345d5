// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct Y4MWriterPumpTests {
  @Test(arguments: [FramePace.frameRate, .consumption])
  func `writes a stream with all frames, then ends it`(pace: FramePace) throws {
    let pipe = try Pipe.make()
    let reader = try pipe.readEnd.duplicate()
    let pump = try Y4MWriterPump.start(
      source: FramePumpTests.values(50, "W2 H2 F1000:1"),
      output: pipe.writeEnd.duplicate(),
      pace: pace
    )
    _ = consume pipe
    let source = try FrameSourceOpener.open(reader, name: "pipe", stop: StopSignal())
    #expect(source.geometry.frameRate == FrameRate(1000) && source.geometry.range == .limited)
    let frames = try Y4MSourceTests().frames(source)
    #expect(frames == (0..<50).map { [UInt8](repeating: $0, count: 6) })
    pump.stop()
    #expect(pump.completion == .sourceEnded && pump.frames == 50)
  }

  @Test(.enabled(if: ExternalProgram.hasFFmpeg))
  func `writes a stream with a color range that ffmpeg can read`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a.y4m")
    let source = try Y4MFrameLimit.firstFrames(3, of: "pattern:65x33", in: directory)
    let output = try FileSystem.open(path, [.write, .create])
    let pump = try Y4MWriterPump.start(source: source, output: output, pace: .consumption)
    _ = try Poller.wait([(pump.completionEvent.rawValue, .readable)])
    pump.stop()
    let planes = try ExternalProgram.planes(of: path, pixelFormat: "yuvj420p")
    #expect(try planes == Y4MSourceTests().frames(open(path)).flatMap { $0 })
    let probe = try ExternalProgram.output(
      "ffprobe -v error -show_entries stream=width,height,color_range,r_frame_rate -of csv=p=0 '\(path)'"
    )
    #expect(String(decoding: probe, as: UTF8.self) == "65,33,pc,30/1\n")
  }

  @Test func `ends only the pump if the consumer closes its pipe`() throws {
    let pipe = try Pipe.make()
    let pump = try Y4MWriterPump.start(
      source: FramePumpTests.pattern(),
      output: pipe.writeEnd.duplicate(),
      pace: .frameRate
    )
    while pump.frames < 3 {
      _ = try Poller.wait([(pump.completionEvent.rawValue, .readable)], until: MonotonicClock.now + 500_000)
    }
    _ = consume pipe
    _ = try Poller.wait([(pump.completionEvent.rawValue, .readable)])
    #expect(pump.completion == .consumerClosed)
    pump.stop()
  }

  @Test func `stops in the middle of a frame that does not fit into the pipe`() throws {
    let pipe = try Pipe.make()
    let source = try FrameSourceOpener.open("pattern:1920x1080", stop: StopSignal())
    let pump = try Y4MWriterPump.start(source: source, output: pipe.writeEnd.duplicate(), pace: .consumption)
    _ = try Poller.wait([(pipe.readEnd.rawValue, .readable)])
    pump.stop()
    #expect(pump.completion == .stopped && pump.frames == 0)
  }

  @Test func `closes the stream and reports the error if the source fails`() throws {
    let pipe = try Pipe.make()
    let file = try MemoryFile.makeSealed(name: "cut", bytes: Array("YUV4MPEG2 W2 H2\nFRAME\n1".utf8))
    let source = try FrameSourceOpener.open(file, name: "cut.y4m", stop: StopSignal())
    let pump = try Y4MWriterPump.start(source: source, output: pipe.writeEnd.duplicate(), pace: .frameRate)
    _ = try Poller.wait([(pump.completionEvent.rawValue, .readable)])
    let fault = Y4MFault.frameTruncated(frame: 1, bytes: 1, needed: 6)
    #expect(pump.completion == .failed(FrameSourceError("cut.y4m", .stream(fault, byte: 23))))
    pump.stop()
  }
}

/// Limits an endless source to a number of frames.
enum Y4MFrameLimit {
  /// Returns a source with the first frames of another one, stored in a file.
  static func firstFrames(
    _ count: Int,
    of specification: String,
    in directory: TemporaryDirectory
  ) throws -> sending any FrameSource {
    let source = try open(specification)
    let slot = try TestSlot(source.geometry)
    var bytes = Array(Y4MHeader(geometry: source.geometry).line.utf8)
    for _ in 0..<count {
      _ = try source.next(into: slot.bytes, layout: slot.layout, stop: StopSignal())
      bytes += Array("FRAME\n".utf8) + slot.pixels
    }
    let path = try directory.write("first.y4m", bytes)
    return try FrameSourceOpener.open(path, stop: StopSignal())
  }
}
