// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

extension LockedCameraCaptureSession {
  /// Opens the app that the extension belongs to, with an activity; call it only in response to a user
  /// action.
  ///
  /// If the screen is locked, the system authenticates the user first. Meanwhile the extension keeps running;
  /// only its scene phase changes. When this returns, the session ends: the handlers of ``onDismissal(_:)``
  /// run, and the contents of ``sessionContentURL`` are migrated. Only then does the app receive the
  /// activity.
  ///
  /// - Parameter userActivity: An activity of any type; by convention
  ///   ``NSUserActivityTypeLockedCameraCapture``.
  /// - Throws: ``ApplicationLaunchError`` if the app was not opened; the session continues, and
  ///   ``applicationLaunchFailure`` has the details. ``UserActivityError`` if the activity cannot be sent.
  ///   `CancellationError` if the task was canceled: the host may still open the app.
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

  /// The reason why the last call of ``openApplication(for:)`` failed, or `nil` if it has not failed.
  @MainActor
  public var applicationLaunchFailure: ApplicationLaunchFailure? { runtime.launchFailure }

  /// Erases the current contents of ``sessionContentURL``. The directory itself remains and is writable at
  /// once.
  ///
  /// Files that are written after the call are kept. Call it when the captures are stored elsewhere, for
  /// example in the photo library. Until then, the app receives the contents of the directory even after a
  /// crash.
  ///
  /// - Throws: ``LockedCameraCaptureError``, or `CancellationError` if the task was canceled.
  nonisolated(nonsending) public final func invalidateSessionContent() async throws {
    do throws(RequestFailure) {
      _ = try await runtime.awaitResult(.sessionInvalidateContent, InvalidationResult.self)
    } catch {
      throw error.publicError
    }
  }
}

extension SessionRuntime {
  /// Requests the host to open the app with `activity`.
  func openApplication(_ activity: UserActivity) async throws {
    launchFailure = nil
    do throws(RequestFailure) {
      _ = try await awaitResult(.sessionOpenApplication(activity), EmptyResult.self)
    } catch {
      let failure: ApplicationLaunchFailure
      switch error {
      case .cancelled: throw CancellationError()
      case .sessionEnded: failure = .sessionEnded
      case .refused(let object): failure = ApplicationLaunchFailure(object)
      }
      launchFailure = failure
      throw failure.error
    }
  }
}
