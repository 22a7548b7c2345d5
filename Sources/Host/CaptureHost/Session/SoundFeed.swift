// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
package import Microphones

/// The sound of one session, from a source to the ring that the extension reads.
final class SoundFeed {
  /// What the extension is told of the ring.
  let stream: MicrophoneStream
  private let pump: SoundPump
  private let ring: SoundRing
  private let event: Int32
  private let done: Int32
  private let held: HeldDescriptors
  private var hasEnded = false

  private init(
    _ stream: MicrophoneStream,
    _ pump: SoundPump,
    _ ring: SoundRing,
    _ event: consuming Descriptor,
    _ done: consuming Descriptor
  ) {
    self.stream = stream
    self.pump = pump
    self.ring = ring
    (self.event, self.done) = (event.rawValue, done.rawValue)
    held = HeldDescriptors(event.release(), done.release())
  }

  // A session that fails before it is driven leaves a source that nobody reads, and a host lives longer than that.
  deinit { stop() }

  /// Sound in shared memory, with the time that the extension's clock shows. None flows yet.
  static func make(
    _ source: sending any SoundSource,
    clockOffset: Int64
  ) throws(SystemCallError) -> SoundFeed {
    let geometry = source.geometry
    let ring = try SoundRing.make(geometry, clockOffset: clockOffset)
    let event = try EventCounter.make()
    let done = try EventCounter.make()
    let pump = try SoundPump.make(source: source, ring: ring, soundEvent: event, soundDone: done)
    let sound = MicrophoneDescription(sampleRate: geometry.sampleRate, channels: geometry.channels)
    let stream = MicrophoneStream(sound, blockFrames: geometry.blockFrames, slots: geometry.slots)
    return SoundFeed(stream, pump, ring, event, done)
  }

  /// The descriptors that the extension gets.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    [(.sound, ring.descriptor.rawValue), (.soundEvent, event), (.soundDone, done)]
  }

  /// Readable once there is no more sound; nil if the end has been taken notice of.
  var ended: Int32? { hasEnded ? nil : pump.ended.rawValue }

  /// The end was seen.
  func acknowledgeEnd() { hasEnded = true }

  /// Sound flows.
  func start(_ delivery: FrameDelivery) { pump.start(delivery) }

  /// The extension has the host's clock, not one of its own.
  func useHostsClock() { ring.useWritersClock() }

  /// Sound stops.
  func pause() { pump.pause() }

  /// Sound stops, and what the extension has not listened to it can't listen to any more.
  func revoke() { pump.erase() }

  /// Ends the thread behind the sound.
  func stop() { pump.stop() }

  /// What became of the blocks.
  var counts: FrameCounts { pump.counts }

  /// The end of the sound as the extension is told it: the reason alone.
  var ending: MicrophoneEnding {
    guard let failure else { return MicrophoneEnding(.finished) }
    return MicrophoneEnding(failure.reason == .microphone(.unplugged) ? .unplugged : .failed)
  }

  /// Why the sound ended, if it was not as planned.
  var failure: SoundSourceError? {
    if case .failed(let error) = pump.ending { return error }
    return nil
  }
}

/// Why a session has no microphone.
package enum SoundFeedError: Error, Sendable, CustomStringConvertible {
  /// The source gives no sound.
  case source(SoundSourceError)
  /// The host cannot make what sound needs.
  case system(SystemCallError)

  /// A sentence.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .system(let error): "could not set up the microphone: \(error)"
    }
  }
}
