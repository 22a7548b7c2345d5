// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A still image that is decoded once and repeated without an end.
package final class StillImageSource: FrameSource {
  /// The maximum size of an image file, in bytes.
  package static let maximumFileBytes = 512 << 20

  /// The path of the file.
  package let name: String
  /// The name that the extension receives.
  package let title = "Picture"
  /// The size, rate and range of the frames.
  package let geometry: FrameGeometry
  /// The decoded image.
  private let image: PlanarImage
  /// The slots that already contain the image.
  private var shownSlots = SlotContents<FrameRingGeometry>()

  /// Creates a source from the contents of an image file.
  package init(
    _ file: [UInt8],
    format: ImageFormat,
    name: String,
    frameRate: FrameRate = .standard
  ) throws(FrameSourceError) {
    image =
      switch format {
      case .jpeg: try JPEGDecoder.decode(file, name: name)
      case .png: try PNGDecoder.decode(file, name: name)
      }
    self.name = name
    geometry = FrameGeometry(width: image.width, height: image.height, frameRate: frameRate)
  }

  /// Copies the image to the slot, unless the slot already contains it.
  package func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    if shownSlots.content(of: slot) != layout {
      image.copy(to: slot, layout: layout)
      shownSlots.set(layout, in: slot)
    }
    return .frame
  }

  /// Causes the image to be copied to all slots again.
  package func slotsWereErased() { shownSlots.removeAll() }

  /// Throws if an image does not fit into a ring. Decoders call this before they allocate memory for the
  /// pixels.
  static func checkSize(width: Int, height: Int, name: String) throws(FrameSourceError) {
    do {
      _ = try FrameGeometry(width: width, height: height).ringGeometry()
    } catch {
      throw FrameSourceError(name, .size(error))
    }
  }
}
