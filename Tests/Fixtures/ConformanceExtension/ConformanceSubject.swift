// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LockedCameraCapture

/// The state of the extension, and its reactions to events.
@MainActor
final class ConformanceSubject {
  /// Whether the extension receives capture events.
  var isSubscribed = true
  /// Whether the extension plays the sound of remote buttons itself.
  private(set) var isSoundDisabled = false
  /// The session of this launch.
  let session: LockedCameraCaptureSession
  /// The camera controls.
  let controls: ConformanceControls
  /// The lines of `frames.txt`.
  private var digests: [String] = []
  /// The number of images.
  private var imageCount = 0
  /// The number of frames that the extension missed.
  private var dropped: UInt64 = 0

  /// Creates the state of a session.
  init(_ session: LockedCameraCaptureSession) {
    self.session = session
    controls = ConformanceControls(session)
  }

  /// Adds a line to the log.
  func log(_ text: String) { session.log(.info, text) }

  // MARK: State

  /// The current permissions as text.
  var permissionsText: String {
    let found = session.permissions
    return "permissions: \(found.camera) \(found.microphone) \(found.photos) \(found.photosAddOnly)"
  }

  /// The current state of the scene as text.
  var sceneText: String { "\(session.scenePhase) \(session.orientation)" }

  /// Logs what the host has sent at the start.
  func describeSession() {
    log("session \(session.sessionID.uuidString)")
    let directories = [session.sessionContentURL, session.containerURL, session.bundleURL].map(Self.path)
    log(
      "directories \(directories.joined(separator: " ")) \(session.sharedAssetsURL.map(Self.path) ?? "none")"
    )
    log("context: \(contextText)")
    log("\(session.lockState)")
    log(permissionsText)
    log(sceneText)
    let (launch, watchdog) = (session.launchReason, session.watchdogSeconds.map(Self.short) ?? "none")
    log("launched from \(launch.surface) by \(launch.control ?? "none"), watchdog \(watchdog)")
    let microphone = session.microphone.map { "\($0.sampleRate) \($0.channels)" } ?? "none"
    log("controls \(controls.maximumCount), microphone \(microphone)")
  }

  /// Installs the handlers of events that no view receives.
  func observe() {
    session.onAppContextChange { [self] in try changeContext() }
    session.onSound { [self] block in receive(block) }
    PHPhotoLibrary.shared().register(controls)
    follow(session.cameraState) { [self] state in
      guard let reason = state.endReason else {
        return log("camera rate \(Self.short(state.framesPerSecond ?? 0))")
      }
      log("camera ended: \(reason), \(state.endMessage ?? "")")
    }
    follow(session.microphoneState) { [self] state in
      if let reason = state?.endReason { log("microphone ended: \(reason)") }
    }
    follow(session.contentRoom) { [self] room in
      let reason = room.reason.map { "\($0)" } ?? ""
      log("room \(room.state) \(reason) \(room.remainingBytes ?? 0) \(room.remainingFiles ?? 0)")
    }
    follow(session.requirements) { [self] requirements in
      let names = requirements.missing.map { "\($0)" }.sorted().joined(separator: " ")
      let seconds = requirements.secondsLeft.map { ", \(Self.short($0)) seconds" } ?? ""
      log("missing \(names.isEmpty ? "nothing" : names)\(seconds)")
    }
  }

  /// Passes each value of a sequence after the first one, which is the current value, to a closure.
  private func follow<States: AsyncSequence & Sendable>(
    _ states: States,
    _ handle: @escaping @MainActor (States.Element) -> Void
  ) where States.Failure == Never {
    Task {
      var isFirst = true
      for await state in states {
        if !isFirst { handle(state) }
        isFirst = false
      }
    }
  }

  /// Returns a path without the slash at the end of a directory.
  private static func path(_ url: URL) -> String {
    let path = url.path(percentEncoded: false)
    return path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Returns a number, without a fraction if the number is an integer.
  static func short(_ number: Double) -> String {
    Double(Int(number)) == number ? "\(Int(number))" : "\(number)"
  }

  // MARK: Frames and sound

  /// Writes the digests of the first three frames to a file.
  func receive(_ frame: borrowing CaptureFrame) throws {
    dropped += frame.dropped
    log("frame \(frame.sequence), dropped \(frame.dropped)")
    guard digests.count < 3 else { return }
    let samples = CaptureFrame.Plane.allCases.flatMap { frame.samples(of: $0) }
    digests.append("\(frame.sequence) \(Self.digest(samples))\n")
    guard digests.count == 3 else { return }
    try session.writeContent(Array(digests.joined().utf8), to: "frames.txt")
    log("wrote frames.txt")
  }

  /// Logs a block of sound.
  private func receive(_ block: SoundBlock) {
    let bytes = block.samples.flatMap { sample in
      [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    let text = "sound at \(block.position), \(block.frames) frames, lost \(block.lost)"
    log("\(text), digest \(Self.digest(bytes))")
  }

  /// Returns the digest of bytes: FNV-1a with 64 bits.
  private static func digest(_ bytes: [UInt8]) -> String {
    let value = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: Buttons

  /// Saves an image at each press of the primary button.
  func handle(_ event: AVCaptureEvent) throws {
    log("\(event.button) \(event.phase)")
    guard event.phase == .began else { return }
    if event.button == .secondary {
      isSoundDisabled.toggle()
      return
    }
    imageCount += 1
    let name = "photo-\(imageCount).pgm"
    session.takePicture { [self] frame in
      let header = Array("P5\n\(frame.width) \(frame.height)\n255\n".utf8)
      try session.writeContent(header + frame.samples(of: .luma), to: name)
      log("wrote \(name), frame \(frame.sequence)")
    }
    if event.shouldPlaySound { log("sound \(event.play(.cameraShutter))") }
  }

  /// Writes a file at the end of the session.
  func finish(_ reason: DismissalReason, _ seconds: Double) throws {
    try session.writeContent(Array("dropped \(dropped)\n".utf8), to: "finished.txt")
    log("dismissed: \(reason), \(Self.short(seconds)) seconds")
  }

  // MARK: App context

  /// The app context as text.
  var contextText: String {
    guard let found = try? session.appContext(ConformanceContext.self) else { return "none" }
    return "flash \(found.flash), count \(found.count)"
  }

  /// Logs the context, and performs its task.
  private func changeContext() throws {
    log("context: \(contextText)")
    guard let task = try session.appContext(ConformanceContext.self)?.task else { return }
    Task {
      do { try await perform(task) } catch { session.log(.error, "\(task) failed: \(error)") }
    }
  }
}

extension CaptureFrame {
  /// Returns the samples of a plane without the padding between rows.
  func samples(of plane: Plane) -> [UInt8] {
    let layout = layout(of: plane)
    return withPlane(plane) { bytes in
      bytes.withUnsafeBytes { bytes in
        var samples: [UInt8] = []
        for row in 0..<layout.height {
          samples.append(contentsOf: bytes[row * layout.stride..<row * layout.stride + layout.width])
        }
        return samples
      }
    }
  }
}
