// SPDX-License-Identifier: Apache-2.0

@testable import Digests
@testable import LinuxPrimitives
@testable import SessionStore

/// The types of the modules Digests and SessionStore that produce messages.
enum StoreMessages {
  static var types: [any MessageSamples.Type] {
    [
      DigestError.self, StoreError.self, SharedAssetsFault.self, StorageRefusal.self,
      PermissionSettingError.self,
      DocumentFault.self, LogFault.self, AdministrationFault.self, Administration.Prohibition.self,
      QuarantineReason.self, Sanitization.self, SessionOutcome.self,
    ]
  }

  static let root = "/home/ada/.local/state/darkroom"
  static let app = "org.example.notes"
  static let digest = SHA256Digest(bytes: [UInt8](repeating: 0xAB, count: 32))
  /// A session ID with a fixed value, which is valid: the random ID would differ from the catalog in each run.
  static let session = SessionID("01234567-89ab-4def-8123-456789abcdef") ?? .random()
}

extension DigestError: CaseSamples {
  static var catalogSamples: [(String, DigestError)] {
    [("refused", .refused(call: "gcry_md_open")), ("unreadable", .unreadable(SystemMessages.denied))]
  }

  var isInCatalog: Bool {
    switch self {
    case .refused, .unreadable: true
    }
  }
}

extension StoreError: CaseSamples {
  static var catalogSamples: [(String, StoreError)] {
    let (root, app, session) = (StoreMessages.root, StoreMessages.app, StoreMessages.session)
    let fault = DocumentFault.member("version", expected: "1")
    let binding = KeyBinding(key: "KEY_CAMERA", press: .single, control: "org.example.notes.capture/photo")
    return [
      ("noStateRoot", .noStateRoot), ("notADirectory", .notADirectory(path: root)),
      ("foreignOwner", .foreignOwner(path: root, owner: 0, user: 1000)),
      ("writableByOthers", .writableByOthers(path: root, permissions: 0o777)),
      ("readOnlyFileSystem", .readOnlyFileSystem(path: root)), ("notPermitted", .notPermitted(path: root)),
      ("noSpace", .noSpace(path: root)),
      ("reserveReached", .reserveReached(path: root, free: 1 << 20, reserve: 1 << 26)),
      ("unknownLayout", .unknownLayout(path: root, found: "9", known: "1")),
      ("invalidIdentifier", .invalidIdentifier("../notes")),
      ("differentFileSystems", .differentFileSystems(root, "\(root)/apps")),
      ("damaged", .damaged(path: "\(root)/quota.json", fault)),
      (
        "contextDamaged",
        .contextDamaged(app: app, path: "\(root)/context.json", .syntax("1:1: unexpected end"))
      ),
      ("permissionsDamaged", .permissionsDamaged(app: app, path: "\(root)/permissions.json", fault)),
      ("invalidPermissionSetting", .invalidPermissionSetting(.cannotPrompt(.photos))),
      ("tooManyAssets", .tooManyAssets(limit: 1000)), ("invalidAssetID", .invalidAssetID("a/b")),
      ("tooManyDevices", .tooManyDevices(limit: 64)), ("invalidDeviceName", .invalidDeviceName("a\u{7}b")),
      ("contextTooLarge", .contextTooLarge(bytes: 5000, limit: 4096)),
      ("assets", .assets(app: app, directory: "/home/ada/assets", .missing)),
      ("noSuchContent", .noSuchContent(app: app, session: session)),
      ("noSuchQuarantine", .noSuchQuarantine(app: app, session: session)),
      ("invalidConsumerName", .invalidConsumerName("a b")),
      ("consumerBusy", .consumerBusy(app: app, consumer: "importer")),
      ("keyAlreadyBound", .keyAlreadyBound(binding)),
      ("keyNotBound", .keyNotBound("KEY_F1", bound: ["KEY_CAMERA"])),
      ("keyNotBound", .keyNotBound("KEY_F1", bound: [])),
      ("alreadyExists", .alreadyExists(path: "\(root)/sessions/1")),
      ("contentDirectoryRemoved", .contentDirectoryRemoved(path: "\(root)/sessions/1")),
      ("changedDuringWalk", .changedDuringWalk(path: "\(root)/sessions/1/a")),
      ("mountedInside", .mountedInside(path: "\(root)/sessions/1/a")),
      ("immovable", .immovable(path: "\(root)/sessions/1/a")),
      ("stillRunning", .stillRunning(session: session, processes: [4711, 4712])),
      ("logDamaged", .logDamaged(path: "\(root)/log", .outOfOrder(says: 7, expected: 5))),
      ("invalidPath", .invalidPath(SystemMessages.notFound)),
      (
        "refused",
        .refused(
          CallRefusal(
            [RefusedCall("openat2", .error(.notPermitted))],
            by: InheritedFilter(),
            kernel: "6.12.0"
          )
        )
      ),
      ("digest", .digest(.refused(call: "gcry_md_open"))), ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noStateRoot, .notADirectory, .foreignOwner, .writableByOthers, .readOnlyFileSystem, .notPermitted,
      .noSpace, .reserveReached, .unknownLayout, .invalidIdentifier, .differentFileSystems, .damaged,
      .contextDamaged, .permissionsDamaged, .invalidPermissionSetting, .tooManyAssets, .invalidAssetID,
      .tooManyDevices, .invalidDeviceName, .contextTooLarge, .assets, .noSuchContent, .noSuchQuarantine,
      .invalidConsumerName, .consumerBusy, .keyAlreadyBound, .keyNotBound, .alreadyExists,
      .contentDirectoryRemoved, .changedDuringWalk, .mountedInside, .immovable, .stillRunning, .logDamaged,
      .invalidPath, .refused, .digest, .system:
      true
    }
  }
}

extension SharedAssetsFault: CaseSamples {
  static var catalogSamples: [(String, SharedAssetsFault)] {
    [
      ("tooLarge", .tooLarge(bytes: 300_000_000, limit: 268_435_456)),
      ("tooManyFiles", .tooManyFiles(5000, limit: 4096)),
      ("tooManyDirectories", .tooManyDirectories(600, limit: 512)),
      ("tooDeep", .tooDeep(path: "a/b/c", limit: 16)),
      ("symbolicLink", .symbolicLink(path: "lut.cube")), ("hardLink", .hardLink(path: "lut.cube", names: 2)),
      ("specialFile", .specialFile(path: "pipe", kind: "FIFO")),
      ("specialMode", .specialMode(path: "tool", permissions: 0o4755)),
      ("undisplayableName", .undisplayableName(path: "a\\x07b")), ("missing", .missing),
      ("notADirectory", .notADirectory),
      ("unreadable", .unreadable(path: "lut.cube", errno: "Permission denied (EACCES)")),
      ("overlapsStore", .overlapsStore), ("busy", .busy),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooLarge, .tooManyFiles, .tooManyDirectories, .tooDeep, .symbolicLink, .hardLink, .specialFile,
      .specialMode, .undisplayableName, .missing, .notADirectory, .unreadable, .overlapsStore, .busy:
      true
    }
  }
}

extension StorageRefusal: CaseSamples {
  static var catalogSamples: [(String, StorageRefusal)] {
    let (root, app) = (StoreMessages.root, StoreMessages.app)
    let sources: [FreeReserve.Source] = [.standard, .root, .app, .policy]
    return [
      ("appFull", .appFull(app: app, .bytes, waiting: 1 << 31, limit: 1 << 30)),
      ("appFull", .appFull(app: app, .files, waiting: 5000, limit: 4096)),
      ("appFull", .appFull(app: app, .sessions, waiting: 64, limit: 64)),
    ]
      + sources.map {
        (
          "diskFull",
          .diskFull(path: root, free: 1 << 20, reserve: FreeReserve(bytes: 1 << 26, source: $0), app: app)
        )
      } + [("outOfInodes", .outOfInodes(path: root, free: 12))]
  }

  var isInCatalog: Bool {
    switch self {
    case .appFull, .diskFull, .outOfInodes: true
    }
  }
}

extension PermissionSettingError: CaseSamples {
  static var catalogSamples: [(String, PermissionSettingError)] {
    [
      ("cannotBeLimited", .cannotBeLimited(.photosAddOnly)), ("cannotPrompt", .cannotPrompt(.photos)),
      ("noAssets", .noAssets(.camera)), ("noDevices", .noDevices(.photos)),
      ("selectionWithoutLimit", .selectionWithoutLimit(.photos, .authorized)),
      ("nothingSelected", .nothingSelected(.camera)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .cannotBeLimited, .cannotPrompt, .noAssets, .noDevices, .selectionWithoutLimit, .nothingSelected:
      true
    }
  }
}

extension DocumentFault: CaseSamples {
  static var catalogSamples: [(String, DocumentFault)] {
    [
      ("syntax", .syntax("3:14: unexpected end")), ("member", .member("version", expected: "1")),
      ("tooLarge", .tooLarge),
      ("missing", .missing),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .syntax, .member, .tooLarge, .missing: true
    }
  }
}

extension LogFault: CaseSamples {
  static var catalogSamples: [(String, LogFault)] {
    [
      ("unreadable", .unreadable(.tooLarge)), ("changed", .changed(says: StoreMessages.digest, is: .zero)),
      ("outOfOrder", .outOfOrder(says: 7, expected: 5)),
      ("notChained", .notChained(says: StoreMessages.digest, expected: .zero)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unreadable, .changed, .outOfOrder, .notChained: true
    }
  }
}

extension AdministrationFault: CaseSamples {
  static var catalogSamples: [(String, AdministrationFault)] {
    [
      ("damaged", .damaged(path: "/etc/darkroom/managed.json", .member("rules", expected: "an array"))),
      ("unreadable", .unreadable(SystemMessages.denied)),
      ("missing", .missing(path: "/srv/managed.json", variable: "DARKROOM_MANAGED")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .damaged, .unreadable, .missing: true
    }
  }
}

extension QuarantineReason: CaseSamples {
  var catalogText: String { explanation }
}

extension Sanitization: CaseSamples {
  var catalogText: String { explanation }
}
