// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
package import CameraSource
package import LinuxPrimitives

/// A video device of the kernel (Video4Linux 2).
package final class V4L2Device: VideoDevice {
  /// The open device.
  private let file: Descriptor
  /// Its buffers, while it has any.
  private var buffers: [MappedBuffer] = []

  /// Opens a device; nothing of it changes by that.
  package init(_ path: String) throws(SystemCallError) {
    file = try FileSystem.open(path, [.readWrite, .nonBlocking])
    // What is at the other end of an HDMI grabber changes; a camera has no such event, which is no fault.
    var wanted = v4l2_event_subscription()
    wanted.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    _ = try? request(darkroom_vidioc_subscribe_event, &wanted)
  }

  /// The same open device, of which only controls are used.
  private init(adjusting file: consuming Descriptor) { self.file = file }

  package func forAdjusting() -> sending (any VideoDevice)? {
    guard let file = try? file.duplicate() else { return nil }
    // The kernel has a lock of its own for the requests of a device.
    return V4L2Device(adjusting: file)
  }

  package var descriptor: Int32 { file.rawValue }
  package var kernelDescriptor: Int32? { file.rawValue }

  /// Makes a request.
  func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(SystemCallError) {
    let raw = file.rawValue
    let result = withUnsafeMutablePointer(to: &argument) { darkroom_v4l2_request(raw, number, $0) }
    guard result == 0 else { throw SystemCallError("ioctl", errno: Errno(rawValue: -result)) }
  }

  package func identity() throws(SystemCallError) -> DeviceIdentity {
    var found = v4l2_capability()
    try request(darkroom_vidioc_querycap, &found)
    // What this node can do, not what all nodes of the device can.
    let hasOwn = found.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
    let bits = hasOwn ? found.device_caps : found.capabilities
    var abilities: DeviceIdentity.Abilities = []
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 { abilities.insert(.capture) }
    if bits & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 { abilities.insert(.planarCapture) }
    if bits & UInt32(V4L2_CAP_STREAMING) != 0 { abilities.insert(.streaming) }
    return DeviceIdentity(
      name: Self.text(found.card),
      driver: Self.text(found.driver),
      bus: Self.text(found.bus_info),
      abilities: abilities
    )
  }

  /// A text that C keeps in an array; no control characters are in it.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return String(
        text.unicodeScalars.filter { $0.properties.generalCategory != .control }.map(Character.init)
      )
    }
  }
}

// MARK: - Format and rate

extension V4L2Device {
  package func picture() throws(SystemCallError) -> CameraPicture {
    var format = Self.emptyFormat
    try request(darkroom_vidioc_g_fmt, &format)
    return CameraPicture(format)
  }

  package func setPicture(_ picture: CameraPicture) throws(SystemCallError) -> CameraPicture {
    var format = Self.emptyFormat
    format.fmt.pix.pixelformat = picture.pixels.code
    format.fmt.pix.width = UInt32(picture.width)
    format.fmt.pix.height = UInt32(picture.height)
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    try request(darkroom_vidioc_s_fmt, &format)
    return CameraPicture(format)
  }

  package func rate() -> FrameRate? {
    var parameters = Self.emptyParameters
    guard (try? request(darkroom_vidioc_g_parm, &parameters)) != nil else { return nil }
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }

  package func setRate(_ rate: FrameRate) throws(SystemCallError) -> FrameRate? {
    var parameters = Self.emptyParameters
    guard (try? request(darkroom_vidioc_g_parm, &parameters)) != nil,
      parameters.parm.capture.capability & UInt32(V4L2_CAP_TIMEPERFRAME) != 0
    else { return nil }
    parameters.parm.capture.timeperframe = v4l2_fract(
      numerator: rate.denominator,
      denominator: rate.numerator
    )
    try request(darkroom_vidioc_s_parm, &parameters)
    return FrameRate(interval: parameters.parm.capture.timeperframe)
  }

  /// A format of a capture device without anything.
  private static var emptyFormat: v4l2_format {
    var format = v4l2_format()
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    return format
  }

  /// Parameters of a capture device without anything.
  private static var emptyParameters: v4l2_streamparm {
    var parameters = v4l2_streamparm()
    parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    return parameters
  }
}

// MARK: - Frames

extension V4L2Device {
  package func takeBuffers(_ count: Int) throws(SystemCallError) -> Int {
    var wanted = v4l2_requestbuffers()
    wanted.count = UInt32(count)
    wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    wanted.memory = V4L2_MEMORY_MMAP.rawValue
    try request(darkroom_vidioc_reqbufs, &wanted)
    buffers = []
    for index in 0..<wanted.count {
      var buffer = Self.buffer(index)
      try request(darkroom_vidioc_querybuf, &buffer)
      guard let mapped = MappedBuffer(descriptor, length: Int(buffer.length), offset: Int(buffer.m.offset))
      else {
        throw SystemCallError("mmap")
      }
      buffers.append(mapped)
    }
    return buffers.count
  }

  package func start() throws(SystemCallError) {
    for index in buffers.indices { try giveBack(index) }
    var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    try request(darkroom_vidioc_streamon, &type)
  }

  package func stop() {
    var type = Int32(V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue)
    // A device that is gone has stopped.
    _ = try? request(darkroom_vidioc_streamoff, &type)
  }

  package func nextFrame() throws(SystemCallError) -> DeviceFrame? {
    var buffer = Self.buffer(0)
    do { try request(darkroom_vidioc_dqbuf, &buffer) } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
    let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    let time = UInt64(buffer.timestamp.tv_sec) * 1_000_000_000 + UInt64(buffer.timestamp.tv_usec) * 1000
    return DeviceFrame(
      buffer: Int(buffer.index),
      bytes: Int(buffer.bytesused),
      sequence: buffer.sequence,
      time: clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC) ? time : nil,
      isDamaged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    )
  }

  package func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer { buffers[buffer].bytes }

  package func giveBack(_ buffer: Int) throws(SystemCallError) {
    var buffer = Self.buffer(UInt32(buffer))
    try request(darkroom_vidioc_qbuf, &buffer)
  }

  package func takeChange() -> Bool {
    var event = v4l2_event()
    var hasChanged = false
    while (try? request(darkroom_vidioc_dqevent, &event)) != nil {
      if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { hasChanged = true }
    }
    return hasChanged
  }

  /// A buffer by its number.
  private static func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return buffer
  }
}

extension CameraPicture {
  /// What the kernel has.
  init(_ format: v4l2_format) {
    let found = format.fmt.pix
    let pixels = PixelFormat(code: found.pixelformat)
    let range: ColorRange
    switch found.quantization {
    case V4L2_QUANTIZATION_FULL_RANGE.rawValue: range = pixels.isRGB ? .limited : .full
    case V4L2_QUANTIZATION_LIM_RANGE.rawValue: range = .limited
    default:
      // As V4L2_MAP_QUANTIZATION_DEFAULT has it; what libv4lconvert makes of RGB has the limited range.
      let isJPEG = pixels.isCompressed || found.colorspace == V4L2_COLORSPACE_JPEG.rawValue
      range = isJPEG && !pixels.isRGB ? .full : .limited
    }
    self.init(
      pixels,
      width: Int(found.width),
      height: Int(found.height),
      stride: Int(found.bytesperline),
      bytes: Int(found.sizeimage),
      range: range
    )
  }
}

extension FrameRate {
  /// The rate of an interval; nil: it is none.
  init?(interval: v4l2_fract) { self.init(Int(interval.denominator), Int(interval.numerator)) }
}
