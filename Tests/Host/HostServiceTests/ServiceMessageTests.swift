// SPDX-License-Identifier: Apache-2.0

import HostService
import JSONText
import LinuxPrimitives
import Testing

/// Messages between clients and servers.
@Suite struct ServiceMessageTests {
  @Test func `a request is read as it was sent`() {
    let call = ServiceRequest.Call(
      words: ["run", "--root", "/tmp/a b", "org.example.x", "ü\n\u{1}"],
      environment: ["HOME": "/home/x", "EMPTY": "", "LINES": "a\nb=c"],
      mask: 0o027,
      terminal: .given
    )
    for wish in [ServiceRequest.Wish.run(call), .state] {
      let bytes = ServiceRequest(version: "1.2.3", wish: wish).json.bytes()
      #expect(ServiceRequest.read(bytes) == .init(version: "1.2.3", wish: wish))
    }
  }

  @Test(arguments: [
    "", "{", "[]", "null", "\u{0}", #"{"darkroom":1}"#, #"{"request":"run"}"#,
    String(repeating: "[", count: 100_000),
  ])
  func `what is no request is none`(text: String) { #expect(ServiceRequest.read(Array(text.utf8)) == nil) }

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
  func `a request that is wrong still says its version`(rest: String) {
    let bytes = Array("{\"darkroom\":\"9\",\(rest)}".utf8)
    #expect(ServiceRequest.read(bytes) == .init(version: "9", wish: nil))
  }

  @Test func `a note is read as it was sent, and no other signal is passed on`() {
    for note in [ServiceNote.suspended, .resumed] + ServiceNote.signals.map(ServiceNote.signal) {
      #expect(ServiceNote(note.json.bytes()) == note)
      #expect(note.json.bytes().count <= ServiceNote.mostBytes)
    }
    for text in [#"{"signal":9}"#, #"{"signal":"TERM"}"#, #"{"terminal":"gone"}"#, "{}", "x"] {
      #expect(ServiceNote(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `a reply is read as it was sent`() {
    let refusals: [ServiceRefusal] = [
      .version("0.9"), .user, .unlike("the user"), .busy, .stopping, .notServed, .malformed,
      .server("EMFILE"),
    ]
    let states = [nil, "the nice value"].map { text in
      let supply = ServiceSupply(waiting: 1, mostWaiting: 4, launched: 2, brokered: 3, brokerFault: text)
      return ServiceState(version: "1", process: 7, commands: 3, supply: supply, difference: text)
    }
    let replies =
      [ServiceReply.accepted(process: 12), .ended(code: 255)] + refusals.map(ServiceReply.refused)
      + states.map(ServiceReply.state)
    for reply in replies { #expect(ServiceReply(reply.json.bytes()) == reply) }
    for text in [#"{"reply":"ended"}"#, #"{"reply":"ended","code":99999999999}"#, #"{"reply":"hello"}"#, ""] {
      #expect(ServiceReply(Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test func `only a manager that is meant hears of the server`() {
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
