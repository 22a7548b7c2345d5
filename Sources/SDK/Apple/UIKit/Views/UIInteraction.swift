// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A behavior that is added to a view; UIKit's name. The only interaction of this library is `AVCaptureEventInteraction`.
@MainActor
public protocol UIInteraction: AnyObject {}

extension AVCaptureEventInteraction: UIInteraction {}

extension UIView {
  /// Adds an interaction, which is active while the view is visible.
  ///
  /// - Parameter interaction: The interaction, such as an `AVCaptureEventInteraction` that handles the capture buttons.
  public func addInteraction(_ interaction: any UIInteraction) {
    guard !interactions.contains(where: { $0 === interaction }) else { return }
    interactions.append(interaction)
    root.host?.interactionsChanged()
  }

  /// Removes an interaction.
  public func removeInteraction(_ interaction: any UIInteraction) {
    interactions.removeAll { $0 === interaction }
    root.host?.interactionsChanged()
  }

  /// The handlers of the capture buttons of the view and the views in it.
  package var captureInteractions: [AVCaptureEventInteraction] {
    interactions.compactMap { $0 as? AVCaptureEventInteraction } + subviews.flatMap(\.captureInteractions)
  }
}
