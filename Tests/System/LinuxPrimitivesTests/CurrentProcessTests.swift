// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct CurrentProcessTests {
  @Test func `the arguments of the process are those of the standard library`() {
    #expect(CurrentProcess.arguments.count > 0)
    #expect(CurrentProcess.arguments == CommandLine.arguments)
  }
}
