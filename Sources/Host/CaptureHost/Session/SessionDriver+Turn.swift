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
    case room
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
    /// Commands of the control.
    case control
    /// Keys of input devices.
    case keys
    /// Signals to the host.
    case signals
    /// A terminal stop signal to the host.
    case stops
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
    case previewRoom
    /// Events of the display of the viewfinder.
    case previewNews
    /// Clients of the viewfinder socket.
    case previewVisitors
  }

  /// The interval, in nanoseconds, at which consumed frames are polled while the watchdog waits for the first
  /// one.
  private static let consumptionInterval: UInt64 = 20_000_000

  /// Waits for events and handles them. Returns `true` when every process of the session has exited.
  mutating func turn() throws(SystemCallError) -> Bool {
    let before = MonotonicClock.now
    var watched: [(descriptor: Int32, interest: Readiness)] = []
    for source in Source.allCases {
      let isRoom = source == .room || source == .previewRoom
      watched.append((descriptor(of: source, at: before), isRoom ? .writable : .readable))
    }
    let found = try Poller.wait(watched, until: nextDeadline(at: before))
    let now = MonotonicClock.now
    for source in Source.allCases where !found[source.rawValue].isEmpty {
      if source == .process { return true }
      try handle(source, at: now)
    }
    if control.isWatching { control.see(sight, at: now) }
    if (control.nextMoment ?? .max) <= now { command(at: now) }
    try passTime(at: now)
    tellKeys()
    preview?.note(isEnding: machine.isEnding)
    return false
  }

  private func descriptor(of source: Source, at now: UInt64) -> Int32 {
    let descriptor: Int32? =
      switch source {
      case .output: output?.readable
      case .room: channel?.writable
      case .messages: channel?.readable
      case .process: process.handle.descriptor.rawValue
      case .frames: camera.ended
      case .cameraAnswers: camera.adjuster?.descriptor
      case .sound: wiring.sound?.ended
      case .permissions: surroundings.permissions.descriptor
      case .lock: surroundings.lock.descriptor
      case .control: control.descriptor
      case .keys: keys?.descriptor
      case .signals: signals?.descriptor.rawValue
      case .stops: surroundings.terminalStop?.readable
      case .context: contextWatch?.descriptor
      // Handled once, because a flood ends the session.
      case .refusals: machine.isEnding ? nil : refusals?.flooded.rawValue
      case .authentication: authentication?.descriptor
      case .photoAnswers: surroundings.photos?.answers
      case .photos: surroundings.photos?.descriptor
      case .preview: preview?.readable(at: now)
      case .previewRoom: preview?.writable
      case .previewNews: preview?.news
      case .previewVisitors: preview?.desk?.readable
      }
    return descriptor ?? -1
  }

  private func nextDeadline(at now: UInt64) -> UInt64 {
    [
      machine.nextDeadline, control.nextMoment, machine.timeStandsStill ? nil : channel?.lineDeadline,
      meter.nextMoment, nextMeasurement, debugger?.nextMoment,
      preview?.nextMoment(at: now), machine.isWaitingForConsumption ? now + Self.consumptionInterval : nil,
    ]
    .compactMap { $0 }.min() ?? nextMeasurement
  }

  private mutating func handle(_ source: Source, at now: UInt64) throws(SystemCallError) {
    switch source {
    case .output: try output?.receive()
    case .room: channel?.flush()
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
      surroundings.permissions.refresh()
      perform(machine.permissionsChanged(surroundings.permissions.permissions, now: now))
    case .lock:
      surroundings.lock.refresh()
      perform(machine.lockChanged(surroundings.lock.state, now: now))
    case .control: command(at: now)
    case .keys: for command in keys?.commands(at: now) ?? [] { perform(machine.commanded(command, now: now)) }
    case .signals: try takeSignals(at: now)
    case .stops: try surroundings.terminalStop?.take()
    case .context: lookAtContext()
    case .refusals: perform(machine.refusalsFlooded(refusals?.total ?? 0))
    case .authentication: takeAuthentication(at: now)
    case .photoAnswers: takePhotoAnswers()
    case .photos: takePhotoChange()
    case .preview:
      if try preview?.take(at: now, lead: camera.extensionsLead) == true {
        preview?.openDesk(places.all)
        perform(machine.viewfinderPresented(now: now))
      }
    case .previewRoom, .previewNews:
      preview?.flush()
      while let command = preview?.takeCommand() { perform(machine.commanded(command, now: now)) }
    case .previewVisitors: preview?.answer(lead: camera.extensionsLead)
    }
  }

  private mutating func lookAtContext() {
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
      case .end: perform(machine.fellSilent(now: now))
      }
    }
  }

  private mutating func command(at now: UInt64) {
    for command in control.commands(at: now) { perform(machine.commanded(command, now: now)) }
  }

  /// Notifies the keys when the extension starts or stops to receive presses.
  private mutating func tellKeys() {
    guard machine.hearsPresses != areKeysHeard else { return }
    areKeysHeard = machine.hearsPresses
    keys?.listen(areKeysHeard)
  }

  private mutating func takeSignals(at now: UInt64) throws(SystemCallError) {
    guard let signals else { return }
    while let signal = try signals.next() {
      perform(machine.hostSignaled(signal, now: now))
    }
  }

  private mutating func passTime(at now: UInt64) throws(SystemCallError) {
    // Handled first, because an extension under a debugger misses no deadline.
    if let finding = debugger?.look(at: now) { perform(machine.debuggerSeen(finding, now: now)) }
    if !machine.timeStandsStill, let violation = channel?.lateLine(at: now) {
      perform(machine.violated(violation))
    }
    if machine.isWaitingForConsumption, let counts = camera.counts, counts.consumed > 0 {
      perform(machine.framesConsumed(now: now))
    }
    if let rate = camera.takeNewRate() { perform(machine.cameraChanged(rate)) }
    perform(machine.timePassed(now: now))
    refusalNotices?.report(at: now)
    if let violation = meter.measure(at: now) { perform(machine.exceeded(violation)) }
    if surroundings.space?.takeChange() == true || now >= nextMeasurement { measure() }
  }
}
