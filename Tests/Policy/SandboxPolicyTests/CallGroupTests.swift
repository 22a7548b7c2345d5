// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxPolicy
import Testing

@Suite struct CallGroupTests {
  /// Returns the lines that a shell command prints.
  static func output(_ command: String) -> [String] {
    guard let stream = popen(command, "r") else { return [] }
    defer { pclose(stream) }
    var lines: [String] = []
    while let line = readLine(of: stream) { lines.append(line) }
    return lines
  }

  /// Returns the next line of a stream without its newline.
  static func readLine(of stream: UnsafeMutablePointer<FILE>) -> String? {
    var bytes: [UInt8] = []
    while case let next = fgetc(stream), next != EOF {
      if next == 0x0A { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(UInt8(next))
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether systemd-analyze is installed in the version of the data.
  static let isSystemdAvailable =
    output("systemd-analyze --version 2>/dev/null").first?.hasPrefix("systemd 252") == true

  @Test(.enabled(if: isSystemdAvailable, "systemd-analyze of version 252 is not installed"))
  func `each group has the members that systemd gives it`() {
    var groups: [String: Set<String>] = [:]
    var name = ""
    for line in Self.output("systemd-analyze --no-pager syscall-filter 2>/dev/null") {
      if line.hasPrefix("@") || line.hasPrefix("#") { name = line }
      guard line.hasPrefix("    "), !line.hasPrefix("    #") else { continue }
      groups[name, default: []].insert(String(line.dropFirst(4)))
    }
    #expect(groups.count > 20)
    for (group, members) in groups where group.hasPrefix("@") && group != "@known" {
      let expected = members.filter { $0.hasPrefix("@") || SystemCallTable.allNames.contains($0) }
      #expect(Set(CallGroup.members[group] ?? []) == expected, "\(group)")
    }
  }

  @Test func `a group contains the calls of its nested groups once`() throws {
    let calls = try #require(CallGroup.calls(of: "@system-service"))
    #expect(Set(calls).count == calls.count)
    #expect(Set(calls).isSuperset(of: try #require(CallGroup.calls(of: "@basic-io"))))
    #expect(calls.allSatisfy { SystemCallTable.allNames.contains($0) })
    #expect(CallGroup.calls(of: "@nothing") == nil)
  }
}
