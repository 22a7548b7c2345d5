// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture
internal import QuartzCore
internal import UIKit

/// The owner of a view of UIKit that is visible in a viewfinder.
@MainActor
final class ViewHost: UIViewHost, LayerHost {
  /// The view.
  let view: UIView
  /// The view controller of the view, or `nil` if there is none.
  private let controller: UIViewController?
  private let graph: ViewGraph
  /// The handlers of the capture buttons that are attached to the session.
  private var attached: [AVCaptureEventInteraction] = []
  private var isVisible = false

  init(_ view: UIView, _ controller: UIViewController?, _ graph: ViewGraph) {
    (self.view, self.controller, self.graph) = (view, controller, graph)
    view.host = self
    view.layer.host = self
  }

  nonisolated func layersChanged() { graph.invalidateLayers() }

  /// Shows the view, unless it is visible.
  func appear() {
    guard !isVisible else { return }
    isVisible = true
    controller?.viewWillAppear(false)
    view.layoutIfNeeded()
    controller?.viewIsAppearing(false)
    controller?.viewDidAppear(false)
    interactionsChanged()
  }

  /// Removes the view from the viewfinder.
  func disappear() {
    controller?.viewWillDisappear(false)
    isVisible = false
    interactionsChanged()
    (view.host, view.layer.host) = (nil, nil)
    controller?.viewDidDisappear(false)
  }

  func interactionsChanged() {
    let current = isVisible ? view.captureInteractions : []
    for interaction in attached where !current.contains(where: { $0 === interaction }) {
      graph.session.removeInteraction(interaction)
    }
    for interaction in current where !attached.contains(where: { $0 === interaction }) {
      // The only error is that of a closed connection, which ends the session.
      try? graph.session.requestButtonsForScene(interaction)
    }
    attached = current
  }
}
