// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import LaunchPlanning
internal import SessionServices
internal import SessionStore

extension DarkroomHost {
  /// Presses a control of an installed app.
  ///
  /// On the lock screen, the press launches the extension of the control, whether the user is authenticated
  /// or not. Elsewhere, the press opens the app with the app context. If the app may not use the camera yet,
  /// the user is authenticated and the app is opened, so that the app can request the permission. A press
  /// grants no permission.
  ///
  /// If the task is cancelled, the launch or the authentication of the user is stopped.
  ///
  /// - Parameters:
  ///   - control: The ID of the control.
  ///   - app: The ID of the app.
  ///   - options: The devices and times of the session. ``LaunchOptions/place`` is the place of the press;
  ///     with ``LaunchPlace/program``, the lock state determines the place.
  ///
  /// - Returns: The session, or the opening of the app.
  ///
  /// - Throws: ``HostError/refused(_:_:)`` if the press has no effect, or the reason why nothing was
  ///   launched.
  public func press(
    _ control: String,
    of app: String,
    _ options: LaunchOptions = LaunchOptions()
  ) async throws(HostError) -> ControlPressResult {
    let (launching, opening) = (launching, WatchedValue<AppOpening?>(nil))
    do throws(HostError) {
      let session = try await start { (run, core) throws(HostError) in
        switch try launching.press(control, of: app, options, core, run: run) {
        case .session(let report): return report
        case .opening(let found):
          opening.change { $0 = found }
          // No session was started. The caller reads the opening.
          throw .cancelled
        }
      }
      return .session(session)
    } catch {
      if let found = opening.current { return .applicationOpened(found) }
      throw error
    }
  }

  /// Checks each condition of a launch from the lock screen.
  ///
  /// - Parameters:
  ///   - extensionID: The ID of the extension, which need not be installed.
  ///   - camera: The camera of the launch, or `nil` if there is none.
  ///
  /// - Returns: The conditions, each with the fix if it is not met.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the ID is invalid.
  public func readiness(
    of extensionID: String,
    camera: CameraSelection? = nil
  ) async throws(HostError) -> ReadinessReport {
    let (root, launching) = (root, launching)
    return try await HostThread.run { () throws(HostError) in
      // The ID of an extension starts with the ID of its app.
      let parent = extensionID.split(separator: ".").dropLast().joined(separator: ".")
      let id = (try? root.catalog.find(extensionID).app.id) ?? parent
      let app: AppStore
      do throws(StoreError) { app = try root.app(id) } catch { throw HostError(error) }
      var circumstances = LaunchCircumstances.atLockScreen(
        extensionID,
        app,
        camera: camera?.description,
        environment: SessionLaunching.environment
      )
      switch launching.configuration.lockState {
      case .standard: break
      // Only the system knows about the first unlock.
      case .fixed, .source: circumstances.firstUnlock = .happened
      }
      return ReadinessReport(LaunchReadiness(circumstances), app: id)
    }
  }
}
