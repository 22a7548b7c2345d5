// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// The frames of one session, from a source to the extension.
package final class CameraFeed {
  private enum Transport {
    case none
    case waiting(FrameRing, event: Int32, done: Int32)
    case ring(FramePump, FrameRing, event: Int32, done: Int32)
    case stream(Y4MWriterPump)
  }

  private var transport: Transport
  private var hasEnded = false
  /// The properties of the camera that are reported to the extension, or `nil` without a camera.
  package let description: CameraDescription?
  private let descriptorOwner: HeldDescriptors
  /// Changes the camera's settings, or `nil` if the camera has none.
  private(set) var adjuster: CameraAdjuster?

  private init(
    _ transport: Transport,
    _ description: CameraDescription?,
    _ descriptorOwner: HeldDescriptors = HeldDescriptors()
  ) {
    self.transport = transport
    self.description = description
    self.descriptorOwner = descriptorOwner
  }

  // A session that fails before it is driven leaves a source without a reader, and the host may run much
  // longer.
  deinit { stop() }

  /// Creates a feed without a camera.
  static func none() -> CameraFeed { CameraFeed(.none, nil) }

  /// Creates a feed that delivers frames in shared memory, with timestamps of the extension's clock.
  static func ring(
    _ source: sending any FrameSource,
    clockOffset: Int64
  ) throws(CameraFeedError) -> CameraFeed {
    let feed = try unattachedRing(CameraDescription(source), clockOffset: clockOffset)
    try feed.attach(source)
    return feed
  }

  /// Creates a feed with an empty ring, to which a camera is attached later.
  static func unattachedRing(
    _ description: CameraDescription,
    clockOffset: Int64
  ) throws(CameraFeedError) -> CameraFeed {
    let rate = CameraSource.FrameRate(description.frameRate.numerator, description.frameRate.denominator)
    let geometry = FrameGeometry(
      width: description.width,
      height: description.height,
      frameRate: rate ?? .standard,
      raw: description.raw
    )
    do {
      let ring = try FrameRing.make(try geometry.ringGeometry(), clockOffset: clockOffset)
      let event = try EventCounter.make()
      let done = try EventCounter.make()
      let numbers = (event.rawValue, done.rawValue)
      return CameraFeed(
        .waiting(ring, event: numbers.0, done: numbers.1),
        description,
        HeldDescriptors(event.release(), done.release())
      )
    } catch let error as FrameRingLayoutError {
      throw .geometry(error)
    } catch let error as SystemCallError {
      throw .system(error)
    } catch { throw .system(SystemCallError("memfd_create")) }
  }

  /// Allocates the memory of the first frame in advance, while no launch is waiting for it.
  func prefaultSlot() { ring?.ring.prefaultSlot() }

  /// Attaches a camera to an empty ring. Frames flow after ``start(_:)``.
  func attach(_ source: sending any FrameSource) throws(CameraFeedError) {
    guard case .waiting(let ring, let event, let done) = transport else { return }
    // Read before the source is passed to another thread.
    if let settings = source.settings() { adjuster = CameraAdjuster(settings) }
    do {
      let frameEvent = try Descriptor.duplicate(of: event)
      let frameDone = try Descriptor.duplicate(of: done)
      let pump = try FramePump.make(source: source, ring: ring, frameEvent: frameEvent, frameDone: frameDone)
      transport = .ring(pump, ring, event: event, done: done)
    } catch { throw .system(error) }
  }

  /// Creates a feed that writes frames as a YUV4MPEG stream to a pipe.
  static func stream(
    _ source: sending any FrameSource,
    into output: consuming Descriptor,
    pace: FramePace
  ) throws(CameraFeedError) -> CameraFeed {
    let description = CameraDescription(source)
    do {
      let pump = try Y4MWriterPump.start(source: source, output: output, pace: pace)
      return CameraFeed(.stream(pump), description)
    } catch { throw .source(error) }
  }

  /// The ring and its counters, with or without a camera, or `nil` for another transport.
  private var ring: (ring: FrameRing, event: Int32, done: Int32)? {
    switch transport {
    case .waiting(let ring, let event, let done), .ring(_, let ring, let event, let done): (ring, event, done)
    case .none, .stream: nil
    }
  }

  /// Whether frames are written to a pipe, which starts at once.
  var isStream: Bool { if case .stream = transport { true } else { false } }

  /// The layout of the ring, or `nil` for another transport.
  var ringGeometry: FrameRingGeometry? {
    ring?.ring.geometry
  }

  /// The size and the frame rate of the viewfinder, or `nil` without a ring.
  var previewGeometry: FrameGeometry? {
    guard let geometry = ringGeometry else { return nil }
    let rate = CameraSource.FrameRate(
      Int(geometry.frameRateNumerator),
      Int(geometry.frameRateDenominator)
    )
    return FrameGeometry(width: geometry.width, height: geometry.height, frameRate: rate ?? .standard)
  }

  /// The descriptors that are passed to the extension.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    guard let (ring, event, done) = ring else { return [] }
    return [(.frames, ring.descriptor.rawValue), (.frameEvent, event), (.frameDone, done)]
  }

  /// The counter that the extension increments when it has finished with frames, or `nil` without a ring.
  package var finished: Int32? { ring?.done }

  /// Readable when there are no more frames, or `nil` without a camera or after ``acknowledgeEnd()``.
  var ended: Int32? {
    guard !hasEnded else { return nil }
    return switch transport {
    case .none, .waiting: nil
    case .ring(let pump, _, _, _): pump.completionEvent.rawValue
    case .stream(let pump): pump.completionEvent.rawValue
    }
  }

  /// Acknowledges the end of the frames, and releases a camera that has failed.
  func acknowledgeEnd() {
    hasEnded = true
    if failure != nil { adjuster?.close() }
  }

  /// Starts the flow of frames into a ring. A stream flows from its creation.
  package func start(_ delivery: FrameDelivery) {
    guard case .ring(let pump, _, _, _) = transport else { return }
    pump.start(delivery)
  }

  /// Uses the host's clock for the timestamps, for an extension without its own time namespace.
  func useHostClock() {
    ring?.ring.useWriterClock()
  }

  /// The difference between the extension's clock and the host's clock, in nanoseconds.
  var extensionClockLead: Int64 {
    guard case .ring(_, let ring, _, _) = transport else { return 0 }
    return ring.readerClockLead
  }

  /// Pauses the frames, or ends a stream.
  func pause() {
    adjuster?.cancel()
    switch transport {
    case .none, .waiting: break
    case .ring(let pump, _, _, _): pump.pause()
    case .stream(let pump): pump.stop()
    }
  }

  /// Pauses the frames and erases those in the ring. Frames that were written to a stream cannot be erased.
  func revoke() {
    guard case .ring(let pump, _, _, _) = transport else { return pause() }
    pump.erase()
    adjuster?.revoke()
  }

  /// Stops the threads of the feed, and restores the camera's settings.
  package func stop() {
    switch transport {
    case .none, .waiting: break
    case .ring(let pump, _, _, _): pump.stop()
    case .stream(let pump): pump.stop()
    }
    adjuster?.close()
  }

  /// The frame counts, or `nil` without a camera.
  var counts: FrameCounts? {
    switch transport {
    case .none, .waiting: return nil
    case .ring(let pump, _, _, _): return pump.counts
    case .stream(let pump):
      var counts = FrameCounts()
      counts.produced = pump.frames
      counts.consumed = pump.frames
      return counts
    }
  }

  /// Returns the frame rate if it changed since the last call. The rate of a stream is fixed by its header.
  func takeChangedRate() -> ExtensionProtocol.FrameRate? {
    guard case .ring(let pump, _, _, _) = transport, let rate = pump.takeChangedRate() else { return nil }
    return .init(Int(rate.numerator), Int(rate.denominator))
  }

  /// The reason for the end of the frames that is reported to the extension.
  var endingReason: CameraEndNotice.Reason {
    switch failure?.reason {
    case nil: .finished
    case .camera(.unplugged): .unplugged
    case .camera(.formatChanged): .formatChanged
    default: .failed
    }
  }

  /// The error that ended the frames, or `nil` if there was none.
  var failure: FrameSourceError? {
    let ending: PumpCompletion<FrameSourceError>? =
      switch transport {
      case .none, .waiting: nil
      case .ring(let pump, _, _, _): pump.completion
      case .stream(let pump): pump.completion
      }
    if case .failed(let error) = ending { return error }
    return nil
  }
}

/// An owner of descriptors for classes, which closes them when it is released.
final class HeldDescriptors {
  private let numbers: [Int32]

  init(_ numbers: Int32...) { self.numbers = numbers }

  deinit { for number in numbers { _ = Descriptor(owning: number) } }
}

extension CameraDescription {
  init(_ source: borrowing any FrameSource) {
    let geometry = source.geometry
    self.init(
      width: geometry.width,
      height: geometry.height,
      raw: geometry.raw,
      frameRate: .init(Int(geometry.frameRate.numerator), Int(geometry.frameRate.denominator)),
      name: source.title
    )
  }
}

/// The reason why a session has no camera.
package enum CameraFeedError: Error, Sendable, CustomStringConvertible {
  /// The source provides no frames.
  case source(FrameSourceError)
  /// A pipe provides its frames to only one session.
  case singleUse(String)
  /// The frames are too large.
  case geometry(FrameRingLayoutError)
  /// A system call failed.
  case system(SystemCallError)

  /// The message for the user.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .singleUse(let name):
      "\(name) provides its frames only once and cannot be prewarmed; use a file or the pattern"
    case .geometry(let error): "\(error); use smaller frames"
    case .system(let error): "the camera cannot be set up: \(error)"
    }
  }
}
