// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives
internal import Refusals
internal import SandboxLaunch
internal import SessionStore

/// Drives one session: waits for events, passes them to the state machine, and performs its actions.
///
/// A driver is an event loop on the thread that calls ``run(_:settling:)``. The thread must not belong to a
/// thread pool, because the loop blocks.
struct SessionDriver: ~Copyable {
  var machine: SessionMachine
  let process: SandboxedProcess
  let wiring: SessionWiring
  let refusals: RefusalSupervisor?
  /// Reports refusals while the session runs, or `nil` if they are reported at its end.
  var refusalNotices: RefusalNotices?
  /// The observer of the session, or `nil` for none.
  var observer: (any SessionObserving)?
  /// The number of kinds of refusals that the observer has received.
  private var observedRefusals = 0
  var control: any SessionControl
  /// The commands from the keys of input devices.
  var keys: (any SessionControl)?
  /// Whether the keys were last notified that the extension receives presses.
  var areKeysActive = false
  let signals: HostSignals?
  let places: Directories
  let dependencies: SessionDependencies
  let contextWatch: ChangeNotifier?
  /// The running authentication of the user.
  var authentication: (any AuthenticationAttempt)?
  /// The reasons for unplayed sounds that were logged.
  var loggedSoundFailures: Set<SoundFailure> = []
  /// The time of the next measurement of the content, in ``MonotonicClock`` nanoseconds.
  var nextMeasurement: UInt64
  var measurementSchedule: ContentMeasurementSchedule
  var meters: Meters
  /// Whether every process has exited.
  var hasExited = false
  /// Monitors the debugger, if the session was launched for one.
  let debugger: DebuggerMonitor?
  /// The uses of the camera and the microphone.
  var uses: DeviceUseLedger

  /// The directories of the session.
  struct Directories {
    /// The app of the session.
    let app: AppStore
    /// The ID of the session.
    let session: SessionID
    /// The directory of the extension on the host, or `nil` if the extension is a single program.
    let bundle: String?

    /// The paths of the session.
    var all: SessionPaths { app.root.session(session) }
    /// The app context.
    var context: AppContextStore { AppContextStore(app) }
  }

  /// The meters of a session's resources, and the limits that they are compared with.
  struct Meters {
    /// The limit of the content at which the session is terminated.
    let limit: ContentLimit
    /// The meter of the session's processes.
    let processes: ProcessTreeMeter
    /// The meter of files that have no name any longer.
    let unlinkedFiles: UnlinkedFileMeter
    /// The scratch space on disk, or `nil` if it is a tmpfs.
    let scratch: ScratchSpace?
    /// Prevents files from growing while no space is left.
    var fileSizeLimiter: FileSizeLimiter
    /// The space of the file system that must stay free, in bytes.
    let freeReserve: Int64
  }

  /// Creates a driver for a started session.
  init(
    machine: SessionMachine,
    process: consuming SandboxedProcess,
    wiring: SessionWiring,
    meters: Meters,
    refusals: RefusalSupervisor?,
    control: any SessionControl,
    signals: HostSignals?,
    places: Directories,
    dependencies: SessionDependencies,
    debugger: DebuggerMonitor?
  ) {
    self.machine = machine
    self.process = process
    self.wiring = wiring
    self.refusals = refusals
    self.control = control
    self.signals = signals
    self.places = places
    self.dependencies = dependencies
    keys = dependencies.keys
    self.meters = meters
    self.debugger = debugger
    uses = DeviceUseLedger(DeviceUseFile(places.all))
    measurementSchedule = ContentMeasurementSchedule(meters.limit)
    nextMeasurement = MonotonicClock.now + ContentMeasurementSchedule.minimumInterval
    // Only an extension with messages can be notified. Without a watch, the extension still reads the current
    // context on request.
    contextWatch = wiring.channel == nil ? nil : try? ChangeNotifier()
    try? contextWatch?.acknowledge([places.context.directory])
  }

  var channel: MessageChannel? { wiring.channel }
  /// The output of the extension.
  var output: OutputLog? { wiring.output }
  /// The frames.
  var camera: CameraFeed { wiring.camera }
  /// The viewfinder.
  var preview: PreviewFeed? { wiring.preview }

  /// The result of a session that was driven to its end. No process of the session is left.
  struct Result {
    var outcome: SessionOutcome
    /// The number of the newest frame that the extension has reported as shown.
    var presentedFrame: UInt64
    /// The refused calls.
    var refusals: RefusalLedger
    /// The number of refusals that were explained while the session ran.
    var explainedRefusals: Int
    /// The camera controls at the end.
    var cameraControls: [CameraControl]
    /// The debugging entry of the session record.
    var debugging: SessionRecord.Debugging?
    /// The uses of the camera and the microphone.
    var uses: [SessionRecord.Use]
  }

  /// Runs the session to its end. A failure of the host is an outcome. An error means that the session could
  /// not be terminated.
  ///
  /// `journal` becomes durable while the extension reads its first message, and before it receives anything
  /// else.
  consuming func run(
    _ start: SessionStart,
    settling journal: LaunchJournal? = nil
  ) throws(SystemCallError) -> Result {
    if camera.isStream { beginUse(.camera) }
    notifyLaunch(at: MonotonicClock.now)
    perform(machine.begin(start))
    do throws(SystemCallError) {
      try journal?.write()
      while !(try runIteration()) {}
    } catch { perform(machine.hostFailed(error)) }
    authentication?.cancel()
    keys?.setReceivingPresses(false)
    dependencies.orientation?.end()
    camera.stop()
    noteCameraFaults()
    wiring.sound?.stop()
    let used = uses.finish()
    preview?.finish(lead: camera.extensionClockLead)
    channel?.closeOutput()
    if let violation = meters.processes.finish() { perform(machine.exceeded(violation)) }
    hasExited = true
    measure()
    // Copied before `process.reap()` consumes the driver's process.
    let (outcome, output, refusals) = (machine, wiring.output, refusals)
    let explained = refusalNotices?.explained ?? 0
    var (last, watcher) = (snapshot, control)
    let ending = try process.reap()
    try output?.drain()
    (last.stage, last.log) = (.exited, output?.transcript ?? [])
    if watcher.wantsSnapshots { watcher.observe(last, at: MonotonicClock.now) }
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

  /// Reports new kinds of refusals to the observer.
  mutating func reportRefusals() {
    guard let observer, let refusals else { return }
    for entry in refusals.entries(from: observedRefusals) {
      observedRefusals += 1
      observer.refused(SessionRecord.Refusal(entry))
    }
  }

  /// Measures the session directory. The last measurement is made when no process can write to it.
  mutating func measure() {
    nextMeasurement = MonotonicClock.now + ContentMeasurementSchedule.maximumInterval
    // Processor time instead of wall-clock time: a session that occupies every processor must not reduce the
    // rate of the measurements.
    let began = MonotonicClock.threadTime
    // A directory that cannot be measured now is measured again soon, and verified at the end.
    guard var usage = try? ContentMeter.measure(places.all.contentDirectory, limit: meters.limit) else {
      return
    }
    let scratchUsage = meters.scratch?.measure()
    // The scan for unlinked files has its own schedule, so its cost is not included.
    let cost = MonotonicClock.threadTime - began
    let named = usage.allocatedBytes + (scratchUsage?.allocated ?? 0)
    // At the end, no process is left that could hold unlinked files.
    let nameless =
      hasExited || machine.isEnding ? 0 : meters.unlinkedFiles.measure(below: process.processID, named: named)
    if nameless > 0,
      ContentLimit(bytes: meters.limit.bytes - min(nameless, meters.limit.bytes)).isExceeded(by: usage)
    {
      // A file that was unlinked between the two measurements would count twice.
      guard let again = try? ContentMeter.measure(places.all.contentDirectory, limit: meters.limit) else {
        return
      }
      if again.bytes < usage.bytes { usage = again }
    }
    nextMeasurement =
      MonotonicClock.now + measurementSchedule.interval(after: usage.adding(nameless), cost: cost)
    perform(
      machine.measured(
        bytes: Int(usage.bytes),
        files: Int(usage.entries),
        nameless: Int(nameless),
        largest: nameless > 0 ? meters.unlinkedFiles.largest : nil,
        doubt: nameless > 0 ? meters.unlinkedFiles.uncertainty : nil
      )
    )
    reserveSpace(for: usage)
    updateAvailableSpace(usage.adding(nameless))
    guard let scratch = meters.scratch, let scratchUsage else { return }
    perform(machine.measuredScratch(bytes: scratchUsage.bytes, files: scratchUsage.files, of: scratch))
  }
}

extension SessionDriver {
  /// Reserves the space that the migration of this content requires.
  ///
  /// If the space is unavailable and the existing reserve is too small, the session ends now. Its captures
  /// can then still be migrated.
  mutating func reserveSpace(for usage: ContentUsage) {
    guard !machine.isEnding, usage.entries > 0 else { return }
    do throws(StoreError) {
      try SpaceReserve(places.all).grow(for: usage, isFinal: hasExited, keeping: meters.freeReserve)
    } catch {
      // An extension that exited by itself keeps its outcome.
      if !hasExited { perform(machine.reserveRefused(error)) }
    }
  }

  /// Updates the state machine with the space that is left for content, by quota and on the file system.
  mutating func updateAvailableSpace(_ usage: ContentUsage) {
    guard !hasExited else { return }
    let free = (try? FileSystem.freeSpace(places.all.directory)).map {
      Int64(clamping: $0) - meters.freeReserve
    }
    perform(machine.spaceMeasured(usage, disk: dependencies.space?.free ?? free ?? .max))
  }
}
