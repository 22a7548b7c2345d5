// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives
package import Microphones

/// The sound of one session, from a source to the ring that the extension reads.
final class SoundFeed {
  /// The properties of the ring that are reported to the extension.
  let stream: MicrophoneStream
  private let pump: SoundPump
  private let ring: SoundRing
  private let event: Int32
  private let done: Int32
  private let held: HeldDescriptors
  /// The listener, or `nil` if there is none.
  private let listener: (any SoundListening)?
  private var hasEnded = false

  private init(
    _ stream: MicrophoneStream,
    _ pump: SoundPump,
    _ ring: SoundRing,
    _ event: consuming Descriptor,
    _ done: consuming Descriptor,
    _ listener: (any SoundListening)?
  ) {
    self.stream = stream
    self.pump = pump
    self.ring = ring
    self.listener = listener
    (self.event, self.done) = (event.rawValue, done.rawValue)
    held = HeldDescriptors(event.release(), done.release())
  }

  // A session that fails before it is driven leaves a source without a reader, and the host may run much
  // longer.
  deinit { stop() }

  /// Creates a feed that delivers sound in shared memory, with timestamps of the extension's clock. The sound
  /// does not flow yet. `listener` is notified of the ring and of each block.
  static func make(
    _ source: sending any SoundSource,
    clockOffset: Int64,
    listener: (any SoundListening)? = nil
  ) throws(SystemCallError) -> SoundFeed {
    let geometry = source.geometry
    let ring = try SoundRing.make(geometry, clockOffset: clockOffset)
    let event = try EventCounter.make()
    let done = try EventCounter.make()
    let pump = try SoundPump.make(
      source: source,
      ring: ring,
      soundEvent: event,
      soundDone: done,
      published: { listener?.blockWasPublished() }
    )
    listener?.begin(ring)
    let sound = MicrophoneDescription(sampleRate: geometry.sampleRate, channels: geometry.channels)
    let stream = MicrophoneStream(sound, blockFrames: geometry.blockFrames, slots: geometry.slots)
    return SoundFeed(stream, pump, ring, event, done, listener)
  }

  /// The descriptors that are passed to the extension.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    [(.sound, ring.descriptor.rawValue), (.soundEvent, event), (.soundDone, done)]
  }

  /// Readable when there is no more sound, or `nil` after ``acknowledgeEnd()``.
  var ended: Int32? { hasEnded ? nil : pump.completionEvent.rawValue }

  /// Acknowledges the end of the sound.
  func acknowledgeEnd() {
    hasEnded = true
    listener?.finish()
  }

  /// Starts the sound.
  func start(_ delivery: FrameDelivery) { pump.start(delivery) }

  /// Uses the host's clock for the timestamps, for an extension without its own time namespace.
  func useHostClock() { ring.useWriterClock() }

  /// Pauses the sound.
  func pause() { pump.pause() }

  /// Pauses the sound and erases the blocks in the ring.
  func revoke() { pump.erase() }

  /// Stops the thread of the feed.
  func stop() { pump.stop() }

  /// The block counts.
  var counts: FrameCounts { pump.counts }

  /// The end of the sound that is reported to the extension. It contains only the reason.
  var ending: MicrophoneEndNotice {
    guard let failure else { return MicrophoneEndNotice(.finished) }
    return MicrophoneEndNotice(failure.reason == .microphone(.unplugged) ? .unplugged : .failed)
  }

  /// The error that ended the sound, or `nil` if there was none.
  var failure: SoundSourceError? {
    if case .failed(let error) = pump.completion { return error }
    return nil
  }
}

/// The reason why a session has no microphone.
package enum SoundFeedError: Error, Sendable, CustomStringConvertible {
  /// The source provides no sound.
  case source(SoundSourceError)
  /// A system call failed.
  case system(SystemCallError)

  /// The message for the user.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .system(let error): "the microphone cannot be set up: \(error)"
    }
  }
}

/// Opens microphone sources that are specified by the user.
enum MicrophoneSourceOpener {
  /// Returns the source, or `nil` if the text specifies no microphone.
  static func open(_ text: String) throws(SoundSourceError) -> sending (any SoundSource)? {
    switch MicrophoneSpecification(text) {
    case .none: nil
    case .tone(let tone): try SoundSourceOpener.tone(tone)
    case .device(let name): try MicrophoneOpener.open(name)
    case .file(let path): try SoundSourceOpener.file(path)
    }
  }
}
