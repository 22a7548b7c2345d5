// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
internal import SessionServices
internal import SessionStore

extension ControlRefusal {
  /// Creates a reason from that of the decision.
  init(_ refusal: LaunchRefusal) {
    switch refusal {
    case .beforeFirstUnlock: self = .beforeFirstUnlock
    case .forbidden: self = .forbidden
    case .notInstalled: self = .notInstalled
    case .cameraRestricted: self = .cameraRestricted
    case .cameraUsageDescriptionMissing: self = .cameraUsageDescriptionMissing
    case .cameraNotPermitted: self = .cameraNotPermitted
    case .cameraNotSelected: self = .cameraNotSelected
    case .cameraPromptRequired: self = .cameraPromptRequired
    case .permissionsUnreadable: self = .permissionsUnreadable
    case .cameraMissing: self = .cameraMissing
    case .foregroundOccupied: self = .foregroundOccupied
    case .insufficientSpace: self = .insufficientSpace
    case .cannotOpen: self = .cannotOpen
    }
  }
}

extension LaunchRefusal {
  /// Returns the message for the user about a refused launch of an app's extension.
  func message(for app: String) -> String { description.replacing("APP", with: app) }
}

extension HostError {
  /// Creates an error from the refusal of a press.
  init(_ refusal: LaunchRefusal, app: String) {
    self = .refused(ControlRefusal(refusal), Failure(refusal.message(for: app)))
  }

  /// Creates an error from the failure to carry out a press.
  init(_ error: ControlActivationError) {
    switch error {
    case .notAuthenticated: self = .refused(.notAuthenticated, Failure("\(error)"))
    case .stopped: self = .cancelled
    case .opening: self = .refused(.cannotOpen, Failure("\(error)"))
    case .store(let error): self.init(error)
    case .system(let error): self.init(error)
    }
  }

  /// Creates an error from a name that selects no control.
  init(_ error: ControlFindingError) { self = .argument(Failure("\(error)")) }
}
