// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol
package import LockMonitoring
package import PhotoLibrary
package import SessionStore
package import UserAuthentication
package import Viewfinders

/// The environment of a host that launches sessions: the machine's lock, authentication, the photo library
/// and the sound player.
package struct HostEnvironment {
  /// The lock of the machine.
  package let lock: LockMonitor
  /// The authenticator of the user.
  package let authenticator: HostAuthenticator
  /// The photo library, or `nil` if this user has none.
  private let photos: PhotoService?
  /// A closure that returns the value of an environment variable of the user.
  package let environment: @Sendable (String) -> String?

  /// Creates the environment.
  ///
  /// - Parameters:
  ///   - root: The state root, which also configures the lock and the authentication.
  ///   - prompt: The prompt that authenticates the user, or `nil` if the user cannot be prompted.
  ///   - library: The location of the photo library, or `nil` if this user has none.
  ///   - errors: The descriptor that receives the error output of an authentication command.
  ///   - environment: A closure that returns the value of an environment variable of the user.
  package init(
    _ root: StateRoot,
    prompt: (any PasswordPrompt)?,
    library: LibraryLocation?,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String?
  ) {
    lock = LockMonitor(root: root.path, environment: LockEnvironment(environment: environment))
    // The logind source counts as locked until it has answered.
    lock.waitForFirstReports()
    authenticator = HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: prompt,
      errors: errors,
      environment: environment
    )
    self.environment = environment
    photos = library.map { PhotoService($0) }
  }

  /// Pauses the reading of terminal keys, and a viewfinder in the terminal, while the user is prompted there.
  package func pauseDuringPrompt(_ control: any SessionControl, _ viewfinder: TerminalViewfinder? = nil) {
    let terminal = control as? TerminalControl
    authenticator.onPromptChange = { isAsking in
      terminal?.isPaused = isAsking
      viewfinder?.pause(isAsking)
    }
  }

  /// Whether the user has unlocked the machine since it was started.
  package var firstUnlock: LaunchCircumstances.FirstUnlock {
    lock.firstUnlock == .done ? .happened : .pending
  }

  /// Returns the dependencies of one session.
  package func session(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    _ opener: ApplicationOpener,
    _ files: AdministrationFiles,
    launch: LaunchOrigin = .commandLine
  ) -> SessionDependencies {
    SessionDependencies(
      lock: lock,
      permissions: PermissionMonitor(app, resolution, files: files),
      authenticator: authenticator,
      opener: opener,
      photos: photos,
      sounds: SoundPlayer(environment: environment),
      orientation: OrientationSensor(environment: environment),
      launch: launch
    )
  }

  /// Returns the dependencies of a session of a program without a manifest. Such a session is always
  /// unlocked, and does not authenticate the user.
  package static func session(
    ofProgramFor app: AppStore,
    _ resolution: PermissionResolution,
    _ opener: ApplicationOpener,
    environment: @escaping @Sendable (String) -> String?
  ) -> SessionDependencies {
    SessionDependencies(
      lock: FixedLockState(.unlocked),
      permissions: PermissionMonitor(app, resolution, files: AdministrationFiles(environment: environment)),
      opener: opener
    )
  }
}
