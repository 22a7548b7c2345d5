// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
package import SessionStore

/// The reason why a control press has no effect.
package enum LaunchRefusal: Error, Hashable, Sendable {
  /// The user has not unlocked the machine since it started.
  case beforeFirstUnlock
  /// The administrator forbids capture on the lock screen.
  case forbidden(Administration.Prohibition)
  /// The extension is missing or does not match its installation.
  case notInstalled(CatalogError)
  /// The administrator forbids the camera.
  case cameraRestricted(Administration.Prohibition)
  /// These manifests have no usage description for the camera.
  case cameraUsageDescriptionMissing([PermissionReason.DescribingManifest])
  /// The user has not allowed the camera, and the app cannot be opened to request it.
  case cameraNotPermitted(PermissionStatus)
  /// The user has selected other cameras.
  case cameraNotSelected(String)
  /// The user chose to be prompted for each session, which only a press can do.
  case cameraPromptRequired
  /// The permissions cannot be read.
  case permissionsUnreadable(StoreError)
  /// No camera is present.
  case cameraMissing
  /// Another session is in the foreground. The ID is `nil` if it is unknown.
  case foregroundOccupied(session: String?)
  /// There is no space for captures.
  case insufficientSpace(StorageRefusal)
  /// The app cannot be opened.
  case cannotOpen(ApplicationOpeningError)

  /// The identifier of the reason in JSON output.
  package var code: String {
    switch self {
    case .beforeFirstUnlock: "beforeFirstUnlock"
    case .forbidden: "forbidden"
    case .notInstalled: "notInstalled"
    case .cameraRestricted: "cameraRestricted"
    case .cameraUsageDescriptionMissing: "cameraUndescribed"
    case .cameraNotPermitted: "cameraNotPermitted"
    case .cameraNotSelected: "cameraNotSelected"
    case .cameraPromptRequired: "cameraPromptRequired"
    case .permissionsUnreadable: "permissionsUnreadable"
    case .cameraMissing: "cameraMissing"
    case .foregroundOccupied: "seatTaken"
    case .insufficientSpace: "noRoom"
    case .cannotOpen: "cannotOpen"
    }
  }
}

extension LaunchRefusal: CustomStringConvertible {
  /// The message for the user, with a fix.
  package var description: String {
    switch self {
    case .beforeFirstUnlock:
      "the machine has not been unlocked since it started, so no user data can be read; unlock it once"
    case .forbidden(let prohibition):
      "capture on the lock screen is forbidden: \(prohibition)"
    case .notInstalled(let error): "\(error)"
    case .cameraRestricted(let prohibition): "the camera is forbidden: \(prohibition)"
    case .cameraUsageDescriptionMissing(let manifests):
      "no usage description for the camera in \(manifests.map(\.rawValue).joined(separator: " and ")), so the user "
        + "cannot be prompted; add usageDescriptions.camera, and install the app again"
    case .cameraNotPermitted(let status):
      "the app may not use the camera (\(status.rawValue)); open the app, or run 'darkroom permission set APP camera "
        + "authorized'"
    case .cameraNotSelected(let device):
      "the user has not selected the camera \(device); use a selected camera, or select this one with 'darkroom "
        + "permission set APP camera limited --device DEVICE'"
    case .cameraPromptRequired:
      "the user must be prompted before each use of the camera; press the control in a terminal, or with --allow camera"
    case .permissionsUnreadable(let error): "\(error)"
    case .cameraMissing: "no camera is available; select one with --camera SOURCE"
    case .foregroundOccupied(let session):
      "another session is in the foreground\(session.map { " (\($0))" } ?? ""); dismiss it first "
        + "('darkroom ps' lists sessions)"
    case .insufficientSpace(let refusal): "not enough space: \(refusal)"
    case .cannotOpen(let error): "\(error)"
    }
  }
}

extension Administration.Prohibition: CustomStringConvertible {
  /// The source of the rule as a clause, for messages.
  package var description: String {
    switch self {
    case .rule(let source): "a rule in \(source), which only the administrator can change"
    case .fault(let fault): "\(fault)"
    }
  }
}
