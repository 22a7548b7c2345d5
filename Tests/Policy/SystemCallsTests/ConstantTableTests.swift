// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct ConstantTableTests {
  @Test(arguments: CallArchitecture.allCases)
  func `finds each constant of each family with its value`(architecture: CallArchitecture) {
    var count = 0
    for family in ConstantFamily.all {
      for constant in family.constants {
        let value = family.value(of: constant.name, on: architecture)
        let known = ConstantTable.value(of: constant.name, on: architecture)
        // A name of two families can be unknown in one of them.
        #expect(value == nil || known == value, "\(constant.name) of \(family.name)")
        if value != nil { count += 1 }
      }
    }
    #expect(count > 1000)
  }

  @Test func `does not find partial names, extended names or raw data lines`() {
    for name in [
      "", "TCGET", "TCGETS IoctlRequest", "0x5401", "#", ";", "IoctlRequest", "AF_INETX", "af_inet",
    ] {
      #expect(ConstantTable.value(of: name) == nil, "\(name)")
    }
  }

  @Test func `finds every name of the data`() {
    let names = ConstantTable.names
    #expect(names.count > 2300)
    for name in names {
      #expect(CallArchitecture.allCases.contains { ConstantTable.value(of: name, on: $0) != nil }, "\(name)")
    }
  }

  @Test func `narrows a negative constant to 32 bits and rejects a 64-bit constant`() {
    #expect(ConstantTable.value(of: "AT_FDCWD") == 0xFFFF_FFFF_FFFF_FF9C)
    #expect(ConstantTable.narrowValue(of: "AT_FDCWD") == 0xFFFF_FF9C)
    #expect(ConstantTable.narrowValue(of: "CLONE_INTO_CGROUP") == nil)
    #expect(ConstantTable.narrowValue(of: "O_RDONLY") == 0)
  }

  @Test func `a constant has the value of the given architecture`() {
    #expect(ConstantTable.value(of: "O_DIRECTORY", on: .x86) == 0x10000)
    #expect(ConstantTable.value(of: "O_DIRECTORY", on: .arm64) == 0x4000)
    #expect(ConstantTable.value(of: "ARCH_SET_FS", on: .arm64) == nil)
    #expect(ConstantTable.value(of: "PF_UNIX", on: .s390) == 1)
    #expect(ConstantTable.value(of: "S_IRWXU", on: .s390) == nil)
  }
}
