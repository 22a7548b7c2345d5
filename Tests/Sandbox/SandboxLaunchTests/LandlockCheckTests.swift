// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxEnforcement
import SandboxLaunch
import TestSupport
import Testing

/// Tests of the check that Landlock denies a directory, without which no restricted session starts.
@Suite(.enabled(if: LandlockSupport.abi > 0, "requires Landlock")) struct LandlockCheckTests {
  /// The rights to execute files and to list directories, as `LANDLOCK_ACCESS_FS_…` bits.
  private static let (execute, list): (UInt64, UInt64) = (1 << 0, 1 << 3)

  /// Launches a program without namespaces that prints a line. Landlock handles the given rights, and allows
  /// execution everywhere.
  private func launch(handling files: UInt64, denied: String, output: Int32) throws -> SandboxedProcess {
    var plan = LaunchBrokerTests.plan("echo ran", content: denied, output: output)
    plan.identity = .restricted
    plan.isolation.namespaces = []
    plan.restrictions.landlock = LandlockRuleset(
      files: files,
      network: 0,
      scopes: 0,
      rules: [.init(path: "/", access: Self.execute)],
      deniedDirectory: denied
    )
    return try SandboxLauncher.launch(plan)
  }

  @Test func `starts no program if the process can open the denied directory`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let error = #expect(throws: SandboxLaunchError.self) {
        let process = try launch(
          handling: Self.execute,
          denied: content,
          output: pipe.writeEnd.rawValue
        )
        _ = try process.reap()
      }
      guard case .child(let failure) = error else {
        Issue.record("the launch should have failed")
        return
      }
      #expect(failure.step == "restrictSelf" && failure.errno == .notSupported, "\(failure)")
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == [])
    }
  }

  @Test func `starts the program if Landlock denies the directory (control)`() throws {
    try LaunchBrokerTests.withDirectory { content in
      let pipe = try Pipe.make()
      let process = try launch(
        handling: Self.execute | Self.list,
        denied: content,
        output: pipe.writeEnd.rawValue
      )
      let readEnd = pipe.takeReadEnd()
      #expect(try readEnd.readAll(limit: 100) == Array("ran\n".utf8))
      _ = try process.reap()
    }
  }
}
