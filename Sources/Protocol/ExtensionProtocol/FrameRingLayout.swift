// SPDX-License-Identifier: Apache-2.0

/// The constants of a frame ring that both sides use. All numbers in the ring are little endian.
///
/// The ring is a memory file: one header, then the slots. Frame n, counted from 1, is in slot (n - 1) %
/// slots.
package enum FrameRingLayout {
  /// The bytes `DKFR`, read as a little-endian number.
  package static let magic: UInt32 = 0x5246_4B44
  /// The version of the layout.
  package static let version: UInt32 = 1
  /// The size of the header, and the offset of slot 0.
  package static let headerBytes = RingLayout.headerBytes
  /// The default number of slots.
  package static let defaultSlots = 4
  /// The allowed numbers of slots. With one slot, the newest frame would always be the one being overwritten.
  package static let slotCounts = 2...64
  /// The minimum number of slots of a viewfinder's ring: for the newest frame, the one that the host
  /// displays, and the next one.
  package static let fewestPreviewSlots = 3
  /// The unit of a slot's size.
  package static let pageBytes = 4096
  /// The pixel format code of 8-bit planar 4:2:0, the only format.
  package static let formatI420: UInt32 = 1
  /// The unit of the offset of raw samples in a slot.
  package static let rawAlignment = 64
  /// The maximum width and height of a frame, in pixels.
  package static let maximumDimension = 16384
  /// The maximum size of a slot in bytes, so that a ring of four slots needs at most one gibibyte.
  package static let maximumSlotBytes = 256 << 20

  /// The offsets of the header's fields from the start of the file.
  package enum Header {
    /// u32, ``FrameRingLayout/magic``.
    package static let magic = RingLayout.Header.magic
    /// u32, ``FrameRingLayout/version``.
    package static let version = RingLayout.Header.version
    /// u32, ``FrameRingLayout/headerBytes``.
    package static let headerBytes = RingLayout.Header.headerBytes
    /// u32, the number of slots after the header.
    package static let slots = RingLayout.Header.slots
    /// u32, the distance from one slot to the next.
    package static let slotStride = RingLayout.Header.slotStride
    /// u32, the width of a frame in pixels.
    package static let width = 20
    /// u32, the height of a frame in rows.
    package static let height = 24
    /// u32, ``FrameRingLayout/formatI420``.
    package static let format = 28
    /// u32, the number of frames in ``frameRateDenominator`` seconds.
    package static let frameRateNumerator = 32
    /// u32, a number of seconds.
    package static let frameRateDenominator = 36
    /// u32, the number of plane descriptions.
    package static let planes = 40
    /// The plane descriptions. Each has four u32: offset in the slot, stride, rows, bytes in a row.
    package static let planeTable = 48
    /// The size of one plane description.
    package static let planeEntryBytes = 16
    /// u32, the code of the raw samples (``BayerFormat/codeNumber``), or 0 if frames have none.
    package static let rawFormat = 96
    /// u32, the offset of the raw samples in the slot.
    package static let rawOffset = 100
    /// u32, the distance from one row of raw samples to the next.
    package static let rawStride = 104
    /// u64, the sequence number of the newest frame, or 0 before the first one; stored with release order.
    package static let published = RingLayout.Header.published
    /// u64, only in a viewfinder's ring: the frame that the host displays, which must not be overwritten, or
    /// 0 for none.
    package static let held = 136
  }

  /// The offsets of a slot's fields from the start of the slot.
  package enum Slot {
    /// u64, the sequence number of the frame in the slot, or 0 while the frame is being written. A reader
    /// checks it before and after reading.
    package static let sequence = RingLayout.Slot.sequence
    /// u64, the capture time of the frame in nanoseconds of `CLOCK_MONOTONIC`.
    package static let timestamp = RingLayout.Slot.timestamp
    /// u64, the time at which the frame was published for the other side, on the same clock.
    package static let published = RingLayout.Slot.published
    /// The minimum offset of the first plane.
    package static let pixels = RingLayout.Slot.payload
  }

  /// Returns the number of frames that a reader missed between two values of the newest frame's sequence
  /// number.
  package static func dropped(last: UInt64, newest: UInt64) -> UInt64 {
    newest > last ? newest - last - 1 : 0
  }
}

/// The layout of one plane of a frame.
package struct FramePlane: Equatable, Sendable {
  /// The offset of the first pixel from the start of the slot.
  package var offset: Int
  /// The distance from one row to the next.
  package var stride: Int
  /// The number of rows.
  package var rows: Int
  /// The number of bytes in a row that are pixels.
  package var rowBytes: Int

  /// Creates a plane.
  package init(offset: Int, stride: Int, rows: Int, rowBytes: Int) {
    self.offset = offset
    self.stride = stride
    self.rows = rows
    self.rowBytes = rowBytes
  }

  /// The offset of the first byte after the plane.
  package var end: Int { rows == 0 ? offset : offset + stride * (rows - 1) + rowBytes }
}

/// The layout of the samples of a sensor in a slot, as the camera delivered them. There are as many rows and samples in a
/// row as pixels.
package struct RawPlane: Equatable, Sendable {
  /// The format of the samples.
  package let format: BayerFormat
  /// The offset of the first sample from the start of the slot.
  package let offset: Int
  /// The distance from one row to the next.
  package let stride: Int

  /// Creates a layout.
  package init(format: BayerFormat, offset: Int, stride: Int) {
    (self.format, self.offset, self.stride) = (format, offset, stride)
  }
}

/// The contents of a frame ring's header: the size of the frames and the offsets of their pixels.
package struct FrameRingGeometry: RingGeometry {
  /// The name of the memory file (memfd_create(2)).
  package static let memoryName = "darkroom-frames"
  /// The width of a frame in pixels.
  package let width: Int
  /// The height of a frame in rows.
  package let height: Int
  /// The number of frames in ``frameRateDenominator`` seconds.
  package let frameRateNumerator: UInt32
  /// A number of seconds.
  package let frameRateDenominator: UInt32
  /// The number of slots.
  package let slots: Int
  /// The distance from one slot to the next.
  package let slotStride: Int
  /// The planes Y, U, V.
  package let planes: [FramePlane]
  /// The samples of the sensor after the planes, or `nil` if frames have none.
  package let raw: RawPlane?

  /// Creates the geometry of a ring of I420 frames, with the samples of a sensor if `raw` is not `nil`.
  ///
  /// Rows and planes follow each other without gaps. The pixels of a frame are therefore contiguous, in the
  /// order of a YUV4MPEG2 stream.
  package init(
    width: Int,
    height: Int,
    frameRateNumerator: UInt32,
    frameRateDenominator: UInt32,
    raw: BayerFormat? = nil,
    slots: Int = FrameRingLayout.defaultSlots
  ) throws(FrameRingLayoutError) {
    let sizes = try Self.planeSizes(width: width, height: height)
    self.width = width
    self.height = height
    self.frameRateNumerator = frameRateNumerator
    self.frameRateDenominator = frameRateDenominator
    self.slots = slots
    var planes: [FramePlane] = []
    var offset = FrameRingLayout.Slot.pixels
    for (rowBytes, rows) in sizes {
      planes.append(FramePlane(offset: offset, stride: rowBytes, rows: rows, rowBytes: rowBytes))
      offset += rowBytes * rows
    }
    self.planes = planes
    let rawStart = offset.roundedUp(to: FrameRingLayout.rawAlignment)
    self.raw = raw.map { RawPlane(format: $0, offset: rawStart, stride: width * $0.bytesPerSample) }
    if let plane = self.raw { offset = rawStart + plane.stride * height }
    let page = FrameRingLayout.pageBytes
    slotStride = offset.roundedUp(to: page)
    try validate()
  }

  /// Creates a geometry from the first bytes of a ring. `fileBytes` is the size of the whole file.
  package init(header: UnsafeRawBufferPointer, fileBytes: Int) throws(FrameRingLayoutError) {
    guard header.count >= FrameRingLayout.headerBytes, fileBytes >= FrameRingLayout.headerBytes else {
      throw .tooShort(bytes: min(header.count, fileBytes), needed: FrameRingLayout.headerBytes)
    }
    func field(_ offset: Int) -> UInt32 {
      UInt32(littleEndian: header.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    typealias Header = FrameRingLayout.Header
    func require(_ offset: Int, _ name: StaticString, _ value: UInt32) throws(FrameRingLayoutError) {
      if field(offset) != value {
        throw .field(name: name.description, value: Int(field(offset)), expected: "\(value)")
      }
    }
    try require(Header.magic, "magic", FrameRingLayout.magic)
    try require(Header.version, "version", FrameRingLayout.version)
    try require(Header.headerBytes, "headerBytes", UInt32(FrameRingLayout.headerBytes))
    try require(Header.format, "format", FrameRingLayout.formatI420)
    try require(Header.planes, "planes", 3)
    width = Int(field(Header.width))
    height = Int(field(Header.height))
    frameRateNumerator = field(Header.frameRateNumerator)
    frameRateDenominator = field(Header.frameRateDenominator)
    slots = Int(field(Header.slots))
    slotStride = Int(field(Header.slotStride))
    planes = (0..<3).map { plane in
      let entry = Header.planeTable + plane * Header.planeEntryBytes
      return FramePlane(
        offset: Int(field(entry)),
        stride: Int(field(entry + 4)),
        rows: Int(field(entry + 8)),
        rowBytes: Int(field(entry + 12))
      )
    }
    // A reader that does not know the format ignores the samples.
    raw = BayerFormat(code: field(Header.rawFormat)).map {
      RawPlane(format: $0, offset: Int(field(Header.rawOffset)), stride: Int(field(Header.rawStride)))
    }
    try validate()
    if fileBytes < totalBytes { throw .tooShort(bytes: fileBytes, needed: totalBytes) }
  }

  /// The bytes of the header before the first frame.
  package var header: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameRingLayout.headerBytes)
    func put(_ offset: Int, _ value: Int) {
      for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    typealias Header = FrameRingLayout.Header
    put(Header.magic, Int(FrameRingLayout.magic))
    put(Header.version, Int(FrameRingLayout.version))
    put(Header.headerBytes, FrameRingLayout.headerBytes)
    put(Header.slots, slots)
    put(Header.slotStride, slotStride)
    put(Header.width, width)
    put(Header.height, height)
    put(Header.format, Int(FrameRingLayout.formatI420))
    put(Header.frameRateNumerator, Int(frameRateNumerator))
    put(Header.frameRateDenominator, Int(frameRateDenominator))
    put(Header.planes, planes.count)
    for (index, plane) in planes.enumerated() {
      let entry = Header.planeTable + index * Header.planeEntryBytes
      put(entry, plane.offset)
      put(entry + 4, plane.stride)
      put(entry + 8, plane.rows)
      put(entry + 12, plane.rowBytes)
    }
    if let raw {
      put(Header.rawFormat, Int(raw.format.codeNumber))
      put(Header.rawOffset, raw.offset)
      put(Header.rawStride, raw.stride)
    }
    return bytes
  }
}

extension FrameRingGeometry {
  /// Returns the bytes in a row and the rows of Y, U and V; odd sizes are rounded up for chroma.
  private static func planeSizes(
    width: Int,
    height: Int
  ) throws(FrameRingLayoutError) -> [(rowBytes: Int, rows: Int)] {
    let allowed = 1...FrameRingLayout.maximumDimension
    guard allowed.contains(width) else {
      throw .field(name: "width", value: width, expected: "1 to \(allowed.upperBound)")
    }
    guard allowed.contains(height) else {
      throw .field(name: "height", value: height, expected: "1 to \(allowed.upperBound)")
    }
    let chroma = (rowBytes: (width + 1) / 2, rows: (height + 1) / 2)
    return [(rowBytes: width, rows: height), chroma, chroma]
  }

  /// Throws an error unless every number is within its limits and every plane is within its slot.
  private func validate() throws(FrameRingLayoutError) {
    let sizes = try Self.planeSizes(width: width, height: height)
    func require(_ holds: Bool, _ name: String, _ value: Int, _ expected: String) throws(FrameRingLayoutError)
    {
      if !holds { throw .field(name: name, value: value, expected: expected) }
    }
    let counts = FrameRingLayout.slotCounts
    try require(counts.contains(slots), "slots", slots, "\(counts.lowerBound) to \(counts.upperBound)")
    let page = FrameRingLayout.pageBytes
    try require(slotStride % page == 0, "slotStride", slotStride, "a multiple of \(page)")
    let most = FrameRingLayout.maximumSlotBytes
    try require((1...most).contains(slotStride), "slotStride", slotStride, "at most \(most)")
    try require(frameRateNumerator > 0, "frameRateNumerator", 0, "at least 1")
    try require(frameRateDenominator > 0, "frameRateDenominator", 0, "at least 1")
    for (index, (plane, size)) in zip(planes, sizes).enumerated() {
      let name = "plane \(index)"
      try require(plane.rows == size.rows, "\(name) rows", plane.rows, "\(size.rows)")
      try require(plane.rowBytes == size.rowBytes, "\(name) rowBytes", plane.rowBytes, "\(size.rowBytes)")
      try require(plane.stride >= plane.rowBytes, "\(name) stride", plane.stride, "at least \(size.rowBytes)")
      let first = FrameRingLayout.Slot.pixels
      try require(plane.offset >= first, "\(name) offset", plane.offset, "at least \(first)")
      try require(plane.end <= slotStride, "\(name) end", plane.end, "at most the slot's \(slotStride)")
    }
    guard let raw else { return }
    let (least, first) = (width * raw.format.bytesPerSample, planes.map(\.end).max() ?? 0)
    try require(raw.stride >= least, "rawStride", raw.stride, "at least \(least)")
    try require(raw.offset >= first, "rawOffset", raw.offset, "at least \(first)")
    let alignment = FrameRingLayout.rawAlignment
    try require(raw.offset % alignment == 0, "rawOffset", raw.offset, "a multiple of \(alignment)")
    let end = raw.offset + raw.stride * height
    try require(end <= slotStride, "raw end", end, "at most the slot's \(slotStride)")
  }
}

extension Int {
  /// Returns the smallest multiple of a positive number that is not below this number.
  fileprivate func roundedUp(to unit: Int) -> Int { (self + unit - 1) / unit * unit }
}

/// A reason for which bytes are not the header of a frame ring, or for which a size is invalid.
package enum FrameRingLayoutError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is shorter than its header requires.
  case tooShort(bytes: Int, needed: Int)
  /// A field has an invalid value.
  case field(name: String, value: Int, expected: String)

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .tooShort(let bytes, let needed):
      "the frame ring has \(bytes) bytes, but requires \(needed); map the whole descriptor 'frames'"
    case .field(let name, let value, let expected):
      "the frame ring's \(name) is \(value), but must be \(expected)"
    }
  }
}
