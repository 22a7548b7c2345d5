// SPDX-License-Identifier: Apache-2.0

import LockScreenCamera
import SwiftUI

/// The action that opens the main app.
///
/// Views read the action from their environment, so that they depend neither on the session nor on the process in
/// which they run.
struct OpenMainAppAction: Sendable {
  private let open: @MainActor @Sendable (ShowPhoto) async throws -> Void

  /// Creates the action of a session, which authenticates the user if the screen is locked.
  init(_ session: LockedCameraCaptureSession) {
    open = { try await session.openApplication(for: $0.activity) }
  }

  /// Creates the action outside a session, which does nothing because the app is open.
  fileprivate init() { open = { _ in } }

  /// Opens the main app with a request; call the action only in response to a user action.
  ///
  /// - Throws: `ApplicationLaunchError` if the app was not opened; the session continues.
  @MainActor
  func callAsFunction(_ request: ShowPhoto) async throws { try await open(request) }
}

/// The key of the action in the environment.
private struct OpenMainAppKey: EnvironmentKey {
  static let defaultValue = OpenMainAppAction()
}

extension EnvironmentValues {
  /// The action that opens the main app.
  var openMainApp: OpenMainAppAction {
    get { self[OpenMainAppKey.self] }
    set { self[OpenMainAppKey.self] = newValue }
  }
}
