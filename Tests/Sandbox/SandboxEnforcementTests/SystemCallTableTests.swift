// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import SandboxPolicy
import Testing

@Suite struct SystemCallTableTests {
  @Test(arguments: MachineArchitecture.allCases)
  func `agrees with libseccomp on every call that both know`(
    architecture: MachineArchitecture
  ) {
    let table = SystemCallTable(architecture)
    var agreed = 0
    for (name, number) in table.numbers {
      guard let other = LibseccompSystemCalls.number(of: name, on: architecture) else { continue }
      #expect(other == number, "\(name)")
      agreed += 1
    }
    #expect(agreed > 300)
  }

  @Test(arguments: MachineArchitecture.allCases)
  func `contains every call of libseccomp`(architecture: MachineArchitecture) {
    let table = SystemCallTable(architecture)
    for number in 0...600 {
      guard let name = LibseccompSystemCalls.name(of: number, on: architecture) else { continue }
      #expect(table.names[number] == name)
    }
  }
}
