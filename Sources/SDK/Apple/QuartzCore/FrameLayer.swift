// SPDX-License-Identifier: Apache-2.0

/// A layer that shows the frames of the camera.
package protocol FrameLayer: CALayer {
  /// Whether frames arrive now.
  var isPreviewing: Bool { get }
  /// Returns the place of frames of a size in pixels, or `nil` if the layer or the frames are empty.
  func frameFit(width: Int, height: Int) -> FrameFit?
}
