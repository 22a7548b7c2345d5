// SPDX-License-Identifier: Apache-2.0

/// The camera of a session.
public struct CameraSelection: Sendable, Hashable, CustomStringConvertible {
  /// The camera in the form of `darkroom run --camera`.
  public let description: String

  /// Creates a selection from the form of `darkroom run --camera`, such as `/dev/video0:1280x720@30`.
  public init(_ specification: String) { description = specification }

  /// A Video4Linux camera.
  public static func device(_ path: String) -> CameraSelection { CameraSelection(path) }
  /// A camera of PipeWire, by the name of its node, or the default camera.
  public static func pipeWire(_ node: String? = nil) -> CameraSelection {
    CameraSelection(node.map { "pipewire:\($0)" } ?? "pipewire")
  }
  /// A JPEG or PNG image, or a YUV4MPEG2 video. The path may be relative.
  public static func file(_ path: String) -> CameraSelection {
    CameraSelection(path.hasPrefix("/") ? path : "./\(path)")
  }
  /// A test pattern that moves. The size is in pixels, and the rate in frames per second.
  public static func testPattern(width: Int = 640, height: Int = 480, rate: Int = 30) -> CameraSelection {
    CameraSelection("pattern:\(width)x\(height)@\(rate)")
  }
}

/// The microphone of a session.
public struct MicrophoneSelection: Sendable, Hashable, CustomStringConvertible {
  /// The microphone in the form of `darkroom run --microphone`.
  public let description: String

  /// Creates a selection from the form of `darkroom run --microphone`, such as `alsa:default`.
  public init(_ specification: String) { description = specification }
}

/// The place from which a session is launched.
public enum LaunchPlace: String, Sendable, Hashable {
  /// The lock screen. The session holds the foreground, and locking the screen again dismisses the session.
  case lockScreen
  /// Another place of the user interface. The session holds the foreground.
  case elsewhere
  /// A program. The session runs next to others.
  case program
}

/// The options of a launch.
///
/// A launch grants the devices that it names, unless the user has decided otherwise.
public struct LaunchOptions: Sendable {
  /// The camera, or `nil` for none.
  public var camera: CameraSelection?
  /// The microphone, or `nil` for none.
  public var microphone: MicrophoneSelection?
  /// The input devices whose keys are the buttons of the session, such as the camera key, or `nil` for none.
  /// While the extension accepts presses, other programs do not receive the keys.
  public var keys: KeyDevices?
  /// The place of the launch.
  public var place: LaunchPlace = .program
  /// The time that the extension may take to exit after its dismissal.
  public var dismissalGrace: Duration = .seconds(5)
  /// The time in which the extension must use the camera, show a viewfinder and subscribe to capture events.
  /// With `nil`, the launch deadline of the manifest applies; zero means no limit.
  public var watchdog: Duration?
  /// The time without user input after which the session is dismissed, or `nil` for never.
  public var idleTimeout: Duration?
  /// Whether the record contains the SHA-256 digest of each captured file.
  public var recordsDigests: Bool = false
  /// The signed audit without which nothing is launched, or `nil` if none is required.
  public var requiredAudit: RequiredAudit?
  /// Whether the extension stops before its first instruction, and waits for a debugger. A
  /// ``SessionEvent/notice(_:)`` has the command for gdb(1). Deadlines do not run until a debugger has attached, and
  /// while it is attached: a dismissed extension then has unlimited time to exit. ``HostedSession/terminate()``, or
  /// cancelling a task that waits for the result, ends the session.
  public var waitsForDebugger: Bool = false

  /// Creates options.
  public init(
    camera: CameraSelection? = nil,
    microphone: MicrophoneSelection? = nil,
    place: LaunchPlace = .program
  ) {
    (self.camera, self.microphone, self.place) = (camera, microphone, place)
  }

  /// A signed audit of an extension.
  public struct RequiredAudit: Sendable, Hashable {
    /// The path of the attestation.
    public var attestation: String
    /// The path of the public key.
    public var publicKey: String

    /// Names an audit.
    public init(attestation: String, publicKey: String) {
      (self.attestation, self.publicKey) = (attestation, publicKey)
    }
  }
}

/// A program that is not an installed extension.
///
/// The program does not speak the host's protocol. It finds the session content directory in `/session`, and
/// receives the frames of a camera as a YUV4MPEG2 video on its standard input.
public struct ProgramLaunchOptions: Sendable {
  /// The name or path of the program.
  public var program: String
  /// The arguments.
  public var arguments: [String]
  /// The app that the captures belong to. It need not be installed.
  public var appID: String
  /// The name of a shipped policy, or the path of a policy.
  public var policy: String = "capture"
  /// The paths that the program can read in addition to those of the policy.
  public var readOnlyPaths: [String] = []
  /// The variables that the program receives in addition to those of the session.
  public var environment: [String: String] = [:]
  /// The camera, or `nil` for none.
  public var camera: CameraSelection?

  /// Describes a launch.
  public init(_ program: String, _ arguments: [String] = [], app: String) {
    (self.program, self.arguments, appID) = (program, arguments, app)
  }
}
