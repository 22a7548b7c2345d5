// SPDX-License-Identifier: Apache-2.0

import CameraSource
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Testing

@Suite struct FrameSourceOpenerTests {
  @Test(arguments: [
    ("pattern", 640, 480, "30"), ("pattern:64x32", 64, 32, "30"), ("pattern:320x240@5", 320, 240, "5"),
    ("pattern:65x33@30000/1001", 65, 33, "30000/1001"),
  ])
  func `opens a test pattern with the size and frame rate of its specification`(
    name: String,
    width: Int,
    height: Int,
    rate: String
  ) throws {
    let geometry = try open(name).geometry
    #expect(geometry.width == width && geometry.height == height && geometry.frameRate.description == rate)
    #expect(geometry.range == .full)
  }

  @Test(arguments: [
    ("pattern:", PatternFault.syntax), ("pattern:640", .syntax), ("pattern:640x480x3", .syntax),
    ("pattern:640x480@", .syntax), ("pattern:640x480@1@2", .syntax), ("pattern:640x480@1/2/3", .syntax),
    ("pattern:axb", .syntax), ("pattern:640x480@0", .rate), ("pattern:640x480@1001", .rate),
    ("pattern:640x480@-1", .rate), ("pattern:63x480", .tooSmall(minimumWidth: 64, minimumHeight: 32)),
    ("pattern:-640x480", .tooSmall(minimumWidth: 64, minimumHeight: 32)),
  ])
  func `reports each error of a pattern specification`(name: String, fault: PatternFault) throws {
    let error = try failure { try open(name) }
    #expect(error?.reason == .pattern(fault))
    #expect(error?.description.isEmpty == false)
  }

  @Test func `rejects a pattern that is larger than the ring allows`() throws {
    let error = try failure { try open("pattern:99999x480") }
    #expect(error?.reason == .size(.field(name: "width", value: 99999, expected: "1 to 16384")))
  }

  @Test func `reads standard input for a dash, without closing it or changing its flags`() throws {
    let pipe = try Pipe.make()
    try pipe.writeEnd.writeAll(Y4MSourceTests.small)
    let stop = try StopSignal()
    let source = try FrameSourceOpener.open("-", standardInput: pipe.readEnd.rawValue, stop: stop)
    let slot = try TestSlot(source.geometry)
    #expect(try source.next(into: slot.bytes, layout: slot.layout, stop: stop) == .frame)
    #expect(source.name == "standard input" && slot.pixels == [1, 2, 3, 4, 5, 6])
    #expect(fcntl(pipe.readEnd.rawValue, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test func `names a missing file and suggests a source`() throws {
    let error = try failure { try open("/nowhere/a.y4m") }
    let said = try #require(error?.description)
    let fault = "/nowhere/a.y4m: openat /nowhere/a.y4m: No such file or directory (ENOENT)"
    #expect(said.hasPrefix("\(fault); name an image"), "\(said)")
    let unnamed = try #require(try failure { try open("") }?.description)
    #expect(unnamed.hasPrefix("an empty name: ") && unnamed.contains("'darkroom camera list'"), "\(unnamed)")
  }

  @Test func `rejects a directory`() throws {
    let failed = try failure { try open("/") }
    guard case .system(let error)? = failed?.reason else {
      Issue.record("a directory was accepted")
      return
    }
    #expect(error.errno == .isADirectory)
    #expect(failed?.description.hasSuffix("; name an image or a YUV4MPEG2 file in the directory") == true)
  }

  @Test func `rejects an empty file`() throws {
    #expect(try failure { try open("/dev/null") }?.reason == .empty)
    #expect(try failure { try stream([]) }?.reason == .empty)
  }

  @Test func `suggests a conversion command for a file of another format`() throws {
    let error = try failure { try stream(Array("GIF89a and more".utf8)) }
    #expect(error?.reason == .unknownFormat(firstBytes: Array("GIF89a an".utf8)))
    #expect(error?.description.contains("ffmpeg -i INPUT -pix_fmt yuv420p -f yuv4mpegpipe") == true)
  }

  @Test func `detects the file format from the content, not from the name`() throws {
    let source = try stream(Y4MSourceTests.small, name: "a.png")
    #expect(source.name == "a.png" && source.geometry.width == 2)
  }

  @Test(arguments: [64, 65, 640, 1920], [32, 33, 480])
  func `draws the frame number into each pattern frame, which differs from the previous one`(
    width: Int,
    height: Int
  ) throws {
    let source = try open("pattern:\(width)x\(height)")
    let slot = try TestSlot(source.geometry)
    let spread = TestSlot(try paddedLayout(slot.layout))
    var last: [UInt8] = []
    for number in 1...UInt32(6) {
      let target = number.isMultiple(of: 2) ? slot : spread
      #expect(try source.next(into: target.bytes, layout: target.layout, stop: StopSignal()) == .frame)
      #expect(target.number == number)
      #expect(target.pixels != last)
      last = target.pixels
    }
  }
}
