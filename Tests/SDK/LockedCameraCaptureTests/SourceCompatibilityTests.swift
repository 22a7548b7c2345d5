// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Programs in the style of Apple's documents, with all of Foundation, and with views of this package.
@Suite(.timeLimit(.minutes(20))) struct SourceCompatibilityTests {
  @Test(arguments: [
    ("Intents", ""), ("Importer", ""), ("Capture", ""), ("ErrorTexts", ""),
    (
      "MainActorByDefault",
      "-default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault"
        + " -enable-upcoming-feature InferIsolatedConformances"
    ),
  ])
  func `type-checks programs written for Apple platforms without warnings`(name: String, options: String)
    throws
  {
    let built = FileSystem.directoryName(try ChildProgram.path("darkroom-app-fixture"))
    let tests = "\(PackageDirectory.path)/Tests"
    try runShell(
      """
      swiftc -typecheck -parse-as-library -swift-version 6 -warnings-as-errors -module-cache-path '\(built)/ModuleCache' \
        -I '\(built)/Modules' -Xcc -fmodule-map-file='\(built)/CLinux.build/module.modulemap' \
        \(options) '\(tests)/Fixtures/Programs/\(name).swift'
      """
    )
  }
}
