// SPDX-License-Identifier: Apache-2.0

/// The handlers for the events of a session.
@MainActor
struct SessionHandlers {
  /// A handler for a frame.
  typealias Frame = (borrowing CaptureFrame) throws -> Void

  /// A handler for a change of a contact with the viewfinder.
  typealias PointerHandler = (PointerEvent) throws -> Void

  /// The handlers that receive each frame.
  var frames: [Frame] = []
  /// The handlers of the views in the tree that receive each frame.
  var viewFrames: [Frame] = []
  /// The handlers that receive each block of sound.
  var sounds: [(SoundBlock) throws -> Void] = []
  /// The asynchronous handlers of the dismissal; the session waits until they return.
  var dismissals: [@MainActor (DismissalReason, Double) async throws -> Void] = []
  /// The synchronous handlers of the dismissal.
  var immediateDismissals: [(DismissalReason, Double) throws -> Void] = []
  /// The handlers of app context changes.
  var contextChanges: [() throws -> Void] = []
  /// The interactions that receive the capture button events.
  var interactions: [AVCaptureEventInteraction] = []
  /// The handlers of contacts with the viewfinder.
  var pointer: [PointerHandler] = []
  /// The handlers of contacts of the views in the tree.
  var viewPointers: [PointerHandler] = []
  /// The observers, some of which may no longer exist.
  var observations: [Observation] = []
}
