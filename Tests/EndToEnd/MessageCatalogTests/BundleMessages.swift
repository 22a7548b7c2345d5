// SPDX-License-Identifier: Apache-2.0

@testable import AppBundles
@testable import Digests
@testable import JSONText
@testable import LinuxPrimitives
@testable import PhotoLibrary

/// The types of the modules AppBundles and PhotoLibrary that produce messages.
enum BundleMessages {
  static var types: [any MessageSamples.Type] {
    [
      ManifestFault.self, IdentifierProblem.self, CatalogError.self, InstallationDamage.self,
      PhotoLibraryError.self,
      PhotoLibraryError.LocationFault.self, PhotoLibraryError.FileFault.self, DatabaseError.self,
    ]
  }

  static let syntax = JSONSyntaxErrorText(
    JSONSyntaxError(reason: .unexpectedEnd, position: ProtocolMessages.position)
  )
  static let bundle = "/home/ada/Notes.app"

  static func diagnostic(_ fault: ManifestFault) -> ManifestDiagnostic {
    ManifestDiagnostic(file: "app.json", position: ProtocolMessages.position, key: "id", fault: fault)
  }
}

extension ManifestFault: CaseSamples {
  static var catalogSamples: [(String, ManifestFault)] {
    let loader = "/lib64/ld-linux-x86-64.so.2"
    return [
      ("manifestMissing", .manifestMissing), ("manifestTooLarge", .manifestTooLarge(limit: 65536)),
      ("unreadable", .unreadable(call: "openat2", errno: .permissionDenied)),
      ("syntax", .syntax(BundleMessages.syntax)),
      ("wrongType", .wrongType(expected: "a string", found: "a number")), ("keyMissing", .keyMissing),
      ("keyUnknown", .keyUnknown(nearest: "name", known: ["id", "name"])),
      ("keyUnknown", .keyUnknown(nearest: nil, known: ["id", "name"])), ("textEmpty", .textEmpty),
      ("textTooLong", .textTooLong(limit: 256)), ("controlCharacter", .controlCharacter),
      ("notAChoice", .notAChoice(found: "hot", choices: ["cold", "warm"])),
      ("outOfRange", .outOfRange(found: 0.5, range: 1...60)),
      ("repeated", .repeated("frames")),
      ("badIdentifier", .badIdentifier(found: "notes", problem: .oneLabel)),
      ("badGroup", .badGroup(found: "notes")),
      ("foreignIdentifier", .foreignIdentifier(found: "org.other.capture", app: "org.example.notes")),
      ("extensionRepeated", .extensionRepeated(id: "org.example.notes.capture", other: "extensions/A")),
      ("controlRepeated", .controlRepeated(id: "photo")),
      (
        "extensionUnknown",
        .extensionUnknown(found: "org.example.notes.captur", nearest: "org.example.notes.capture", known: [])
      ),
      ("extensionUnknown", .extensionUnknown(found: "x", nearest: nil, known: ["org.example.notes.capture"])),
      ("notOneExtension", .notOneExtension(count: 2)),
      ("intentsDiffer", .intentsDiffer(found: "Film", other: "Photo")),
      ("intentMissing", .intentMissing(wanted: "Photo")), ("cameraReasonMissing", .cameraReasonMissing),
      ("appReasonMissing", .appReasonMissing(.microphone)), ("stdinNeedsNoProtocol", .stdinNeedsNoProtocol),
      ("ringNeedsProtocol", .ringNeedsProtocol), ("warmNeedsProtocol", .warmNeedsProtocol),
      ("badVariable", .badVariable),
      ("reservedVariable", .reservedVariable), ("pathEscapes", .pathEscapes(found: "../bin/tool")),
      ("pathThroughLink", .pathThroughLink(found: "bin/tool")),
      ("fileMissing", .fileMissing(found: "bin/tool")),
      ("notRegular", .notRegular(found: "bin/tool", kind: .fifo)),
      ("policyUnknown", .policyUnknown(found: "captur", nearest: "capture", known: [])),
      ("policyUnknown", .policyUnknown(found: "x", nearest: nil, known: ["base", "capture"])),
      ("notExecutable", .notExecutable(found: "bin/tool")), ("notAProgram", .notAProgram(found: "bin/tool")),
      ("badInterpreter", .badInterpreter(line: "python3")),
      ("partMissing", .partMissing(.loader, path: loader)),
      ("partMissing", .partMissing(.interpreter, path: "/usr/bin/ruby")),
      ("partHidden", .partHidden(.loader, path: "/opt/ld.so")),
      ("programMissing", .programMissing(path: "/usr/bin/ruby")),
      ("librariesMissing", .librariesMissing(["libfoo.so.1"])),
      ("wrongArchitecture", .wrongArchitecture(found: "aarch64", declared: ["x86_64"])),
      ("foreignMachine", .foreignMachine(supported: ["aarch64"], machine: "x86_64")),
      ("linkEscapes", .linkEscapes(target: "/etc")),
      ("linkHidden", .linkHidden(target: "/home/ada/lib")), ("specialFile", .specialFile(.socket)),
      ("setID", .setID(links: 1)),
      ("nonUTF8Name", .nonUTF8Name), ("treeTooLarge", .treeTooLarge(limit: 10000)),
      ("notAnExtension", .notAnExtension(.regular)), ("noExtensions", .noExtensions),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .manifestMissing, .manifestTooLarge, .unreadable, .syntax, .wrongType, .keyMissing, .keyUnknown,
      .textEmpty,
      .textTooLong, .controlCharacter, .notAChoice, .outOfRange, .repeated, .badIdentifier, .badGroup,
      .foreignIdentifier, .extensionRepeated, .controlRepeated, .extensionUnknown, .notOneExtension,
      .intentsDiffer,
      .intentMissing, .cameraReasonMissing, .appReasonMissing, .stdinNeedsNoProtocol, .ringNeedsProtocol,
      .warmNeedsProtocol, .badVariable, .reservedVariable, .pathEscapes, .pathThroughLink, .fileMissing,
      .notRegular,
      .policyUnknown, .notExecutable, .notAProgram, .badInterpreter, .partMissing, .partHidden,
      .programMissing,
      .librariesMissing, .wrongArchitecture, .foreignMachine, .linkEscapes, .linkHidden, .specialFile, .setID,
      .nonUTF8Name, .treeTooLarge, .notAnExtension, .noExtensions:
      true
    }
  }

  var catalogText: String { BundleMessages.diagnostic(self).description }
}

extension IdentifierProblem: CaseSamples {
  static var catalogSamples: [(String, IdentifierProblem)] {
    [
      ("oneLabel", .oneLabel), ("tooLong", .tooLong), ("emptyLabel", .emptyLabel),
      ("labelTooLong", .labelTooLong("aaaa")),
      ("badEnd", .badEnd(label: "-notes")), ("badCharacter", .badCharacter("_")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .oneLabel, .tooLong, .emptyLabel, .labelTooLong, .badEnd, .badCharacter: true
    }
  }
}

extension CatalogError: CaseSamples {
  static var catalogSamples: [(String, CatalogError)] {
    let (bundle, app, id) = (BundleMessages.bundle, StoreMessages.app, "org.example.notes.capture")
    let faults = [BundleMessages.diagnostic(.textEmpty), BundleMessages.diagnostic(.noExtensions)]
    let damage = InstallationDamage.key("digest")
    return [
      ("bundleRefused", .bundleRefused(path: bundle, faults)),
      ("changedWhileCopied", .changedWhileCopied(path: bundle, faults)),
      ("bundleInsideCatalog", .bundleInsideCatalog(path: bundle)),
      ("appNotInstalled", .appNotInstalled(id: "org.example.note", nearest: app)),
      ("appNotInstalled", .appNotInstalled(id: "org.example.note", nearest: nil)),
      ("extensionNotInstalled", .extensionNotInstalled(id: "captur", nearest: id)),
      ("extensionNotInstalled", .extensionNotInstalled(id: "captur", nearest: nil)),
      ("contentPending", .contentPending(app: app, sessions: 2, directory: "\(StoreMessages.root)/apps")),
      ("extensionRunning", .extensionRunning(app: app)),
      ("changed", .changed(id: id, path: bundle, installed: StoreMessages.digest, found: .zero)),
      ("linksChanged", .linksChanged(id: id, path: bundle)),
      ("damaged", .damaged(app: app, path: bundle, damage)),
      ("digest", .digest(path: bundle, .refused(call: "gcry_md_open"))),
      ("systemCall", .systemCall(SystemMessages.denied)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .bundleRefused, .changedWhileCopied, .bundleInsideCatalog, .appNotInstalled, .extensionNotInstalled,
      .contentPending, .extensionRunning, .changed, .linksChanged, .damaged, .digest, .systemCall:
      true
    }
  }
}

extension InstallationDamage: CaseSamples {
  static var catalogSamples: [(String, InstallationDamage)] {
    [
      ("syntax", .syntax(BundleMessages.syntax, ProtocolMessages.position)), ("tooLarge", .tooLarge),
      ("key", .key("digest")),
      ("version", .version(9)), ("manifest", .manifest(BundleMessages.diagnostic(.textEmpty))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .syntax, .tooLarge, .key, .version, .manifest: true
    }
  }
}

extension PhotoLibraryError: CaseSamples {
  static var catalogSamples: [(String, PhotoLibraryError)] {
    let path = "/home/ada/Pictures/darkroom"
    let codes: [Int32] = [5, 13, 11, 8, 19, 1]
    return [
      ("noLocation", .noLocation), ("notPrivate", .notPrivate(path: path, .notADirectory)),
      ("newerIndex", .newerIndex(path: path, version: 9, known: 1)),
      ("notWriteAhead", .notWriteAhead(path: path, mode: "delete")), ("noSuchAsset", .noSuchAsset("A1")),
      ("notOwn", .notOwn("A1")),
      ("fileMissing", .fileMissing(asset: "A1", path: "\(path)/a.jpg")),
      ("unsuitableFile", .unsuitableFile(path: "shot.jpg", .empty)), ("noSpace", .noSpace(path: path)),
    ] + codes.map { ("database", .database(DatabaseError(code: $0, action: "commit", message: "sample"))) }
      + [("system", .system(SystemMessages.denied))] + IngestStep.allCases.map { ("stopped", .stopped($0)) }
  }

  var isInCatalog: Bool {
    switch self {
    case .noLocation, .notPrivate, .newerIndex, .notWriteAhead, .noSuchAsset, .notOwn, .fileMissing,
      .unsuitableFile,
      .noSpace, .database, .system, .stopped:
      true
    }
  }
}

extension PhotoLibraryError.LocationFault: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("notADirectory", .notADirectory), ("foreignOwner", .foreignOwner(0)),
      ("writableByOthers", .writableByOthers(0o777)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notADirectory, .foreignOwner, .writableByOthers: true
    }
  }
}

extension PhotoLibraryError.FileFault: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("unreachable", .unreachable(.noSuchFile)), ("notRegular", .notRegular(.fifo)), ("links", .links(2)),
      ("specialBits", .specialBits), ("empty", .empty), ("tooLarge", .tooLarge(bytes: 9000, limit: 4096)),
      ("changed", .changed),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unreachable, .notRegular, .links, .specialBits, .empty, .tooLarge, .changed: true
    }
  }
}

extension DatabaseError: MessageSamples {
  static var catalogSamples: [(String, DatabaseError)] {
    [("", DatabaseError(code: 5, action: "begin the transaction", message: "database is locked"))]
  }
}
