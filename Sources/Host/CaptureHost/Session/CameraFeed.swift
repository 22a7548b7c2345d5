// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// The frames of one session, from a source to whichever way the extension takes them.
package final class CameraFeed {
  private enum Way {
    case none
    case waiting(FrameRing, event: Int32, done: Int32)
    case ring(FramePump, FrameRing, event: Int32, done: Int32)
    case stream(Y4MWriterPump)
  }

  private var way: Way
  private var hasEnded = false
  /// What the extension is told of the camera.
  package let description: CameraDescription?
  private let held: HeldDescriptors
  /// Sets the camera; nil: nothing can be set.
  private(set) var adjuster: CameraAdjuster?

  private init(_ way: Way, _ description: CameraDescription?, _ held: HeldDescriptors = HeldDescriptors()) {
    self.way = way
    self.description = description
    self.held = held
  }

  // A session that fails before it is driven leaves a source that nobody reads, and a host lives longer than that.
  deinit { stop() }

  /// No camera.
  static func none() -> CameraFeed { CameraFeed(.none, nil) }

  /// Frames in shared memory, with the time that the extension's clock shows.
  static func ring(
    _ source: sending any FrameSource,
    clockOffset: Int64
  ) throws(CameraFeedError) -> CameraFeed {
    let feed = try waiting(CameraDescription(source), clockOffset: clockOffset)
    try feed.attach(source)
    return feed
  }

  /// An empty ring for such frames, to which no camera is attached.
  static func waiting(
    _ description: CameraDescription,
    clockOffset: Int64
  ) throws(CameraFeedError) -> CameraFeed {
    let rate = CameraSource.FrameRate(description.frameRate.numerator, description.frameRate.denominator)
    let geometry = FrameGeometry(
      width: description.width,
      height: description.height,
      frameRate: rate ?? .standard
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

  /// Has the memory of the first frame at hand before there is a camera, for which there is time only while nobody waits.
  func provideSlot() { ring?.ring.provideSlot() }

  /// Gives an empty ring its camera, whose frames flow from ``start(_:)`` on.
  func attach(_ source: sending any FrameSource) throws(CameraFeedError) {
    guard case .waiting(let ring, let event, let done) = way else { return }
    // Before the source is another thread's.
    if let settings = source.settings() { adjuster = CameraAdjuster(settings) }
    do {
      let frameEvent = try Descriptor.duplicate(of: event)
      let frameDone = try Descriptor.duplicate(of: done)
      let pump = try FramePump.make(source: source, ring: ring, frameEvent: frameEvent, frameDone: frameDone)
      way = .ring(pump, ring, event: event, done: done)
    } catch { throw .system(error) }
  }

  /// Frames as a YUV4MPEG stream into a pipe.
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

  /// The ring and its counters, whether there is a camera yet or not; nil if frames do not go through one.
  private var ring: (ring: FrameRing, event: Int32, done: Int32)? {
    switch way {
    case .waiting(let ring, let event, let done), .ring(_, let ring, let event, let done): (ring, event, done)
    case .none, .stream: nil
    }
  }

  /// Whether frames go into a pipe, from the beginning.
  var isStream: Bool { if case .stream = way { true } else { false } }

  /// The layout of the ring; nil if frames do not go through one.
  var ringGeometry: FrameRingGeometry? {
    ring?.ring.geometry
  }

  /// The size and the rate of what is shown of such a ring.
  var previewGeometry: FrameGeometry? {
    guard let geometry = ringGeometry else { return nil }
    let rate = CameraSource.FrameRate(
      Int(geometry.frameRateNumerator),
      Int(geometry.frameRateDenominator)
    )
    return FrameGeometry(width: geometry.width, height: geometry.height, frameRate: rate ?? .standard)
  }

  /// The descriptors that the extension gets.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    guard let (ring, event, done) = ring else { return [] }
    return [(.frames, ring.descriptor.rawValue), (.frameEvent, event), (.frameDone, done)]
  }

  /// The counter by which the extension says that it has finished with frames; nil if they do not go through a ring.
  package var finished: Int32? { ring?.done }

  /// Readable once there are no more frames; nil if there never were any, or the end has been taken notice of.
  var ended: Int32? {
    guard !hasEnded else { return nil }
    return switch way {
    case .none, .waiting: nil
    case .ring(let pump, _, _, _): pump.ended.rawValue
    case .stream(let pump): pump.ended.rawValue
    }
  }

  /// The end was seen. What is left of a camera that has failed is let go.
  func acknowledgeEnd() {
    hasEnded = true
    if failure != nil { adjuster?.close() }
  }

  /// Frames flow. A stream flows from the beginning.
  package func start(_ delivery: FrameDelivery) {
    guard case .ring(let pump, _, _, _) = way else { return }
    pump.start(delivery)
  }

  /// The extension has the host's clock, not one of its own.
  func useHostsClock() {
    ring?.ring.useWritersClock()
  }

  /// By how many nanoseconds the extension's clock is ahead of the host's, as far as frames are concerned.
  var extensionsLead: Int64 {
    guard case .ring(_, let ring, _, _) = way else { return 0 }
    return ring.readersLead
  }

  /// Frames stop; a stream ends for good.
  func pause() {
    adjuster?.cancel()
    switch way {
    case .none, .waiting: break
    case .ring(let pump, _, _, _): pump.pause()
    case .stream(let pump): pump.stop()
    }
  }

  /// Frames stop, and those that the extension has not looked at it can't look at any more. What went into a stream is
  /// gone already.
  func revoke() {
    guard case .ring(let pump, _, _, _) = way else { return pause() }
    pump.erase()
    adjuster?.revoke()
  }

  /// Ends the threads behind the frames. The camera is as it was set before.
  package func stop() {
    switch way {
    case .none, .waiting: break
    case .ring(let pump, _, _, _): pump.stop()
    case .stream(let pump): pump.stop()
    }
    adjuster?.close()
  }

  /// What became of the frames; nil without a camera.
  var counts: FrameCounts? {
    switch way {
    case .none, .waiting: return nil
    case .ring(let pump, _, _, _): return pump.counts
    case .stream(let pump):
      var counts = FrameCounts()
      counts.produced = pump.frames
      counts.consumed = pump.frames
      return counts
    }
  }

  /// The rate of the frames if it has changed since the last call. A stream has said its own at the beginning.
  func takeNewRate() -> ExtensionProtocol.FrameRate? {
    guard case .ring(let pump, _, _, _) = way, let rate = pump.takeNewRate() else { return nil }
    return .init(Int(rate.numerator), Int(rate.denominator))
  }

  /// The end of the frames as the extension is told it.
  var endingReason: CameraEnding.Reason {
    switch failure?.reason {
    case nil: .finished
    case .camera(.unplugged): .unplugged
    case .camera(.pictureChanged): .formatChanged
    default: .failed
    }
  }

  /// Why the frames ended, if it was not as planned.
  var failure: FrameSourceError? {
    let ending: PumpEnding<FrameSourceError>? =
      switch way {
      case .none, .waiting: nil
      case .ring(let pump, _, _, _): pump.ending
      case .stream(let pump): pump.ending
      }
    if case .failed(let error) = ending { return error }
    return nil
  }
}

/// Descriptors that are closed when their owner goes away, in a form that a class can hold beside their numbers.
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
      frameRate: .init(Int(geometry.frameRate.numerator), Int(geometry.frameRate.denominator)),
      name: source.title
    )
  }
}

/// Why a session has no camera.
package enum CameraFeedError: Error, Sendable, CustomStringConvertible {
  /// The source gives no frames.
  case source(FrameSourceError)
  /// A pipe gives its frames to one session only.
  case once(String)
  /// The frames are too large.
  case geometry(FrameRingLayoutError)
  /// The host cannot make what frames need.
  case system(SystemCallError)

  /// A sentence.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .once(let name):
      "\(name) gives its frames only once, so nothing can wait for them: name a file or the pattern"
    case .geometry(let error): "\(error)"
    case .system(let error): "could not set up the camera: \(error)"
    }
  }
}
