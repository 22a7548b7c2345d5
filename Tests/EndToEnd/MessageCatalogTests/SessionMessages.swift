// SPDX-License-Identifier: Apache-2.0

@testable import AppBundles
@testable import CameraSource
@testable import CaptureHost
@testable import ExtensionProtocol
@testable import LaunchPlanning
@testable import LinuxPrimitives
@testable import Microphones
@testable import Prewarming
@testable import SessionServices
@testable import SessionStore

/// The types of the modules CaptureHost, SessionServices and Prewarming that produce messages.
enum SessionMessages {
  static var types: [any MessageSamples.Type] {
    [
      ApplicationOpeningError.self, SoundFailure.self, CameraFeedError.self, SoundFeedError.self,
      ExtensionLaunchError.self, BrokerFault.self, SessionError.self, PermissionReason.self,
      UnlinkedFileUsage.Uncertainty.self, LaunchRefusal.self,
      ControlFindingError.self, KeyNameError.self, BatchError.self, PhotoRefusal.self, PrewarmError.self,
    ]
  }

  static let control = "org.example.notes.capture/photo"
  static let full = StorageRefusal.outOfInodes(path: StoreMessages.root, free: 12)
  static let managed = Administration.Prohibition.rule(source: "/etc/darkroom/managed.json")
}

extension ApplicationOpeningError: CaseSamples {
  static var catalogSamples: [(String, ApplicationOpeningError)] {
    let (app, program, log) = (
      StoreMessages.app, "/opt/notes/bin/notes", "\(StoreMessages.root)/apps/notes/log"
    )
    return [
      ("notInstalled", .notInstalled(app: app)), ("noCommand", .noCommand(app: app)),
      ("programNotFound", .programNotFound(app: app, program: program)),
      ("notExecutable", .notExecutable(app: app, program: program)),
      ("exitedAtStart", .exitedAtStart(app: app, .exited(3), log: log, lastLines: "cannot open display")),
      ("exitedAtStart", .exitedAtStart(app: app, .signaled(.kill), log: log, lastLines: "")),
      ("installation", .installation(.appNotInstalled(id: app, nearest: nil))),
      ("notStarted", .notStarted(SystemMessages.exhausted)),
      ("mailbox", .mailbox(.noSpace(path: StoreMessages.root))),
      ("noOpener", .noOpener),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notInstalled, .noCommand, .programNotFound, .notExecutable, .exitedAtStart, .installation,
      .notStarted,
      .mailbox, .noOpener:
      true
    }
  }

  var catalogText: String { "\(self) | \(extensionMessage)" }
}

extension SoundFailure: CaseSamples {
  static var catalogSamples: [(String, SoundFailure)] {
    [
      ("unavailable", .unavailable), ("playerNotFound", .playerNotFound),
      ("configuredPlayerNotFound", .configuredPlayerNotFound("mpv")),
    ] + StandardSound.allCases.map { ("notInTheme", .notInTheme($0)) } + [
      ("noBundle", .noBundle), ("notOpened", .notOpened(.noSuchFile)), ("notRegular", .notRegular),
      ("tooLarge", .tooLarge(limit: 1 << 20)), ("notPlainWAV", .notPlainWAV),
      ("tooLong", .tooLong(seconds: 5)),
      ("onlyWAV", .onlyWAV(player: "aplay")), ("busy", .busy),
      ("notStarted", .notStarted(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unavailable, .playerNotFound, .configuredPlayerNotFound, .notInTheme, .noBundle, .notOpened,
      .notRegular,
      .tooLarge, .notPlainWAV, .tooLong, .onlyWAV, .busy, .notStarted:
      true
    }
  }
}

extension CameraFeedError: CaseSamples {
  static var catalogSamples: [(String, CameraFeedError)] {
    [
      ("source", .source(FrameSourceError("scene.jpg", .empty))), ("singleUse", .singleUse("/dev/stdin")),
      ("geometry", .geometry(DeviceMessages.wideFrame)),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .source, .singleUse, .geometry, .system: true
    }
  }
}

extension SoundFeedError: CaseSamples {
  static var catalogSamples: [(String, SoundFeedError)] {
    [
      ("source", .source(SoundSourceError("speech.wav", .empty))),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .source, .system: true
    }
  }
}

extension ExtensionLaunchError: CaseSamples {
  static var catalogSamples: [(String, ExtensionLaunchError)] {
    [
      ("catalog", .catalog(.extensionNotInstalled(id: "captur", nearest: "capture"))),
      ("policy", .policy(.unknown("captur", shipped: ["base", "capture"]))),
      ("audit", .audit(.tooLarge(path: "audit.json"))), ("store", .store(.noStateRoot)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .catalog, .policy, .audit, .store: true
    }
  }
}

extension BrokerFault: CaseSamples {
  static var catalogSamples: [(String, BrokerFault)] {
    [
      ("unavailable", .unavailable("clone3: Operation not permitted (EPERM)")), ("ended", .ended(nil)),
      ("ended", .ended(.notPermitted)), ("closed", .closed),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unavailable, .ended, .closed: true
    }
  }
}

extension SessionError: CaseSamples {
  static var catalogSamples: [(String, SessionError)] {
    let holder = ForegroundLock.Holder(
      session: StoreMessages.session.description,
      extensionID: "org.example.notes.capture"
    )
    return [
      ("camera", .camera(.singleUse("/dev/stdin"))),
      ("microphone", .microphone(.system(SystemMessages.exhausted))),
      ("preview", .preview(SystemMessages.exhausted)), ("foregroundOccupied", .foregroundOccupied(holder)),
      ("foregroundOccupied", .foregroundOccupied(nil)),
      ("insufficientSpace", .insufficientSpace(SessionMessages.full)),
      ("store", .store(.noStateRoot)), ("host", .host(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .camera, .microphone, .preview, .foregroundOccupied, .insufficientSpace, .store, .host: true
    }
  }
}

extension PermissionReason: CaseSamples {
  static var catalogSamples: [(String, PermissionReason)] {
    [
      ("user", .user), ("undecided", .undecided), ("commandLine", .commandLine), ("prompted", .prompted),
      ("promptRequired", .promptRequired), ("notSelected", .notSelected("Integrated Camera")),
      ("administrator", .administrator(SessionMessages.managed)),
      ("missingUsageDescription", .missingUsageDescription([.app])),
      ("missingUsageDescription", .missingUsageDescription([.app, .captureExtension])),
      ("unreadable", .unreadable(.noStateRoot)), ("fixed", .fixed),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .user, .undecided, .commandLine, .prompted, .promptRequired, .notSelected, .administrator,
      .missingUsageDescription, .unreadable, .fixed:
      true
    }
  }

  var catalogText: String { sentence }
}

extension UnlinkedFileUsage.Uncertainty: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [("denied", .denied), ("timedOut", .timedOut), ("queued", .queued), ("unsized", .unsized)]
  }

  var isInCatalog: Bool {
    switch self {
    case .denied, .timedOut, .queued, .unsized: true
    }
  }

  var catalogText: String { sentence }
}
