// SPDX-License-Identifier: Apache-2.0

import SandboxEnforcement
import SandboxPolicy
import Testing

@Suite struct SystemCallTableTests {
  @Test(arguments: MachineArchitecture.allCases)
  func `the table agrees with libseccomp wherever libseccomp has an opinion`(
    architecture: MachineArchitecture
  ) {
    let table = SystemCallTable(architecture)
    var agreed = 0
    for (name, number) in table.numbers {
      guard let other = LibrarySystemCalls.number(of: name, on: architecture) else { continue }
      #expect(other == number, "\(name)")
      agreed += 1
    }
    #expect(agreed > 300)
  }

  @Test(arguments: MachineArchitecture.allCases)
  func `the table has every call that libseccomp has`(architecture: MachineArchitecture) {
    let table = SystemCallTable(architecture)
    for number in 0...600 {
      guard let name = LibrarySystemCalls.name(of: number, on: architecture) else { continue }
      #expect(table.names[number] == name)
    }
  }
}
