// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyExplanation
import Testing

@Suite struct FilterListingTests {
  @Test func `the listing names architectures, calls, parameters, constants and actions`() throws {
    let listing = FilterListing(try ExamplePrograms.program(domain: 40))
    #expect(
      listing.lines.map(\.text) == [
        "A = arch", "if A == x86_64 (0xc000003e) goto 0003", "return KILL_PROCESS",
        "A = nr", "if A != socket (41) goto 0009",
        "A = args[0].high (domain of socket)", "if A != 0 goto 0014", "A = args[0].low (domain of socket)",
        "if A == AF_VSOCK (40) goto 0013 else goto 0014",
        "if A != clone (56) goto 0012", "A = args[0].low (flags of clone)",
        "if A & CLONE_NEWNS|CLONE_NEWCGROUP|CLONE_NEWUTS|CLONE_NEWIPC|CLONE_NEWUSER|CLONE_NEWPID|CLONE_NEWNET "
          + "(0x7e020000) goto 0014 else goto 0013",
        "if A != read (0) goto 0014", "return ALLOW", "return ERRNO(EPERM)",
      ]
    )
    #expect(listing.lines[7].calls == ["socket"] && listing.lines[12].calls == nil)
    #expect(listing.lines[8].targets == [13, 14] && listing.lines[13].verdict == .allow)
    #expect(listing.lines.allSatisfy { !$0.isUnreachable })
  }

  @Test func `marks unreachable instructions`() throws {
    let code = ExamplePrograms.instruction
    let program = try FilterProgram([
      code(0x20, 0, 0, 0), code(0x15, 0, 1, 41), code(0x15, 2, 0, 41), code(0x05, 0, 0, 0),
      code(0x06, 0, 0, 0x0003_0000), code(0x06, 0, 0, 0x7FFC_0000),
    ])
    let listing = FilterListing(program)
    #expect(listing.lines.map(\.isUnreachable) == [false, false, false, false, false, false])
    let dead = try FilterProgram([
      code(0x20, 0, 0, 0), code(0x15, 0, 2, 41), code(0x15, 0, 1, 42), code(0x06, 0, 0, 0x7FFF_0000),
      code(0x06, 0, 0, 0),
    ])
    #expect(FilterListing(dead).lines.map(\.isUnreachable) == [false, false, false, true, false])
  }

  @Test func `prints calculations with registers and memory as in C`() throws {
    let code = ExamplePrograms.instruction
    let program = try FilterProgram([
      code(0x80, 0, 0, 0), code(0x02, 0, 0, 3), code(0x61, 0, 0, 3), code(0x04, 0, 0, 5), code(0x0C, 0, 0, 0),
      code(0x54, 0, 0, 0xFF), code(0x84, 0, 0, 0), code(0x07, 0, 0, 0), code(0x87, 0, 0, 0),
      code(0x1D, 0, 1, 0),
      code(0x16, 0, 0, 0), code(0x06, 0, 0, 0x0005_0026),
    ])
    #expect(
      FilterListing(program).lines.map(\.text) == [
        "A = 64", "M[3] = A", "X = M[3]", "A += 5", "A += X", "A &= 255", "A = -A", "X = A", "A = X",
        "if A != X goto 0011", "return A", "return ERRNO(ENOSYS)",
      ]
    )
  }
}
