// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of inputs to a session that does not handle them over the socket of `darkroom-host`.
///
/// The thread of the session is stalled: it reads the app context, which the test has replaced by a named pipe.
@Suite(.timeLimit(.minutes(20))) struct InterfaceInputTests {
  /// The limit of the reference page.
  private static let limit = 1024

  private let host: RunningHost
  private let client: InterfaceClient
  private let session: JSONValue

  /// Launches an extension that accepts presses, and has not subscribed to contacts.
  init() throws {
    host = try RunningHost()
    client = try InterfaceClient(host)
    let installation = try client.call("apps/install", ["bundle": .string(try host.makeBundle())])
    let target = try #require(installation["app"]?["extensions"]?.elements?.first?["id"])
    let options: JSONValue = ["camera": "pattern:64x48@30", "watchdog": 0]
    let launch = try client.call("session/launch", ["extension": target, "options": options])
    session = try #require(launch["session"])
    _ = try client.event("acceptsPresses", accepts: true)
  }

  @Test func `refuses inputs of a session with 1024 unhandled ones, until the session continues`() throws {
    try stall()
    let (accepted, refusal) = try fill()
    // The session handles inputs until it reads the context.
    #expect(accepted >= Self.limit)
    #expect(refusal.code == -32000 && refusal.data == ["kind": "busy"])
    #expect(refusal.message.contains("'\(session.string ?? "")' has not handled earlier inputs"))
    let button = JSONValue.Member("button", "primary")
    let control = [JSONValue.Member("control", "zoom"), .init("steps", 1)]
    #expect(try send("session/press", [button])?.data?["kind"] == "busy")
    #expect(try send("session/press", [button, .init("phase", "ended")])?.data?["kind"] == "busy")
    #expect(try send("session/adjust", control)?.data?["kind"] == "busy")
    // Each session has its own limit. The context of the other app is a regular file.
    let program: JSONValue = ["app": "org.darkroom.other", "program": "sleep", "arguments": ["600"]]
    let other = try #require(try client.call("session/launchProgram", program)["session"])
    #expect(try client.call("session/press", ["session": other, "button": "primary"]) == [:])
    try resume()
    #expect(try TestTimeout.waitUntil { try touch() == nil }, "the session handles no inputs")
  }

  @Test(arguments: ["session/dismiss", "session/terminate"])
  func `accepts the end of a session with 1024 unhandled inputs`(method: String) throws {
    try stall()
    _ = try fill()
    #expect(try client.call(method, ["session": session]) == [:])
    #expect(try touch()?.data?["kind"] == "busy")
    try resume()
    let result = try client.call("session/result", ["session": session])
    #expect(result["outcome"] == ["kind": "dismissed", "by": "user"], "\(result)")
  }

  /// Sends an input to the session. Returns the error, or `nil` if the server has accepted the input.
  private func send(_ method: String, _ members: [JSONValue.Member]) throws -> InterfaceClient.Refusal? {
    do {
      _ = try client.call(method, .object([.init("session", session)] + members))
      return nil
    } catch let refusal as InterfaceClient.Refusal { return refusal }
  }

  /// Sends the beginning of a contact, which the extension does not receive.
  private func touch() throws -> InterfaceClient.Refusal? {
    try send("session/pointer", [.init("x", 1), .init("y", 1), .init("phase", "began")])
  }

  /// Sends inputs until one is refused. Returns the number of the accepted inputs and the error.
  private func fill() throws -> (accepted: Int, refusal: InterfaceClient.Refusal) {
    for accepted in 0..<100_000 {
      if let refusal = try touch() { return (accepted, refusal) }
    }
    throw Unlimited()
  }

  /// The server has accepted every input.
  private struct Unlimited: Error {}

  // MARK: - The stalled session

  private var pipe: String { host.file("pipe") }
  private var context: String { "\(host.state)/apps/org.darkroom.sample/context/app.json" }

  /// Replaces the app context by a named pipe. The session notices the change, opens the pipe, and waits for a
  /// writer.
  private func stall() throws {
    _ = try client.call("context/set", ["app": "org.darkroom.sample", "context": "{}"])
    // The second name remains when the context is replaced again.
    try runShell("mkfifo -m 600 '\(pipe)' && ln '\(pipe)' '\(pipe)-2' && mv -f '\(pipe)-2' '\(context)'")
  }

  /// Replaces the named pipe by a regular file, and ends the wait of the session.
  private func resume() throws {
    let file = host.file("context")
    try runShell(
      """
      printf '{"resumed":true}' >'\(file)' && mv -f '\(file)' '\(context)'
      timeout \(TestTimeout.seconds) sh -c 'printf "{}" >"$0"' '\(pipe)'
      """
    )
  }
}
