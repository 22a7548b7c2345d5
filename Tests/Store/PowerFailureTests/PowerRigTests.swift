// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of the rig itself, with a demo store that is known to be correct or incorrect.
@Suite(.waiting) struct PowerRigTests {
  /// A variant of the demo store.
  enum StoreVariant: String, CaseIterable {
    /// All required synchronization.
    case safe
    /// No fsync(2) of the file.
    case nofile
    /// No fsync(2) of the directory.
    case nofolder
  }

  private func result(_ variant: StoreVariant, on format: DiskFormat, _ options: [String] = []) throws
    -> PowerRig.Result?
  {
    let rig = try PowerRig()
    let store = rig.script("demo_store.py")
    return try rig.run(
      "powerfail.py",
      [
        "--file-system \(format)", "--failures 40", "--workload '/usr/bin/python3 \(store) put \(variant)'",
        "--check '/usr/bin/python3 \(store) check'",
      ] + options
    )
  }

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `reports no findings for a correct store`(_ format: DiskFormat) throws {
    guard let result = try result(.safe, on: format) else { return }
    #expect(result.findings == 0, "\(result.text)")
    #expect(result.failures == 40)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [StoreVariant.nofile, .nofolder], DiskFormat.allCases)
  func `detects a missing fsync of a file or a directory`(_ variant: StoreVariant, _ format: DiskFormat)
    throws
  {
    guard let result = try result(variant, on: format, ["--stop 1"]) else { return }
    #expect(result.findings == 1)
  }

  @Test(.timeLimit(.minutes(20))) func `reproduces a finding from a kept recording`() throws {
    let rig = try PowerRig()
    let store = rig.script("demo_store.py")
    let check = "--check '/usr/bin/python3 \(store) check'"
    let found = try rig.run(
      "powerfail.py",
      ["--stop 1 --keep $PLACE/kept --workload '/usr/bin/python3 \(store) put nofolder'", check]
    )
    guard let found else { return }
    let line = try #require(found.text.split(separator: "\n").first { $0.hasPrefix("FINDING ") })
    let name = String(line.split(separator: " ")[1])
    let again = try #require(try rig.run("powerfail.py", ["--log $PLACE/kept --only \(name)", check]))
    #expect(again.failures == 1)
    #expect(again.text.contains(line))
  }
}
