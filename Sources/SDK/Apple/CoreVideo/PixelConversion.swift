// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// Conversions of a camera's frame to the formats in which extensions process pixels.
extension CVBuffer {
  /// Returns this buffer in a pixel format: the buffer itself if it has that format, otherwise a converted copy.
  ///
  /// Only buffers with three planes are converted.
  ///
  /// - Returns: The buffer; `nil` if the host has overwritten the frame meanwhile, or if the format is that of a sensor's
  ///   samples, which the camera does not deliver.
  package func converted(to target: CVPixelFormat) -> CVPixelBuffer? {
    guard target != format else { return self }
    if target.isRaw { return rawSamples() }
    precondition(planes.count == 3, "only frames of the camera are converted")
    let result = CVBuffer(width: width, height: height, target)
    switch target {
    case .planar420FullRange: break
    case .biplanar420FullRange: interleave(into: result)
    default: convertColors(into: result)
    }
    return isIntact ? result : nil
  }

  /// Returns the samples of the sensor with 14 bits, or `nil` if the frame has none or the host has overwritten it.
  private func rawSamples() -> CVPixelBuffer? {
    let samples = withFrame { frame -> CVPixelBuffer? in
      guard let raw = frame.rawFormat else { return nil }
      let result = CVBuffer(width: width, height: height, CVPixelFormat(raw.pattern))
      frame.withRawSamples { samples in
        samples.withUnsafeBytes { for row in 0..<height { result.planes[0].copyRow(row, of: $0, raw) } }
      }
      return result
    }
    return isIntact ? samples ?? nil : nil
  }

  /// Copies the luma plane, and interleaves the chroma planes.
  private func interleave(into result: CVBuffer) {
    for row in 0..<planes[0].height {
      guard let source = planes[0].row(row), let target = result.planes[0].row(row) else { return }
      target.update(from: source, count: width)
    }
    for row in 0..<planes[1].height {
      guard let blue = planes[1].row(row), let red = planes[2].row(row),
        let target = result.planes[1].row(row)
      else { return }
      for column in 0..<planes[1].width {
        target[2 * column] = blue[column]
        target[2 * column + 1] = red[column]
      }
    }
  }

  /// Converts YCbCr with full range (JFIF) to blue, green, red and opaque alpha.
  private func convertColors(into result: CVBuffer) {
    for row in 0..<height {
      guard let luma = planes[0].row(row), let blue = planes[1].row(row / 2),
        let red = planes[2].row(row / 2),
        let target = result.planes[0].row(row)
      else { return }
      for column in 0..<width {
        let (y, u, v) = (Int32(luma[column]), Int32(blue[column / 2]) - 128, Int32(red[column / 2]) - 128)
        // The factors of JFIF in units of 1/65536, rounded.
        target[4 * column] = Self.sample(y, 116_130 * u)
        target[4 * column + 1] = Self.sample(y, -22_554 * u - 46_802 * v)
        target[4 * column + 2] = Self.sample(y, 91_881 * v)
        target[4 * column + 3] = 255
      }
    }
  }

  /// Returns a color sample from the luma and a chroma offset in units of 1/65536.
  private static func sample(_ luma: Int32, _ offset: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: max(0, min(255, luma + (offset + 32_768) >> 16)))
  }
}

extension CVPixelPlane {
  /// Copies a row of samples, and changes their number of bits to 14.
  fileprivate func copyRow(_ row: Int, of source: UnsafeRawBufferPointer, _ format: RawFormat) {
    guard let base else { return }
    for column in 0..<width {
      let sample = format.sample(row: row, column: column, in: source)
      // A shift by a negative number is a shift to the right.
      (base + row * rowBytes).storeBytes(
        of: (sample << (14 - format.bitsPerSample)).littleEndian,
        toByteOffset: 2 * column,
        as: UInt16.self
      )
    }
  }

  /// Returns the address of a row, or `nil` without memory.
  fileprivate func row(_ index: Int) -> UnsafeMutablePointer<UInt8>? {
    base.map { ($0 + index * rowBytes).assumingMemoryBound(to: UInt8.self) }
  }
}
