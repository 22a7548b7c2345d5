// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import ExtensionProtocol
internal import LinuxPrimitives
internal import LockMonitoring
internal import PersonAuthentication
internal import PhotoLibrary
internal import SessionServices
internal import SessionStore
internal import Viewfinders

/// What a command finds around it that launches sessions: the machine's lock, the person, their photo library,
/// and what plays sounds to them.
struct HostSurroundings {
  /// The options that say where to find them.
  static let options = [PersonPrompt.descriptor, PhotoPlace.library]

  /// Whether the machine is locked.
  let lock: LockMonitor
  /// Asks the person who they are.
  let authenticator: HostAuthenticator
  /// The photo library; nil where this user has none.
  let photos: PhotoService?
  /// The person's environment.
  private let environment: @Sendable (String) -> String?

  /// Looks around. `prompt` asks the person; nil: what the options name does.
  init(
    _ root: StateRoot,
    _ parsed: ParsedCommand,
    _ console: Console,
    prompt: (any PasswordPrompt)? = nil
  ) {
    lock = LockMonitor(root: root.path, surroundings: LockSurroundings(environment: console.environment))
    // Until it has answered, logind counts as locked.
    lock.settle()
    authenticator = HostAuthenticator(
      root: root.path,
      lock: lock,
      prompt: prompt
        ?? PersonPrompt(parsed, terminal: console.terminal, turn: console.turn ?? .own).prompt,
      errors: console.error,
      environment: console.environment
    )
    environment = console.environment
    do { photos = PhotoService(try PhotoPlace.place(parsed, console)) } catch {
      console.note("darkroom: this session has no photo library: \(error)")
      photos = nil
    }
  }

  /// Keys of a terminal are left to whoever asks the person there, as long as they ask, and so is the terminal itself by a
  /// viewfinder that is shown in it.
  func pauseWhileAsking(_ control: any SessionControl, _ viewfinder: TerminalViewfinder? = nil) {
    let terminal = control as? TerminalControl
    authenticator.whileAsking = { isAsking in
      terminal?.isPaused = isAsking
      viewfinder?.pause(isAsking)
    }
  }

  /// Whether the person has unlocked the machine since it was started.
  var firstUnlock: LaunchCircumstances.FirstUnlock { lock.firstUnlock == .done ? .happened : .pending }

  /// The surroundings of one session.
  func session(
    _ app: AppStore,
    _ resolution: PermissionResolution,
    _ opener: ApplicationOpener,
    _ files: AdministrationFiles,
    launch: LaunchOrigin = .commandLine
  ) -> SessionSurroundings {
    SessionSurroundings(
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
