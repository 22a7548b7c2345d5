// SPDX-License-Identifier: Apache-2.0

import HostService
import JSONText
import LinuxPrimitives
import Testing

/// Messages between clients and servers.
@Suite struct ServiceMessageTests {
  @Test func `a request is decoded as encoded`() {
    let call = ServiceRequest.Call(
      words: ["run", "--root", "/tmp/a b", "org.example.x", "ü\n\u{1}"],
      environment: ["HOME": "/home/x", "EMPTY": "", "LINES": "a\nb=c"],
      fileModeMask: 0o027,
      terminal: .given
    )
    for operation in [ServiceRequest.Operation.run(call), .state] {
      let bytes = ServiceRequest(version: "1.2.3", operation: operation).json.bytes()
      #expect(ServiceRequest.read(bytes) == .init(version: "1.2.3", operation: operation))
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", "\u{0}", #"{"darkroom":1}"#, #"{"request":"run"}"#,
    String(repeating: "[", count: 100_000),
  ])
  func `rejects text that is not a request`(text: String) {
    #expect(ServiceRequest.read(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    #""request":"run""#, #""request":"dance""#,
    #""request":"run","words":[1],"environment":{},"mask":0,"terminal":"none""#,
    #""request":"run","words":[],"environment":{"A":1},"mask":0,"terminal":"none""#,
    #""request":"run","words":[],"environment":{"A=B":"x"},"mask":0,"terminal":"none""#,
    #""request":"run","words":[],"environment":{"A":"\u0000"},"mask":0,"terminal":"none""#,
    #""request":"run","words":[],"environment":{},"mask":-1,"terminal":"none""#,
    #""request":"run","words":[],"environment":{},"mask":512,"terminal":"none""#,
    #""request":"run","words":[],"environment":{},"mask":0,"terminal":"mine""#,
  ])
  func `an invalid request still yields its version`(rest: String) {
    let bytes = Array("{\"darkroom\":\"9\",\(rest)}".utf8)
    #expect(ServiceRequest.read(bytes) == .init(version: "9", operation: nil))
  }

  @Test func `a client message is decoded as encoded and only listed signals are accepted`() {
    for note in [ServiceClientMessage.suspended, .resumed]
      + ServiceClientMessage.signals.map(ServiceClientMessage.signal)
    {
      #expect(ServiceClientMessage(note.json.bytes()) == note)
      #expect(note.json.bytes().count <= ServiceClientMessage.maximumBytes)
    }
    for text in [#"{"signal":9}"#, #"{"signal":"TERM"}"#, #"{"terminal":"gone"}"#, "{}", "x"] {
      #expect(ServiceClientMessage(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `a reply is decoded as encoded`() {
    let refusals: [ServiceRefusal] = [
      .version("0.9"), .user, .differentCredentials("the user"), .busy, .stopping, .unsupportedCommand,
      .malformed,
      .server("EMFILE"),
    ]
    let states = [nil, "the nice value"].map { text in
      let supply = PrewarmingStatus(
        waiting: 1,
        maximumWaiting: 4,
        launched: 2,
        brokered: 3,
        brokerFault: text
      )
      return ServiceState(version: "1", process: 7, commands: 3, supply: supply, difference: text)
    }
    let replies =
      [ServiceReply.accepted(process: 12), .ended(code: 255)] + refusals.map(ServiceReply.refused)
      + states.map(ServiceReply.state)
    for reply in replies { #expect(ServiceReply(reply.json.bytes()) == reply) }
    // The names of the supply that servers of earlier versions send.
    for state in states {
      let old = ServiceReply.state(state).json.text(.compact)
        .replacing("\"prewarmed\"", with: "\"waiting\"")
        .replacing("\"maximumPrewarmed\"", with: "\"mostWaiting\"")
      #expect(old.contains("mostWaiting"))
      #expect(ServiceReply(Array(old.utf8)) == .state(state))
    }
    for text in [#"{"reply":"ended"}"#, #"{"reply":"ended","code":99999999999}"#, #"{"reply":"hello"}"#, ""] {
      #expect(ServiceReply(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `sends watchdog notifications only if the manager addresses this process`() {
    func interval(_ environment: [String: String]) -> UInt64? {
      ServiceManager(environment: { environment[$0] }, process: 5).interval
    }
    #expect(interval(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "2000000"]) == 1_000_000_000)
    #expect(interval(["NOTIFY_SOCKET": "@x", "WATCHDOG_USEC": "2", "WATCHDOG_PID": "5"]) == 1000)
    #expect(interval(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "6"]) == nil)
    #expect(interval(["NOTIFY_SOCKET": "x", "WATCHDOG_USEC": "2000000"]) == nil)
    #expect(interval(["WATCHDOG_USEC": "2000000"]) == nil)
    #expect(interval(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "99999999999999999999"]) == nil)
    #expect(interval(["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "\(UInt64.max)"]) == 1_800_000_000_000)
  }
}
