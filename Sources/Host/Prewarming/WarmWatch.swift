// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

/// Looks after an extension that waits: whether it is what was started, and does nothing but wait.
struct WarmWatch {
  /// What a launch has to be for.
  private let key: WarmKey
  private let shown: ShownPaths
  /// When it is too old, in ``MonotonicClock`` nanoseconds.
  private let expiry: UInt64
  private let places: SessionPlaces
  private let process: (number: Int32, handle: Int32)
  private let wiring: SessionWiring
  private let refusals: RefusalSupervisor?
  private let meter: TreeMeter
  private let nameless: NamelessMeter
  /// The bytes that the policy grants to a session.
  private let sessionBytes: Int64
  /// How much of the file system is nobody's to take.
  private let freeReserve: Int64
  /// When its program's files are looked at next, and when what it has made is.
  private var next: (look: UInt64, measurement: UInt64)

  /// How often the files are looked at that it was started from, in nanoseconds.
  private static let interval: UInt64 = 2_000_000_000

  /// Begins to look after what was started.
  init(
    _ key: WarmKey,
    _ shown: ShownPaths,
    _ places: SessionPlaces,
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
    nameless = started.nameless
    sessionBytes = Int64(request.mostBytes)
    freeReserve = request.room.freeReserve
  }

  /// What happens to an extension that waits, in the order in which it is looked at.
  private enum Sign: CaseIterable {
    /// It has ended.
    case end
    /// It sends messages, or has closed its end.
    case messages
    /// It says that it has drawn something.
    case preview
    /// It says that it has finished with frames.
    case frames
    /// It makes too many refused calls.
    case refusals
    /// It writes to its standard output or error.
    case output
  }

  /// The descriptors on which something happens when it does what it must not, or writes.
  var watched: [Int32] { Sign.allCases.map(descriptor) }

  private func descriptor(_ sign: Sign) -> Int32 {
    let descriptor: Int32? =
      switch sign {
      case .end: process.handle
      case .messages: wiring.channel?.readable
      case .preview: wiring.preview?.readable(at: .max)
      case .frames: wiring.camera.finished
      case .refusals: refusals?.flooded.rawValue
      case .output: wiring.output?.readable
      }
    return descriptor ?? -1
  }

  /// When it has to be looked at.
  var nextMoment: UInt64 { min(expiry, next.look, next.measurement, meter.nextMoment) }
}

extension WarmWatch {
  /// Why it must not be launched any more; nil: it may. What takes time is looked at only when it is time to.
  mutating func fault(at now: UInt64) -> WarmEnd? {
    if now >= expiry { return .expired }
    if let fault = sign { return fault }
    if meter.measure(at: now) != nil { return .exceeded }
    if now >= next.measurement {
      next.measurement = now + ContentPace.longest
      if let fault = contentFault ?? spaceFault { return fault }
    }
    guard now >= next.look else { return nil }
    next.look = now + Self.interval
    return key.isCurrent && shown.isCurrent ? nil : .changed
  }

  /// Why it must not be launched now; nil: it may.
  mutating func launchFault() -> WarmEnd? {
    if MonotonicClock.now >= expiry { return .expired }
    // What it may have made is looked at last.
    return sign ?? (shown.isCurrent ? contentFault : .changed)
  }

  /// What its descriptors say.
  private var sign: WarmEnd? {
    guard let found = try? Poller.wait(watched.map { ($0, .readable) }, until: 0) else { return .died }
    for (sign, readiness) in zip(Sign.allCases, found) where !readiness.isEmpty {
      if let end = end(sign, readiness) { return end }
    }
    return nil
  }

  private func end(_ sign: Sign, _ readiness: Readiness) -> WarmEnd? {
    switch sign {
    case .end: .died
    // Whoever ends closes everything a moment before.
    case .messages: readiness.contains(.readable) ? .spoke : .died
    // After the launch either would pass for a picture, and the watchdog waits for one.
    case .preview, .frames: .spoke
    case .refusals: .exceeded
    case .output: drain()
    }
  }

  /// Takes what it writes into its log, so that no full pipe keeps it from getting ready, and nobody is shown it as if it
  /// had been written after the launch. What is more than the log may have ends it: nobody else would ever stop it.
  private func drain() -> WarmEnd? {
    guard let output = wiring.output else { return nil }
    do throws(SystemCallError) { try output.receive() } catch { return .died }
    return output.isTruncated ? .exceeded : nil
  }

  /// What its session directory says.
  private var contentFault: WarmEnd? { places.hasContent() ? .wrote : nil }

  /// What it has there without a name, and what its file system has left.
  private var spaceFault: WarmEnd? {
    let bytes = nameless.measure(below: process.number, named: 0)
    if nameless.use.seen > 0 || nameless.use.unsized > 0 { return .wrote }
    // What cannot be seen counts as much as it can be, and then others' files do, too.
    if bytes > sessionBytes { return .exceeded }
    guard let free = try? FileSystem.freeSpace(places.directory) else { return nil }
    return Int64(clamping: free) <= freeReserve ? .full : nil
  }
}
