// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The requirements of the watchdog that a capture extension does not meet yet.
///
/// The conditions are those of Apple's system; the host observes all of them itself. An extension with a
/// single ``Viewfinder`` with buttons meets them.
public struct CaptureRequirements: Sendable, Hashable {
  /// A requirement that an extension must meet soon after its launch.
  public enum Requirement: Sendable, Hashable, CaseIterable {
    /// The camera is permitted and was started.
    case camera
    /// The extension consumes frames and has presented one.
    case viewfinder
    /// An interaction for the capture buttons is enabled.
    case captureEvents
  }

  /// The requirements that are not met yet.
  public let missing: Set<Requirement>
  /// The seconds until the watchdog ends the session for missing requirements, or `nil` if the watchdog is
  /// not armed or is satisfied.
  public let secondsLeft: Double?

  /// Creates the requirements at launch, before the host reports their status.
  init(_ deadlines: Deadlines) {
    secondsLeft = deadlines.watchdog
    missing = deadlines.watchdog == nil ? [] : Set(Requirement.allCases)
  }

  init(_ status: RequirementStatus) {
    secondsLeft = status.seconds
    missing = Set(
      status.missing.map { requirement in
        switch requirement {
        case .camera: .camera
        case .viewfinder: .viewfinder
        case .captureEvents: .captureEvents
        }
      }
    )
  }
}

extension LockedCameraCaptureSession {
  /// The missing requirements: the current ones, then each change that the host observes.
  ///
  /// The sequence ends with the session. Each iteration is independent, so several may run at the same time.
  /// Apple's framework has no counterpart.
  @MainActor
  public var requirements: some AsyncSequence<CaptureRequirements, Never> & Sendable {
    runtime.requirements.values()
  }
}
