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

  @Test func `streams from the camera only while frames are requested, and delivers I420 frames`() throws {
    let device = try ScriptedDevice([.frame(77, 0, 1)])
    let source = try CameraOpener.open(device)
    #expect(source.geometry == FrameGeometry(width: 64, height: 48) && source.clock == .source)
    #expect(!device.calls.contains("start"))
    let pixels = try next(source)
    #expect(pixels == [UInt8](repeating: 77, count: 3072) + [UInt8](repeating: 128, count: 1536))
    #expect(source.frameTime == 1_000_000 && device.queued.count == CameraDeviceSourceTests.buffers)
    source.suspend()
    source.suspend()
    #expect(device.calls.filter { $0 == "stop" }.count == 1)
    try device.appendSteps(.frame(78, 9, 2))
    #expect(try next(source)[0] == 78 && device.calls.filter { $0 == "start" }.count == 2)
  }

  @Test func `stops the camera when its source is released, even if the device is still open elsewhere`()
    throws
  {
    let device = try ScriptedDevice([.frame(77, 0, 1)])
    var source: CameraDeviceSource? = try CameraOpener.open(device)
    _ = try next(try #require(source))
    #expect(!device.calls.contains("stop"))
    source = nil
    #expect(device.calls.last == "stop" && device.queued.isEmpty)
  }

  /// Returns a source of 32 by 48 pixels with the samples of a sensor, in rows of 128 bytes, and the layout of its ring.
  private func sensor(
    _ name: StaticString,
    _ steps: [ScriptedDevice.Step]
  ) throws -> (source: CameraDeviceSource, layout: FrameRingGeometry) {
    let format = PixelFormat(name)
    let device = try ScriptedDevice(steps)
    device.offeredFormats = [
      CameraFormat(format, title: "", sizes: .listed([CameraSize(width: 32, height: 48)]))
    ]
    device.currentFormat = ActiveCameraFormat(format, width: 32, height: 48, stride: 128, bytes: 6144)
    let source = try CameraOpener.open(device)
    #expect(source.geometry.raw != nil && source.geometry.raw == format.bayer)
    return (source, try source.geometry.ringGeometry())
  }

  @Test(arguments: ["RGGB", "RG10"] as [StaticString])
  func `copies the samples of a sensor without the padding of rows`(name: StaticString) throws {
    let (source, layout) = try sensor(name, [.short, .damaged, .frame(77, 0, 1)])
    let raw = try #require(layout.raw)
    #expect(raw.stride == 32 * raw.format.bytesPerSample && raw.offset >= layout.pixels.upperBound)
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    #expect(try source.next(into: slot, layout: layout, stop: stop) == .frame)
    // The device fills a row with alternately 77 and 128.
    let samples = slot[raw.offset..<raw.offset + raw.stride * 48]
    #expect(samples.elementsEqual((0..<raw.stride * 48).map { $0 % 2 == 0 ? 77 : 128 }))
    #expect(slot[(raw.offset + raw.stride * 48)...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [ScriptedDevice.Step.short, .damaged])
  func `copies no samples of truncated and damaged frames`(step: ScriptedDevice.Step) throws {
    let (source, layout) = try sensor("RG10", Array(repeating: step, count: 30))
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
    defer { slot.deallocate() }
    slot.initializeMemory(as: UInt8.self, repeating: 0)
    #expect(throws: FrameSourceError.self) { try source.next(into: slot, layout: layout, stop: stop) }
    #expect(slot[(layout.raw?.offset ?? 0)...].allSatisfy { $0 == 0 })
  }

  /// The number of buffers that a camera requests.
  private static let buffers = 4

  @Test func `takes the newest of several pending frames and returns all buffers to the driver`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1), .frame(2, 1, 2), .frame(3, 2, 3)])
    let source = try CameraOpener.open(device)
    #expect(try next(source)[0] == 3 && device.queued.count == Self.buffers)
  }

  @Test func `reports an unplugged camera immediately`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.appendSteps(.fail(.noSuchDevice))
    #expect(try fault(source) == .unplugged)
  }

  @Test(arguments: [Errno.inputOutput, .invalidArgument])
  func `reports a camera that is removed during a request as unplugged, whatever errno the request has`(
    _ errno: Errno
  ) throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    // The source tries to recover from the first error; the second one interrupts the recovery.
    try device.appendSteps(.fail(.inputOutput), .fail(errno))
    device.failures = ["picture": .noSuchDevice]
    #expect(try fault(source) == .unplugged)
  }

  @Test func `reports a camera as unplugged if it stops answering shortly after its transfers fail`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.appendSteps(.fail(.inputOutput), .fail(.inputOutput))
    device.remainingAnswers = 3
    #expect(try fault(source) == .unplugged)
  }

  @Test func `recovers from one EIO, and fails after a second one without a frame in between`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    try device.appendSteps(.fail(.inputOutput), .frame(2, 1, 2))
    #expect(try next(source)[0] == 2)
    #expect(device.calls.filter { $0 == "start" }.count == 2)
    try device.appendSteps(.fail(.inputOutput), .fail(.inputOutput))
    #expect(try fault(source) == .failed(SystemCallError("ioctl", errno: .inputOutput)))
  }

  @Test func `times out if the camera delivers no frames, and stops waiting when the stop signal is raised`()
    throws
  {
    let device = try ScriptedDevice()
    let source = try CameraOpener.open(device, patience: 20_000_000)
    #expect(try fault(source) == .noFrames(seconds: 0))
    #expect(device.calls.filter { $0 == "start" }.count == 2)
    let patient = try CameraOpener.open(ScriptedDevice(), patience: 60_000_000_000)
    stop.raise()
    do {
      _ = try next(patient)
      Issue.record("a camera without frames returned a frame")
    } catch let error as FrameSourceError { #expect(error.reason == .stopped) }
  }

  @Test(arguments: [false, true])
  func `restarts a camera that delivers no frames, even if its first start delivered none`(hasStarted: Bool)
    throws
  {
    let device = try ScriptedDevice(hasStarted ? [.frame(1, 0, 1)] : [])
    let source = try CameraOpener.open(device, patience: 20_000_000)
    if hasStarted { #expect(try next(source)[0] == 1) }
    device.stepsAtStart = [[], [.frame(2, 1, 2)], [.frame(3, 2, 3)]]
    if hasStarted { device.stepsAtStart.removeFirst() }
    #expect(try next(source)[0] == 2)
    // The source restarts once after each delivered frame, not once in its lifetime.
    #expect(try next(source)[0] == 3)
    #expect(device.calls.filter { $0 == "stop" }.count == 2)
  }

  @Test func `skips damaged and truncated frames, and fails after 30 of them in a row`() throws {
    let device = try ScriptedDevice([.damaged, .short, .frame(5, 2, 1)])
    device.isPaced = true
    let source = try CameraOpener.open(device)
    #expect(try next(source)[0] == 5)
    for _ in 0..<15 { try device.appendSteps(.damaged, .short) }
    #expect(try fault(source) == .corruptFrames(frames: 30, message: "the frame has 100 of 6144 bytes"))
  }

  @Test func `fails if the frame size changes, and adopts a changed frame rate`() throws {
    let device = try ScriptedDevice([.frame(1, 0, 1)])
    let source = try CameraOpener.open(device)
    _ = try next(source)
    let same = device.currentFormat
    try device.appendSteps(.change(same, try #require(FrameRate(15))), .frame(2, 1, 2))
    _ = try next(source)
    #expect(source.geometry.frameRate == FrameRate(15))
    let other = ActiveCameraFormat(PixelFormat("YUYV"), width: 32, height: 24)
    try device.appendSteps(.change(other, try #require(FrameRate(15))), .frame(3, 2, 3))
    #expect(try fault(source) == .formatChanged(from: "64x48 YUYV", to: "32x24 YUYV"))
  }

  @Test func `measures a lower frame rate from the timestamps of the frames`() throws {
    let device = try ScriptedDevice()
    let source = try CameraOpener.open(device)
    for index in 0..<30 {
      try device.appendSteps(.frame(1, UInt32(index), UInt64(1 + index * 100)))
      _ = try next(source)
    }
    #expect(source.geometry.frameRate == FrameRate(10))
  }
}
