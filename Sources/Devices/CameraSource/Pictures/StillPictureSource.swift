// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A picture, decoded once and shown again and again; it never ends.
package final class StillPictureSource: FrameSource {
  /// The largest file that is read.
  package static let maximumFileBytes = 512 << 20

  /// The file's path.
  package let name: String
  /// What an extension is told that it is called.
  package let title = "Picture"
  /// The size, rate and range of its frames.
  package let geometry: FrameGeometry
  /// The decoded picture.
  private let picture: PlanarPicture
  /// Which slots show it already.
  private var shown = SlotMemory<FrameRingGeometry>()

  /// Decodes a file that is in memory.
  package init(
    _ file: [UInt8],
    format: PictureFormat,
    name: String,
    frameRate: FrameRate = .standard
  ) throws(FrameSourceError) {
    picture =
      switch format {
      case .jpeg: try JPEGDecoder.decode(file, name: name)
      case .png: try PNGDecoder.decode(file, name: name)
      }
    self.name = name
    geometry = FrameGeometry(width: picture.width, height: picture.height, frameRate: frameRate)
  }

  /// Copies the picture, once to each slot.
  package func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    if shown.mark(of: slot) != layout {
      picture.copy(to: slot, layout: layout)
      shown.note(layout, in: slot)
    }
    return .frame
  }

  /// Every slot is to be given the picture again.
  package func slotsWereErased() { shown.forget() }

  /// Throws if a picture would not fit into a ring; asked before memory for its pixels is taken.
  static func checkSize(width: Int, height: Int, name: String) throws(FrameSourceError) {
    do {
      _ = try FrameGeometry(width: width, height: height).ringGeometry()
    } catch {
      throw FrameSourceError(name, .size(error))
    }
  }
}
