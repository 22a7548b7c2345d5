// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The identity of the package whose modules are measured: the name of its directory in small letters.
let measured =
  Context.packageDirectory.split(separator: "/").dropLast(2).last.map { $0.lowercased() } ?? ""

/// The name under which it shares its `package` declarations: SwiftPM makes an identifier of its identity.
let sharedName = String(
  measured.enumerated().map { place, character in
    let isLetter = character == "_" || character.isLetter
    return isLetter || (place > 0 && character.isNumber) ? character : "_"
  }
)

/// As in the package itself. What is measured is mostly no public promise but `package`: the program says that it
/// belongs to that package, and for that it may not belong to its own.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
  .unsafeFlags(["-package-name", sharedName]),
]

let package = Package(
  name: "darkroom-benchmarks",
  dependencies: [.package(path: "../..")],
  targets: [
    .executableTarget(
      name: "darkroom-benchmark",
      dependencies: [.product(name: "DarkroomModules", package: measured)],
      path: "Program",
      packageAccess: false,
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
    ),
    // Written as others write extensions: with what the library has for everybody.
    .executableTarget(
      name: "WaitingExtension",
      dependencies: [.product(name: "LockedCameraCapture", package: measured)],
      path: "Extension",
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
    ),
  ]
)
