// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
internal import PhotoLibrary
internal import SessionServices
internal import SessionStore
internal import UserAuthentication
internal import Viewfinders

/// The environment of a command that launches sessions: the machine's lock, authentication, the photo library
/// and the sound player.
struct HostEnvironment {
  /// The options that configure the environment.
  static let options = [UserPrompt.descriptor, PhotoLibraryOptions.library]

  /// The lock of the machine.
  let lock: LockMonitor
  /// The authenticator of the user.
  let authenticator: HostAuthenticator
  /// The photo library, or `nil` if this user has none.
  let photos: PhotoService?
  /// A closure that returns the value of an environment variable of the user.
  private let environment: @Sendable (String) -> String?

  /// Creates the environment. `prompt` authenticates the user; if it is `nil`, the options select the prompt.
  init(
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    prompt: (any PasswordPrompt)? = nil
  ) {
    lock = LockMonitor(root: root.path, environment: LockEnvironment(environment: console.environment))
    // The logind source counts as locked until it has answered.
    lock.waitForFirstReports()
    authenticator = HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: prompt
        ?? UserPrompt(parsed, terminal: console.terminal, turn: console.turn ?? .own).prompt,
      errors: console.error,
      environment: console.environment
    )
    environment = console.environment
    do { photos = PhotoService(try PhotoLibraryOptions.location(parsed, console)) } catch {
      console.note("darkroom: this session has no photo library: \(error)")
      photos = nil
    }
  }

  /// Pauses the reading of terminal keys, and a viewfinder in the terminal, while the user is prompted there.
  func pauseDuringPrompt(_ control: any SessionControl, _ viewfinder: TerminalViewfinder? = nil) {
    let terminal = control as? TerminalControl
    authenticator.onPromptChange = { isAsking in
      terminal?.isPaused = isAsking
      viewfinder?.pause(isAsking)
    }
  }

  /// Whether the user has unlocked the machine since it was started.
  var firstUnlock: LaunchCircumstances.FirstUnlock { lock.firstUnlock == .done ? .happened : .pending }

  /// Returns the environment of one session.
  func session(
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
      launch: launch
    )
  }
}
