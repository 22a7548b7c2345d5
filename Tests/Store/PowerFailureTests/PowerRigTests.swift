// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of the rig itself, with a demo store that is known to be correct or incorrect.
@Suite(.waiting) struct PowerRigTests {
  /// A variant of the demo store.
  enum Way: String, CaseIterable {
    /// All required synchronization.
    case safe
    /// No fsync(2) of the file.
    case nofile
    /// No fsync(2) of the directory.
    case nofolder
  }

  private func result(_ way: Way, on format: DiskFormat, _ options: [String] = []) throws -> PowerRig.Result?
  {
    let rig = try PowerRig()
    let store = rig.script("demo_store.py")
    return try rig.run(
      "powerfail.py",
      [
        "--file-system \(format)", "--failures 40", "--workload '/usr/bin/python3 \(store) put \(way)'",
        "--check '/usr/bin/python3 \(store) check'",
      ] + options
    )
  }

  @Test(.timeLimit(.minutes(20)), arguments: DiskFormat.allCases)
  func `nothing is found in a store that is right`(_ format: DiskFormat) throws {
    guard let result = try result(.safe, on: format) else { return }
    #expect(result.findings == 0, "\(result.text)")
    #expect(result.failures == 40)
  }

  @Test(.timeLimit(.minutes(20)), arguments: [Way.nofile, .nofolder], DiskFormat.allCases)
  func `a missing fsync of a file or a folder is found`(_ way: Way, _ format: DiskFormat) throws {
    guard let result = try result(way, on: format, ["--stop 1"]) else { return }
    #expect(result.findings == 1)
  }

  @Test(.timeLimit(.minutes(20))) func `a finding can be had again`() throws {
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
