// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct CallTableTests {
  @Test(arguments: [
    (CallArchitecture.x86, UInt32(41)), (.i386, 359), (.x32, 0x4000_0029), (.arm64, 198), (.arm, 281),
    (.riscv, 198), (.power, 326), (.s390, 359),
  ])
  func `each architecture has a number of its own for a call`(architecture: CallArchitecture, number: UInt32)
  {
    let table = CallTable.of(architecture)
    #expect(table.number(of: "socket") == number)
    #expect(table.name(of: number) == "socket")
  }

  @Test(arguments: CallArchitecture.allCases)
  func `names and numbers belong together one to one`(architecture: CallArchitecture) {
    let table = CallTable.of(architecture)
    #expect(table.names.count == table.numbers.count && table.names.count > 300)
    for name in table.names { #expect(table.number(of: name).flatMap(table.name) == name) }
  }

  @Test func `a call that an architecture does not have has no number there`() {
    #expect(CallTable.of(.arm64).number(of: "open") == nil)
    #expect(CallTable.of(.x86).number(of: "mmap2") == nil)
    #expect(CallTable.of(.x86).name(of: 400) == nil)
    #expect(CallTable.everyName.isSuperset(of: ["open", "mmap2", "s390_pci_mmio_read"]))
    #expect(!CallTable.everyName.contains("name"))
  }

  @Test func `the first kernel of a call is told where it is known`() {
    #expect(CallTable.since("listmount") == "6.8")
    #expect(CallTable.since("read") == nil)
  }

  @Test func `a filter's view of an architecture leads back to it, and x32 is told by the number`() {
    for architecture in CallArchitecture.allCases {
      let number = CallTable.of(architecture).number(of: "read") ?? 0
      #expect(CallArchitecture.of(auditNumber: architecture.auditNumber, number: number) == architecture)
    }
    #expect(CallArchitecture.of(auditNumber: 0x8000_0015, number: 0) == .power)
    #expect(CallArchitecture.of(auditNumber: 0, number: 0) == nil)
    #expect(CallArchitecture.ofThisMachine.first == .native)
  }
}
