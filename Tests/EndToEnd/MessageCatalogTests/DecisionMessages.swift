// SPDX-License-Identifier: Apache-2.0

import KeyInput
import PhotoLibrary

@testable import AppBundles
@testable import CaptureHost
@testable import ExtensionProtocol
@testable import Prewarming
@testable import SessionServices
@testable import SessionStore

extension LaunchRefusal: CaseSamples {
  static var catalogSamples: [(String, LaunchRefusal)] {
    [
      ("beforeFirstUnlock", .beforeFirstUnlock), ("forbidden", .forbidden(SessionMessages.managed)),
      ("notInstalled", .notInstalled(.extensionNotInstalled(id: "captur", nearest: "capture"))),
      ("cameraRestricted", .cameraRestricted(SessionMessages.managed)),
      ("cameraUsageDescriptionMissing", .cameraUsageDescriptionMissing([.app, .captureExtension])),
    ] + PermissionStatus.allCases.map { ("cameraNotPermitted", .cameraNotPermitted($0)) } + [
      ("cameraNotSelected", .cameraNotSelected("Integrated Camera")),
      ("cameraPromptRequired", .cameraPromptRequired),
      ("permissionsUnreadable", .permissionsUnreadable(.noStateRoot)), ("cameraMissing", .cameraMissing),
      ("foregroundOccupied", .foregroundOccupied(session: StoreMessages.session.description)),
      ("foregroundOccupied", .foregroundOccupied(session: nil)),
      ("insufficientSpace", .insufficientSpace(SessionMessages.full)),
      ("cannotOpen", .cannotOpen(.noCommand(app: StoreMessages.app))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .beforeFirstUnlock, .forbidden, .notInstalled, .cameraRestricted, .cameraUsageDescriptionMissing,
      .cameraNotPermitted, .cameraNotSelected, .cameraPromptRequired, .permissionsUnreadable, .cameraMissing,
      .foregroundOccupied, .insufficientSpace, .cannotOpen:
      true
    }
  }
}

extension Administration.Prohibition: CaseSamples {
  static var catalogSamples: [(String, Administration.Prohibition)] {
    [
      ("rule", SessionMessages.managed),
      ("fault", .fault(.missing(path: "/srv/managed.json", variable: "DARKROOM_MANAGED"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .rule, .fault: true
    }
  }
}

extension ControlFindingError: CaseSamples {
  static var catalogSamples: [(String, ControlFindingError)] {
    [
      ("unknown", .unknown("foto", known: [SessionMessages.control])),
      ("unknown", .unknown("foto", known: [])),
      ("ambiguous", .ambiguous("photo", [SessionMessages.control, "org.other.capture/photo"])),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknown, .ambiguous: true
    }
  }
}

extension KeyNameError: CaseSamples {
  static var catalogSamples: [(String, KeyNameError)] {
    [
      ("unknown", .unknown("CAMERA")),
      ("libraryUnavailable", .libraryUnavailable("\(KeyInputError.noLibrary)")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknown, .libraryUnavailable: true
    }
  }
}

extension PhotoRefusal: MessageSamples {
  static var catalogSamples: [(String, PhotoRefusal)] {
    [
      ("", .notAllowed("add to the photo library")), ("", .notInSession), ("", .busy),
      ("", .limitReached(assets: 100, bytes: 1 << 30)), ("", PhotoRefusal(.noSuchAsset("A1"))),
      ("", PhotoRefusal(.notOwn("A1"))),
      ("", PhotoRefusal(.unsuitableFile(path: "shot.jpg", .empty))), ("", PhotoRefusal(.noSpace(path: "/"))),
      ("", PhotoRefusal(.noLocation)),
    ]
  }

  var catalogText: String { sentence }
}

extension PrewarmError: CaseSamples {
  static var catalogSamples: [(String, PrewarmError)] {
    [("removed", .removed), ("changed", .changed), ("restricted", .restricted)]
  }

  var isInCatalog: Bool {
    switch self {
    case .removed, .changed, .restricted: true
    }
  }
}
