// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// What a capture extension still has to do so that the watchdog leaves it alone.
///
/// The conditions are those of Apple's system, and the host sees all of them itself; an extension whose only view is a
/// ``Viewfinder`` with buttons fulfils them.
public struct CaptureRequirements: Sendable, Hashable {
  /// What has to be done soon after the launch.
  public enum Requirement: Sendable, Hashable, CaseIterable {
    /// The camera may be used, and was started.
    case camera
    /// Frames are consumed, and one was shown.
    case viewfinder
    /// An interaction for the capture buttons is enabled.
    case captureEvents
  }

  /// What was not done yet.
  public let missing: Set<Requirement>
  /// The seconds until the session is ended if something is missing then; nil: the watchdog is not armed, or it is
  /// satisfied.
  public let secondsLeft: Double?

  /// What is known before the host has said anything of it.
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
  /// What the watchdog misses: as it is now, then whenever the host sees it change; until the session ends.
  ///
  /// Each use follows it anew, so there may be several. Apple's framework has no such thing.
  @MainActor
  public var requirements: some AsyncSequence<CaptureRequirements, Never> & Sendable {
    runtime.requirements.values()
  }
}
