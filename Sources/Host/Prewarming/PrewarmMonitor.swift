// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// Checks that a prewarmed extension is unchanged and idle.
struct PrewarmMonitor {
  /// The key that a request must match.
  private let key: PrewarmKey
  private let shown: ExposedPaths
  /// The time at which the extension expires, in ``MonotonicClock`` nanoseconds.
  private let expiry: UInt64
  private let places: SessionPaths
  private let process: (number: Int32, handle: Int32)
  private let wiring: SessionWiring
  private let refusals: RefusalSupervisor?
  private let meter: ProcessTreeMeter
  private let nameless: UnlinkedFileMeter
  /// The maximum size of the content, in bytes.
  private let sessionBytes: Int64
  /// The space of the file system that must stay free, in bytes.
  private let freeReserve: Int64
  /// The times of the next check of the program's files and of the next measurement.
  private var next: (look: UInt64, measurement: UInt64)

  /// The interval between two checks of the program's files, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Starts to monitor an extension.
  init(
    _ key: PrewarmKey,
    _ shown: ExposedPaths,
    _ places: SessionPaths,
    _ wiring: SessionWiring,
    _ started: borrowing StartedSession,
    _ request: SessionRequest,
    lifetime: UInt64
  ) {
    self.key = key
    self.shown = shown
    self.places = places
    self.wiring = wiring
    let now = MonotonicClock.now
    expiry = now + lifetime
    next = (now + Self.interval, now)
    process = (started.launch.process.processID, started.launch.process.handle.descriptor.rawValue)
    refusals = started.refusals
    meter = started.meter
    nameless = started.unlinkedFiles
    sessionBytes = Int64(request.maximumBytes)
    freeReserve = request.quota.freeReserve
  }

  /// An event of a prewarmed extension. The events are handled in this order.
  private enum Event: CaseIterable {
    /// The extension has exited.
    case end
    /// The extension has sent a message, or closed its end of the channel.
    case messages
    /// The extension has reported a drawn frame.
    case preview
    /// The extension has reported a consumed frame.
    case frames
    /// The extension made too many refused calls.
    case refusals
    /// The extension has written to its standard output or error.
    case output
  }

  /// The descriptors that become readable when the extension misbehaves or writes output.
  var watched: [Int32] { Event.allCases.map(descriptor) }

  private func descriptor(_ event: Event) -> Int32 {
    let descriptor: Int32? =
      switch event {
      case .end: process.handle
      case .messages: wiring.channel?.readable
      case .preview: wiring.preview?.readable(at: .max)
      case .frames: wiring.camera.finished
      case .refusals: refusals?.flooded.rawValue
      case .output: wiring.output?.readable
      }
    return descriptor ?? -1
  }

  /// The time of the next check, in ``MonotonicClock`` nanoseconds.
  var nextDeadline: UInt64 { min(expiry, next.look, next.measurement, meter.nextDeadline) }
}

extension PrewarmMonitor {
  /// Returns the reason why the extension must not be launched any longer, or `nil`. Expensive checks run
  /// only when they are due.
  mutating func fault(at now: UInt64) -> PrewarmEndReason? {
    if now >= expiry { return .expired }
    if let fault = event { return fault }
    if meter.measure(at: now) != nil { return .exceeded }
    if now >= next.measurement {
      next.measurement = now + ContentMeasurementSchedule.maximumInterval
      if let fault = contentFault ?? spaceFault { return fault }
    }
    guard now >= next.look else { return nil }
    next.look = now + Self.interval
    return key.isCurrent && shown.isCurrent ? nil : .changed
  }

  /// Returns the reason why the extension must not be launched now, or `nil`.
  mutating func launchFault() -> PrewarmEndReason? {
    if MonotonicClock.now >= expiry { return .expired }
    // The content is checked last, because the extension could write during the other checks.
    return event ?? (shown.isCurrent ? contentFault : .changed)
  }

  /// The reason that follows from the readable descriptors, or `nil`.
  private var event: PrewarmEndReason? {
    guard let found = try? Poller.wait(watched.map { ($0, .readable) }, until: 0) else { return .exited }
    for (event, readiness) in zip(Event.allCases, found) where !readiness.isEmpty {
      if let end = end(event, readiness) { return end }
    }
    return nil
  }

  private func end(_ event: Event, _ readiness: Readiness) -> PrewarmEndReason? {
    switch event {
    case .end: .exited
    // An exiting extension closes its descriptors before its exit is seen.
    case .messages: readiness.contains(.readable) ? .sentMessage : .exited
    // After the launch, either event would count as a frame, for which the watchdog waits.
    case .preview, .frames: .sentMessage
    case .refusals: .exceeded
    case .output: drain()
    }
  }

  /// Reads the output into the log.
  ///
  /// Reading prevents a full pipe from blocking the start, and keeps output from before the launch out of the
  /// terminal. Output beyond the log's limit ends prewarming, because nothing else limits the output of a
  /// prewarmed extension.
  private func drain() -> PrewarmEndReason? {
    guard let output = wiring.output else { return nil }
    do throws(SystemCallError) { try output.receive() } catch { return .exited }
    return output.isTruncated ? .exceeded : nil
  }

  /// The reason that follows from the content directory, or `nil`.
  private var contentFault: PrewarmEndReason? { places.hasContent() ? .wroteContent : nil }

  /// The reason that follows from unlinked files and from the free space, or `nil`.
  private var spaceFault: PrewarmEndReason? {
    let bytes = nameless.measure(below: process.number, named: 0)
    if nameless.use.measuredBytes > 0 || nameless.use.unsizedCount > 0 { return .wroteContent }
    // Files that cannot be inspected count at their upper bound, which includes the files of others.
    if bytes > sessionBytes { return .exceeded }
    guard let free = try? FileSystem.freeSpace(places.directory) else { return nil }
    return Int64(clamping: free) <= freeReserve ? .full : nil
  }
}
