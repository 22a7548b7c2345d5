// SPDX-License-Identifier: Apache-2.0

import SystemCalls
import Testing

@Suite struct CallSignatureTests {
  /// Calls that current kernels do not implement, and whose parameters are therefore unspecified.
  static let unimplementedCalls: Set<String> = [
    "tuxcall", "security", "vserver", "afs_syscall", "getpmsg", "putpmsg",
  ]

  @Test(arguments: CallArchitecture.allCases)
  func `every call of every architecture has a signature of at most six parameters`(
    architecture: CallArchitecture
  ) {
    for name in CallTable.of(architecture).names {
      let signature = CallSignature.of(name, on: architecture)
      #expect(signature != nil, "\(name)")
      #expect(signature?.parameters.count ?? 0 <= 6, "\(name)")
      let names = signature?.parameters.map(\.name) ?? []
      #expect(Set(names).count == names.count, "\(name)")
    }
  }

  @Test func `an earlier argument selects the type of a later one`() {
    let general = CallSignature.of("socket", on: .x86)
    #expect(general?.parameters.map(\.name) == ["domain", "type", "protocol"])
    #expect(general?.parameters[2].kind == .number)
    let internet = CallSignature.of("socket", on: .x86, arguments: [2])
    #expect(internet?.parameters[2].family?.name == "InternetProtocol")
    #expect(CallSignature.of("clone", on: .s390)?.parameters.first?.kind == .pointer)
    #expect(CallSignature.of("no such call") == nil)
  }

  @Test func `every condition of a signature can be satisfied`() {
    let conditional = [
      ("fcntl", "F_ADD_SEALS", 2), ("prctl", "PR_CAP_AMBIENT", 1), ("prctl", "PR_SET_MM", 1),
      ("ptrace", "PTRACE_CONT", 3), ("keyctl", "KEYCTL_READ", 1), ("getsockopt", "SOL_SOCKET", 2),
    ]
    for (call, constant, index) in conditional {
      let general = CallSignature.of(call, on: .x86)
      let selector = general?.parameters.firstIndex { $0.family?.value(of: constant, on: .x86) != nil } ?? 0
      var arguments = [UInt64?](repeating: nil, count: selector + 1)
      arguments[selector] = general?.parameters[selector].family?.value(of: constant, on: .x86)
      let exact = CallSignature.of(call, on: .x86, arguments: arguments)
      #expect(exact?.parameters[index].family != nil, "\(call) \(constant)")
    }
  }
}
