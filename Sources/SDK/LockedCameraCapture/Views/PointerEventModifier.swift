// SPDX-License-Identifier: Apache-2.0

extension CaptureView {
  /// Calls `action` in the main actor for each change of a contact with the viewfinder, as
  /// ``LockedCameraCaptureSession/onPointerEvent(_:)`` does; specific to Darkroom.
  ///
  /// - Parameter action: The handler. Errors that it throws are logged.
  /// - Returns: The view with the handler.
  public func onPointerEvent(action: @escaping (PointerEvent) throws -> Void) -> some CaptureView {
    BehaviorView(self) { node, _ in
      node.pointerHandler = action
      node.graph.runtime.subscribeToPointer()
    }
  }
}
