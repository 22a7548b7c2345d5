// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import LinuxPrimitives
import Testing

@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SnapshotTests {
  let directory: TemporaryDirectory
  let host: FakeHost

  init() throws {
    directory = try TemporaryDirectory()
    host = try FakeHost()
    try FileSystem.makeDirectory("\(directory.path)/session")
  }

  /// Starts Snapshot as a host does. Its standard error goes to a file.
  private func launch() throws -> ChildProgram {
    let names = "host-in:host-out:frames:frame-event:frame-done"
    let program = "'\(try ChildProgram.path("Snapshot"))' 2>'\(directory.path)/errors'"
    return try host.passDescriptors { numbers in
      try ChildProgram(
        "LISTEN_PID=$$ exec \(program)",
        inherited: numbers,
        environment: ["LISTEN_FDS=5", "LISTEN_FDNAMES=\(names)"]
      )
    }
  }

  private func begin() throws {
    try host.start(FakeHost.sessionStart(directory: "\(directory.path)/session"))
    try host.startCamera()
    try host.answer(.captureSubscribe())
  }

  @Test func `writes an image that ffmpeg decodes for each shutter press`() throws {
    let program = try launch()
    try begin()
    for (index, luma) in [UInt8(40), 120, 250].enumerated() {
      try host.publish(luma: luma, announce: false)
      try host.press()
      try host.send(.notification(.captureEvent(CaptureEvent(.primary, .ended))))
      try host.expect(.log(.info, "wrote photo-\(index + 1).jpg, frame \(index + 1)"))
    }
    try host.dismiss()
    #expect(program.wait() == 0)
    let session = "\(directory.path)/session"
    #expect(try FileSystem.names(in: session) == ["photo-1.jpg", "photo-2.jpg", "photo-3.jpg"])
    for (index, luma) in [40, 120, 250].enumerated() {
      let raw = "\(directory.path)/picture.gray"
      let decoder =
        "ffmpeg -v error -y -i '\(session)/photo-\(index + 1).jpg' -f rawvideo -pix_fmt gray '\(raw)'"
      #expect(try ChildProgram(decoder + " </dev/null").wait() == 0)
      let samples = try #require(try FileSystem.contents(raw))
      #expect(samples.count == FakeHost.width * FakeHost.height)
      #expect(samples.allSatisfy { abs(Int($0) - luma) <= 2 })
    }
  }

  @Test func `takes an image of the first frame if the shutter is pressed earlier`() throws {
    let program = try launch()
    try begin()
    try host.press()
    try host.publish(luma: 1)
    try host.expect(.log(.info, "wrote photo-1.jpg, frame 1"))
    try host.expect(.viewfinderPresented(frame: 1))
    host.close()
    #expect(program.wait() == 0)
    #expect(try directory.text("errors") == "")
  }

  @Test func `logs an unwritable directory, and continues`() throws {
    let program = try launch()
    try host.start(FakeHost.sessionStart(directory: "\(directory.path)/errors"))
    try host.startCamera()
    try host.answer(.captureSubscribe())
    try host.publish(luma: 1, announce: false)
    try host.press()
    guard case .notification(.log(.error, let line)) = try host.receive() else {
      throw FakeHostError(description: "no line came")
    }
    #expect(line.contains("photo-1.jpg was not written"))
    try host.dismiss()
    #expect(program.wait() == 0)
  }

  @Test func `exits with code 70 and a message if the host violates the protocol`() throws {
    let program = try launch()
    try begin()
    try host.send(
      Array("{\"jsonrpc\":\"2.0\",\"method\":\"capture/event\",\"params\":{\"button\":3}}\n".utf8)
    )
    #expect(program.wait() == 70)
    #expect(
      try directory.text("errors")
        == "Snapshot: the host violated the protocol: capture/event: the field \"params.button\" is 3; "
        + "it must be one of \"primary\", \"secondary\"\n"
    )
  }

  @Test func `exits with code 1 and a message without a camera`() throws {
    let program = try launch()
    try host.start()
    try host.answer(
      .cameraStart(.latest),
      .failure(ErrorObject(code: ProtocolErrorCode.cameraUnavailable.rawValue, message: "unplugged"))
    )
    // Snapshot sends this request together with the camera request, whose refusal ends it.
    #expect(try host.receiveRequest().request == .captureSubscribe(defaultSoundDisabled: false))
    try host.expect(.log(.error, "the scene could not be shown: unplugged (4002)"))
    #expect(program.wait() == 1)
  }

  @Test func `prints how to start it if it is started without a host`() throws {
    let errors = "\(directory.path)/errors"
    let program = try ChildProgram("exec '\(try ChildProgram.path("Snapshot"))' 2>'\(errors)'")
    #expect(program.wait() == 64)
    #expect(try directory.text("errors")?.contains("start it with 'darkroom run'") == true)
  }
}
