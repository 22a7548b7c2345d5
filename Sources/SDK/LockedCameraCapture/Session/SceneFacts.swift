// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Whether the session is in the foreground; SwiftUI's name and cases.
///
/// Unlike in SwiftUI on Apple's systems, the value is accurate in an extension.
public enum ScenePhase: Sendable, Hashable, Comparable {
  /// The session is no longer in the foreground; it is ending.
  case background
  /// The session is in the foreground but does not receive input, for example during authentication.
  case inactive
  /// The session is in the foreground and receives input.
  case active

  init(_ phase: ExtensionProtocol.ScenePhase) {
    self =
      switch phase {
      case .active: .active
      case .inactive: .inactive
      case .background: .background
      }
  }
}

/// The orientation of the machine, as the user sees it; SwiftUI's name and members.
public enum InterfaceOrientation: Sendable, Hashable, CaseIterable {
  /// The machine is upright.
  case portrait
  /// The machine is upside down.
  case portraitUpsideDown
  /// The machine is rotated so that its top is on the left.
  case landscapeLeft
  /// The machine is rotated so that its top is on the right.
  case landscapeRight

  init(_ orientation: SceneOrientation) {
    self =
      switch orientation {
      case .portrait: .portrait
      case .portraitUpsideDown: .portraitUpsideDown
      case .landscapeLeft: .landscapeLeft
      case .landscapeRight: .landscapeRight
      }
  }
}

/// The origin of a session's launch.
public struct LaunchReason: Sendable, Hashable {
  /// The place from which the user launched the session.
  public enum Surface: Sendable, Hashable {
    /// The lock screen, whether it was locked or not.
    case lockScreen
    /// Any other place.
    case elsewhere
    /// A shell or a script.
    case commandLine
  }

  /// The place from which the user launched the session.
  public let surface: Surface
  /// The ID of the control that the user activated, or `nil` if there was none.
  public let control: String?

  init(_ origin: LaunchOrigin) {
    control = origin.control
    surface =
      switch origin.surface {
      case .lockScreen: .lockScreen
      case .elsewhere: .elsewhere
      case .commandLine: .commandLine
      }
  }
}

extension LockedCameraCaptureSession {
  /// The current scene phase of the session.
  @MainActor
  public var scenePhase: ScenePhase { ScenePhase(runtime.scene.phase) }

  /// The current orientation of the machine.
  ///
  /// Frames arrive as the camera delivers them; they are not rotated.
  @MainActor
  public var orientation: InterfaceOrientation { InterfaceOrientation(runtime.scene.orientation) }

  /// The origin of the session's launch.
  @MainActor
  public var launchReason: LaunchReason { LaunchReason(runtime.connection.start.launch) }

  /// The seconds after the launch at which the watchdog checks the requirements, or `nil` if it is not armed.
  @MainActor
  public var watchdogSeconds: Double? { runtime.connection.start.deadlines.watchdog }
}
