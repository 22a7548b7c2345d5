// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxEnforcement
import Testing

@Suite struct CapabilitySetsTests {
  @Test func `maps capability numbers to their kernel names`() throws {
    #expect(CapabilityNames.name(of: 0) == "cap_chown")
    #expect(CapabilityNames.name(of: 21) == "cap_sys_admin")
    #expect(CapabilityNames.name(of: CapabilityNames.count) == nil)
    let last = try #require(try FileSystem.contents("/proc/sys/kernel/cap_last_cap"))
    let text = String(decoding: last, as: UTF8.self).filter(\.isNumber)
    #expect(CapabilityNames.count == (Int(text) ?? -2) + 1)
  }

  @Test func `the capability sets of this process match procfs`() throws {
    let sets = try CapabilitySets.of(processID: CurrentProcess.processID)
    let status = String(decoding: try #require(try FileSystem.contents("/proc/self/status")), as: UTF8.self)
    func field(_ name: String) -> UInt64? {
      status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        .flatMap { UInt64($0.dropFirst(name.count + 1).drop { $0 == "\t" }, radix: 16) }
    }
    #expect(sets.effective.rawValue == field("CapEff"))
    #expect(sets.permitted.rawValue == field("CapPrm"))
    #expect(sets.inheritable.rawValue == field("CapInh"))
    #expect(sets.bounding.rawValue == field("CapBnd"))
    #expect(sets.ambient.rawValue == field("CapAmb"))
  }

  @Test func `fails for a process that does not exist`() {
    let error = #expect(throws: SystemCallError.self) { try CapabilitySets.of(processID: Int32.max) }
    #expect(error?.errno == .noSuchFile)
  }
}
