// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// A YUV4MPEG2 stream from a file, pipe or FIFO.
package final class Y4MSource: FrameSource {
  /// The name of the stream in messages.
  package let name: String
  /// The name that the extension receives.
  package let title = "Film"
  /// The size, rate and range of the frames.
  package let geometry: FrameGeometry
  /// The chroma subsampling of the stream.
  private let sampling: Y4MHeader.Sampling
  /// The stream, after its header.
  private let stream: ByteStream
  /// A buffer for one chroma plane that has to be converted.
  private let chroma: PixelBuffer
  /// The number of frames that were read.
  private var frames = 0

  /// Creates a source from an open file and reads its header.
  package convenience init(
    _ descriptor: consuming Descriptor,
    name: String,
    stop: StopSignal
  ) throws(FrameSourceError) {
    try self.init(ByteStream(descriptor, name: name), stop: stop)
  }

  /// Creates a source from a stream and reads its header.
  init(_ stream: ByteStream, stop: StopSignal) throws(FrameSourceError) {
    let header = try Self.readHeader(stream, stop: stop)
    do {
      _ = try header.geometry.ringGeometry()
    } catch {
      throw FrameSourceError(stream.name, .size(error))
    }
    self.stream = stream
    name = stream.name
    geometry = header.geometry
    sampling = header.sampling
    let size = header.sampling.chroma(width: geometry.width, height: geometry.height)
    chroma = PixelBuffer(count: header.sampling == .yuv420 ? 0 : size.rowBytes * size.rows)
  }

  /// Reads the next frame into the slot.
  package func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    guard try readFrameLine(stop) else { return .end }
    if sampling == .yuv420 && layout.isPacked {
      try fill(slot.part(layout.pixels), before: 0, stop)
    } else {
      try readPlane(layout.planes[0], into: slot, before: 0, stop)
      try readChroma(into: slot, layout, stop)
    }
    frames += 1
    return .frame
  }

  /// Reads the header line.
  private static func readHeader(_ stream: ByteStream, stop: StopSignal) throws(FrameSourceError) -> Y4MHeader
  {
    let fault: Y4MFault
    switch try stream.readLine(limit: Y4MHeader.lineLimit, stop: stop) {
    case .line(let line):
      do {
        return try Y4MHeader(parsing: line)
      } catch {
        fault = error
      }
    case .end: throw FrameSourceError(stream.name, .empty)
    case .truncated: fault = .headerTruncated
    case .tooLong: fault = .lineTooLong(limit: Y4MHeader.lineLimit)
    }
    throw FrameSourceError(stream.name, .stream(fault, byte: 0))
  }

  /// Reads the line before a frame. Returns `false` at the end of the stream. The parameters of the line are
  /// ignored.
  private func readFrameLine(_ stop: StopSignal) throws(FrameSourceError) -> Bool {
    let offset = stream.offset
    let word = Array(Y4MHeader.frameMarker.utf8)
    let fault: Y4MFault
    switch try stream.readLine(limit: Y4MHeader.lineLimit, stop: stop) {
    case .end: return false
    case .line(let line) where line == word || line.starts(with: word + [32]): return true
    case .line: fault = .frameExpected(frame: frames + 1)
    case .truncated: fault = .frameTruncated(frame: frames + 1, bytes: 0, needed: frameBytes)
    case .tooLong: fault = .frameExpected(frame: frames + 1)
    }
    throw FrameSourceError(name, .stream(fault, byte: offset))
  }

  /// The number of bytes of a frame in the stream.
  private var frameBytes: Int {
    let size = sampling.chroma(width: geometry.width, height: geometry.height)
    return geometry.width * geometry.height + 2 * size.rowBytes * size.rows
  }

  /// Fills `target` from the stream. `before` is the number of bytes of the frame that were read earlier.
  private func fill(
    _ target: UnsafeMutableRawBufferPointer,
    before: Int,
    _ stop: StopSignal
  ) throws(FrameSourceError) {
    let count = try stream.read(into: target, stop: stop)
    if count == target.count { return }
    let fault = Y4MFault.frameTruncated(frame: frames + 1, bytes: before + count, needed: frameBytes)
    throw FrameSourceError(name, .stream(fault, byte: stream.offset))
  }

  /// Reads one plane, row by row if there are gaps between its rows.
  private func readPlane(
    _ plane: FramePlane,
    into slot: UnsafeMutableRawBufferPointer,
    before: Int,
    _ stop: StopSignal
  ) throws(FrameSourceError) {
    if plane.stride == plane.rowBytes {
      return try fill(slot.part(plane.offset..<plane.end), before: before, stop)
    }
    for row in 0..<plane.rows {
      let start = plane.offset + row * plane.stride
      try fill(slot.part(start..<(start + plane.rowBytes)), before: before + row * plane.rowBytes, stop)
    }
  }

  /// Reads the chroma of a frame and converts it to the ring's format.
  private func readChroma(
    into slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry,
    _ stop: StopSignal
  ) throws(FrameSourceError) {
    let size = sampling.chroma(width: geometry.width, height: geometry.height)
    var before = geometry.width * geometry.height
    for plane in layout.planes.dropFirst() {
      switch sampling {
      case .yuv420: try readPlane(plane, into: slot, before: before, stop)
      case .mono:
        for row in 0..<plane.rows {
          let start = plane.offset + row * plane.stride
          slot.part(start..<(start + plane.rowBytes)).initializeMemory(as: UInt8.self, repeating: 128)
        }
      case .yuv422, .yuv444:
        try fill(chroma.bytes, before: before, stop)
        let source = UnsafeRawBufferPointer(chroma.bytes)
        ChromaSubsampling.average(source, rowBytes: size.rowBytes, rows: size.rows, into: slot, plane)
      }
      before += size.rowBytes * size.rows
    }
  }
}
