// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The microphone of a session and its state. The session continues if the microphone fails.
public struct SessionMicrophone: Sendable, Hashable {
  /// The reason why the microphone delivers no more sound.
  public enum EndReason: Sendable, Hashable, CaseIterable {
    /// The sound file that simulates a microphone has ended.
    case finished
    /// The microphone or its driver was removed.
    case unplugged
    /// The microphone failed for another reason.
    case failed
  }

  /// The sample rate, in samples per second and channel.
  public let sampleRate: Int
  /// The number of channels.
  public let channels: Int
  /// The reason why the microphone delivers no more sound, or `nil` if it has not ended.
  public internal(set) var endReason: EndReason?

  /// Creates the state of a microphone at launch.
  init(_ microphone: MicrophoneDescription) {
    (sampleRate, channels) = (microphone.sampleRate, microphone.channels)
  }

  /// Records that the microphone has ended.
  mutating func apply(_ ending: MicrophoneEndNotice) {
    endReason =
      switch ending.reason {
      case .finished: .finished
      case .unplugged: .unplugged
      case .failed: .failed
      }
  }
}

extension LockedCameraCaptureSession {
  /// The current state of the microphone, or `nil` if the session has none.
  @MainActor
  public var microphone: SessionMicrophone? { runtime.microphone.value }

  /// The state of the microphone: the current state, then each change.
  ///
  /// The sequence ends with the session. Each iteration is independent, so several may run at the same time.
  @MainActor
  public var microphoneState: some AsyncSequence<SessionMicrophone?, Never> & Sendable {
    runtime.microphone.values()
  }

  /// Starts the delivery of sound to the handlers of ``onSound(_:)``.
  ///
  /// The call blocks until the host has replied.
  ///
  /// - Parameter delivery: With ``FrameDelivery/latest``, an extension loses sound if it stalls for longer
  ///   than the ring holds, which is more than a second. With ``FrameDelivery/every``, a file waits for the
  ///   extension; a microphone does not, so its sound is lost as well.
  /// - Throws: ``LockedCameraCaptureError``: `microphoneUnavailable` if the session has no microphone or it
  ///   has failed, `permissionDenied` if the user or the app has not granted permission.
  @MainActor
  public func startMicrophone(_ delivery: FrameDelivery = .latest) throws {
    _ = try runtime.request(.microphoneStart(delivery.protocolValue), MicrophoneStream.self)
    runtime.isMicrophoneRunning = true
  }

  /// Stops the delivery of sound.
  ///
  /// - Throws: ``LockedCameraCaptureError`` if the session has ended.
  @MainActor
  public func stopMicrophone() throws {
    _ = try runtime.request(.microphoneStop, EmptyResult.self)
    runtime.isMicrophoneRunning = false
  }

  /// Calls `handler` in the main actor for each block of sound from now on, in order.
  ///
  /// Errors that it throws are logged.
  @MainActor
  public func onSound(_ handler: @escaping (SoundBlock) throws -> Void) {
    runtime.handlers.sounds.append(handler)
  }
}

extension SessionRuntime {
  /// The eventfd that announces sound, or `nil` if sound is not being delivered.
  var soundEvent: Int32? { isMicrophoneRunning ? sound?.eventDescriptor : nil }

  /// Whether the ring has sound that is to be delivered.
  var hasSound: Bool { isMicrophoneRunning && sound.map { $0.published > $0.last } == true }

  /// Passes the next block to the handlers.
  ///
  /// It passes one block per call, so that a second of sound cannot delay a dismissal.
  func deliverSound() throws(ExtensionFailure) {
    guard isMicrophoneRunning, let sound else { return }
    try sound.acknowledge()
    guard let block = try sound.next() else { return }
    for handler in handlers.sounds { attempt { try handler(block) } }
    forEachObserver { observer, _ in try observer.receive(block) }
  }
}
