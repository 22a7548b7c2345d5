// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives

/// The frames of one session, from a source to whichever way the extension takes them.
final class CameraFeed {
  private enum Way {
    case none
    case ring(FramePump, FrameRing, event: Int32, done: Int32)
    case stream(Y4MWriterPump)
  }

  private var way: Way
  private var hasEnded = false
  /// What the extension is told of the camera.
  let description: CameraDescription?
  private let held: HeldDescriptors

  private init(_ way: Way, _ description: CameraDescription?, _ held: HeldDescriptors = HeldDescriptors()) {
    self.way = way
    self.description = description
    self.held = held
  }

  /// No camera.
  static func none() -> CameraFeed { CameraFeed(.none, nil) }

  /// Frames in shared memory, with the time that the extension's clock shows.
  static func ring(
    _ source: sending any FrameSource,
    clockOffset: Int64
  ) throws(CameraFeedError) -> CameraFeed {
    let description = CameraDescription(source)
    let geometry = source.geometry
    do {
      let ring = try FrameRing.make(try geometry.ringGeometry(), clockOffset: clockOffset)
      let event = try EventCounter.make()
      let done = try EventCounter.make()
      let pump = try FramePump.make(source: source, ring: ring, frameEvent: event, frameDone: done)
      let numbers = (event.rawValue, done.rawValue)
      return CameraFeed(
        .ring(pump, ring, event: numbers.0, done: numbers.1),
        description,
        HeldDescriptors(event.release(), done.release())
      )
    } catch let error as FrameRingLayoutError {
      throw .geometry(error)
    } catch let error as SystemCallError {
      throw .system(error)
    } catch { throw .system(SystemCallError("memfd_create")) }
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

  /// The layout of the ring; nil if frames do not go through one.
  var ringGeometry: FrameRingGeometry? {
    guard case .ring(_, let ring, _, _) = way else { return nil }
    return ring.geometry
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
    guard case .ring(_, let ring, let event, let done) = way else { return [] }
    return [(.frames, ring.descriptor.rawValue), (.frameEvent, event), (.frameDone, done)]
  }

  /// Readable once there are no more frames; nil if there never were any, or the end has been taken notice of.
  var ended: Int32? {
    guard !hasEnded else { return nil }
    return switch way {
    case .none: nil
    case .ring(let pump, _, _, _): pump.ended.rawValue
    case .stream(let pump): pump.ended.rawValue
    }
  }

  /// The end was seen.
  func acknowledgeEnd() { hasEnded = true }

  /// Frames flow. A stream flows from the beginning.
  func start(_ delivery: FrameDelivery) {
    guard case .ring(let pump, _, _, _) = way else { return }
    pump.start(delivery)
  }

  /// The extension has the host's clock, not one of its own.
  func useHostsClock() {
    if case .ring(_, let ring, _, _) = way { ring.useWritersClock() }
  }

  /// By how many nanoseconds the extension's clock is ahead of the host's, as far as frames are concerned.
  var extensionsLead: Int64 {
    guard case .ring(_, let ring, _, _) = way else { return 0 }
    return ring.readersLead
  }

  /// Frames stop; a stream ends for good.
  func pause() {
    switch way {
    case .none: break
    case .ring(let pump, _, _, _): pump.pause()
    case .stream(let pump): pump.stop()
    }
  }

  /// Frames stop, and those that the extension has not looked at it can't look at any more. What went into a stream is
  /// gone already.
  func revoke() {
    guard case .ring(let pump, _, _, _) = way else { return pause() }
    pump.erase()
  }

  /// Ends the threads behind the frames.
  func stop() {
    switch way {
    case .none: break
    case .ring(let pump, _, _, _): pump.stop()
    case .stream(let pump): pump.stop()
    }
  }

  /// What became of the frames; nil without a camera.
  var counts: FrameCounts? {
    switch way {
    case .none: return nil
    case .ring(let pump, _, _, _): return pump.counts
    case .stream(let pump):
      var counts = FrameCounts()
      counts.produced = pump.frames
      counts.consumed = pump.frames
      return counts
    }
  }

  /// Why the frames ended, if it was not as planned.
  var failure: FrameSourceError? {
    let ending: PumpEnding? =
      switch way {
      case .none: nil
      case .ring(let pump, _, _, _): pump.ending
      case .stream(let pump): pump.ending
      }
    if case .failed(let error) = ending { return error }
    return nil
  }
}

/// Descriptors that are closed when their owner goes away, in a form that a class can hold beside their numbers.
private final class HeldDescriptors {
  private let numbers: [Int32]

  init(_ numbers: Int32...) { self.numbers = numbers }

  deinit { for number in numbers { _ = Descriptor(owning: number) } }
}

extension CameraDescription {
  fileprivate init(_ source: borrowing any FrameSource) {
    let geometry = source.geometry
    self.init(
      width: geometry.width,
      height: geometry.height,
      frameRate: .init(Int(geometry.frameRate.numerator), Int(geometry.frameRate.denominator)),
      name: source.name
    )
  }
}

/// Why a session has no camera.
package enum CameraFeedError: Error, Sendable, CustomStringConvertible {
  /// The source gives no frames.
  case source(FrameSourceError)
  /// The frames are too large.
  case geometry(FrameRingLayoutError)
  /// The host cannot make what frames need.
  case system(SystemCallError)

  /// A sentence.
  package var description: String {
    switch self {
    case .source(let error): "\(error)"
    case .geometry(let error): "\(error)"
    case .system(let error): "could not set up the camera: \(error)"
    }
  }
}
