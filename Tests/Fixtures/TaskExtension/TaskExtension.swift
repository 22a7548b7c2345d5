// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import LockedCameraCapture

/// A capture extension that uses tasks as the app context specifies.
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
          // Long enough that the line appears only if the main loop waits for the task.
          try await Task.sleep(nanoseconds: 20_000_000)
          session.log(.info, "finished: \(reason)")
        }
    }
  }

  /// Runs the operation of the app context.
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

  /// Performs an expiring activity on a separate thread, which stops when it is notified of the expiration.
  private func expireInThread(_ session: LockedCameraCaptureSession) {
    let expirationSignal = DispatchSemaphore(value: 0)
    ProcessInfo.processInfo.performExpiringActivity(withReason: "closing the film") { isExpired in
      if isExpired {
        DispatchQueue.main.async { MainActor.assumeIsolated { session.log(.info, "expired") } }
        expirationSignal.signal()
        return
      }
      DispatchQueue.main.async { MainActor.assumeIsolated { session.log(.info, "closing") } }
      expirationSignal.wait()
      DispatchQueue.main.sync { MainActor.assumeIsolated { session.log(.info, "told") } }
    }
  }

  /// Switches to other threads and back in every possible way.
  private func visitThreads(_ session: LockedCameraCaptureSession) async throws {
    try await Task.sleep(nanoseconds: 1_000_000)
    session.log(.info, "slept")
    let sum = await Task.detached { (1...1000).reduce(0, +) }.value
    session.log(.info, "sum \(sum)")
    DispatchQueue.main.async {
      MainActor.assumeIsolated { session.log(.info, "block") }
    }
  }

  /// Opens the app and logs the result.
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
