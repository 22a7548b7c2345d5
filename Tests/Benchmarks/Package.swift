// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The identity of the measured package: the name of its directory in lower case.
let measuredPackage =
  Context.packageDirectory.split(separator: "/").dropLast(2).last.map { $0.lowercased() } ?? ""

/// The package name for `package` access: SwiftPM converts the identity to an identifier.
let packageAccessName = String(
  measuredPackage.enumerated().map { place, character in
    let isLetter = character == "_" || character.isLetter
    return isLetter || (place > 0 && character.isNumber) ? character : "_"
  }
)

/// The settings of the measured package. Most measured declarations have `package` access, so the program
/// uses the package name of the measured package.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
  .unsafeFlags(["-package-name", packageAccessName]),
]

let package = Package(
  name: "darkroom-benchmarks",
  dependencies: [.package(path: "../..")],
  targets: [
    .executableTarget(
      name: "darkroom-benchmark",
      dependencies: [.product(name: "DarkroomModules", package: measuredPackage)],
      path: "Program",
      packageAccess: false,
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
    ),
    // Uses only the public library, like extensions of other authors.
    .executableTarget(
      name: "WaitingExtension",
      dependencies: [.product(name: "LockedCameraCapture", package: measuredPackage)],
      path: "Extension",
      linkerSettings: [.unsafeFlags(["-use-ld=lld"])]
    ),
  ]
)
