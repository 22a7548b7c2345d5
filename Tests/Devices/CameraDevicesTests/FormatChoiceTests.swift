// SPDX-License-Identifier: Apache-2.0

import CameraSource
import LinuxPrimitives
import Testing

@testable import CameraDevices

/// The selection of a format, a size and a frame rate.
@Suite struct FormatChoiceTests {
  /// Parses a specification of `/dev/video0`.
  private func wanted(_ text: String) throws -> CameraSpecification {
    try CameraSpecification("/dev/video0:\(text)")
  }

  /// Creates a frame rate.
  private func rate(_ top: Int, _ bottom: Int = 1) throws -> FrameRate {
    try #require(FrameRate(top, bottom))
  }

  @Test func `selects raw pixels if they reach the frame rate, and JPEG otherwise`() throws {
    let (slow, fast) = (try rate(10), try rate(30))
    let formats = [
      CameraFormat(
        PixelFormat("YUYV"),
        title: "",
        sizes: .listed([
          CameraSize(width: 640, height: 480, rates: [fast]),
          CameraSize(width: 1280, height: 720, rates: [slow]),
        ])
      ),
      CameraFormat(
        .motionJPEG,
        title: "",
        sizes: .listed([
          CameraSize(width: 640, height: 480, rates: [fast]),
          CameraSize(width: 1280, height: 720, rates: [fast]),
        ])
      ),
      CameraFormat(PixelFormat("H264"), title: "", sizes: .listed([CameraSize(width: 1280, height: 720)])),
    ]
    let small = FormatChoice.best(formats, for: try wanted("640x480@30"))
    #expect(small == FormatChoice(pixels: PixelFormat("YUYV"), width: 640, height: 480, rate: fast))
    let large = FormatChoice.best(formats, for: try wanted("1280x720@30"))
    #expect(large == FormatChoice(pixels: .motionJPEG, width: 1280, height: 720, rate: fast))
    let patient = FormatChoice.best(formats, for: try wanted("1280x720@10"))
    #expect(patient == FormatChoice(pixels: PixelFormat("YUYV"), width: 1280, height: 720, rate: slow))
    #expect(FormatChoice.best([formats[2]], for: try wanted("1280x720")) == nil)
  }

  @Test func `selects the nearest size, including from a range, and never an odd width`() throws {
    let least = CameraSize(width: 33, height: 32)
    let range = CameraSizes.range(
      from: least,
      to: CameraSize(width: 1000, height: 500),
      widthStep: 3,
      heightStep: 8
    )
    let formats = [CameraFormat(PixelFormat("NV12"), title: "", sizes: range)]
    let near = try #require(FormatChoice.best(formats, for: wanted("640x480")))
    #expect(near.width == 642 && near.height == 480)
    let large = try #require(FormatChoice.best(formats, for: wanted("4000x3000")))
    #expect(large.width == 996 && large.height == 496)
    let odd = CameraFormat(
      PixelFormat("YUYV"),
      title: "",
      sizes: .listed([CameraSize(width: 641, height: 480)])
    )
    #expect(FormatChoice.best([odd], for: try wanted("641x480")) == nil)
  }

  @Test func `parses a camera specification with and without size and rate, and rejects malformed ones`()
    throws
  {
    #expect(try CameraSpecification("/dev/video0") == CameraSpecification(path: "/dev/video0"))
    let full = try wanted("640x480@30000/1001")
    #expect(full.path == "/dev/video0" && full.width == 640 && full.height == 480)
    #expect(try full.rate == rate(30000, 1001))
    for text in ["", "640", "640x", "640x480@", "640x480@0", "640x480@1/2/3", "0x480", "640x480x1"] {
      #expect(throws: CameraFault.invalidSpecification) { try CameraSpecification("/dev/video0:\(text)") }
    }
    #expect(
      CameraSpecification.isCameraName("/dev/video0")
        && CameraSpecification.isCameraName("/dev/video12:640x480")
    )
    for text in ["video0", "./video0", "/dev/null", "/tmp/video0", "pattern:640x480", "-", "/tmp/a:b"] {
      #expect(!CameraSpecification.isCameraName(text), "\(text)")
    }
  }

  @Test func `parses a PipeWire camera by name, number or descriptor, with and without a size`()
    throws
  {
    /// Returns the parsed target and the width.
    func read(_ text: String) throws -> (target: PipeWireTarget?, width: Int) {
      let wanted = try CameraSpecification(text)
      return (try PipeWireTarget(wanted.path), wanted.width)
    }
    let cases: [(String, Int32?, String?, Int)] = [
      ("pipewire", nil, nil, 1280), ("pipewire:640x480@15", nil, nil, 640),
      ("pipewire:cam", nil, "cam", 1280), ("pipewire:a:b", nil, "a:b", 1280),
      ("pipewire:42:320x240", nil, "42", 320),
      ("pipewire:fd=3", 3, nil, 1280), ("pipewire:fd=3/a/b:64x48", 3, "a/b", 64),
    ]
    for (text, descriptor, node, width) in cases {
      #expect(CameraSpecification.isCameraName(text), "\(text)")
      let found = try read(text)
      #expect(found.target?.descriptor == descriptor && found.target?.node == node, "\(text)")
      #expect(found.width == width, "\(text)")
      #expect(CameraSpecification.isSingleUse(text) == (descriptor != nil), "\(text)")
    }
    let wrong = [
      "pipewire:", "pipewire:fd=", "pipewire:fd=x", "pipewire:fd=3/", "pipewire:fd=-1", "pipewire:0x0",
    ]
    for text in wrong {
      #expect(throws: CameraFault.invalidSpecification, "\(text)") { try read(text) }
    }
    #expect(!CameraSpecification.isCameraName("./pipewire") && !CameraSpecification.isCameraName("pipewires"))
  }

  @Test func `reports a new frame rate only after it has been stable for a while`() throws {
    var meter = RateMeter(try rate(30))
    var reportedRates: [FrameRate] = []
    var time: UInt64 = 1
    /// Passes `count` frames to the meter, `milliseconds` apart.
    func take(_ count: UInt32, from first: UInt32, apart milliseconds: UInt64) {
      for index in 0..<count {
        time += milliseconds * 1_000_000
        if let rate = meter.record(first + index, at: time) { reportedRates.append(rate) }
      }
    }
    take(120, from: 0, apart: 33)
    #expect(reportedRates == [])
    take(120, from: 120, apart: 67)
    #expect(reportedRates.last == (try rate(15)))
    take(200, from: 240, apart: 67)
    #expect(reportedRates.last == (try rate(15)))
    // Lost frames do not lower the measured frame rate.
    var lossy = RateMeter(try rate(30))
    for index in 0..<100 {
      #expect(lossy.record(UInt32(index * 3), at: UInt64(1 + index) * 100_000_000) == nil)
    }
  }

  @Test func `prints format names as the kernel does, with unprintable characters replaced`() {
    #expect(PixelFormat("YUYV").code == 0x5659_5559 && "\(PixelFormat("YUYV"))" == "YUYV")
    #expect("\(PixelFormat(code: 0x1b20_2059))" == "Y  ?" && "\(PixelFormat("Y8"))" == "Y8")
  }

  @Test func `selects the requested format regardless of its cost`() throws {
    let offers = ["YU12", "YUYV"].compactMap(PixelFormat.init(named:)).map {
      CameraFormat($0, title: "", sizes: .listed([CameraSize(width: 64, height: 48)]))
    }
    for (text, wanted) in [("64x48@15,YUYV", "YUYV"), ("64x48,YU12", "YU12"), ("64x48", "YU12")] {
      let choice = FormatChoice.best(offers, for: try CameraSpecification("/dev/video0:\(text)"))
      #expect(choice?.pixels.description == wanted)
    }
    #expect(FormatChoice.best(offers, for: try CameraSpecification("/dev/video0:64x48,MJPG")) == nil)
  }
}
