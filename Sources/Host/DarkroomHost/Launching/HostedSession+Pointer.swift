// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

// MARK: - Contacts with the viewfinder

extension HostedSession {
  /// A phase of a contact with the viewfinder.
  public enum PointerPhase: String, Sendable, Hashable, CaseIterable {
    /// A finger touches the picture, or the button of the pointer is pressed on it.
    case began
    /// The contact moves.
    case moved
    /// The finger is lifted, or the button is released.
    case ended
    /// The contact is over, and the extension must undo its effects.
    case cancelled
  }

  /// Touches the viewfinder at a position, and lifts the finger.
  ///
  /// - Parameters:
  ///   - x: The distance from the left edge of the viewfinder's picture, in pixels of the picture.
  ///   - y: The distance from the upper edge of the picture, in pixels of the picture.
  ///   - contact: The number of the contact, as for ``pointer(_:x:y:contact:)``.
  /// - Returns: Whether the touch was added to the inputs of the session, as for ``press(_:)``.
  @discardableResult
  public func tap(x: Double, y: Double, contact: Int = 0) -> Bool {
    func event(_ phase: ExtensionProtocol.PointerPhase) -> SessionCommand {
      .pointer(PointerEvent(phase, x: x, y: y, contact: contact))
    }
    return core.input.add(event(.began), event(.ended))
  }

  /// Passes a change of a contact with the viewfinder to the extension, for a program that draws the viewfinder
  /// itself.
  ///
  /// The extension receives contacts only after it has subscribed to them, and while the user is not being
  /// authenticated. Moves of one contact reach the extension at most 60 times per second. A contact that
  /// leaves the picture is cancelled. The program must cancel the contacts when it hides the viewfinder.
  ///
  /// - Parameters:
  ///   - phase: The phase of the contact.
  ///   - x: The distance from the left edge of the viewfinder's picture, in pixels of the picture.
  ///   - y: The distance from the upper edge of the picture, in pixels of the picture.
  ///   - contact: The number of the contact, which all its changes have: 0 for the pointer, another number for
  ///     each finger, at most 15.
  /// - Returns: Whether the change was added to the inputs of the session, as for ``press(_:)``. A move that
  ///   replaces an earlier move is always added.
  @discardableResult
  public func pointer(_ phase: PointerPhase, x: Double, y: Double, contact: Int = 0) -> Bool {
    let phase: ExtensionProtocol.PointerPhase =
      switch phase {
      case .began: .began
      case .moved: .moved
      case .ended: .ended
      case .cancelled: .cancelled
      }
    return core.input.add(.pointer(PointerEvent(phase, x: x, y: y, contact: contact)))
  }
}
