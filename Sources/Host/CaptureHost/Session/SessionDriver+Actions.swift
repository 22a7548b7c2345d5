// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives
internal import SandboxLaunch
internal import SessionStore

extension SessionDriver {
  mutating func perform(_ actions: [SessionAction]) {
    for action in actions { perform(action) }
  }

  private mutating func perform(_ action: SessionAction) {
    switch action {
    case .send(let message):
      if channel?.send(message) == false {
        perform(machine.violated(ProtocolViolation(.notReading)))
      }
    case .startCamera(let delivery):
      beginUse(.camera)
      camera.start(delivery)
    case .stopCamera:
      camera.pause()
      uses.end(.camera)
    case .revokeCamera:
      camera.revoke()
      uses.end(.camera)
    case .adjustCamera(let request, let id): adjustCamera(request, id)
    case .startMicrophone(let delivery):
      beginUse(.microphone)
      wiring.sound?.start(delivery)
    case .stopMicrophone:
      wiring.sound?.pause()
      uses.end(.microphone)
    case .revokeMicrophone:
      wiring.sound?.revoke()
      uses.end(.microphone)
    case .beginControl:
      control.begin(at: MonotonicClock.now)
      keys?.begin(at: MonotonicClock.now)
    case .readOrientation: dependencies.orientation?.begin()
    case .readContext(let id): readContext(id)
    case .writeContext(let value, let expected, let id): writeContext(value, ifStored: expected, id)
    case .checkApplication: perform(machine.applicationChecked(openingObstacle, now: MonotonicClock.now))
    case .authenticate(let reason): authenticate(reason)
    case .cancelAuthentication: cancelAuthentication()
    case .noteDelivery(let activity):
      observer?.openingApplication()
      perform(machine.deliveryNoted(note(activity), now: MonotonicClock.now))
    case .eraseContent(let id): eraseContent(id)
    case .requestPhotos(let request, let id): requestPhotos(request, id)
    case .notifyPhotoLibrary(let lock, let permissions):
      dependencies.photos?.accessChanged(lock: lock, permissions: permissions)
    case .playSound(let request, let id): play(request, answering: id)
    case .signal(let signal): try? process.signalExtension(signal)
    case .kill: kill()
    case .notifyDebugger(let news): debugger?.notify(news)
    case .limitFileSizes(let state): meters.fileSizeLimiter.set(state)
    case .renewDeadlines: channel?.renewDeadline(at: MonotonicClock.now)
    case .log(let level, let text): output?.note("[\(level.rawValue)] \(text)")
    }
  }

  /// Kills every process of the session.
  private func kill() {
    try? process.kill()
    // A traced process that has died stays a zombie until its tracer continues, and the tracer may wait for
    // input.
    if let tracer = machine.tracer { debugger?.notify(.holdsExitedProcess(tracer)) }
  }

  /// Records the use of a device before its data flows.
  mutating func beginUse(_ subject: PermissionSubject) {
    guard let device = wiring.devices[subject] else { return }
    do throws(SystemCallError) { try uses.begin(subject, device) } catch {
      output?.note("[warning] the use of the \(subject.rawValue) could not be recorded: \(error)")
    }
  }

  /// Passes a request to the camera, which answers later.
  private mutating func adjustCamera(_ request: CameraAdjustmentRequest, _ id: RequestID) {
    guard let adjuster = camera.adjuster else {
      let nothing = CameraSettingsResult([])
      let refusal = "the camera has no settings"
      return answer(
        request == .readSettings
          ? Reply(id: id, result: nothing) : Reply(id: id, error: .invalidSetting, refusal)
      )
    }
    do throws(SystemCallError) {
      guard try !adjuster.submit(request, id, noting: CameraSettingsBackup(places.all)) else { return }
      answer(Reply(id: id, error: .busy, "too many camera requests are pending; wait for the replies"))
    } catch {
      perform(machine.internalError(id, "the camera request could not be executed", error))
    }
  }

  /// Sends the replies of the camera.
  mutating func takeCameraAnswers() {
    for reply in camera.adjuster?.takeAnswers() ?? [] { answer(reply) }
    noteCameraFaults()
  }

  /// Logs the settings of the camera that could not be restored.
  func noteCameraFaults() {
    for fault in camera.adjuster?.takeFaults() ?? [] { output?.note("[warning] \(fault)") }
  }

  private mutating func readContext(_ id: RequestID) {
    do throws(StoreError) {
      answer(Reply(id: id, result: ContextResult(context: try places.context.get() ?? .null)))
    } catch {
      perform(machine.internalError(id, "the app context cannot be read", error))
    }
  }

  private mutating func writeContext(_ value: JSONValue, ifStored expected: JSONValue?, _ id: RequestID) {
    do {
      switch try places.context.replace(value, ifStored: expected) {
      case .stored(let bytes):
        machine.contextIsKnown(value)
        answer(Reply(id: id, result: ContextUpdateResult(bytes: bytes)))
      case .differs(let present):
        answer(Reply(id: id, .failure(.contextChanged(present: present))))
      }
    } catch .contextTooLarge(let bytes, _) {
      answer(Reply(id: id, .failure(.contextTooLarge(bytes: bytes))))
    } catch {
      perform(machine.internalError(id, "the app context cannot be written", error))
    }
  }

  mutating func answer(_ reply: Reply) { perform(.send(.reply(reply))) }
}
