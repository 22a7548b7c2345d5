// SPDX-License-Identifier: Apache-2.0

/// What is to be done when something happens in a session.
@MainActor
struct SessionHandlers {
  /// What is done with a frame.
  typealias Frame = (borrowing CaptureFrame) throws -> Void

  /// For every frame.
  var frames: [Frame] = []
  /// For every block of sound.
  var sounds: [(SoundBlock) throws -> Void] = []
  /// Before the end.
  var dismissals: [@MainActor (DismissalReason, Double) async throws -> Void] = []
  /// Before the end, at once.
  var immediateDismissals: [(DismissalReason, Double) throws -> Void] = []
  /// When the app context has changed.
  var contextChanges: [() throws -> Void] = []
  /// When a capture button moves.
  var interactions: [AVCaptureEventInteraction] = []
  /// After everything that has happened: compares what is watched with what it was.
  var watchers: [() throws -> Void] = []
}
