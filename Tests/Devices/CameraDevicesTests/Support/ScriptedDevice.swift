// SPDX-License-Identifier: Apache-2.0

import CameraDevices
import CameraSource
import LinuxPrimitives

/// A device that does what a test says, with everything that can go wrong.
final class ScriptedDevice: VideoDevice {
  /// What happens next when a frame is asked for.
  enum Step {
    /// A frame of grey pixels of this luminance, with its count and its time in milliseconds.
    case frame(UInt8, UInt32, UInt64)
    /// A frame that the driver calls damaged.
    case damaged
    /// A frame of which most is missing.
    case short
    /// The request fails.
    case fail(Errno)
    /// Another size or rate is at the other end.
    case change(CameraPicture, FrameRate)
  }

  /// What it says of itself.
  var name = DeviceIdentity(
    name: "Scripted camera",
    driver: "script",
    bus: "test",
    abilities: [.capture, .streaming]
  )
  /// The formats that it has.
  var offers = [
    CameraFormat(PixelFormat("YUYV"), title: "", sizes: .listed([CameraSize(width: 64, height: 48)]))
  ]
  /// What it can adjust.
  var adjustable: [DeviceControl] = []
  /// Values that it does not take, whatever its ranges say.
  var refused: Set<Int> = []
  /// What it is set to.
  var current = CameraPicture(
    PixelFormat("YUYV"),
    width: 64,
    height: 48,
    stride: 128,
    bytes: 6144,
    range: .full
  )
  /// Its rate.
  var currentRate = FrameRate(30)
  /// Which request fails, and how.
  var failures: [String: Errno] = [:]
  /// How often it still tells its picture before it is gone; nil: for ever.
  var answers: Int?
  /// What happens, in this order.
  var steps: [Step] = []
  /// What happens besides each time that it is started, in this order.
  var atStart: [[Step]] = []
  /// Whether there is never more than one frame at a time.
  var isPaced = false
  /// Whether a frame was given since it was last said that there is none.
  private var hasGiven = false
  /// What was asked of it.
  private(set) var calls: [String] = []
  /// The buffers that it may fill.
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

  /// More happens.
  func add(_ steps: Step...) throws {
    self.steps += steps
    try EventCounter.add(to: event)
  }

  private func call(_ name: String) throws(SystemCallError) {
    calls.append(name)
    if let errno = failures[name] { throw SystemCallError("ioctl", errno: errno) }
  }

  func identity() throws(SystemCallError) -> DeviceIdentity {
    try call("identity")
    return name
  }

  func formats() -> [CameraFormat] { offers }
  func controls() -> [DeviceControl] { adjustable }
  func set(_ control: UInt32, to value: Int) throws(SystemCallError) {
    try call("set")
    guard let index = adjustable.firstIndex(where: { $0.id == control }) else {
      throw SystemCallError("ioctl", errno: .invalidArgument)
    }
    if refused.contains(value) { throw SystemCallError("ioctl", errno: .invalidArgument) }
    adjustable[index].value = value / adjustable[index].step * adjustable[index].step
  }

  func picture() throws(SystemCallError) -> CameraPicture {
    try call("picture")
    if let left = answers {
      if left == 0 { throw SystemCallError("ioctl", errno: .noSuchDevice) }
      answers = left - 1
    }
    return current
  }

  func setPicture(_ picture: CameraPicture) throws(SystemCallError) -> CameraPicture {
    try call("setPicture")
    return current
  }

  func rate() -> FrameRate? { currentRate }

  func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate? {
    try call("setRate")
    return currentRate
  }

  func takeBuffers(_ count: Int) throws(SystemCallError) -> Int {
    try call("takeBuffers")
    buffers = (0..<count).map { _ in .allocate(byteCount: 6144, alignment: 16) }
    return count
  }

  func start() throws(SystemCallError) {
    try call("start")
    queued = Set(buffers.indices)
    guard !atStart.isEmpty else { return }
    steps += atStart.removeFirst()
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
    if isPaced, hasGiven {
      hasGiven = false
      return nil
    }
    hasGiven = true
    switch steps.removeFirst() {
    case .fail(let errno): throw SystemCallError("ioctl", errno: errno)
    case .change(let picture, let rate):
      (current, currentRate, hasChanged) = (picture, rate, true)
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

  func giveBack(_ buffer: Int) throws(SystemCallError) {
    try call("giveBack")
    queued.insert(buffer)
  }

  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }
}

extension CameraOpener {
  /// Opens a device of a test.
  static func open(_ device: ScriptedDevice, patience: UInt64 = 200_000_000) throws -> CameraDeviceSource {
    try open(
      "/dev/video7",
      patience: patience,
      by: DeviceOpening { path throws(SystemCallError) in device }
    )
  }
}
