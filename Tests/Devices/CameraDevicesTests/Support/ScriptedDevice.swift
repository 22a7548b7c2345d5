// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import CameraSource
import LinuxPrimitives

/// A camera device that performs a scripted sequence of frames and failures.
final class ScriptedDevice: VideoDevice {
  /// The result of a frame request.
  enum Step {
    /// A gray frame: luminance, sequence number, and time in milliseconds.
    case frame(UInt8, UInt32, UInt64)
    /// A frame that the driver marks as damaged.
    case damaged
    /// A truncated frame.
    case short
    /// A failed request.
    case fail(Errno)
    /// A change of the format and the frame rate.
    case change(ActiveCameraFormat, FrameRate)
  }

  /// The identity that the device reports.
  var deviceIdentity = DeviceIdentity(
    name: "Scripted camera",
    driver: "script",
    bus: "test",
    capabilities: [.capture, .streaming]
  )
  /// The formats that the device offers.
  var offeredFormats = [
    CameraFormat(PixelFormat("YUYV"), title: "", sizes: .listed([CameraSize(width: 64, height: 48)]))
  ]
  /// The controls of the device.
  var deviceControls: [DeviceControl] = []
  /// Values that the device rejects even if they are within the range of the control.
  var refusedValues: Set<Int> = []
  /// The active format.
  var currentFormat = ActiveCameraFormat(
    PixelFormat("YUYV"),
    width: 64,
    height: 48,
    stride: 128,
    bytes: 6144,
    range: .full
  )
  var currentRate = FrameRate(30)
  /// The errno of each failing request, by request name.
  var failures: [String: Errno] = [:]
  /// The number of format requests that succeed before the device is removed, or `nil` for no limit.
  var remainingAnswers: Int?
  /// The remaining steps, in order.
  var steps: [Step] = []
  /// Additional steps for each start, in order.
  var stepsAtStart: [[Step]] = []
  /// Whether the device has at most one frame ready at a time.
  var isPaced = false
  /// Whether a frame was returned since the device last reported that no frame is ready.
  private var hasDelivered = false
  /// The names of the received requests.
  private(set) var calls: [String] = []
  /// The buffers that the device may fill.
  private(set) var queued: Set<Int> = []
  private var buffers: [UnsafeMutableRawBufferPointer] = []
  private let event: Descriptor
  private var hasChanged = false

  init(_ steps: [Step] = []) throws {
    self.steps = steps
    event = try EventCounter.make()
    if !steps.isEmpty { try EventCounter.add(to: event) }
  }

  deinit { for buffer in buffers { buffer.deallocate() } }

  var descriptor: Int32 { event.rawValue }

  /// Appends steps to the script.
  func appendSteps(_ steps: Step...) throws {
    self.steps += steps
    try EventCounter.add(to: event)
  }

  private func call(_ name: String) throws(SystemCallError) {
    calls.append(name)
    if let errno = failures[name] { throw SystemCallError("ioctl", errno: errno) }
  }

  func identity() throws(SystemCallError) -> DeviceIdentity {
    try call("identity")
    return deviceIdentity
  }

  func formats() -> [CameraFormat] { offeredFormats }
  func controls() -> [DeviceControl] { deviceControls }
  func set(_ control: UInt32, to value: Int) throws(SystemCallError) {
    try call("set")
    guard let index = deviceControls.firstIndex(where: { $0.id == control }) else {
      throw SystemCallError("ioctl", errno: .invalidArgument)
    }
    if refusedValues.contains(value) { throw SystemCallError("ioctl", errno: .invalidArgument) }
    deviceControls[index].value = value / deviceControls[index].step * deviceControls[index].step
  }

  func activeFormat() throws(SystemCallError) -> ActiveCameraFormat {
    try call("picture")
    if let left = remainingAnswers {
      if left == 0 { throw SystemCallError("ioctl", errno: .noSuchDevice) }
      remainingAnswers = left - 1
    }
    return currentFormat
  }

  func setActiveFormat(_ picture: ActiveCameraFormat) throws(SystemCallError) -> ActiveCameraFormat {
    try call("setPicture")
    return currentFormat
  }

  func rate() -> FrameRate? { currentRate }

  func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate? {
    try call("setRate")
    return currentRate
  }

  func requestBuffers(_ count: Int) throws(SystemCallError) -> Int {
    try call("takeBuffers")
    buffers = (0..<count).map { _ in .allocate(byteCount: 6144, alignment: 16) }
    return count
  }

  func start() throws(SystemCallError) {
    try call("start")
    queued = Set(buffers.indices)
    guard !stepsAtStart.isEmpty else { return }
    steps += stepsAtStart.removeFirst()
    try EventCounter.add(to: event)
  }

  func stop() {
    calls.append("stop")
    queued = []
  }

  func nextFrame() throws(SystemCallError) -> DeviceFrame? {
    guard !steps.isEmpty else {
      do { _ = try EventCounter.take(event) } catch { throw error }
      return nil
    }
    if isPaced, hasDelivered {
      hasDelivered = false
      return nil
    }
    hasDelivered = true
    switch steps.removeFirst() {
    case .fail(let errno): throw SystemCallError("ioctl", errno: errno)
    case .change(let picture, let rate):
      (currentFormat, currentRate, hasChanged) = (picture, rate, true)
      return nil
    case .frame(let luminance, let sequence, let time): return frame(luminance, sequence, time, 6144)
    case .damaged: return frame(0, 0, 0, 6144, isDamaged: true)
    case .short: return frame(0, 0, 0, 100)
    }
  }

  private func frame(_ luma: UInt8, _ sequence: UInt32, _ time: UInt64, _ bytes: Int, isDamaged: Bool = false)
    -> DeviceFrame?
  {
    guard let buffer = queued.min() else { return nil }
    queued.remove(buffer)
    for index in buffers[buffer].indices { buffers[buffer][index] = index % 2 == 0 ? luma : 128 }
    let nanoseconds = time == 0 ? nil : time * 1_000_000
    return DeviceFrame(
      buffer: buffer,
      bytes: bytes,
      sequence: sequence,
      time: nanoseconds,
      isDamaged: isDamaged
    )
  }

  func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer { buffers[buffer] }

  func requeue(_ buffer: Int) throws(SystemCallError) {
    try call("giveBack")
    queued.insert(buffer)
  }

  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}

extension CameraOpener {
  /// Opens a scripted device.
  static func open(_ device: ScriptedDevice, patience: UInt64 = 200_000_000) throws -> CameraDeviceSource {
    try open(
      "/dev/video7",
      patience: patience,
      by: VideoDeviceOpener { path throws(SystemCallError) in device }
    )
  }
}
