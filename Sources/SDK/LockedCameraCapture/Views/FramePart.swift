// SPDX-License-Identifier: Apache-2.0

/// A part of the viewfinder that shows the frames of the camera.
@MainActor
package protocol FramePart: AnyObject {
  /// Whether the part shows frames now; otherwise it draws nothing.
  var isActive: Bool { get }
  /// Draws a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame; it is valid only during the call.
  ///   - canvas: The canvas, which has the size of the frame.
  func draw(_ frame: borrowing CaptureFrame, on canvas: inout PreviewCanvas)
}
