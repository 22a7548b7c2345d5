// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import CameraSource
import ExtensionProtocol
import LinuxPrimitives
import Testing

/// Frames of a scripted camera device, and its failures.
@Suite(.timeLimit(.minutes(20))) struct CameraDeviceSourceTests {
  private let stop: StopSignal

  init() throws { stop = try StopSignal() }

  /// Returns the pixels of the next frame of a source.
  private func next(_ source: CameraDeviceSource) throws -> [UInt8] {
    let layout = try source.geometry.ringGeometry()
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    #expect(try source.next(into: slot, layout: layout, stop: stop) == .frame)
    return Array(UnsafeRawBufferPointer(rebasing: slot[layout.pixels]))
  }

  /// Returns the fault with which the next frame fails, or `nil` if it arrives.
  private func fault(_ source: CameraDeviceSource) throws -> CameraFault? {
    do { _ = try next(source) } catch let error as FrameSourceError {
      guard case .camera(let fault) = error.reason else { return nil }
      return fault
    }
    return nil
  }

  @Test func `a camera takes frames only while they are wanted, and what it gives is I420`() throws {
    let device = try ScriptedDevice([.frame(77, 0, 1)])
    let source = try CameraOpener.open(device)
    #expect(source.geometry == FrameGeometry(width: 64, height: 48) && source.clock == .source)
    #expect(!device.calls.contains("start"))
    let pixels = try next(source)
    #expect(pixels == [UInt8](repeating: 77, count: 3072) + [UInt8](repeating: 128, count: 1536))
    #expect(source.frameTime == 1_000_000 && device.queued.count == CameraDeviceSourceTests.buffers)
    source.rest()
    source.rest()
    #expect(device.calls.filter { $0 == "stop" }.count == 1)
    try device.add(.frame(78, 9, 2))
    #expect(try next(source)[0] == 78 && device.calls.filter { $0 == "start" }.count == 2)
  }

  @Test func `a camera takes no frames any more when nobody has its source, whoever else has it open`() throws
  {
    let device = try ScriptedDevice([.frame(77, 0, 1)])
    var source: CameraDeviceSource? = try CameraOpener.open(device)
    _ = try next(try #require(source))
    #expect(!device.calls.contains("stop"))
    source = nil
    #expect(device.calls.last == "stop" && device.queued.isEmpty)
  }

  /// The number of buffers that a camera requests.
  private static let buffers = 4

  @Test func `of several frames that wait the newest is taken, and all buffers go back`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1), .frame(2, 1, 2), .frame(3, 2, 3)])
    let source = try CameraOpener.open(device)
    #expect(try next(source)[0] == 3 && device.queued.count == Self.buffers)
  }

  @Test func `a camera that is unplugged is gone at once`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.add(.fail(.noSuchDevice))
    #expect(try fault(source) == .unplugged)
  }

  @Test(arguments: [Errno.inputOutput, .invalidArgument])
  func `a camera that goes in the middle of a request is gone, however that fails`(_ errno: Errno) throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    // The source tries to recover from the first error; the second one interrupts the recovery.
    try device.add(.fail(.inputOutput), .fail(errno))
    device.failures = ["picture": .noSuchDevice]
    #expect(try fault(source) == .unplugged)
  }

  @Test func `a camera that still answers when its transfers have broken off is gone a moment later`() throws
  {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.add(.fail(.inputOutput), .fail(.inputOutput))
    device.answers = 3
    #expect(try fault(source) == .unplugged)
  }

  @Test func `a disturbance is overcome once, and a second one without a frame between is the end`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.add(.fail(.inputOutput), .frame(2, 1, 2))
    #expect(try next(source)[0] == 2)
    #expect(device.calls.filter { $0 == "start" }.count == 2)
    try device.add(.fail(.inputOutput), .fail(.inputOutput))
    #expect(try fault(source) == .failed(SystemCallError("ioctl", errno: .inputOutput)))
  }

  @Test func `a camera that keeps quiet is not waited for for ever, and a stop ends the waiting`() throws {
    let device = try ScriptedDevice()
    let source = try CameraOpener.open(device, patience: 20_000_000)
    #expect(try fault(source) == .silent(seconds: 0))
    #expect(device.calls.filter { $0 == "start" }.count == 2)
    let patient = try CameraOpener.open(ScriptedDevice(), patience: 60_000_000_000)
    stop.raise()
    do {
      _ = try next(patient)
      Issue.record("a frame came of a camera without any")
    } catch let error as FrameSourceError { #expect(error.reason == .stopped) }
  }

  @Test(arguments: [false, true])
  func `a camera that keeps quiet is begun again, when it has begun badly, too`(hasBegun: Bool) throws {
    let device = try ScriptedDevice(hasBegun ? [.frame(1, 0, 1)] : [])
    let source = try CameraOpener.open(device, patience: 20_000_000)
    if hasBegun { #expect(try next(source)[0] == 1) }
    device.atStart = [[], [.frame(2, 1, 2)], [.frame(3, 2, 3)]]
    if hasBegun { device.atStart.removeFirst() }
    #expect(try next(source)[0] == 2)
    // The source restarts once after each delivered frame, not once in its lifetime.
    #expect(try next(source)[0] == 3)
    #expect(device.calls.filter { $0 == "stop" }.count == 2)
  }

  @Test func `a frame that is damaged or cut off is left out, and many in a row are a fault`() throws {
    let device = try ScriptedDevice([.damaged, .short, .frame(5, 2, 1)])
    device.isPaced = true
    let source = try CameraOpener.open(device)
    #expect(try next(source)[0] == 5)
    for _ in 0..<15 { try device.add(.damaged, .short) }
    #expect(try fault(source) == .damaged(frames: 30, message: "100 bytes of 6144"))
  }

  @Test func `another size is a fault, and another rate is taken over`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    let same = device.current
    try device.add(.change(same, try #require(FrameRate(15))), .frame(2, 1, 2))
    _ = try next(source)
    #expect(source.geometry.frameRate == FrameRate(15))
    let other = CameraPicture(PixelFormat("YUYV"), width: 32, height: 24)
    try device.add(.change(other, try #require(FrameRate(15))), .frame(3, 2, 3))
    #expect(try fault(source) == .pictureChanged(from: "64x48 YUYV", to: "32x24 YUYV"))
  }

  @Test func `a camera that becomes slower in the dark says so by its frames`() throws {
    let device = try ScriptedDevice()
    let source = try CameraOpener.open(device)
    for index in 0..<30 {
      try device.add(.frame(1, UInt32(index), UInt64(1 + index * 100)))
      _ = try next(source)
    }
    #expect(source.geometry.frameRate == FrameRate(10))
  }
}
