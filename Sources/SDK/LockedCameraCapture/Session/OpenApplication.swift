// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Opens the app that the extension belongs to, with an activity; call it only because the person wants it.
  ///
  /// If the machine is locked, the person is asked who they are first; the extension stays as it is meanwhile, but for
  /// its scene phase. When this returns, the session ends: ``onDismissal(_:)`` is called, what is in
  /// ``sessionContentURL`` is handed over, and only then does the app hear of the activity.
  ///
  /// - Parameter userActivity: Any activity; Apple's convention is the type ``NSUserActivityTypeLockedCameraCapture``.
  /// - Throws: ``ApplicationLaunchError`` if the app was not opened; the session goes on then, and
  ///   ``applicationLaunchFailure`` says more. ``UserActivityError`` if the activity cannot be sent. `CancellationError`
  ///   if the task was cancelled: the host may open the app all the same.
  public final nonisolated(nonsending) func openApplication(
    for userActivity: NSUserActivity
  ) async throws {
    let activity: UserActivity
    let json = try userActivity.json()
    do { activity = try UserActivity(json: json) } catch {
      throw LockedCameraCaptureError(.refused, "the activity cannot be sent: \(error)")
    }
    try await runtime.openApplication(activity)
  }

  /// Why ``openApplication(for:)`` has failed the last time; nil if it has not.
  @MainActor
  public var applicationLaunchFailure: ApplicationLaunchFailure? { runtime.launchFailure }

  /// Erases what is in ``sessionContentURL`` now; the directory itself stays, and can be written to at once.
  ///
  /// What is written after the call is kept. Call it when the captures are safe elsewhere, in the photo library for
  /// example; until then the directory is what a crash leaves to the app.
  ///
  /// - Throws: ``LockedCameraCaptureError``, or `CancellationError` if the task was cancelled.
  nonisolated(nonsending) public final func invalidateSessionContent() async throws {
    do throws(AskFailure) {
      _ = try await runtime.ask(.sessionInvalidateContent, InvalidationResult.self)
    } catch {
      throw error.published
    }
  }
}

extension SessionRuntime {
  /// Asks the host to open the app.
  func openApplication(_ activity: UserActivity) async throws {
    launchFailure = nil
    do throws(AskFailure) {
      _ = try await ask(.sessionOpenApplication(activity), Nothing.self)
    } catch {
      let failure: ApplicationLaunchFailure
      switch error {
      case .cancelled: throw CancellationError()
      case .over: failure = .sessionEnded
      case .refused(let object): failure = ApplicationLaunchFailure(object)
      }
      launchFailure = failure
      throw failure.error
    }
  }
}
