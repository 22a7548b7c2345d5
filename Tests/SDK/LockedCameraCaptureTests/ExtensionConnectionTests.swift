// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct ExtensionConnectionTests {
  private func violation(_ lines: [[UInt8]]) throws -> ProtocolViolation.Reason? {
    let fake = try FakeHost()
    // Uses a separate thread, because a pipe may not hold all lines and the extension stops reading after an
    // error.
    let thread = try HostThread { for line in lines { try fake.send(line) } }
    defer { try? thread.join() }
    let error = #expect(throws: ExtensionFailure.self) {
      try LockedCameraCaptureSession(try fake.channel(camera: false)).run()
    }
    #expect(error?.exitCode == 70)
    guard case .violation(let violation)? = error else { return nil }
    return violation.reason
  }

  private let start = HostMessage.request(id: .integer(1), .sessionStart(FakeHost.sessionStart())).line

  @Test func `ends the connection with a violation if the host violates the protocol`() throws {
    #expect(try violation([Array("[]\n".utf8)]) == .batch)
    let dismissal = HostMessage.notification(.sessionWillDismiss(DismissalNotice(reason: .host, grace: 1)))
    #expect(try violation([dismissal.line]) == .outOfOrder(expected: "the request session/start first"))
    #expect(
      try violation([start, start])
        == .outOfOrder(expected: "session/start only once, as the first message")
    )
    let reply = HostMessage.reply(Reply(id: .integer(9), result: EmptyResult()))
    #expect(try violation([start, reply.line]) == .unexpectedReply)
    let long = [UInt8](repeating: 0x20, count: ProtocolLimits.lineBytes + 1)
    #expect(try violation([start, long]) == .lineTooLong(limit: ProtocolLimits.lineBytes))
  }

  @Test func `ends the session without an error when the host closes the connection`() throws {
    let early = try FakeHost()
    early.close()
    let error = #expect(throws: ExtensionFailure.self) {
      try LockedCameraCaptureSession(try early.channel(camera: false))
    }
    #expect(error == .hostClosed)
    #expect(error?.exitCode == 0)
    let late = try FakeHost()
    try late.send(start + Array("{\"jsonrpc\":".utf8))
    late.close()
    try LockedCameraCaptureSession(try late.channel(camera: false)).run()
  }

  @Test func `rejects unsupported protocol versions with the versions of both sides`() throws {
    let fake = try FakeHost()
    var unknown = FakeHost.sessionStart()
    unknown.protocolVersions = [7, 8]
    try fake.send(.request(id: .string("s"), .sessionStart(unknown)))
    let error = #expect(throws: ExtensionFailure.self) {
      try LockedCameraCaptureSession(try fake.channel(camera: false))
    }
    let mismatch = VersionMismatch(offered: [7, 8], supported: [1])
    #expect(error == .unsupportedVersion(mismatch))
    #expect(try fake.receive() == .reply(Reply(id: .string("s"), .failure(.unsupportedVersion(mismatch)))))
  }

  @Test func `answers an unknown request with an error, and ignores an unknown notification`() throws {
    try runSession(camera: false) { host in
      try host.start()
      try host.send(.unknownNotification(method: "weather/changed"))
      try host.send(.unknownRequest(id: .integer(5), method: "weather/get"))
      guard case .reply(let reply) = try host.receive(), case .failure(let error) = reply.outcome else {
        throw FakeHostError(description: "no error came")
      }
      #expect(reply.id == .integer(5))
      #expect(error.knownCode == .methodNotFound)
      try host.dismiss()
    } extension: { _ in
    }
  }

  @Test func `delivers notifications that arrive during a request after its reply, in order`() throws {
    var phases: [AVCaptureEventPhase] = []
    try runSession(camera: false) { host in
      try host.start()
      try host.answer(.captureSubscribe())
      guard case .request(let id, .contextUpdate) = try host.receive() else { return }
      try host.press()
      try host.send(.notification(.captureEvent(CaptureEvent(.primary, .ended))))
      try host.send(.reply(Reply(id: id, result: ContextUpdateResult(bytes: 1))))
      try host.dismiss()
    } extension: { session in
      try session.addInteraction(AVCaptureEventInteraction { phases.append($0.phase) })
      try session.updateAppContext(1)
      #expect(phases == [])
    }
    #expect(phases == [.began, .ended])
  }

  @Test(arguments: [
    (nil, "7", "host-in"), ("2", "8", "host-in:host-out"), ("3", "7", "host-in:host-out"),
    ("x", "7", "host-in"),
  ])
  func `rejects descriptors that do not match their environment variables`(
    count: String?,
    processID: String,
    names: String
  ) {
    let error = #expect(throws: ExtensionFailure.self) {
      try HostChannel.inheritedDescriptorTable(count: count, processID: processID, names: names, own: 7)
    }
    #expect(error?.exitCode == 64)
    #expect(error?.description.hasSuffix("start it with 'darkroom run'") == true)
  }

  @Test func `keeps descriptor numbers correct if an unknown descriptor name is passed`() throws {
    let numbers = try HostChannel.inheritedDescriptorTable(
      count: "3",
      processID: "7",
      names: "later:host-out:host-in",
      own: 7
    )
    #expect(numbers.count == 3 && numbers[.hostOut] == 4 && numbers[.hostIn] == 5 && numbers[.frames] == nil)
  }
}
