// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// The pixels of frames as screens have them.
package enum FramePixels {
  /// Loads the library that calculates them, which whoever is confined afterwards could not load any more; false: it is not
  /// there.
  package static func prepare() -> Bool { TurboJPEGLibrary.functions != nil }

  /// Fills rows of red, green and blue bytes, for which there must be room, from a frame whose planes follow each other
  /// without gaps (``FrameRingGeometry/pixels``). False: the library refused.
  package static func copy(
    _ frame: UnsafeRawBufferPointer,
    _ geometry: FrameRingGeometry,
    asRGB rgb: UnsafeMutableRawBufferPointer
  ) -> Bool {
    PlanarPicture(frame, layout: geometry).decode(into: rgb) == nil
  }

  /// The same with four bytes a pixel: blue, green, red, and one that means nothing.
  package static func copy(
    _ frame: UnsafeRawBufferPointer,
    _ geometry: FrameRingGeometry,
    asBGRX pixels: UnsafeMutableRawBufferPointer
  ) -> Bool {
    PlanarPicture(frame, layout: geometry).decode(into: pixels, as: .bgrx) == nil
  }
}
