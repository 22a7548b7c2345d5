// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import FoundationEssentials
import JSONText
import LinuxPrimitives
import LockedCameraCapture
import Testing

/// Runs a session on this thread with a fake host on another one.
@MainActor
func runSession(
  camera: Bool = true,
  _ host: @escaping @Sendable (FakeHost) throws -> Void,
  extension scene: @escaping (LockedCameraCaptureSession) throws -> Void
) throws {
  let fake = try FakeHost()
  let thread = try HostThread {
    // Closes the connection if the host fails, so that the extension does not wait forever.
    defer { fake.close() }
    try host(fake)
  }
  do {
    let session = try LockedCameraCaptureSession(try fake.channel(camera: camera))
    try scene(session)
    try session.run()
  } catch {
    try? thread.join()
    throw error
  }
  try thread.join()
}

/// Runs a task in a session with a fake host. The session has the directory `path`, and ends when the task
/// ends.
@MainActor
func runSession(
  in path: String,
  _ host: @escaping @Sendable (FakeHost) throws -> Void,
  task: @escaping @MainActor (LockedCameraCaptureSession) async throws -> Void
) async throws {
  var problem: (any Error)?
  try await runAsyncSession(camera: false) { fake in
    try fake.start(FakeHost.sessionStart(directory: path))
    try host(fake)
    try fake.expect(.log(.info, "done"))
    try fake.dismiss()
  } extension: { session in
    Task { @MainActor in
      do { try await task(session) } catch { problem = error }
      session.log(.info, "done")
    }
  }
  if let problem { throw problem }
}

/// Runs a session with a fake host on another thread, and lets main-actor tasks run between iterations of its
/// loop.
///
/// A test is itself a main-actor task, and the loop of the library does not drain the main queue outside of
/// an extension.
@MainActor
func runAsyncSession(
  camera: Bool = true,
  preview: Bool = false,
  raw: Bool = false,
  _ host: @escaping @Sendable (FakeHost) throws -> Void,
  extension scene: @escaping @MainActor (LockedCameraCaptureSession) throws -> Void
) async throws {
  let fake = try FakeHost(raw: raw)
  let thread = try HostThread {
    defer { fake.close() }
    try host(fake)
  }
  do {
    let session = try LockedCameraCaptureSession(try fake.channel(camera: camera, preview: preview))
    session.makeCurrent()
    defer { session.close() }
    try scene(session)
    while try session.runIteration(until: MonotonicClock.now + 1_000_000) { await Task.yield() }
    session.close()
    // Lets tasks run that learn of the end of the session.
    for _ in 0..<100 { await Task.yield() }
  } catch {
    try? thread.join()
    throw error
  }
  try thread.join()
}

/// Returns the first luma sample of a frame.
func firstSample(_ frame: borrowing CaptureFrame) -> UInt8 {
  frame.withPlane(.luma) { $0.unsafeLoad(as: UInt8.self) }
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(20))) struct SessionTests {
  struct Settings: Codable, Equatable {
    var flash: String
  }

  @Test func `a session has the ID, directory, permissions and context that the host sent`() throws {
    var dismissal: (LockedCameraCapture.DismissalReason, Double)?
    try runSession { host in
      try host.start(FakeHost.sessionStart(directory: "/a b", context: ["flash": "off"]))
      try host.dismiss()
    } extension: { session in
      #expect(session.sessionID.uuidString == "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11")
      #expect(session.sessionContentURL.path(percentEncoded: false) == "/a b/")
      #expect(session.permissions.camera == .authorized)
      #expect(session.permissions.photos == .denied)
      #expect(session.lockState == .locked)
      let settings = try session.appContext(Settings.self)
      #expect(settings == Settings(flash: "off"))
      session.onDismissal { dismissal = ($0, $1) }
    }
    #expect(dismissal?.0 == .person)
    #expect(dismissal?.1 == 2)
  }

  @Test(arguments: [nil, "/shared files"])
  func `provides the URL of shared assets, or nil if the app shares none`(path: String?) throws {
    try runSession { host in
      var start = FakeHost.sessionStart()
      start.directories.assets = path
      try host.start(start)
      try host.dismiss()
    } extension: { session in
      #expect(session.sharedAssetsURL?.path(percentEncoded: false) == path.map { "\($0)/" })
    }
  }

  @Test func `takes an image of the newest frame, or of the first frame that arrives`() throws {
    var lumas: [UInt8] = []
    var sequences: [UInt64] = []
    try runSession { host in
      try host.start()
      try host.startCamera()
      try host.answer(.captureSubscribe())
      try host.press()
      // The reply proves that the extension has received the press.
      try host.send(.unknownRequest(id: .string("ping"), method: "ping"))
      _ = try host.receive()
      try host.publish(luma: 10)
      try host.expect(.log(.info, "taken"))
      try host.expect(.viewfinderPresented(frame: 1))
      try host.publish(luma: 20, announce: false)
      try host.press()
      try host.expect(.log(.info, "taken"))
      try host.dismiss()
    } extension: { session in
      try Viewfinder().onCameraCaptureEvent { event in
        #expect(event.button == .primary)
        #expect(event.phase == .began)
        session.takePicture { frame in
          lumas.append(firstSample(frame))
          sequences.append(frame.sequence)
          session.log(.info, "taken")
        }
      }.appear(in: session)
    }
    #expect(lumas == [10, 20])
    #expect(sequences == [1, 2])
  }

  @Test func `calls the handler of the secondary button, and no handler of a disabled interaction`() throws {
    var events: [String] = []
    try runSession(camera: false) { host in
      try host.start()
      try host.answer(.captureSubscribe())
      for event in [CaptureEvent(.primary, .began), CaptureEvent(.secondary, .cancelled)] {
        try host.send(.notification(.captureEvent(event)))
      }
      try host.dismiss()
    } extension: { session in
      let silent = AVCaptureEventInteraction { _ in events.append("silent") }
      silent.isEnabled = false
      try session.addInteraction(silent)
      let both = AVCaptureEventInteraction {
        events.append("primary \($0.phase)")
      } secondary: {
        events.append("secondary \($0.phase)")
      }
      try session.addInteraction(both)
    }
    #expect(events == ["primary began", "secondary cancelled"])
  }

  @Test func `logs an error of a handler, and continues the session`() throws {
    struct Trouble: Error {}
    try runSession(camera: false) { host in
      try host.start()
      try host.answer(.captureSubscribe())
      try host.press()
      try host.expect(.log(.error, "a handler failed: Trouble()"))
      try host.press()
      try host.expect(.log(.error, "a handler failed: Trouble()"))
      try host.dismiss()
    } extension: { session in
      try session.addInteraction(AVCaptureEventInteraction { _ in throw Trouble() })
    }
  }

  @Test func `throws cameraUnavailable in a session without a camera`() throws {
    try runSession(camera: false) { host in
      try host.start()
      try host.dismiss()
    } extension: { session in
      let error = #expect(throws: LockedCameraCaptureError.self) { try session.startCamera() }
      #expect(error?.code == .cameraUnavailable)
    }
  }

  @Test func `throws a typed error if the host refuses a request`() throws {
    let reason = ErrorObject(code: 4003, message: "the user denied permission")
    try runSession { host in
      try host.start()
      try host.answer(.cameraStart(.latest), .failure(reason))
    } extension: { session in
      let error = #expect(throws: LockedCameraCaptureError.self) { try session.startCamera() }
      #expect(error?.code == .permissionDenied)
      #expect(error?.description == "the user denied permission (4003)")
    }
  }

  @Test func `stores an app context of 4096 bytes, and rejects 4097 bytes without sending them`() throws {
    try runSession(camera: false) { host in
      try host.start()
      let full = JSONValue.string(String(repeating: "x", count: 4094))
      try host.answer(.contextUpdate(full), .success(ContextUpdateResult(bytes: 4096).json))
      try host.answer(.contextUpdate(.null), .success(ContextUpdateResult(bytes: 0).json))
      try host.send(.notification(.contextChanged(["flash": "on"])))
    } extension: { session in
      var changed: [Settings?] = []
      let long = String(repeating: "x", count: 4095)
      let error = #expect(throws: AppContextTooLarge.self) { try session.updateAppContext(long) }
      #expect(error == nil ? false : (error?.bytes, error?.limit) == (4097, 4096))
      try session.updateAppContext(String(long.dropLast()))
      let length = try session.appContext(String.self)?.count
      #expect(length == 4094)
      try session.updateAppContext(String?.none)
      let cleared = try session.appContext(String.self)
      #expect(cleared == nil)
      session.onAppContextChange {
        changed.append(try session.appContext())
        #expect(changed == [Settings(flash: "on")])
      }
    }
  }
}

/// The suites whose tests set the current session of the process, as an extension does. They run one at a
/// time.
@Suite(.serialized, .timeLimit(.minutes(20))) enum CurrentSessionTests {}
