// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import Testing

/// The meaning of profiles, compared with what libseccomp makes of them: all calls at once, by proof.
@Suite(.timeLimit(.minutes(20))) struct LibraryAgreementTests {
  let space = CallSpace()

  /// What libseccomp's program does, and what the profile says.
  private func both(_ profile: CallProfile) throws -> (program: FilterBehavior, meaning: FilterBehavior) {
    let program = try space.behavior(of: try LibraryCompiler.compile(profile))
    return (program, try profile.behavior(in: space))
  }

  /// The profile without names that this libseccomp does not know or knows otherwise than the kernel's tables.
  private func agreeing(_ profile: CallProfile) throws -> Bool {
    let (program, meaning) = try both(profile)
    let difference = try program.difference(from: meaning)
    if let witness = try difference.witness() {
      let text =
        "\(witness): program \(program.verdict(for: witness)), meaning \(meaning.verdict(for: witness))"
      Issue.record("\(text)")
    }
    return program == meaning
  }

  @Test func `Docker's default profile`() throws { #expect(try agreeing(PeerDefaults.docker.profile)) }

  @Test func `Podman's default profile`() throws { #expect(try agreeing(podman().profile)) }

  @Test func `flatpak's list`() throws { #expect(try agreeing(flatpak().profile)) }

  @Test(arguments: [0, 1, 2, 3]) func `each comparison, on every architecture of the machine`(index: Int)
    throws
  {
    let values: [UInt64] = [0, 5, 0x1_0000_0000, 0xFFFF_FFFF_FFFF_FFFF]
    let value = values[index]
    let operations: [(String, ArgumentComparison.Operation)] = [
      ("read", .equal), ("write", .notEqual), ("lseek", .less), ("mmap", .lessOrEqual), ("dup", .greater),
      ("fsync", .greaterOrEqual), ("close", .masked(value)),
    ]
    // libseccomp cannot say what never or always holds.
    let rules = operations.compactMap { name, operation -> CallProfile.Rule? in
      if value == 0, [.less, .greaterOrEqual].contains(operation) { return nil }
      if value == .max, [.greater, .lessOrEqual].contains(operation) { return nil }
      return CallProfile.Rule([name], .allow, where: [ArgumentComparison(1, operation, value)])
    }
    let profile = CallProfile(
      defaultAction: .errno(1),
      architectures: CallArchitecture.ofThisMachine,
      rules: rules
    )
    #expect(try agreeing(profile))
  }

  @Test func `libseccomp allows what two ranges of 64 bits do not, and here is the call`() throws {
    // Below 3, or above 2^32: three is neither.
    let rules = [
      CallProfile.Rule(["read"], .allow, where: [ArgumentComparison(0, .greater, 0x1_0000_0000)]),
      CallProfile.Rule(["read"], .allow, where: [ArgumentComparison(0, .less, 3)]),
    ]
    let (program, meaning) = try both(CallProfile(defaultAction: .errno(1), rules: rules))
    let three = try call("read", 3)
    #expect(meaning.verdict(for: three) == .errno(1))
    withKnownIssue("libseccomp 2.5.4 merges the two rules wrongly", isIntermittent: true) {
      #expect(program.verdict(for: three) == .errno(1))
      #expect(program == meaning)
    }
  }
}
