// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)), .waiting) struct InstallationCrashTests {
  @Test(arguments: InstallationStep.allCases)
  func `after a crash at any step one complete copy is installed and reinstalling cleans up`(
    step: InstallationStep
  ) throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    try sample.write("Extensions/Capture/bin/capture", "#!/bin/sh\nexit 1\n", mode: 0o755)
    let state = "\(sample.root)/state"
    try crash("install", of: sample.path, at: step.rawValue, in: state)
    let found = try sample.catalog.find("org.example.camera.capture")
    try found.verifyDigest()
    let isNew = try FileSystem.contents(found.executablePath) == Array("#!/bin/sh\nexit 1\n".utf8)
    #expect(isNew == [InstallationStep.recorded, .finished].contains(step))
    _ = try sample.catalog.install(sample.path)
    #expect(try FileSystem.names(in: "\(state)/apps/org.example.camera/bundle").count == 1)
    try sample.catalog.find("org.example.camera.capture").verifyDigest()
  }

  @Test func `concurrent installations exclude each other`() async throws {
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
