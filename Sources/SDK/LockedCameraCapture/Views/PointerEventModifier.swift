// SPDX-License-Identifier: Apache-2.0

extension CaptureView {
  /// Calls `action` in the main actor for each change of a contact with the viewfinder, as
  /// ``LockedCameraCaptureSession/onPointerEvent(_:)`` does; specific to Darkroom.
  ///
  /// - Parameter action: The handler. Errors that it throws are logged.
  /// - Returns: The view with the handler.
  public func onPointerEvent(action: @escaping (PointerEvent) throws -> Void) -> some CaptureView {
    BehaviorView(self) { node, _ in
      if let handler = node.storage as? PointerHandler { return handler.action = action }
      let handler = PointerHandler(action)
      node.storage = handler
      node.graph.session.onPointerEvent { [weak handler] in try handler?.action($0) }
    }
  }
}

/// The handler of the last evaluation, which the view owns while it is in the tree.
@MainActor
private final class PointerHandler {
  var action: (PointerEvent) throws -> Void

  init(_ action: @escaping (PointerEvent) throws -> Void) { self.action = action }
}
