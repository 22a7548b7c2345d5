// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import Refusals
internal import SandboxLaunch
internal import SessionStore

/// Drives one session: waits for what happens, tells the machine, and does what it wants.
///
/// One driver is one loop on the thread that calls ``run(_:)``, which must be a plain one: it waits.
struct SessionDriver: ~Copyable {
  var machine: SessionMachine
  let process: SandboxedProcess
  let channel: MessageChannel?
  let output: OutputLog?
  let camera: CameraFeed
  let refusals: RefusalSupervisor?
  var control: any SessionControl
  let signals: HostSignals?
  let context: AppContextStore
  let contentPath: String
  private let contextWatch: DirectoryWatch?
  private var nextMeasurement: UInt64
  private let limit: ContentLimit
  private var pace: ContentPace
  private let meter: TreeMeter
  private let nameless: NamelessMeter
  private let scratch: ScratchSpace?

  /// What a driver drives.
  init(
    machine: SessionMachine,
    process: consuming SandboxedProcess,
    channel: MessageChannel?,
    output: OutputLog?,
    camera: CameraFeed,
    refusals: RefusalSupervisor?,
    control: any SessionControl,
    signals: HostSignals?,
    context: AppContextStore,
    contentPath: String,
    limit: ContentLimit,
    meter: TreeMeter,
    nameless: NamelessMeter,
    scratch: ScratchSpace? = nil
  ) {
    self.machine = machine
    self.process = process
    self.channel = channel
    self.output = output
    self.camera = camera
    self.refusals = refusals
    self.control = control
    self.signals = signals
    self.context = context
    self.contentPath = contentPath
    self.limit = limit
    self.scratch = scratch
    pace = ContentPace(limit)
    self.meter = meter
    self.nameless = nameless
    nextMeasurement = MonotonicClock.now + ContentPace.shortest
    // Only an extension that talks can be told. Without a watch it still reads what is there when it asks.
    contextWatch = channel == nil ? nil : try? DirectoryWatch(context.directory)
  }

  /// How a session was driven to its end: no process of it is left.
  struct Result {
    /// Why it ended.
    var outcome: SessionOutcome
    /// The newest frame that the extension says it has shown.
    var presentedFrame: UInt64
    /// What it was refused.
    var refusals: RefusalLedger
  }

  /// Runs the session to its end. That the host fails on the way is an outcome; an error is that it can't be ended.
  consuming func run(_ start: SessionStart) throws(SystemCallError) -> Result {
    perform(machine.begin(start))
    do throws(SystemCallError) { while !(try turn()) {} } catch { perform(machine.hostFailed(error)) }
    camera.stop()
    channel?.closeOutput()
    if let violation = meter.finish() { perform(machine.exceeded(violation)) }
    measure()
    let outcome = machine
    let ending = try process.reap()
    try output?.drain()
    return Result(
      outcome: outcome.outcome(ending.status),
      presentedFrame: outcome.presentedFrame,
      refusals: refusals?.finish() ?? RefusalLedger()
    )
  }

  /// Waits for one thing to happen and handles everything that has. True: every process of the session is gone.
  private mutating func turn() throws(SystemCallError) -> Bool {
    let found = try Poller.wait(
      [
        (process.handle.descriptor.rawValue, .readable),
        (channel?.readable ?? -1, .readable),
        (channel?.writable ?? -1, .writable),
        (output?.readable ?? -1, .readable),
        (camera.ended ?? -1, .readable),
        (control.descriptor ?? -1, .readable),
        (signals?.descriptor.rawValue ?? -1, .readable),
        (contextDescriptor, .readable),
        // Once is enough: what it leads to ends the session.
        (machine.isEnding ? -1 : refusals?.flooded.rawValue ?? -1, .readable),
      ],
      until: nextDeadline
    )
    let now = MonotonicClock.now
    // What the extension said before it ended is heard before its end is.
    if !found[3].isEmpty { try output?.receive() }
    if !found[2].isEmpty { channel?.flush() }
    if !found[1].isEmpty { try receive(at: now) }
    if !found[0].isEmpty { return true }
    if !found[4].isEmpty {
      camera.acknowledgeEnd()
      perform(machine.cameraEnded(now: now))
    }
    if !found[5].isEmpty || (control.nextMoment ?? .max) <= now { command(at: now) }
    if !found[6].isEmpty { try takeSignals(at: now) }
    if !found[7].isEmpty { lookAtContext() }
    if !found[8].isEmpty { perform(machine.refusalsFlooded(refusals?.total ?? 0)) }
    try passTime(at: now)
    return false
  }

  private var nextDeadline: UInt64 {
    [machine.nextDeadline, control.nextMoment, channel?.lineDeadline, meter.nextMoment, nextMeasurement]
      .compactMap { $0 }.min() ?? nextMeasurement
  }

  private var contextDescriptor: Int32 {
    switch contextWatch {
    case .some(let watch): watch.descriptor.rawValue
    case .none: -1
    }
  }

  private mutating func lookAtContext() {
    switch contextWatch {
    case .some(let watch): _ = try? watch.changes()
    case .none: return
    }
    // Somebody may be writing it just now; the end of that is a change of its own.
    guard let found = try? context.get() else { return }
    perform(machine.contextChanged(found))
  }

  private mutating func receive(at now: UInt64) throws(SystemCallError) {
    for received in try channel?.receive(at: now) ?? [] {
      switch received {
      case .message(let message): perform(machine.received(message, now: now))
      case .violation(let violation): perform(machine.violated(violation))
      case .end: perform(machine.fellSilent(now: now))
      }
    }
  }

  private mutating func command(at now: UInt64) {
    for command in control.commands(at: now) { perform(machine.commanded(command, now: now)) }
  }

  private mutating func takeSignals(at now: UInt64) throws(SystemCallError) {
    guard let signals else { return }
    while let signal = try signals.next() {
      perform(machine.hostSignaled(signal, now: now))
    }
  }

  private mutating func passTime(at now: UInt64) throws(SystemCallError) {
    if let violation = channel?.lateLine(at: now) { perform(machine.violated(violation)) }
    perform(machine.timePassed(now: now))
    if let violation = meter.measure(at: now) { perform(machine.exceeded(violation)) }
    if now >= nextMeasurement { measure() }
  }

  /// Measures the session directory; the last time when nobody can write to it any more.
  private mutating func measure() {
    nextMeasurement = MonotonicClock.now + ContentPace.longest
    // Not the time on the clock: a session that spins on every processor must not make the host look less often.
    let began = MonotonicClock.threadTime
    // A directory that cannot be measured now is measured again soon, and verified at the end.
    guard var usage = try? ContentMeter.measure(contentPath, limit: limit) else { return }
    let scratched = scratch?.measure()
    // Looking for files without a name has a pace of its own.
    let cost = MonotonicClock.threadTime - began
    let named = usage.allocatedBytes + (scratched?.allocated ?? 0)
    let nameless = machine.isEnding ? 0 : nameless.measure(below: process.processID, named: named)
    if nameless > 0, ContentLimit(bytes: limit.bytes - min(nameless, limit.bytes)).isPassed(by: usage) {
      // A file that lost its name just now would count twice.
      guard let again = try? ContentMeter.measure(contentPath, limit: limit) else { return }
      if again.bytes < usage.bytes { usage = again }
    }
    nextMeasurement = MonotonicClock.now + pace.interval(after: usage.adding(nameless), cost: cost)
    perform(
      machine.measured(bytes: Int(usage.bytes), files: Int(usage.entries), nameless: Int(nameless))
    )
    guard let scratch, let scratched else { return }
    perform(machine.measuredScratch(bytes: scratched.bytes, files: scratched.files, of: scratch))
  }
}

// MARK: - Doing what the machine wants

extension SessionDriver {
  private mutating func perform(_ actions: [SessionAction]) {
    for action in actions { perform(action) }
  }

  private mutating func perform(_ action: SessionAction) {
    switch action {
    case .send(let message):
      if channel?.send(message) == false {
        perform(machine.violated(ProtocolViolation(.notReading)))
      }
    case .startCamera(let delivery): camera.start(delivery)
    case .stopCamera: camera.pause()
    case .beginControl: control.begin(at: MonotonicClock.now)
    case .readContext(let id): readContext(id)
    case .writeContext(let value, let id): writeContext(value, id)
    case .signal(let signal): try? process.signalExtension(signal)
    case .kill: try? process.kill()
    case .log(let level, let text): output?.note("[\(level.rawValue)] \(text)")
    }
  }

  private mutating func readContext(_ id: RequestID) {
    do throws(StoreError) {
      answer(Reply(id: id, result: ContextResult(context: try context.get() ?? .null)))
    } catch {
      answer(Reply(id: id, error: .internalError, "\(error)"))
    }
  }

  private mutating func writeContext(_ value: JSONValue, _ id: RequestID) {
    do {
      machine.contextIsKnown(value)
      if value.isNull {
        try context.clear()
        answer(Reply(id: id, result: ContextUpdateResult(bytes: 0)))
      } else {
        answer(Reply(id: id, result: ContextUpdateResult(bytes: try context.set(value))))
      }
    } catch .contextTooLarge(let bytes, _) {
      answer(Reply(id: id, .failure(.contextTooLarge(bytes: bytes))))
    } catch {
      answer(Reply(id: id, error: .internalError, "\(error)"))
    }
  }

  private mutating func answer(_ reply: Reply) { perform(.send(.reply(reply))) }
}
