// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
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
  let wiring: SessionWiring
  let refusals: RefusalSupervisor?
  /// Reports refusals while the session goes on; nil: nobody asked for that.
  var refusalNotices: RefusalNotices?
  var control: any SessionControl
  /// The keys of input devices.
  var keys: (any SessionControl)?
  /// Whether the keys were told that the extension hears them.
  var areKeysHeard = false
  let signals: HostSignals?
  let places: Places
  let surroundings: SessionSurroundings
  let contextWatch: ChangeNotice?
  /// The person is being asked who they are.
  var authentication: (any AuthenticationAttempt)?
  /// The reasons for which sounds were not played that the log has named.
  var namedSoundFailures: Set<SoundFailure> = []
  var nextMeasurement: UInt64
  let limit: ContentLimit
  var pace: ContentPace
  let meter: TreeMeter
  let nameless: NamelessMeter
  let scratch: ScratchSpace?
  /// Keeps files from growing where there is no room.
  var growth: GrowthValve
  /// How much of the file system is nobody's to take.
  let freeReserve: Int64
  /// Whether every process is gone, so that nothing can be asked of the extension any more.
  var isOver = false
  /// Looks for a debugger, where one was asked for.
  let debugger: DebuggerWatch?
  /// When the camera and the microphone were used.
  var uses: UseLedger

  /// What of the store belongs to the session.
  struct Places {
    /// The session's app.
    let app: AppStore
    /// The session.
    let session: SessionID
    /// The extension's own directory on the host; nil: it is a single program.
    let bundle: String?

    /// Where everything of the session is.
    var all: SessionPlaces { app.root.session(session) }
    /// The app context.
    var context: AppContextStore { AppContextStore(app) }
  }

  /// What a driver drives.
  init(
    machine: SessionMachine,
    process: consuming SandboxedProcess,
    wiring: SessionWiring,
    refusals: RefusalSupervisor?,
    control: any SessionControl,
    signals: HostSignals?,
    places: Places,
    surroundings: SessionSurroundings,
    limit: ContentLimit,
    meter: TreeMeter,
    nameless: NamelessMeter,
    scratch: ScratchSpace? = nil,
    growth: GrowthValve,
    freeReserve: Int64,
    debugger: DebuggerWatch? = nil
  ) {
    self.machine = machine
    self.process = process
    self.wiring = wiring
    self.refusals = refusals
    self.control = control
    self.signals = signals
    self.places = places
    self.surroundings = surroundings
    keys = surroundings.keys
    self.limit = limit
    self.scratch = scratch
    self.growth = growth
    self.freeReserve = freeReserve
    self.debugger = debugger
    uses = UseLedger(UseNotes(places.all))
    pace = ContentPace(limit)
    self.meter = meter
    self.nameless = nameless
    nextMeasurement = MonotonicClock.now + ContentPace.shortest
    // Only an extension that talks can be told. Without a watch it still reads what is there when it asks.
    contextWatch = wiring.channel == nil ? nil : try? ChangeNotice()
    try? contextWatch?.acknowledge([places.context.directory])
  }

  /// The host's ends of the two pipes.
  var channel: MessageChannel? { wiring.channel }
  /// What the extension writes.
  var output: OutputLog? { wiring.output }
  /// The frames.
  var camera: CameraFeed { wiring.camera }
  /// The viewfinder.
  var preview: PreviewFeed? { wiring.preview }

  /// How a session was driven to its end: no process of it is left.
  struct Result {
    /// Why it ended.
    var outcome: SessionOutcome
    /// The newest frame that the extension says it has shown.
    var presentedFrame: UInt64
    /// What it was refused.
    var refusals: RefusalLedger
    /// How many of the refusals were explained while it ran.
    var explainedRefusals: Int
    /// Its camera controls at the end.
    var cameraControls: [CameraControl]
    /// What the record says of debuggers.
    var debugging: SessionRecord.Debugging?
    /// Which cameras and microphones were used.
    var uses: [SessionRecord.Use]
  }

  /// Runs the session to its end. That the host fails on the way is an outcome; an error is that it can't be ended.
  ///
  /// `journal` becomes durable while the extension reads its first message, and before it gets anything more.
  consuming func run(
    _ start: SessionStart,
    settling journal: BegunJournal? = nil
  ) throws(SystemCallError) -> Result {
    if camera.isStream { beginUse(.camera) }
    tellLaunch(at: MonotonicClock.now)
    perform(machine.begin(start))
    do throws(SystemCallError) {
      try journal?.settle()
      while !(try turn()) {}
    } catch { perform(machine.hostFailed(error)) }
    authentication?.cancel()
    keys?.listen(false)
    camera.stop()
    noteCameraFaults()
    wiring.sound?.stop()
    let used = uses.finish()
    preview?.finish(lead: camera.extensionsLead)
    channel?.closeOutput()
    if let violation = meter.finish() { perform(machine.exceeded(violation)) }
    isOver = true
    measure()
    // What is needed after the processes are given away.
    let (outcome, output, refusals) = (machine, wiring.output, refusals)
    let explained = refusalNotices?.explained ?? 0
    var (last, watcher) = (sight, control)
    let ending = try process.reap()
    try output?.drain()
    (last.stage, last.log) = (.over, output?.transcript ?? [])
    if watcher.isWatching { watcher.see(last, at: MonotonicClock.now) }
    return Result(
      outcome: outcome.outcome(ending.status),
      presentedFrame: outcome.presentedFrame,
      refusals: refusals?.finish() ?? RefusalLedger(),
      explainedRefusals: explained,
      cameraControls: outcome.cameraControls.list,
      debugging: outcome.debugging,
      uses: used
    )
  }

  /// Measures the session directory; the last time when nobody can write to it any more.
  mutating func measure() {
    nextMeasurement = MonotonicClock.now + ContentPace.longest
    // Not the time on the clock: a session that spins on every processor must not make the host look less often.
    let began = MonotonicClock.threadTime
    // A directory that cannot be measured now is measured again soon, and verified at the end.
    guard var usage = try? ContentMeter.measure(places.all.contentDirectory, limit: limit) else { return }
    let scratched = scratch?.measure()
    // Looking for files without a name has a pace of its own.
    let cost = MonotonicClock.threadTime - began
    let named = usage.allocatedBytes + (scratched?.allocated ?? 0)
    // No process is left in the end that could keep any.
    let nameless =
      isOver || machine.isEnding ? 0 : self.nameless.measure(below: process.processID, named: named)
    if nameless > 0, ContentLimit(bytes: limit.bytes - min(nameless, limit.bytes)).isPassed(by: usage) {
      // A file that lost its name just now would count twice.
      guard let again = try? ContentMeter.measure(places.all.contentDirectory, limit: limit) else { return }
      if again.bytes < usage.bytes { usage = again }
    }
    nextMeasurement = MonotonicClock.now + pace.interval(after: usage.adding(nameless), cost: cost)
    perform(
      machine.measured(
        bytes: Int(usage.bytes),
        files: Int(usage.entries),
        nameless: Int(nameless),
        largest: nameless > 0 ? self.nameless.largest : nil,
        doubt: nameless > 0 ? self.nameless.doubt : nil
      )
    )
    setAside(for: usage)
    lookForRoom(usage.adding(nameless))
    guard let scratch, let scratched else { return }
    perform(machine.measuredScratch(bytes: scratched.bytes, files: scratched.files, of: scratch))
  }
}
