// SPDX-License-Identifier: Apache-2.0

import AppBundles
import Glibc
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct InstallationCrashTests {
  @Test(arguments: InstallationStep.allCases)
  func `after a crash at any step the old or the new copy is installed, and the next installation cleans up`(
    step: InstallationStep
  ) async throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    try sample.write("Extensions/Capture/bin/capture", "#!/bin/sh\nexit 1\n", mode: 0o755)
    let path: String = sample.path
    let state: String = "\(sample.root)/state"
    let name: String = step.rawValue
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, state = state as String, name = name as String] in
      let catalog = AppCatalog(appsDirectory: "\(state)/apps", groupsDirectory: "\(state)/groups")
      _ = try catalog.install(path) { if $0.rawValue == name { kill(getpid(), SIGKILL) } }
    }
    let found = try sample.catalog.find("org.example.camera.capture")
    try found.verifyDigest()
    let isNew = try FileSystem.contents(found.executablePath) == Array("#!/bin/sh\nexit 1\n".utf8)
    #expect(isNew == [InstallationStep.recorded, .finished].contains(step))
    _ = try sample.catalog.install(sample.path)
    #expect(try FileSystem.names(in: "\(state)/apps/org.example.camera/bundle").count == 1)
    try sample.catalog.find("org.example.camera.capture").verifyDigest()
  }

  @Test func `installations at the same time exclude one another`() async throws {
    let sample = try SampleBundle()
    let (path, catalog) = (sample.path, sample.catalog)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          #expect(throws: Never.self) { for _ in 0..<5 { _ = try catalog.install(path) } }
        }
      }
    }
    #expect(try FileSystem.names(in: "\(sample.root)/state/apps/org.example.camera/bundle") == ["20"])
  }
}
