// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
package import LinuxPrimitives
internal import SessionStore

/// The viewfinder that an extension draws: read from its ring and shown on a display.
package final class PreviewFeed {
  /// The maximum number of frames per second that are taken, so that an extension cannot keep the host busy.
  private static let maximumFramesPerSecond: UInt64 = 60

  /// The longest duration that is recorded as a latency, in nanoseconds.
  private static let maximumLatency: UInt64 = 3_600_000_000_000

  private let ring: PreviewRing
  private let event: Descriptor
  private var output: (any PreviewDisplay)?
  private var nextTime: UInt64 = 0
  private var hasFrame = false
  /// The frame that is being shown.
  private var heldFrame: PreviewRing.Frame?
  /// The number of frames that the extension changed while they were shown.
  private(set) var torn: UInt64 = 0
  /// The server that gives other processes access to the ring, or `nil` before the first frame and after the
  /// end.
  private(set) var server: ViewfinderServer?
  /// The time from the capture of the frames by the camera to the start of their display.
  private(set) var latency = LatencyHistogram()

  private init(ring: PreviewRing, event: consuming Descriptor, output: (any PreviewDisplay)?) {
    self.ring = ring
    self.event = event
    self.output = output
    output?.begin(ring)
  }

  /// Creates a feed with a new ring, which `output` shows.
  package static func make(
    _ geometry: FrameRingGeometry,
    showing output: (any PreviewDisplay)?
  ) throws(SystemCallError) -> PreviewFeed {
    PreviewFeed(ring: try PreviewRing.make(geometry), event: try EventCounter.make(), output: output)
  }

  /// Sets the display of the ring.
  func show(on output: any PreviewDisplay) {
    self.output = output
    output.begin(ring)
  }

  /// The descriptors that are passed to the extension.
  var descriptors: [(name: InheritedDescriptor, descriptor: Int32)] {
    [(.preview, ring.descriptor.rawValue), (.previewEvent, event.rawValue)]
  }

  /// The descriptor to poll for frames, or `nil` while no frame is wanted.
  ///
  /// No frame is wanted too soon after the last one, while a frame is being shown, or after the first frame
  /// if there is no display.
  package func readable(at now: UInt64) -> Int32? {
    guard wantsFrame else { return nil }
    return now < nextTime ? nil : event.rawValue
  }

  /// The time at which ``readable(at:)`` changes, or `nil`.
  package func nextDeadline(at now: UInt64) -> UInt64? {
    guard wantsFrame else { return nil }
    return now < nextTime ? nextTime : nil
  }

  private var wantsFrame: Bool {
    guard let output, output.isOpen else { return !hasFrame }
    return !output.isBusy
  }

  /// The descriptor to poll for space, or `nil` if no data is waiting to be shown.
  var writable: Int32? { output?.writable }

  /// The descriptor to poll for events of the display, or `nil` if there are none.
  var readableDisplay: Int32? { output?.readable }

  /// The state that was last reported to the display.
  private var state = PreviewState.starting

  /// Reports a change of the session's state to the display.
  func note(isEnding: Bool) {
    let now: PreviewState = isEnding ? .ending : hasFrame ? .running : .starting
    guard now != state else { return }
    state = now
    output?.stateChanged(now)
  }

  /// Notifies the display whether contacts with the picture reach the extension.
  func setReceivingPointer(_ isReceiving: Bool) { output?.setReceivingPointer(isReceiving) }

  /// Takes the newest frame and starts to show it. Returns whether there was a frame.
  ///
  /// `lead` is the difference between the extension's clock and the host's clock, in nanoseconds.
  func take(at now: UInt64, lead: Int64) throws(SystemCallError) -> Bool {
    _ = try EventCounter.takeShared(event)
    // Counted from the due time, so that a camera with exactly this rate loses no frame by being slightly
    // late.
    let interval = 1_000_000_000 / Self.maximumFramesPerSecond
    nextTime = max(nextTime + interval, now)
    return show(lead: lead)
  }

  private func show(lead: Int64) -> Bool {
    guard let frame = ring.hold() else { return false }
    hasFrame = true
    let now = MonotonicClock.now
    heldFrame = frame
    output?.show(frame)
    // No latency is recorded without a display.
    if output?.isOpen == true { note(frame, now, lead) } else { heldFrame = nil }
    release()
    return true
  }

  /// Records the latency of a frame. An implausible timestamp, in the future or long ago, is ignored.
  private func note(_ frame: PreviewRing.Frame, _ now: UInt64, _ lead: Int64) {
    let now = now &+ UInt64(bitPattern: lead)
    guard frame.timestamp <= now, now - frame.timestamp < Self.maximumLatency else { return }
    latency.note(now - frame.timestamp)
  }

  /// Continues to write data that did not fit.
  func flush() {
    output?.flush()
    release()
  }

  /// Returns the next command from the user at the display, or `nil` if there is none.
  func takeCommand() -> SessionCommand? { output?.takeCommand() }

  /// Ends the viewfinder: shows the newest frame, and writes the remaining data as far as the reader takes
  /// it.
  func finish(lead: Int64) {
    flush()
    if let output, !output.isBusy { _ = show(lead: lead) }
    output?.stateChanged(.ended)
    output?.finish()
    release()
    server = nil
  }

  /// Gives other processes of this user access to the ring through a socket in the session's directory, once
  /// there is a frame.
  ///
  /// If the socket cannot be created, the session continues without it.
  func openServer(_ places: SessionPaths) {
    guard server == nil, hasFrame else { return }
    server = try? ViewfinderServer.open(
      SessionPaths.viewfinderSocketName,
      in: places.directory,
      ring: ring.descriptor.rawValue
    )
  }

  /// Answers the clients of the viewfinder socket.
  func answer(lead: Int64) { server?.answer(ViewfinderDescription(geometry: ring.geometry, lead: lead)) }

  /// Returns the frame to the extension if it was shown completely, or if there is no display.
  private func release() {
    guard output?.isBusy != true else { return }
    if let frame = heldFrame, !ring.isIntact(frame) { torn += 1 }
    heldFrame = nil
    ring.release()
  }
}

extension PreviewFeed {
  /// The latency for the session record, or `nil` if no frame was shown.
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
