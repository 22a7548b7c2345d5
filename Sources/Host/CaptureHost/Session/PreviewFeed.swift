// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives
internal import SessionStore

/// The viewfinder that an extension draws: taken from its ring, and shown where somebody wants to see it.
package final class PreviewFeed {
  /// How many frames a second are taken at most, so that an extension cannot keep the host busy with them.
  private static let mostFramesPerSecond: UInt64 = 60

  /// What takes longer than this, in nanoseconds, is no latency.
  private static let longestLatency: UInt64 = 3_600_000_000_000

  private let ring: PreviewRing
  private let event: Descriptor
  private var output: (any PreviewScreen)?
  private var nextTime: UInt64 = 0
  private var hasFrame = false
  /// The frame that is on its way to whoever looks.
  private var held: PreviewRing.Frame?
  /// How many frames the extension has changed while they went out.
  private(set) var torn: UInt64 = 0
  /// Where others get a look at the ring; nil before there is anything to see, and after the end.
  private(set) var desk: ViewfinderDesk?
  /// How long after the camera took them frames began to go out.
  private(set) var latency = LatencyHistogram()

  private init(ring: PreviewRing, event: consuming Descriptor, output: (any PreviewScreen)?) {
    self.ring = ring
    self.event = event
    self.output = output
    output?.begin(ring)
  }

  /// Makes the ring; `output` shows what is in it.
  package static func make(
    _ geometry: FrameRingGeometry,
    showing output: (any PreviewScreen)?
  ) throws(SystemCallError) -> PreviewFeed {
    PreviewFeed(ring: try PreviewRing.make(geometry), event: try EventCounter.make(), output: output)
  }

  /// What is in the ring is shown from now on, too.
  func show(on output: any PreviewScreen) {
    self.output = output
    output.begin(ring)
  }

  /// The descriptors that the extension gets.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    [(.preview, ring.descriptor.rawValue), (.previewEvent, event.rawValue)]
  }

  /// What to watch for frames; nil while none is wanted: too soon after the last, the one before is on its way, or nobody
  /// is shown any and the first was all that mattered.
  package func readable(at now: UInt64) -> Int32? {
    guard isWanting else { return nil }
    return now < nextTime ? nil : event.rawValue
  }

  /// When to look again.
  package func nextMoment(at now: UInt64) -> UInt64? {
    guard isWanting else { return nil }
    return now < nextTime ? nextTime : nil
  }

  private var isWanting: Bool {
    guard let output, output.isOpen else { return !hasFrame }
    return !output.isBusy
  }

  /// What to watch for room; nil while nothing waits to be shown.
  var writable: Int32? { output?.writable }

  /// What to watch for news from where it is shown; nil: none can come.
  var news: Int32? { output?.readable }

  /// The state of the session, as far as whoever looks has not been told.
  private var state = PreviewState.starting

  /// Tells whoever looks that the session ends, once.
  func note(isEnding: Bool) {
    let now: PreviewState = isEnding ? .ending : hasFrame ? .running : .starting
    guard now != state else { return }
    state = now
    output?.tell(now)
  }

  /// Takes notice of the newest frame, and begins to show it; whether there was one. The extension's clock is ahead of
  /// the host's by `lead` nanoseconds.
  func take(at now: UInt64, lead: Int64) throws(SystemCallError) -> Bool {
    _ = try EventCounter.takeShared(event)
    // From the time that was due: a camera with just this rate loses none by a little lateness.
    let interval = 1_000_000_000 / Self.mostFramesPerSecond
    nextTime = max(nextTime + interval, now)
    return show(lead: lead)
  }

  private func show(lead: Int64) -> Bool {
    guard let frame = ring.hold() else { return false }
    hasFrame = true
    let now = MonotonicClock.now
    held = frame
    output?.show(frame)
    // Of what nobody is shown there is nothing to say.
    if output?.isOpen == true { note(frame, now, lead) } else { held = nil }
    letGo()
    return true
  }

  /// Notes how old a frame is. A time that the extension's clock has not shown yet, or long ago, is a word that means
  /// nothing.
  private func note(_ frame: PreviewRing.Frame, _ now: UInt64, _ lead: Int64) {
    let now = now &+ UInt64(bitPattern: lead)
    guard frame.timestamp <= now, now - frame.timestamp < Self.longestLatency else { return }
    latency.note(now - frame.timestamp)
  }

  /// Goes on showing what did not fit.
  func flush() {
    output?.flush()
    letGo()
  }

  /// What the person wants who has a hand on where it is shown, once; nil: nothing.
  func takeCommand() -> SessionCommand? { output?.takeCommand() }

  /// The session is over: what is newest is shown, and what waits is written as far as it is taken.
  func finish(lead: Int64) {
    flush()
    if let output, !output.isBusy { _ = show(lead: lead) }
    output?.tell(.ended)
    output?.finish()
    letGo()
    desk = nil
  }

  /// Lets other processes of this user look, too, once there is something to see: by a socket in the session's directory.
  /// Where none can be made there is nothing to look at, and the session goes on.
  func openDesk(_ places: SessionPlaces) {
    guard desk == nil, hasFrame else { return }
    desk = try? ViewfinderDesk.open(
      SessionPlaces.viewfinderSocketName,
      in: places.directory,
      ring: ring.descriptor.rawValue
    )
  }

  /// Answers who wants to look.
  func answer(lead: Int64) { desk?.answer(ViewfinderOffer(geometry: ring.geometry, lead: lead)) }

  /// Gives a frame back to the extension that has gone out whole, or that nobody is shown.
  private func letGo() {
    guard output?.isBusy != true else { return }
    if let frame = held, !ring.isIntact(frame) { torn += 1 }
    held = nil
    ring.letGo()
  }
}

extension PreviewFeed {
  /// The latency as a record has it; nil if nobody was shown a frame.
  var recordedLatency: SessionRecord.Latency? {
    guard let median = latency.percentile(50), let most = latency.percentile(99) else { return nil }
    return SessionRecord.Latency(
      frames: Int64(clamping: latency.count),
      median: Int64(clamping: median / 1000),
      most: Int64(clamping: most / 1000),
      torn: Int64(clamping: torn)
    )
  }
}
