// SPDX-License-Identifier: Apache-2.0

internal import CV4L2
internal import CameraSource
package import LinuxPrimitives

extension V4L2Device {
  package func requestBuffers(_ count: Int) throws(SystemCallError) -> Int {
    var wanted = v4l2_requestbuffers()
    wanted.count = UInt32(count)
    wanted.type = type
    wanted.memory = V4L2_MEMORY_MMAP.rawValue
    try request(darkroom_vidioc_reqbufs, &wanted)
    buffers = []
    for index in 0..<wanted.count { buffers.append(PlaneBuffer(planes: try map(index))) }
    gatherBuffer = layout.map { PixelBuffer(count: $0.bytes) }
    return buffers.count
  }

  /// Maps the planes of a buffer.
  private func map(_ index: UInt32) throws(SystemCallError) -> [MappedBuffer] {
    let (buffer, planes) = try request(darkroom_vidioc_querybuf, buffer: index)
    let places =
      isPlanar
      ? planes.map { (Int($0.length), Int($0.m.mem_offset)) } : [(Int(buffer.length), Int(buffer.m.offset))]
    var mapped: [MappedBuffer] = []
    for (length, offset) in places {
      guard let plane = MappedBuffer(descriptor, length: length, offset: offset) else {
        throw SystemCallError("mmap")
      }
      mapped.append(plane)
    }
    guard let layout else {
      // The order of the planes of an unknown multi-planar format is unknown.
      guard mapped.count == 1 else { throw SystemCallError("ioctl", errno: .invalidArgument) }
      return mapped
    }
    let fits =
      mapped.count == layout.planes.count
      && zip(mapped, layout.planes).allSatisfy { $0.bytes.count >= $1.extent }
    guard fits else { throw SystemCallError("ioctl", errno: .invalidArgument) }
    return mapped
  }

  package func start() throws(SystemCallError) {
    for index in buffers.indices { try requeue(index) }
    var type = Int32(type)
    try request(darkroom_vidioc_streamon, &type)
  }

  package func stop() {
    var type = Int32(type)
    // A removed device has stopped already.
    _ = try? request(darkroom_vidioc_streamoff, &type)
  }

  package func nextFrame() throws(SystemCallError) -> DeviceFrame? {
    let buffer: v4l2_buffer
    let planes: [v4l2_plane]
    do { (buffer, planes) = try request(darkroom_vidioc_dqbuf, buffer: 0) } catch {
      if error.errno == .wouldBlock { return nil }
      throw error
    }
    return DeviceFrame(
      buffer: Int(buffer.index),
      bytes: isPlanar ? take(planes, Int(buffer.index)) : Int(buffer.bytesused),
      sequence: buffer.sequence,
      time: Self.time(buffer),
      isDamaged: buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    )
  }

  /// Returns the capture time of a frame, or `nil` if the driver does not report it on the monotonic clock.
  /// Some drivers, such as loopback devices, pass on timestamps of any program, so that the value can be
  /// invalid.
  private static func time(_ buffer: v4l2_buffer) -> UInt64? {
    let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
    guard clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC),
      (0...Int(Int32.max)).contains(buffer.timestamp.tv_sec),
      (0..<1_000_000).contains(buffer.timestamp.tv_usec)
    else { return nil }
    return UInt64(buffer.timestamp.tv_sec) * 1_000_000_000 + UInt64(buffer.timestamp.tv_usec) * 1000
  }

  /// Stores the offsets of a frame's planes, and returns the size of the whole frame, or 0 if a plane is
  /// truncated.
  private func take(_ planes: [v4l2_plane], _ index: Int) -> Int {
    guard buffers.indices.contains(index), buffers[index].planes.count == planes.count else { return 0 }
    buffers[index].offsets = planes.map { Int($0.data_offset) }
    let counts = planes.map { max(0, Int($0.bytesused) - Int($0.data_offset)) }
    guard let layout else { return counts.first ?? 0 }
    let room = zip(counts, buffers[index].framePlanes).map { min($0, $1.count) }
    return zip(room, layout.planes).allSatisfy { $0 >= $1.extent } ? layout.bytes : 0
  }

  package func bytes(of buffer: Int) -> UnsafeMutableRawBufferPointer {
    guard buffers.indices.contains(buffer) else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    let frames = buffers[buffer].framePlanes
    guard let layout, let gatherBuffer else { return frames[0] }
    // A truncated frame is not read.
    if zip(frames, layout.planes).allSatisfy({ $0.count >= $1.extent }) {
      layout.gather(frames.map { UnsafeRawBufferPointer($0) }, into: gatherBuffer.bytes)
    }
    return gatherBuffer.bytes
  }

  package func requeue(_ buffer: Int) throws(SystemCallError) {
    _ = try request(darkroom_vidioc_qbuf, buffer: UInt32(buffer))
  }

  package func takeChange() -> Bool {
    var event = v4l2_event()
    var hasChanged = false
    while (try? request(darkroom_vidioc_dqevent, &event)) != nil {
      if event.type == UInt32(V4L2_EVENT_SOURCE_CHANGE) { hasChanged = true }
    }
    return hasChanged
  }

  /// The maximum number of planes of a buffer (`VIDEO_MAX_PLANES`).
  private static let maximumPlanes = 8

  /// Makes a request about a buffer. Returns the buffer as the driver changed it, and its planes on a
  /// multi-planar device.
  private func request(
    _ number: UInt,
    buffer index: UInt32
  ) throws(SystemCallError) -> (buffer: v4l2_buffer, planes: [v4l2_plane]) {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = type
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    guard isPlanar else {
      try request(number, &buffer)
      return (buffer, [])
    }
    let count = buffers.indices.contains(Int(index)) ? buffers[Int(index)].planes.count : Self.maximumPlanes
    var planes = Array(
      repeating: v4l2_plane(),
      count: number == darkroom_vidioc_qbuf ? count : Self.maximumPlanes
    )
    var failure: SystemCallError?
    planes.withUnsafeMutableBufferPointer { planes in
      buffer.m.planes = planes.baseAddress
      buffer.length = UInt32(planes.count)
      do throws(SystemCallError) { try request(number, &buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return (buffer, Array(planes.prefix(Int(buffer.length))))
  }
}
