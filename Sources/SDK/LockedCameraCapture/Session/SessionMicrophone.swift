// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The microphone of a session, and how it is doing. The session goes on without it.
public struct SessionMicrophone: Sendable, Hashable {
  /// Why no more sound comes.
  public enum EndReason: Sendable, Hashable, CaseIterable {
    /// The file that stands for a microphone is over.
    case finished
    /// The microphone is gone, or what drives it.
    case unplugged
    /// It gives no sound any more, for another reason.
    case failed
  }

  /// Samples of a channel in a second.
  public let sampleRate: Int
  /// How many channels there are.
  public let channels: Int
  /// Why no more sound comes; nil: it does, or will.
  public internal(set) var endReason: EndReason?

  /// What is known of a microphone at first.
  init(_ microphone: MicrophoneDescription) {
    (sampleRate, channels) = (microphone.sampleRate, microphone.channels)
  }

  /// No more sound comes.
  mutating func note(_ ending: MicrophoneEnding) {
    endReason =
      switch ending.reason {
      case .finished: .finished
      case .unplugged: .unplugged
      case .failed: .failed
      }
  }
}

extension LockedCameraCaptureSession {
  /// The microphone, as it is now; nil: the session has none.
  @MainActor
  public var microphone: SessionMicrophone? { runtime.microphone.value }

  /// The same, as it is now, then whenever that changes; until the session ends.
  @MainActor
  public var microphoneState: some AsyncSequence<SessionMicrophone?, Never> & Sendable {
    runtime.microphone.values()
  }

  /// Lets sound flow to the handlers of ``onSound(_:)``, and waits until the host has said so.
  ///
  /// With ``FrameDelivery/latest`` an extension that is slow for longer than the ring has room, which is more than a second,
  /// loses sound. With ``FrameDelivery/every`` a file waits for it; a microphone does not, and what it hears meanwhile is
  /// lost as well. Throws ``LockedCameraCaptureError``: `microphoneUnavailable` if the session has no microphone or it has
  /// failed, `permissionDenied` if the person or the app has not allowed it.
  @MainActor
  public func startMicrophone(_ delivery: FrameDelivery = .latest) throws {
    _ = try runtime.request(.microphoneStart(delivery.wire), MicrophoneStream.self)
    runtime.isHearing = true
  }

  /// Lets no more sound flow.
  @MainActor
  public func stopMicrophone() throws {
    _ = try runtime.request(.microphoneStop, Nothing.self)
    runtime.isHearing = false
  }

  /// Calls `handler` for each block of the sound that comes from now on, in their order. What it throws goes to the log.
  @MainActor
  public func onSound(_ handler: @escaping (SoundBlock) throws -> Void) {
    runtime.handlers.sounds.append(handler)
  }
}

extension SessionRuntime {
  /// What is readable when there is sound that is waited for; nil: none is.
  var soundEvent: Int32? { isHearing ? sound?.eventDescriptor : nil }

  /// Whether there is sound that is wanted and was not heard yet.
  var hasSound: Bool { isHearing && sound.map { $0.published > $0.last } == true }

  /// Gives the next block to the handlers. One at a time, so that a second of sound cannot hold back a dismissal.
  func deliverSound() throws(ExtensionFailure) {
    guard isHearing, let sound else { return }
    try sound.acknowledge()
    guard let block = try sound.next() else { return }
    for handler in handlers.sounds { attempt { try handler(block) } }
  }
}
