// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import LockedCameraCapture

/// A capture extension that works with tasks; what it does with them, the app context says.
@main
struct TaskExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      Viewfinder()
        .onCameraCaptureEvent { event in
          guard event.phase == .began else { return }
          Task { await open(session) }
        }
        .task { try await start(session) }
        .onDismissal { reason, _ in
          // Long enough that only a loop that waits for it sees the line.
          try await Task.sleep(nanoseconds: 20_000_000)
          session.log(.info, "finished: \(reason)")
        }
    }
  }

  /// Does what the app context says.
  private func start(_ session: LockedCameraCaptureSession) async throws {
    switch try session.appContext(String.self) {
    case "threads": try await visitThreads(session)
    case "invalidate":
      try await session.invalidateSessionContent()
      session.log(.info, "invalidated")
    case "expiring":
      try await session.withExpiringActivity(reason: "closing the film") {
        session.log(.info, "closing")
        try await Task.sleep(nanoseconds: 50_000_000)
      }
      session.log(.info, "closed")
    case "expiring in a thread": expireInThread(session)
    default: session.log(.info, "started")
    }
  }

  /// Finishes something in a thread of its own, which is told when its time is over and takes that as a word to stop.
  private func expireInThread(_ session: LockedCameraCaptureSession) {
    let isOver = DispatchSemaphore(value: 0)
    ProcessInfo.processInfo.performExpiringActivity(withReason: "closing the film") { isExpired in
      if isExpired {
        DispatchQueue.main.async { MainActor.assumeIsolated { session.log(.info, "expired") } }
        isOver.signal()
        return
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { session.log(.info, "closing") } }
      isOver.wait()
      DispatchQueue.main.sync { MainActor.assumeIsolated { session.log(.info, "told") } }
    }
  }

  /// Goes to other threads and comes back, in every way that there is.
  private func visitThreads(_ session: LockedCameraCaptureSession) async throws {
    try await Task.sleep(nanoseconds: 1_000_000)
    session.log(.info, "slept")
    let sum = await Task.detached { (1...1000).reduce(0, +) }.value
    session.log(.info, "sum \(sum)")
    DispatchQueue.main.async {
      MainActor.assumeIsolated { session.log(.info, "block") }
    }
  }

  /// Opens the app, and says what has come of it.
  private func open(_ session: LockedCameraCaptureSession) async {
    do {
      let activity = NSUserActivity(activityType: NSUserActivityTypeLockedCameraCapture)
      activity.userInfo = ["picture": 7]
      try await session.openApplication(for: activity)
      session.log(.info, "opened")
    } catch let error as LockedCameraCaptureSession.ApplicationLaunchError {
      let detail = session.applicationLaunchFailure.map { "\($0.detail)" } ?? "none"
      session.log(.info, "\(error.errorCode) \(detail): \(error.failureReason ?? "")")
    } catch {
      session.log(.error, "\(error)")
    }
  }
}
