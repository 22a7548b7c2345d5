// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import LinuxPrimitives
import LockedCameraCapture
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SessionContentTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func inSession(_ body: @escaping (LockedCameraCaptureSession) throws -> Void) throws {
    let path = directory.path
    try runSession(camera: false) { host in
      try host.start(FakeHost.sessionStart(directory: path))
      try host.answer(.sessionDismiss)
      try host.dismiss()
    } extension: { session in
      try body(session)
      try session.dismiss()
    }
  }

  @Test func `writes a complete file under its name, and leaves no other files`() throws {
    try inSession { session in
      try session.writeContent(Array("old".utf8), to: "a.txt")
      let url = try session.writeContent(Array("new".utf8), to: "a.txt")
      #expect(url.path(percentEncoded: false) == "\(directory.path)/a.txt")
      try session.writeContent([], to: "deep/er/b 100%.txt")
    }
    #expect(try directory.text("a.txt") == "new")
    #expect(try directory.text("deep/er/b 100%.txt") == "")
    #expect(try FileSystem.names(in: directory.path) == ["a.txt", "deep"])
    #expect(try FileSystem.names(in: "\(directory.path)/deep/er") == ["b 100%.txt"])
  }

  @Test(arguments: ["", "/etc/passwd", "..", "a/../../b", "a//b", "a/", "./a", "a\u{0}b"])
  func `rejects a name that leads outside the session directory`(name: String) throws {
    try inSession { session in
      let error = #expect(throws: LockedCameraCaptureError.self) { try session.writeContent([1], to: name) }
      #expect(error?.code == .invalidName)
    }
    #expect(try FileSystem.names(in: directory.path) == [])
  }

  @Test func `throws a typed error with the reason if a file cannot be written`() throws {
    try directory.write("", to: "a")
    try inSession { session in
      let error = #expect(throws: LockedCameraCaptureError.self) { try session.writeContent([1], to: "a/b") }
      #expect(error?.code == .notWritten)
      #expect(error?.description.hasPrefix("a/b was not written: ") == true)
    }
  }
}
