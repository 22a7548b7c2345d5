// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionLifeCycleTests {
  static let second: UInt64 = 1_000_000_000

  /// Returns a machine with changed terms whose extension has answered.
  static func running(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var terms = SessionMachineTests.terms()
    change(&terms)
    var machine = SessionMachine(terms, launchedAt: 0)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(answer), now: 1)
    return machine
  }

  /// Sends a request of the extension and returns the actions.
  static func sendRequest(
    _ machine: inout SessionMachine,
    _ request: ExtensionRequest,
    now: UInt64 = 1
  ) -> [SessionAction] {
    machine.received(.request(id: .string("r"), request), now: now)
  }

  /// Returns the error code of the reply, or `nil` if the request succeeded.
  static func refusal(_ actions: [SessionAction]) -> ProtocolErrorCode? {
    for case .send(.reply(let reply)) in actions {
      if case .failure(let error) = reply.outcome { return error.knownCode }
    }
    return nil
  }

  static let activity = UserActivity(activityType: "org.example.edit")

  // MARK: - Watchdog

  @Test func `has no watchdog without a camera or without camera permission`() {
    #expect(Self.running { $0.times.watchdog = Self.second }.isWatched)
    #expect(!Self.running().isWatched)
    #expect(!Self.running { ($0.times.watchdog, $0.devices.camera) = (Self.second, nil) }.isWatched)
    #expect(
      !Self.running { ($0.times.watchdog, $0.launch.permissions.camera) = (Self.second, .denied) }.isWatched
    )
  }

  @Test func `reports missing requirements to the extension and disarms the watchdog once all are met`() {
    var machine = Self.running { $0.times.watchdog = 4 * Self.second }
    #expect(
      machine.timePassed(now: 2 * Self.second) == [
        .send(
          .notification(
            .requirementsChanged(
              RequirementStatus(missing: CaptureRequirement.allCases, seconds: 2)
            )
          )
        )
      ]
    )
    _ = Self.sendRequest(&machine, .cameraStart(.latest), now: 2 * Self.second)
    _ = Self.sendRequest(&machine, .captureSubscribe(), now: 2 * Self.second)
    #expect(machine.isWaitingForConsumption)
    #expect(machine.framesConsumed(now: 2 * Self.second) == [])
    let done = machine.viewfinderPresented(now: 3 * Self.second)
    #expect(
      done == [.send(.notification(.requirementsChanged(RequirementStatus(missing: [], seconds: nil))))]
    )
    _ = Self.sendRequest(&machine, .cameraStop, now: 3 * Self.second)
    #expect(!machine.isWatched)
    #expect(machine.timePassed(now: 9 * Self.second) == [])
  }

  @Test func `the watchdog outcome lists missing requirements and the arrival times of the others`() {
    var machine = Self.running { $0.times.watchdog = 4 * Self.second }
    _ = Self.sendRequest(&machine, .captureSubscribe(), now: Self.second / 2)
    _ = machine.timePassed(now: 2 * Self.second)
    #expect(machine.timePassed(now: 4 * Self.second) == [.kill])
    #expect(
      machine.outcome(.signaled(.kill))
        == .watchdog(.init(missing: [.cameraAccess, .viewfinder], satisfiedAt: [.captureEvents: 500]))
    )
  }

  @Test func `consumed frames satisfy the watchdog for a program without messages`() {
    var terms = SessionMachineTests.terms(.silent)
    terms.times.watchdog = Self.second
    var machine = SessionMachine(terms, launchedAt: 0)
    #expect(machine.isWaitingForConsumption)
    #expect(machine.framesConsumed(now: 1) == [])
    #expect(!machine.isWatched)
    var idle = SessionMachine(terms, launchedAt: 0)
    #expect(idle.timePassed(now: Self.second) == [.kill])
    #expect(idle.outcome(.signaled(.kill)) == .watchdog(.init(missing: [.viewfinder])))
  }

  // MARK: - Orientations

  @Test func `reports only orientations listed in the manifest and starts with the first`() {
    let listed: [SceneOrientation] = [.landscapeRight, .portrait]
    var terms = SessionMachineTests.terms()
    terms.launch.orientations = listed
    #expect(terms.initialScene == SceneState(orientation: .landscapeRight))
    var machine = Self.running { $0.launch.orientations = listed }
    for orientation in SceneOrientation.allCases + [.portrait, .landscapeRight] {
      for case .send(.notification(.sceneChanged(let scene))) in machine.commanded(
        .orientation(orientation),
        now: 2
      ) {
        #expect(scene.orientation == orientation && listed.contains(orientation))
      }
    }
    #expect(machine.commanded(.orientation(.landscapeRight), now: 3) == [])
    let turned = SceneState(orientation: .portrait)
    #expect(
      machine.commanded(.orientation(.portrait), now: 3) == [.send(.notification(.sceneChanged(turned)))]
    )
    let unlisted = machine.commanded(.orientation(.landscapeLeft), now: 4)
    #expect(
      unlisted == [
        .log(
          .info,
          "the orientation landscapeLeft is not reported to the extension: its manifest lists landscapeRight, portrait"
        )
      ]
    )
  }

  @Test func `reports every orientation if the manifest lists none`() {
    var machine = Self.running()
    for orientation in SceneOrientation.allCases where orientation != .portrait {
      #expect(
        machine.commanded(.orientation(orientation), now: 2)
          == [.send(.notification(.sceneChanged(SceneState(orientation: orientation))))]
      )
    }
  }

  @Test(arguments: [[], [.landscapeLeft], [.portrait, .landscapeLeft]] as [[SceneOrientation]])
  func `reads the orientation sensor for an extension with several orientations only`(
    listed: [SceneOrientation]
  ) {
    var terms = SessionMachineTests.terms()
    terms.launch.orientations = listed
    var machine = SessionMachine(terms, launchedAt: 0)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    #expect(machine.received(.reply(answer), now: 1).contains(.readOrientation) == (listed.count > 1))
  }

  // MARK: - Permissions and the lock

  @Test func `stops a revoked camera before reporting the revocation to the extension`() {
    var machine = SessionMachineTests.listening()
    let press = CaptureEvent(.primary, .began)
    _ = machine.commanded(.capture(press), now: 2)
    let denied = Permissions(camera: .denied)
    #expect(
      machine.permissionsChanged(denied, now: 3) == [
        .revokeCamera, .send(.notification(.captureEvent(CaptureEvent(.primary, .cancelled, id: 2)))),
        .notifyPhotoLibrary(.unlocked, denied), .send(.notification(.permissionChanged(denied))),
      ]
    )
    #expect(Self.refusal(Self.sendRequest(&machine, .cameraStart(.latest))) == .permissionDenied)
    #expect(machine.permissionsChanged(denied, now: 4) == [])
  }

  @Test func `reports changes that preceded the first reply after that reply`() {
    var machine = SessionMachine(SessionMachineTests.terms(), launchedAt: 0)
    #expect(
      machine.lockChanged(.locked, now: 1)
        == [.notifyPhotoLibrary(.locked, Permissions(camera: .authorized))]
    )
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    #expect(
      machine.received(.reply(answer), now: 2) == [.send(.notification(.lockChanged(.locked)))]
    )
  }

  @Test
  func `a lock screen session continues after an unlock and is dismissed by a lock`() {
    var machine = Self.running { ($0.launch.lockState, $0.launch.endsWhenLocked) = (.locked, true) }
    #expect(machine.lockChanged(.unlocked, now: 2).contains(.send(.notification(.lockChanged(.unlocked)))))
    #expect(machine.outcome(.exited(0)) == .completed(exitCode: 0))
    _ = machine.lockChanged(.locked, now: 3)
    #expect(machine.outcome(.exited(0)) == .dismissed(.init(by: .lockChanged, ending: .exited(0))))
  }

  // MARK: - Dismissal

  @Test func `dismisses an idle session and activity postpones the dismissal`() {
    var machine = Self.running { $0.times.idleTimeout = 5 * Self.second }
    _ = Self.sendRequest(&machine, .captureSubscribe(), now: 4 * Self.second)
    #expect(machine.timePassed(now: 6 * Self.second) == [])
    _ = machine.timePassed(now: 9 * Self.second)
    #expect(machine.outcome(.exited(0)) == .dismissed(.init(by: .idle, ending: .exited(0))))
  }

  @Test func `a dismissal waits for activities beyond the grace period up to the cap`() {
    var machine = Self.running { $0.times.activityCap = 30 * Self.second }
    let begun = Self.sendRequest(&machine, .sessionBeginActivity(reason: "film"))
    #expect(begun == [.send(.reply(Reply(id: .string("r"), result: ActivityResult(activity: "1"))))])
    _ = machine.commanded(.power, now: 0)
    guard case .log? = machine.timePassed(now: 5 * Self.second).first else {
      Issue.record("the wait should be logged")
      return
    }
    #expect(machine.nextDeadline == 35 * Self.second)
    #expect(Self.refusal(Self.sendRequest(&machine, .sessionBeginActivity(reason: "more"))) == .notInSession)
    var held = machine
    #expect(held.timePassed(now: 35 * Self.second) == [.kill])
    #expect(held.outcome(.signaled(.kill)) == .dismissed(.init(by: .powerKey, ending: .timedOut)))
    _ = Self.sendRequest(&machine, .sessionEndActivity("1"), now: 10 * Self.second)
    #expect(machine.nextDeadline == 11 * Self.second)
    #expect(Self.refusal(Self.sendRequest(&machine, .sessionEndActivity("1"))) == .invalidParams)
  }

  // MARK: - Opening the app

  /// Returns a machine after a press of the shutter.
  static func pressed(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var machine = running(change)
    _ = sendRequest(&machine, .captureSubscribe())
    _ = sendRequest(&machine, .cameraStart(.latest))
    _ = machine.commanded(.capture(CaptureEvent(.primary, .began)), now: 1)
    _ = machine.commanded(.capture(CaptureEvent(.primary, .ended)), now: 1)
    return machine
  }

  @Test func `opens the app for an event of the last ten seconds and once for a control`() {
    var machine = Self.pressed()
    let late = 1 + 10 * Self.second
    var tooLate = machine
    #expect(
      Self.refusal(Self.sendRequest(&tooLate, .sessionOpenApplication(Self.activity), now: late))
        == .interactionRequired
    )
    #expect(
      Self.sendRequest(&machine, .sessionOpenApplication(Self.activity), now: late - 1) == [.checkApplication]
    )
    var control = Self.running { $0.launch.origin = LaunchOrigin(.lockScreen, control: "shutter") }
    #expect(Self.sendRequest(&control, .sessionOpenApplication(Self.activity)) == [.checkApplication])
    #expect(Self.refusal(control.applicationChecked(.noOpener, now: 1)) == .applicationNotFound)
    #expect(
      Self.refusal(Self.sendRequest(&control, .sessionOpenApplication(Self.activity))) == .interactionRequired
    )
  }

  @Test func `reports a failed request to the extension without host paths`() {
    var machine = Self.pressed()
    func ask() {
      #expect(Self.sendRequest(&machine, .sessionOpenApplication(Self.activity)) == [.checkApplication])
    }
    func told(_ actions: [SessionAction]) -> (extension: String, log: String) {
      var told = ("", "")
      for action in actions {
        if case .send(let message) = action { told.0 += "\(message)" }
        if case .log(_, let text) = action { told.1 += text }
      }
      return told
    }
    ask()
    let program = told(
      machine.applicationChecked(.programNotFound(app: "a", program: "/opt/secret/open"), now: 2)
    )
    ask()
    let mailbox = StoreError.system(SystemCallError("open", path: "/opt/secret/mail", errno: .noSpace))
    let checked = told(machine.applicationChecked(.mailbox(mailbox), now: 3))
    ask()
    _ = machine.applicationChecked(nil, now: 4)
    let noted = told(machine.deliveryNoted(mailbox, now: 5))
    for one in [program, checked, noted] {
      #expect(!one.extension.isEmpty && !one.extension.contains("secret"), "\(one.extension)")
      #expect(one.log.contains("/opt/secret"), "\(one.log)")
    }
  }

  @Test func `opens the app of an unlocked session only after the activity is stored`() {
    var machine = Self.pressed()
    _ = Self.sendRequest(&machine, .sessionOpenApplication(Self.activity))
    #expect(Self.refusal(Self.sendRequest(&machine, .sessionOpenApplication(Self.activity))) == .busy)
    #expect(machine.applicationChecked(nil, now: 2) == [.noteDelivery(Self.activity)])
    var failed = machine
    #expect(Self.refusal(failed.deliveryNoted(.noStateRoot, now: 3)) == .internalError)
    #expect(failed.outcome(.exited(0)) == .completed(exitCode: 0))
    let actions = machine.deliveryNoted(nil, now: 3)
    #expect(actions.first == .send(.reply(Reply(id: .string("r"), result: EmptyResult()))))
    #expect(
      actions.contains(
        .send(.notification(.sessionWillDismiss(DismissalNotice(reason: .applicationOpened, grace: 5))))
      )
    )
    #expect(Self.refusal(Self.sendRequest(&machine, .sessionOpenApplication(Self.activity))) == .notInSession)
  }

  @Test func `authenticates the user before opening the app if locked and deactivates the scene meanwhile`() {
    var machine = Self.pressed { $0.launch.lockState = .locked }
    _ = Self.sendRequest(&machine, .sessionOpenApplication(Self.activity))
    let inactive = HostNotification.sceneChanged(SceneState(phase: .inactive))
    #expect(
      machine.applicationChecked(nil, now: 2)
        == [.send(.notification(inactive)), .authenticate("open the app")]
    )
    var refused = machine
    let actions = refused.authenticated(.tooManyAttempts, now: 3)
    #expect(actions.first == .send(.notification(.sceneChanged(SceneState(phase: .active)))))
    #expect(Self.refusal(actions) == .authenticationFailed)
    #expect(refused.outcome(.exited(0)) == .completed(exitCode: 0))
    // One press permits only one authentication prompt.
    let again = ExtensionRequest.sessionOpenApplication(Self.activity)
    #expect(Self.refusal(Self.sendRequest(&refused, again, now: 4)) == .interactionRequired)
    _ = refused.commanded(.capture(CaptureEvent(.primary, .began)), now: 5)
    #expect(Self.sendRequest(&refused, again, now: 6) == [.checkApplication])
    var dismissed = machine
    let ended = dismissed.commanded(.dismiss, now: 3)
    #expect(ended.first == .cancelAuthentication)
    #expect(Self.refusal(ended) == .notInSession)
    #expect(machine.lockChanged(.unlocked, now: 3).contains(.noteDelivery(Self.activity)))
  }

  @Test func `rejects an oversized activity without side effects`() {
    var machine = Self.pressed()
    var activity = Self.activity
    activity.title = String(repeating: "x", count: ProtocolLimits.activityBytes)
    #expect(Self.refusal(Self.sendRequest(&machine, .sessionOpenApplication(activity))) == .invalidParams)
    #expect(Self.sendRequest(&machine, .sessionOpenApplication(Self.activity)) == [.checkApplication])
  }

  @Test func `unsubscribing cancels the pressed button and stops the delivery of presses`() {
    var machine = SessionMachineTests.listening()
    _ = machine.commanded(.capture(CaptureEvent(.secondary, .began)), now: 2)
    let actions = Self.sendRequest(&machine, .captureUnsubscribe)
    #expect(actions.first == .send(.notification(.captureEvent(CaptureEvent(.secondary, .cancelled, id: 2)))))
    guard case .log? = machine.commanded(.capture(CaptureEvent(.primary, .began)), now: 3).first else {
      Issue.record("a press without a receiver should be logged")
      return
    }
  }
}
