// SPDX-License-Identifier: Apache-2.0

import Foundation
import LockedCameraCapture

// New projects use main actor isolation by default.

nonisolated struct ReelContext: Codable, Sendable {
  var version = 2
  var codec = "hevc"
}

struct ReelIntent: CameraCaptureIntent {
  typealias AppContext = ReelContext
  static let title: LocalizedStringResource = "Reel"
  func perform() async throws -> some IntentResult {
    _ = try await Self.appContext
    return .result()
  }
}

@main
struct ReelExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ReelView(session: session)
    }
  }
}

final class Recorder {
  let session: LockedCameraCaptureSession
  var handle: FileHandle?

  init(_ session: LockedCameraCaptureSession) { self.session = session }

  func handle(_ event: AVCaptureEvent) {
    switch event.phase {
    case .began: start()
    case .ended, .cancelled: stop()
    @unknown default: break
    }
  }

  func start() {
    let url = session.sessionContentURL.appending(path: "clip.mov", directoryHint: .notDirectory)
    guard FileManager.default.createFile(atPath: url.path(), contents: nil) else { return }
    handle = try? FileHandle(forWritingTo: url)
  }

  func stop() {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "closing") { expired in
      if expired { print("expired") }
    }
    try? handle?.close()
    handle = nil
  }
}

struct OpenMainApp {
  let open: () -> Void
}

struct OpenMainAppKey: EnvironmentKey {
  static let defaultValue: OpenMainApp? = nil
}

extension EnvironmentValues {
  var openMainApp: OpenMainApp? {
    get { self[OpenMainAppKey.self] }
    set { self[OpenMainAppKey.self] = newValue }
  }
}

struct ReelView: View {
  let session: LockedCameraCaptureSession
  let recorder: Recorder
  @Environment(\.scenePhase) private var scenePhase
  @Environment(\.openMainApp) private var openMainApp

  init(session: LockedCameraCaptureSession) {
    self.session = session
    recorder = Recorder(session)
  }

  var body: some View {
    Viewfinder()
      .onCameraCaptureEvent(isEnabled: scenePhase == .active) { event in
        recorder.handle(event)
      } secondaryAction: { _ in
        openMainApp?.open()
      }
      .onChange(of: scenePhase) { _, phase in
        if phase != .active { recorder.stop() }
      }
      .onAppear { print("there") }
      .onDisappear { print("gone") }
      .task { try? await ReelIntent.updateAppContext(nil) }
      .environment(\.openMainApp, OpenMainApp { print("open") })
  }
}
