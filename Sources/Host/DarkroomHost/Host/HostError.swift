// SPDX-License-Identifier: Apache-2.0

/// The reason why an operation of the host failed.
///
/// The end of a session is never an error: ``SessionResult/Outcome`` describes it.
public enum HostError: Error, Sendable, Hashable {
  /// The state directory is unusable.
  case stateDirectory(Failure)
  /// A bundle has errors. Nothing was installed.
  case bundle([BundleDiagnostic], Failure)
  /// No app or extension with this ID is installed.
  case notInstalled(String, Failure)
  /// The installation of an app is damaged or was changed, or its directory is unusable.
  case installation(Failure)
  /// The app has content that it has not taken, so it was not uninstalled.
  case contentPending(Failure)
  /// An extension of the app is running, so the app was not uninstalled.
  case extensionRunning(Failure)
  /// A policy cannot be found, is invalid, or its filter cannot be proved.
  case policy(Failure)
  /// A required audit is missing, or does not match the installation.
  case audit(Failure)
  /// The program does not exist, or cannot run in the sandbox.
  case program(Failure)
  /// The camera provides no frames, or refuses a setting. Nothing was launched.
  case camera(Failure)
  /// The microphone provides no sound. Nothing was launched.
  case microphone(Failure)
  /// Another session is in the foreground. Nothing was launched. The IDs are `nil` if that session is
  /// starting.
  case foregroundOccupied(session: String?, extensionID: String?, Failure)
  /// There is no space for captures. Nothing was launched.
  case insufficientSpace(Failure)
  /// The press of a control was refused. Nothing was launched.
  case refused(ControlRefusal, Failure)
  /// The session shows no viewfinder that can be read.
  case viewfinder(Failure)
  /// The content, the context or the permissions of an app, the session log, the quotas or the photo library
  /// cannot be read or written.
  case store(Failure)
  /// An argument is invalid.
  case argument(Failure)
  /// The calling task was cancelled before the session was started, or before the operation was complete.
  case cancelled
  /// The host was closed.
  case closed
  /// A system call of the host failed.
  case system(Failure)

  /// The details of a failure.
  public struct Failure: Sendable, Hashable {
    /// The message for the user, with its fix; the same as that of the `darkroom` command.
    public let message: String
    /// The name of the step or system call that failed, or `nil` if none did.
    public let step: String?
    /// The error number of the step (errno(3)), or `nil` if there is none.
    public let errno: Int32?
    /// The path that the step was about, or `nil` if there is none.
    public let path: String?

    /// Creates the details of a failure.
    package init(_ message: String, step: String? = nil, errno: Int32? = nil, path: String? = nil) {
      (self.message, self.step, self.errno, self.path) = (message, step, errno, path)
    }
  }

  /// The details of the failure, or `nil` for ``cancelled`` and ``closed``.
  public var failure: Failure? {
    switch self {
    case .stateDirectory(let failure), .bundle(_, let failure), .notInstalled(_, let failure),
      .installation(let failure), .contentPending(let failure), .extensionRunning(let failure),
      .policy(let failure), .audit(let failure), .program(let failure), .camera(let failure),
      .microphone(let failure), .foregroundOccupied(_, _, let failure), .insufficientSpace(let failure),
      .refused(_, let failure), .viewfinder(let failure), .store(let failure), .argument(let failure),
      .system(let failure):
      failure
    case .cancelled, .closed: nil
    }
  }
}

extension HostError {
  /// An invalid argument. The message contains the fix.
  package init(argument message: String) { self = .argument(Failure(message)) }
}

extension HostError: CustomStringConvertible {
  /// The message for the user.
  public var description: String {
    switch self {
    case .cancelled: "the task was cancelled"
    case .closed: "the host is closed; create another one"
    default: failure?.message ?? ""
    }
  }
}
