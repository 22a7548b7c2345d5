// SPDX-License-Identifier: Apache-2.0

internal import CoreMedia
public import LockedCameraCapture
internal import Synchronization

/// A destination of media of a capture session.
///
/// `@unchecked Sendable`, because a class with subclasses cannot be checked: all mutable state, including that of the
/// subclasses, is in mutexes or isolated to the main actor.
public class AVCaptureOutput: @unchecked Sendable {
  /// The types of media that the output accepts.
  let mediaTypes: [AVMediaType]
  /// Whether the output applies the rotation and the mirroring of its connection.
  let appliesGeometry: Bool
  private let state = Mutex(State())

  private struct State {
    var connections: [AVCaptureConnection] = []
    weak var session: AVCaptureSession?
  }

  init(_ mediaTypes: [AVMediaType], appliesGeometry: Bool) {
    (self.mediaTypes, self.appliesGeometry) = (mediaTypes, appliesGeometry)
  }

  /// The connections of the output.
  public var connections: [AVCaptureConnection] { state.withLock(\.connections) }

  /// Returns the connection for a type of media, or `nil` if there is none.
  public func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    connections.first { $0.inputPorts.first?.mediaType == mediaType }
  }

  /// The session of the output, or `nil` if the output is in none.
  var session: AVCaptureSession? { state.withLock(\.session) }

  /// Moves the output from one session to another; `nil` means no session.
  ///
  /// - Returns: `false` if the output is not in `old`.
  func move(from old: AVCaptureSession?, to new: AVCaptureSession?) -> Bool {
    state.withLock { state in
      guard state.session === old else { return false }
      state.session = new
      return true
    }
  }

  /// Connects the output with the ports of the inputs, and keeps connections that exist.
  func connect(to ports: [AVCaptureInput.Port]) {
    let accepted = ports.filter { mediaTypes.contains($0.mediaType) }
    state.withLock { state in
      let old = state.connections
      state.connections = accepted.map { port in
        old.first { $0.inputPorts.first === port } ?? AVCaptureConnection(port, self)
      }
    }
  }

  /// Returns the connection for a type of media, unless it is disabled.
  func enabledConnection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    connection(with: mediaType).flatMap { $0.isEnabled ? $0 : nil }
  }

  // MARK: For subclasses

  /// Receives a frame; called for each frame while the session runs and the connection is enabled.
  @MainActor
  func receive(_ frame: CMSampleBuffer, _ connection: AVCaptureConnection) {}

  /// Receives a block of sound; called for each block while the session runs and the connection is enabled.
  @MainActor
  func receiveSound(_ sound: CMSampleBuffer, _ connection: AVCaptureConnection) {}

  /// Handles the end of the streams; `error` is the reason, or `nil` if the app has stopped the session.
  @MainActor
  func streamsEnded(_ error: AVError?) {}

  /// Waits until the output has delivered what it has received, because the session ends afterwards.
  @MainActor
  func finishWork() async {}
}

extension AVCaptureOutput: Hashable {
  /// Returns whether both outputs are the same object.
  public static func == (one: AVCaptureOutput, other: AVCaptureOutput) -> Bool { one === other }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
