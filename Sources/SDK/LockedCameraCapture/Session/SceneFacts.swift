// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Whether a session is what the person sees; SwiftUI's name and cases, and unlike there it is true in an extension.
public enum ScenePhase: Sendable, Hashable, Comparable {
  /// It is no longer in front: the session ends.
  case background
  /// It is in front, and something else gets what the person does: they are asked who they are.
  case inactive
  /// It is in front and gets what the person does.
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

/// How the machine is held, as the person sees it; SwiftUI's name and members.
public enum InterfaceOrientation: Sendable, Hashable, CaseIterable {
  /// Upright.
  case portrait
  /// On its head.
  case portraitUpsideDown
  /// Turned so that its top is on the left.
  case landscapeLeft
  /// Turned so that its top is on the right.
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

/// What a session was launched from.
public struct LaunchReason: Sendable, Hashable {
  /// Where the person was when they launched it.
  public enum Surface: Sendable, Hashable {
    /// At the lock screen, whether the machine was locked or not.
    case lockScreen
    /// Anywhere else.
    case elsewhere
    /// In a shell, or a script was.
    case commandLine
  }

  /// Where the person was.
  public let surface: Surface
  /// The id of the control that they used; nil: none.
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
  /// Whether the session is what the person sees, as it is now.
  @MainActor
  public var scenePhase: ScenePhase { ScenePhase(runtime.scene.phase) }

  /// How the machine is held, as it is now; frames come as the camera takes them, and are not turned.
  @MainActor
  public var orientation: InterfaceOrientation { InterfaceOrientation(runtime.scene.orientation) }

  /// What the session was launched from.
  @MainActor
  public var launchReason: LaunchReason { LaunchReason(runtime.connection.start.launch) }

  /// How many seconds after the launch the watchdog looks; nil: it is not armed.
  @MainActor
  public var watchdogSeconds: Double? { runtime.connection.start.deadlines.watchdog }
}
