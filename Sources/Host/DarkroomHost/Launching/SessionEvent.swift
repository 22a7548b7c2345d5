// SPDX-License-Identifier: Apache-2.0

/// An event of a session.
public enum SessionEvent: Sendable, Hashable {
  /// The program was started in its sandbox.
  case started(SandboxReport)
  /// The extension has shown its first viewfinder frame, or consumes frames that count as shown.
  case presented
  /// The extension accepts presses of capture buttons, or does not accept them any longer. At most 10,000
  /// changes are reported.
  case acceptsPresses(Bool)
  /// A call of a new kind was refused. A refusal is reported within about a quarter of a second; equal calls
  /// are reported once.
  case refused(RefusalReport)
  /// A message for the user.
  case notice(String)
  /// The extension was asked to exit.
  case dismissing
  /// The session ends, because its app will be opened.
  case openingApplication
  /// The session has ended, and its content is migrated. This is the last event.
  case ended(SessionResult.Outcome)
}

/// The layers of the sandbox that the kernel enforces for a session.
public struct SandboxReport: Sendable, Hashable {
  /// Whether every layer is enforced in full. Otherwise, layers that the policy marks as best effort are
  /// missing or weaker.
  public let isFull: Bool
  /// The layers.
  public let layers: [Layer]

  /// A layer of the sandbox.
  public struct Layer: Sendable, Hashable {
    /// The name of the layer.
    public let name: String
    /// The degree of the enforcement: `enforced`, `degraded`, `missing` or `learning`.
    public let state: String
    /// Further details, or `nil` if there are none.
    public let detail: String?
  }
}

/// A refused call of a session, with its explanation.
public struct RefusalReport: Sendable, Hashable {
  /// The layer that refused the call.
  public let layer: String
  /// The name of the system call.
  public let call: String
  /// The arguments of the first such call, as text.
  public let arguments: [String]
  /// The name of the calling program.
  public let program: String
  /// The number of equal calls so far.
  public let count: Int
  /// The name of the errno value with which the call failed.
  public let errno: String
  /// The reason of the refusal.
  public let reason: String
  /// The refusal and its fix as one sentence.
  public let sentence: String
  /// Whether the call only tests whether a function is available, so that its refusal needs no fix.
  public let isProbe: Bool
}
