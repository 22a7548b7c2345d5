// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

extension SessionDriver {
  /// The event sources of a driver, in the order of their handling. Messages and output of the extension are
  /// handled before its exit.
  private enum Source: Int, CaseIterable {
    /// Output of the extension.
    case output
    /// Space for messages.
    case channelSpace
    /// Messages of the extension.
    case messages
    /// The exit of every process.
    case process
    /// The end of the frames.
    case frames
    /// Replies of the camera.
    case cameraAnswers
    /// The end of the sound.
    case sound
    /// The permissions of the app, before the events that depend on them.
    case permissions
    /// The lock state of the machine.
    case lock
    /// The orientation of the machine.
    case orientation
    /// Commands of the control.
    case control
    /// Keys of input devices.
    case keys
    /// Signals to the host.
    case signals
    /// A terminal stop signal to the host.
    case terminalStop
    /// Changes of the app context.
    case context
    /// A flood of refused calls.
    case refusals
    /// The result of an authentication.
    case authentication
    /// Replies of the photo library.
    case photoAnswers
    /// Changes of the photo library.
    case photos
    /// Frames of the viewfinder.
    case preview
    /// Space for frames of the viewfinder.
    case previewSpace
    /// Events of the display of the viewfinder.
    case previewEvents
    /// Clients of the viewfinder socket.
    case previewClients
  }

  /// The interval, in nanoseconds, at which consumed frames are polled while the watchdog waits for the first
  /// one.
  private static let consumptionInterval: UInt64 = 20_000_000

  /// Waits for events and handles them. Returns `true` when every process of the session has exited.
  mutating func runIteration() throws(SystemCallError) -> Bool {
    let before = MonotonicClock.now
    var watched: [(descriptor: Int32, interest: Readiness)] = []
    for source in Source.allCases {
      let isRoom = source == .channelSpace || source == .previewSpace
      watched.append((descriptor(of: source, at: before), isRoom ? .writable : .readable))
    }
    let found = try Poller.wait(watched, until: nextDeadline(at: before))
    let now = MonotonicClock.now
    for source in Source.allCases where !found[source.rawValue].isEmpty {
      if source == .process { return true }
      try handle(source, at: now)
    }
    if control.wantsSnapshots { control.observe(snapshot, at: now) }
    if (control.nextDeadline ?? .max) <= now { command(at: now) }
    try handleElapsedTime(at: now)
    updateKeys()
    preview?.note(isEnding: machine.hasBegunToEnd)
    preview?.setReceivingPointer(machine.receivesPointer)
    return false
  }

  private func descriptor(of source: Source, at now: UInt64) -> Int32 {
    let descriptor: Int32? =
      switch source {
      case .output: output?.readable
      case .channelSpace: channel?.writable
      case .messages: channel?.readable
      case .process: process.handle.descriptor.rawValue
      case .frames: camera.ended
      case .cameraAnswers: camera.adjuster?.descriptor
      case .sound: wiring.sound?.ended
      case .permissions: dependencies.permissions.descriptor
      case .lock: dependencies.lock.descriptor
      case .orientation: dependencies.orientation?.descriptor
      case .control: control.descriptor
      case .keys: keys?.descriptor
      case .signals: signals?.descriptor.rawValue
      case .terminalStop: dependencies.terminalStop?.readable
      case .context: contextWatch?.descriptor
      // Handled once, because a flood ends the session.
      case .refusals: machine.isEnding ? nil : refusals?.flooded.rawValue
      case .authentication: authentication?.descriptor
      case .photoAnswers: dependencies.photos?.answers
      case .photos: dependencies.photos?.descriptor
      case .preview: preview?.readable(at: now)
      case .previewSpace: preview?.writable
      case .previewEvents: preview?.readableDisplay
      case .previewClients: preview?.server?.readable
      }
    return descriptor ?? -1
  }

  private func nextDeadline(at now: UInt64) -> UInt64 {
    [
      machine.nextDeadline, control.nextDeadline, machine.areDeadlinesSuspended ? nil : channel?.lineDeadline,
      meters.processes.nextDeadline, nextMeasurement, debugger?.nextDeadline,
      preview?.nextDeadline(at: now), machine.isWaitingForConsumption ? now + Self.consumptionInterval : nil,
    ]
    .compactMap { $0 }.min() ?? nextMeasurement
  }

  private mutating func handle(_ source: Source, at now: UInt64) throws(SystemCallError) {
    switch source {
    case .output: try output?.receive()
    case .channelSpace: channel?.flush()
    case .messages: try receive(at: now)
    case .process: break
    case .frames:
      camera.acknowledgeEnd()
      uses.end(.camera)
      let detail = camera.failure.map { "\($0)" }
      perform(machine.cameraEnded(camera.endingReason, because: detail, now: now))
    case .cameraAnswers: takeCameraAnswers()
    case .sound:
      guard let sound = wiring.sound else { break }
      sound.acknowledgeEnd()
      uses.end(.microphone)
      perform(machine.microphoneEnded(sound.ending))
    case .permissions:
      dependencies.permissions.refresh()
      perform(machine.permissionsChanged(dependencies.permissions.permissions, now: now))
    case .lock:
      dependencies.lock.refresh()
      perform(machine.lockChanged(dependencies.lock.state, now: now))
    case .orientation:
      guard let orientation = dependencies.orientation?.takeChange() else { break }
      perform(machine.commanded(.orientation(orientation), now: now))
    case .control: command(at: now)
    case .keys: for command in keys?.commands(at: now) ?? [] { perform(machine.commanded(command, now: now)) }
    case .signals: try handleSignals(at: now)
    case .terminalStop: try dependencies.terminalStop?.take()
    case .context: handleContextChange()
    case .refusals: perform(machine.refusalsFlooded(refusals?.total ?? 0))
    case .authentication: takeAuthentication(at: now)
    case .photoAnswers: takePhotoAnswers()
    case .photos: takePhotoChange()
    case .preview:
      if try preview?.take(at: now, lead: camera.extensionClockLead) == true {
        preview?.openServer(places.all)
        perform(machine.viewfinderPresented(now: now))
      }
    case .previewSpace, .previewEvents:
      preview?.flush()
      while let command = preview?.takeCommand() { perform(machine.commanded(command, now: now)) }
    case .previewClients: preview?.answer(lead: camera.extensionClockLead)
    }
  }

  private mutating func handleContextChange() {
    do throws(SystemCallError) { try contextWatch?.acknowledge([places.context.directory]) } catch { return }
    // A process may be writing the context now; the end of the write is another change.
    guard let found = try? places.context.get() else { return }
    perform(machine.contextChanged(found))
  }

  private mutating func receive(at now: UInt64) throws(SystemCallError) {
    for received in try channel?.receive(at: now) ?? [] {
      switch received {
      case .message(let message): perform(machine.received(message, now: now))
      case .violation(let violation): perform(machine.violated(violation))
      case .end: perform(machine.outputClosed(now: now))
      }
    }
  }

  private mutating func command(at now: UInt64) {
    for command in control.commands(at: now) { perform(machine.commanded(command, now: now)) }
  }

  /// Notifies the keys when the extension starts or stops to receive presses.
  private mutating func updateKeys() {
    guard machine.receivesPresses != areKeysActive else { return }
    areKeysActive = machine.receivesPresses
    keys?.setReceivingPresses(areKeysActive)
  }

  private mutating func handleSignals(at now: UInt64) throws(SystemCallError) {
    guard let signals else { return }
    while let signal = try signals.next() {
      perform(machine.hostSignaled(signal, now: now))
    }
  }

  private mutating func handleElapsedTime(at now: UInt64) throws(SystemCallError) {
    // Handled first, because an extension under a debugger misses no deadline.
    if let finding = debugger?.poll(at: now) { perform(machine.debuggerStatusChanged(finding, now: now)) }
    if !machine.areDeadlinesSuspended, let violation = channel?.overdueLineViolation(at: now) {
      perform(machine.violated(violation))
    }
    if machine.isWaitingForConsumption, let counts = camera.counts, counts.consumed > 0 {
      perform(machine.framesConsumed(now: now))
    }
    if let rate = camera.takeChangedRate() { perform(machine.cameraChanged(rate)) }
    perform(machine.timePassed(now: now))
    refusalNotices?.report(at: now)
    reportRefusals()
    if let violation = meters.processes.measure(at: now) { perform(machine.exceeded(violation)) }
    if dependencies.space?.takeChange() == true || now >= nextMeasurement { measure() }
  }
}
