// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol

@testable import CameraDevices
@testable import CameraSource
@testable import CaptureHost
@testable import DarkroomHost
@testable import Digests
@testable import HostBus
@testable import HostService
@testable import KeyInput
@testable import LinuxPrimitives
@testable import LockMonitoring
@testable import SessionServices
@testable import SessionStore
@testable import UserAuthentication
@testable import Viewfinders

/// The types of the other modules of the floor Host that produce messages.
enum ServiceMessages {
  static var types: [any MessageSamples.Type] {
    [
      ServiceError.self, LogindSession.self, LockConfigurationError.self, LockReason.self,
      AuthenticationError.self,
      CompositorSocket.Failure.self, ControlActivationError.self, KeyListenerError.self, ScreenLockError.self,
      FrameCaptureError.self, HostError.self, HostBusError.self,
    ]
  }

  static let lockFile = "/run/user/1000/darkroom/lock"
  static let configuration = "\(StoreMessages.root)/lock.json"
}

extension ServiceError: CaseSamples {
  static var catalogSamples: [(String, ServiceError)] {
    let paths = ServicePaths(root: StoreMessages.root)
    return [
      ("held", .held(place: paths, by: 4711)), ("held", .held(place: paths, by: nil)),
      ("notPrivate", .notPrivate(path: paths.directory)), ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .held, .notPrivate, .system: true
    }
  }
}

extension FrameCaptureError: CaseSamples {
  static var catalogSamples: [(String, FrameCaptureError)] {
    let camera = "/dev/video0"
    let zoom = DeviceControl(
      id: 1,
      title: "Zoom, Absolute",
      from: 100,
      to: 500,
      step: 10,
      standard: 100,
      value: 100
    )
    return [
      ("unknownFileType", .unknownFileType(path: "me.gif")), ("notCameraDevice", .notCameraDevice("pattern")),
      ("unknownSetting", .unknownSetting("zoom", camera: camera)),
      ("invalidValue", .invalidValue("5", of: zoom, camera: camera)),
      ("notSet", .notSet(zoom, camera: camera, DeviceMessages.busy)),
      ("source", .source(FrameSourceError("scene.jpg", .empty))),
      ("notEncoded", .notEncoded(path: "me.jpg", StillImageEncodingError(.jpeg, "out of memory"))),
      ("notWritten", .notWritten(path: "me.jpg", .noReader("me.jpg"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknownFileType, .notCameraDevice, .unknownSetting, .invalidValue, .notSet, .source, .notEncoded,
      .notWritten:
      true
    }
  }
}

extension LogindSession: CaseSamples {
  static var catalogSamples: [(String, LogindSession)] {
    [("own", .own), ("id", .id("c1")), ("seat", .seat("seat0"))]
  }

  var isInCatalog: Bool {
    switch self {
    case .own, .id, .seat: true
    }
  }
}

extension LockConfigurationError: CaseSamples {
  static var catalogSamples: [(String, LockConfigurationError)] {
    let path = ServiceMessages.configuration
    return [
      ("system", .system(SystemMessages.denied)), ("syntax", .syntax(path: path, "1:1: unexpected end")),
      ("member", .member(path: path, "sources")), ("tooLarge", .tooLarge(path: path)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .syntax, .member, .tooLarge: true
    }
  }
}

extension LockReason: CaseSamples {
  static var catalogSamples: [(String, LockReason)] {
    let path = ServiceMessages.lockFile
    return [
      ("stated", .stated(path: path, .locked)), ("neverLocked", .neverLocked),
      ("absent", .absent(path: path)),
      ("malformed", .malformed(path: path)), ("notRegular", .notRegular(path: path, .symbolicLink)),
      ("wrongOwner", .wrongOwner(path: path, owner: 1001)),
      ("writableByOthers", .writableByOthers(path: path)),
      ("unreadable", .unreadable(SystemMessages.denied)),
      ("notWatchable", .notWatchable(SystemMessages.exhausted)),
      ("awaitingLogind", .awaitingLogind), ("sessionUnlocked", .sessionUnlocked("c1")),
      ("sessionLocked", .sessionLocked("c1")),
      ("sessionBeingLocked", .sessionBeingLocked("c1")), ("sessionInBackground", .sessionInBackground("c1")),
      ("greeter", .greeter("c1")), ("sessionOfOtherUser", .sessionOfOtherUser("c1", user: 1001)),
      ("noSession", .noSession(.own)),
      ("noSession", .noSession(.id("c9"))), ("noSession", .noSession(.seat("seat9"))),
      ("logindUnavailable", .logindUnavailable),
      ("busUnavailable", .busUnavailable(.noSuchFile)), ("busLibraryUnavailable", .busLibraryUnavailable),
      ("logindRefused", .logindRefused("org.freedesktop.DBus.Error.AccessDenied")),
      ("configuration", .configuration(.tooLarge(path: ServiceMessages.configuration))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .stated, .neverLocked, .absent, .malformed, .notRegular, .wrongOwner, .writableByOthers, .unreadable,
      .notWatchable, .awaitingLogind, .sessionUnlocked, .sessionLocked, .sessionBeingLocked,
      .sessionInBackground,
      .greeter, .sessionOfOtherUser, .noSession, .logindUnavailable, .busUnavailable, .busLibraryUnavailable,
      .logindRefused, .configuration:
      true
    }
  }
}

extension AuthenticationError: CaseSamples {
  static var catalogSamples: [(String, AuthenticationError)] {
    let path = "\(StoreMessages.root)/authentication.json"
    return [
      ("system", .system(SystemMessages.denied)), ("damaged", .damaged(path: path)),
      ("configuration", .configuration(path: path, member: "method")),
      ("notPrivate", .notPrivate(path: path)),
      ("digest", .digest(.refused(call: "gcry_kdf_derive"))), ("tooShort", .tooShort(minimum: 6)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .damaged, .configuration, .notPrivate, .digest, .tooShort: true
    }
  }
}

extension CompositorSocket.Failure: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [("noDisplay", .noDisplay), ("noRuntimeDirectory", .noRuntimeDirectory(display: "wayland-0"))]
  }

  var isInCatalog: Bool {
    switch self {
    case .noDisplay, .noRuntimeDirectory: true
    }
  }
}

extension ControlActivationError: CaseSamples {
  static var catalogSamples: [(String, ControlActivationError)] {
    let app = StoreMessages.app
    let results: [AuthenticationResult] = [
      .failed, .cancelled, .timedOut, .tooManyAttempts, .noAuthenticator,
      .unavailable("pam_start: no such service"),
    ]
    return results.map { ("notAuthenticated", .notAuthenticated($0, app: app)) } + [
      ("stopped", .stopped(app: app)), ("opening", .opening(.noCommand(app: app))),
      ("store", .store(.noStateRoot)),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notAuthenticated, .stopped, .opening, .store, .system: true
    }
  }
}

extension KeyListenerError: CaseSamples {
  static var catalogSamples: [(String, KeyListenerError)] {
    [
      ("store", .store(.noStateRoot)), ("notWatched", .notWatched(SystemMessages.exhausted)),
      ("devices", .devices(.noLibrary)),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .store, .notWatched, .devices, .system: true
    }
  }
}

extension ScreenLockError: CaseSamples {
  static var catalogSamples: [(String, ScreenLockError)] {
    let states: [State] = [.unlocked, .dark]
    return [("noAuthentication", .noAuthentication("no passcode is set"))]
      + states.map { ("refused", .refused("the compositor has no ext_session_lock_manager_v1", $0)) }
      + states.map { ("program", .program(SystemMessages.notFound, $0)) } + [
        ("noReply", .noReply("its program exited with code 1"))
      ]
      + states.map { ("system", .system(SystemMessages.exhausted, $0)) } + [
        ("lockNotWritten", .lockNotWritten(SystemMessages.denied, directory: StoreMessages.root)),
        ("notUnlocked", .notUnlocked),
        ("exitedRepeatedly", .exitedRepeatedly("its program exited with code 1")), ("stopped", .stopped),
      ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noAuthentication, .refused, .program, .noReply, .system, .lockNotWritten, .notUnlocked,
      .exitedRepeatedly,
      .stopped:
      true
    }
  }
}

extension HostBusError: CaseSamples {
  static var catalogSamples: [(String, HostBusError)] {
    [
      ("bus", .bus(SystemCallError("sd_bus_open_user", errno: .noSuchFile))),
      ("nameOwned", .nameOwned("org.darkroom.Host1")), ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .bus, .nameOwned, .system: true
    }
  }
}
