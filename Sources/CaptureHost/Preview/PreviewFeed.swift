// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives

/// The viewfinder that an extension draws: taken from its ring, and shown where somebody wants to see it.
final class PreviewFeed {
  /// How many frames a second are taken at most, so that an extension cannot keep the host busy with them.
  private static let mostFramesPerSecond: UInt64 = 60

  private let ring: PreviewRing
  private let event: Descriptor
  private var output: PreviewOutput?
  private var nextTime: UInt64 = 0
  private var hasFrame = false
  /// Whether something was announced that has not been looked at, because it was too soon.
  private var isPending = false

  private init(ring: PreviewRing, event: consuming Descriptor, output: PreviewOutput?) {
    self.ring = ring
    self.event = event
    self.output = output
  }

  /// Makes the ring; `output` shows what is in it.
  static func make(
    _ geometry: FrameRingGeometry,
    showing output: PreviewOutput?
  ) throws(SystemCallError) -> PreviewFeed {
    PreviewFeed(ring: try PreviewRing.make(geometry), event: try EventCounter.make(), output: output)
  }

  /// What is in the ring is shown from now on, too.
  func show(on output: PreviewOutput) { self.output = output }

  /// The descriptors that the extension gets.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    [(.preview, ring.descriptor.rawValue), (.previewEvent, event.rawValue)]
  }

  /// What to watch for frames; nil while none is wanted: too soon after the last, or the first was all that mattered.
  func readable(at now: UInt64) -> Int32? {
    guard output != nil || !hasFrame else { return nil }
    return now < nextTime ? nil : event.rawValue
  }

  /// When to look again.
  func nextMoment(at now: UInt64) -> UInt64? {
    guard output != nil || !hasFrame else { return nil }
    return now < nextTime ? nextTime : nil
  }

  /// What to watch for room; nil while nothing waits to be shown.
  var writable: Int32? { output?.writable }

  /// Takes the newest frame; whether there was one.
  func take(at now: UInt64) throws(SystemCallError) -> Bool {
    _ = try EventCounter.takeShared(event)
    nextTime = now + 1_000_000_000 / Self.mostFramesPerSecond
    guard let pixels = ring.takeNewest() else { return false }
    hasFrame = true
    output?.show(pixels)
    return true
  }

  /// Goes on showing what did not fit.
  func flush() { output?.flush() }

  /// The session is over: what is newest is shown, and what waits is written as far as it is taken.
  func finish() {
    if output != nil, let pixels = ring.takeNewest() { output?.show(pixels) }
    output?.finish()
  }
}
