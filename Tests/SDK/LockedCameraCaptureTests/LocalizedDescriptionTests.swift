// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import LockedCameraCapture
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct LocalizedDescriptionTests {
  /// An error without a description.
  private enum TestError: Error { case paperJam(Int) }

  @Test func `provides a description for every error, and a sentence for errors of the library`() {
    for error in [LockedCameraCaptureSession.ApplicationLaunchError.unknown, .authenticationFailed] {
      #expect(error.localizedDescription == error.errorDescription)
    }
    #expect(
      UserActivityError.tooDeep(path: "userInfo.a", limit: 16).localizedDescription
        == "userInfo.a is nested more than 16 levels deep; send a flatter structure"
    )
    let error: any Error = TestError.paperJam(3)
    #expect(error.localizedDescription == "paperJam(3)")
  }

  /// Code of an author, to which a test prepends imports.
  private static let code = """
    import LockedCameraCapture
    func words(_ error: any Error) -> String { error.localizedDescription }
    func words(_ error: LockedCameraCaptureSession.ApplicationLaunchError) -> String { error.localizedDescription }
    func words(_ body: () throws -> Void) -> String {
      do { try body() } catch { return error.localizedDescription }
      return ""
    }
    """

  @Test(arguments: ["", "import FoundationEssentials\n", "import Foundation\n"])
  func `compiles without ambiguity next to any part of Foundation`(imports: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write(imports + Self.code, to: "words.swift")
    let built = FileSystem.directoryName(try ChildProgram.path("darkroom-app-fixture"))
    try runShell(
      """
      swiftc -typecheck -swift-version 6 -warnings-as-errors -module-cache-path '\(built)/ModuleCache' \
        -I '\(built)/Modules' -Xcc -fmodule-map-file='\(built)/CLinux.build/module.modulemap' '\(directory.path)/words.swift'
      """
    )
  }
}
