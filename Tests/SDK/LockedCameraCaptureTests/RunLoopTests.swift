// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import Testing

/// An extension in a separate process, whose main thread runs only the session loop.
@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct RunLoopTests {
  let directory: TemporaryDirectory
  let host: FakeHost

  init() throws {
    directory = try TemporaryDirectory()
    host = try FakeHost()
  }

  /// Starts the extension with an app context that selects its task, and answers its initial requests.
  private func launch(_ context: JSONValue) throws -> ChildProgram {
    let names = "host-in:host-out:frames:frame-event:frame-done"
    let path = try ChildProgram.path("darkroom-task-extension")
    let program = "'\(path)' 2>'\(directory.path)/errors'"
    let child = try host.passDescriptors { numbers in
      try ChildProgram(
        "LISTEN_PID=$$ exec \(program)",
        inherited: numbers,
        environment: ["LISTEN_FDS=5", "LISTEN_FDNAMES=\(names)"]
      )
    }
    try host.start(FakeHost.sessionStart(directory: directory.path, context: context))
    try host.startCamera()
    try host.answer(.captureSubscribe())
    return child
  }

  /// Receives the request to open the app, which the extension sends after a press.
  private func receiveOpenRequest() throws -> RequestID {
    let (id, request) = try host.receiveRequest()
    let type = "org.darkroom.LockedCameraCapture"
    let activity = UserActivity(activityType: type, userInfo: ["picture": .integer(7)])
    guard request == .sessionOpenApplication(activity) else {
      throw FakeHostError(description: "\(request)")
    }
    return id
  }

  @Test func `runs main-actor tasks and main-queue blocks during the run loop`() throws {
    let program = try launch("threads")
    try host.expect(.log(.info, "slept"))
    try host.expect(.log(.info, "sum 500500"))
    try host.expect(.log(.info, "block"))
    try host.dismiss()
    try host.expect(.log(.info, "finished: person"))
    #expect(program.wait() == 0)
    #expect(try directory.text("errors") == "")
  }

  @Test func `handles frames and presses while the app is being opened`() throws {
    let program = try launch(.null)
    try host.expect(.log(.info, "started"))
    try host.press()
    let first = try receiveOpenRequest()
    try host.publish(luma: 3)
    try host.expect(.viewfinderPresented(frame: 1))
    try host.press()
    let second = try receiveOpenRequest()
    let busy = ErrorObject(code: ProtocolErrorCode.busy.rawValue, message: "the app is being opened")
    try host.send(.reply(Reply(id: second, .failure(busy))))
    try host.expect(.log(.info, "0 busy: The system could not open the app."))
    try host.send(.reply(Reply(id: first, result: EmptyResult())))
    try host.expect(.log(.info, "opened"))
    try host.dismiss(.applicationOpened)
    try host.expect(.log(.info, "finished: applicationOpened"))
    #expect(program.wait() == 0)
  }

  @Test func `resumes a task whose reply arrives together with the dismissal`() throws {
    let program = try launch(.null)
    try host.expect(.log(.info, "started"))
    try host.press()
    let id = try receiveOpenRequest()
    let notice = DismissalNotice(reason: .applicationOpened, grace: 2)
    try host.send(
      HostMessage.reply(Reply(id: id, result: EmptyResult())).line
        + HostMessage.notification(.sessionWillDismiss(notice)).line
    )
    try host.expect(.log(.info, "opened"))
    try host.expect(.log(.info, "finished: applicationOpened"))
    #expect(program.wait() == 0)
  }

  @Test func `continues the session after a refused authentication`() throws {
    let program = try launch(.null)
    try host.expect(.log(.info, "started"))
    try host.press()
    let failure = ErrorObject.authenticationFailed(.cancelled, "the user cancelled")
    try host.send(.reply(Reply(id: try receiveOpenRequest(), .failure(failure))))
    try host.expect(.log(.info, "2 cancelled: The machine is locked and was not unlocked."))
    try host.publish(luma: 1)
    try host.expect(.viewfinderPresented(frame: 1))
    try host.dismiss()
    try host.expect(.log(.info, "finished: person"))
    #expect(program.wait() == 0)
  }

  /// Grants the activity that the extension begins, and dismisses the session during the activity.
  private func allowActivity() throws {
    let (id, request) = try host.receiveRequest()
    #expect(request == .sessionBeginActivity(reason: "closing the film"))
    try host.send(.reply(Reply(id: id, result: ActivityResult(activity: "a1"))))
    try host.expect(.log(.info, "closing"))
    try host.dismiss()
  }

  @Test func `finishes an expiring activity before the process exits`() throws {
    let program = try launch("expiring")
    try allowActivity()
    var rest: [ExtensionMessage] = []
    for _ in 0..<3 { rest.append(try host.receive()) }
    #expect(rest.contains(.notification(.log(.info, "finished: person"))))
    #expect(rest.contains(.notification(.log(.info, "closed"))))
    #expect(rest.contains { Self.isEnd($0, of: "a1") })
    #expect(program.wait() == 0)
  }

  /// Whether a message ends an activity.
  private static func isEnd(_ message: ExtensionMessage, of activity: String) -> Bool {
    guard case .request(_, .sessionEndActivity(let ended)) = message else { return false }
    return ended == activity
  }

  @Test func `notifies an expiring activity on a thread of its expiration, and waits for it`() throws {
    let program = try launch("expiring in a thread")
    try allowActivity()
    var rest: [ExtensionMessage] = []
    for _ in 0..<4 { rest.append(try host.receive()) }
    #expect(rest.contains(.notification(.log(.info, "expired"))))
    #expect(rest.contains(.notification(.log(.info, "told"))))
    #expect(rest.last.map { Self.isEnd($0, of: "a1") } == true)
    #expect(program.wait() == 0)
  }

  @Test func `expires an activity immediately if the host refuses it`() throws {
    let program = try launch("expiring in a thread")
    let (id, _) = try host.receiveRequest()
    let refused = ErrorObject(code: ProtocolErrorCode.notInSession.rawValue, message: "the session ends")
    try host.send(.reply(Reply(id: id, .failure(refused))))
    try host.expect(.log(.info, "expired"))
    try host.dismiss()
    try host.expect(.log(.info, "finished: person"))
    #expect(program.wait() == 0)
  }

  @Test func `exits if the host closes the connection during a pending request`() throws {
    let program = try launch("invalidate")
    let (_, request) = try host.receiveRequest()
    #expect(request == .sessionInvalidateContent)
    host.close()
    #expect(program.wait() == 0)
    #expect(try directory.text("errors") == "")
  }
}
