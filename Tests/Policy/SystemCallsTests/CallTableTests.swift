// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct CallTableTests {
  @Test(arguments: [
    (CallArchitecture.x86, UInt32(41)), (.i386, 359), (.x32, 0x4000_0029), (.arm64, 198), (.arm, 281),
    (.riscv, 198), (.power, 326), (.s390, 359),
  ])
  func `each architecture has its own call numbers`(architecture: CallArchitecture, number: UInt32) {
    let table = CallTable.of(architecture)
    #expect(table.number(of: "socket") == number)
    #expect(table.name(of: number) == "socket")
  }

  @Test(arguments: CallArchitecture.allCases)
  func `names and numbers map one to one`(architecture: CallArchitecture) {
    let table = CallTable.of(architecture)
    #expect(table.names.count == table.numbers.count && table.names.count > 300)
    for name in table.names { #expect(table.number(of: name).flatMap(table.name) == name) }
  }

  @Test func `a call that an architecture lacks has no number`() {
    #expect(CallTable.of(.arm64).number(of: "open") == nil)
    #expect(CallTable.of(.x86).number(of: "mmap2") == nil)
    #expect(CallTable.of(.x86).name(of: 400) == nil)
    #expect(CallTable.allNames.isSuperset(of: ["open", "mmap2", "s390_pci_mmio_read"]))
    #expect(!CallTable.allNames.contains("name"))
  }

  @Test func `returns the kernel version that added a call if known`() {
    #expect(CallTable.since("listmount") == "6.8")
    #expect(CallTable.since("read") == nil)
  }

  @Test func `an audit number and a call number identify the architecture, including x32`() {
    for architecture in CallArchitecture.allCases {
      let number = CallTable.of(architecture).number(of: "read") ?? 0
      #expect(
        CallArchitecture.of(auditArchitecture: architecture.auditArchitecture, number: number) == architecture
      )
    }
    #expect(CallArchitecture.of(auditArchitecture: 0x8000_0015, number: 0) == .power)
    #expect(CallArchitecture.of(auditArchitecture: 0, number: 0) == nil)
    #expect(CallArchitecture.ofThisMachine.first == .native)
  }
}
