// SPDX-License-Identifier: Apache-2.0

@testable import AppBundles
@testable import CaptureHost
@testable import DarkroomHost
@testable import LaunchPlanning
@testable import SessionServices
@testable import SessionStore
@testable import Viewfinders

/// The errors of the host library contain the messages of other errors, some of them with an addition.
extension HostError: CaseSamples {
  static var catalogSamples: [(String, HostError)] {
    let (app, root) = (StoreMessages.app, StoreMessages.root)
    let faults = [BundleMessages.diagnostic(.textEmpty), BundleMessages.diagnostic(.noExtensions)]
    let pending = CatalogError.contentPending(app: app, sessions: 2, directory: "\(root)/apps")
    let holder = ForegroundLock.Holder(
      session: StoreMessages.session.description,
      extensionID: "org.example.notes.capture"
    )
    let bundle: [(String, HostError)] = [
      ("bundle", HostError(CatalogError.changedWhileCopied(path: BundleMessages.bundle, faults))),
      ("notInstalled", HostError(CatalogError.appNotInstalled(id: "org.example.note", nearest: nil))),
      ("installation", HostError(CatalogError.systemCall(SystemMessages.denied))),
      ("contentPending", HostError(pending)),
      ("extensionRunning", HostError(CatalogError.extensionRunning(app: app))),
    ]
    let launch: [(String, HostError)] = [
      (
        "policy",
        HostError(PolicyFindingError.unknown("captur", shipped: ["base", "capture", "strict"]))
      ),
      ("audit", HostError(ExtensionLaunchError.audit(.unreadable(SystemMessages.denied)))),
      ("program", .program(.init("\(PlanError.missingPath("/opt/models"))"))),
      ("camera", HostError(SessionError.camera(.singleUse("/dev/stdin")))),
      ("microphone", HostError(SessionError.microphone(.system(SystemMessages.exhausted)))),
      ("foregroundOccupied", HostError(SessionError.foregroundOccupied(holder))),
      ("insufficientSpace", HostError(StoreError.noSpace(path: root))),
      ("insufficientSpace", HostError(SessionError.insufficientSpace(SessionMessages.full))),
      ("refused", HostError(LaunchRefusal.cameraMissing, app: app)),
      ("refused", HostError(ControlActivationError.notAuthenticated(.noAuthenticator, app: app))),
      ("viewfinder", HostError(SessionViewfinderError.absent, StoreMessages.session)),
      ("viewfinder", HostError(SessionViewfinderError.otherUser(user: 1001), StoreMessages.session)),
      ("viewfinder", HostError(SessionViewfinderError.timedOut, StoreMessages.session)),
      ("viewfinder", HostError(SessionViewfinderError.malformed, StoreMessages.session)),
      ("store", HostError(SessionError.store(.noStateRoot))),
      ("argument", HostError(StoreError.invalidIdentifier("../notes"))),
    ]
    return [("stateDirectory", HostError(StoreError.noStateRoot))] + bundle + launch + [
      ("cancelled", .cancelled), ("closed", .closed), ("system", HostError(SystemMessages.exhausted)),
      ("system", HostError(SessionError.preview(SystemMessages.exhausted))),
      ("system", HostError(SessionError.host(SystemMessages.exhausted))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .stateDirectory, .bundle, .notInstalled, .installation, .contentPending, .extensionRunning, .policy,
      .audit, .program, .camera, .microphone, .foregroundOccupied, .insufficientSpace, .refused, .viewfinder,
      .store, .argument, .cancelled, .closed, .system:
      true
    }
  }
}
