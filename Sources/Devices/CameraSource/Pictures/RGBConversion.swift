// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// Conversion of frames to the RGB formats of displays.
package enum RGBConversion {
  /// Loads the conversion library, which a process cannot load after it confines itself. Returns `false` if
  /// the library is unavailable.
  package static func loadLibrary() -> Bool { TurboJPEGLibrary.functions != nil }

  /// Converts a frame to rows of red, green and blue bytes. The planes of the frame must follow each other
  /// without gaps (``FrameRingGeometry/pixels``), and `rgb` must be large enough. Returns `false` if the
  /// library failed.
  package static func copy(
    _ frame: UnsafeRawBufferPointer,
    _ geometry: FrameRingGeometry,
    asRGB rgb: UnsafeMutableRawBufferPointer
  ) -> Bool {
    PlanarImage(frame, layout: geometry).decode(into: rgb) == nil
  }

  /// Converts a frame to rows of four bytes per pixel: blue, green, red, and an unused one. The requirements
  /// are those of ``copy(_:_:asRGB:)``.
  package static func copy(
    _ frame: UnsafeRawBufferPointer,
    _ geometry: FrameRingGeometry,
    asBGRX pixels: UnsafeMutableRawBufferPointer
  ) -> Bool {
    PlanarImage(frame, layout: geometry).decode(into: pixels, as: .bgrx) == nil
  }
}
