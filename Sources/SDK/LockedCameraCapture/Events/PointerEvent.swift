// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A change of a contact with the viewfinder: a finger on a touch screen, or the left button of a pointer.
///
/// Each contact starts with ``Phase/began``, has any number of ``Phase/moved``, and finishes with
/// ``Phase/ended`` or ``Phase/cancelled``.
public struct PointerEvent: Sendable, Hashable {
  /// The phase of a contact.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The finger touched the picture, or the button was pressed on it.
    case began
    /// The contact moved.
    case moved
    /// The finger was lifted, or the button was released.
    case ended
    /// The contact is over because it left the picture, another window is in front, or the session receives no
    /// input any longer; undo the effects of the contact.
    case cancelled
  }

  /// The phase of the contact.
  public let phase: Phase
  /// The distance from the left edge of the viewfinder, in pixels of its picture: at least 0, and less than
  /// the width.
  public let x: Double
  /// The distance from the upper edge of the viewfinder, in pixels of its picture: at least 0, and less than
  /// the height.
  public let y: Double
  /// The number of the contact, which all its events have: 0 for the pointer, a greater number for a finger.
  ///
  /// A later finger can have the same number.
  public let contact: Int
  /// The time of the event, in nanoseconds of the monotonic clock, as the timestamp of a ``CaptureFrame``.
  public let timestamp: UInt64

  init(_ event: ExtensionProtocol.PointerEvent) {
    phase =
      switch event.phase {
      case .began: .began
      case .moved: .moved
      case .ended: .ended
      case .cancelled: .cancelled
      }
    (x, y, contact, timestamp) = (event.x, event.y, event.contact, event.time)
  }
}

extension LockedCameraCaptureSession {
  /// Calls `handler` in the main actor for each change of a contact with the viewfinder from now on.
  ///
  /// The session receives no contacts before the first call, while another window is in front, and while the
  /// user is being authenticated. Moves of one contact are at least a sixtieth of a second apart. The start
  /// and the end of a contact are interactions of the user, which ``openApplication(for:)`` requires. Errors
  /// that `handler` throws are logged, as is the refusal of a host of an earlier release, which sends no
  /// contacts.
  ///
  /// - Parameter handler: The handler. It cannot be removed before the end of the session.
  @MainActor
  public func onPointerEvent(_ handler: @escaping (PointerEvent) throws -> Void) {
    runtime.subscribeToPointer()
    runtime.handlers.pointer.append(handler)
  }
}

extension SessionRuntime {
  /// Requests the contacts with the viewfinder, unless they were requested before.
  func subscribeToPointer() {
    guard !isPointerSubscribed else { return }
    isPointerSubscribed = true
    send(.pointerSubscribe)
  }
}
