// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import PolicyTrials
import Testing

/// Interprets the results of the probe and identifies the refusing layer.
@Suite struct AttemptVerdictTests {
  private static func attempt(_ layers: String = "seccomp,landlock") -> Attempt {
    Attempt.list("name\tfiles\t{secret}\ttries it\t\(layers)\n")[0]
  }

  private static func refused(_ errno: String, calls: [String] = [], by decisive: Experiment? = nil)
    -> ProbeRun
  {
    ProbeRun(status: .exited(10), text: "words \(errno)", refusedCalls: calls, decisive: decisive)
  }

  @Test func `a list is read, and lines that are none are left out`() {
    let text =
      "read\tfiles\t{secret}\treads\troot,landlock\nbroken\nnew\tkernel\t\tasks\tseccomp\toutside\n\n"
    let attempts = Attempt.list(text)
    #expect(attempts.map(\.name) == ["read", "new"])
    #expect(attempts[0].layers == ["root", "landlock"] && attempts[0].argument == "{secret}")
    // The first attempt is known to be harmless outside the sandbox; the second declares this itself.
    #expect(attempts.map { $0.isProof } == [true, true])
    #expect(!Attempt.list("reboot\tkernel\t\treboots\tseccomp")[0].isProof)
  }

  @Test func `an attempt that succeeds got through, whatever else is known`() {
    let run = ProbeRun(status: .exited(0), refusedCalls: ["socket"], decisive: .markedFilter)
    let result = AttemptVerdict.judge(Self.attempt(), run)
    #expect(result.verdict == .gotThrough && result.blockedBy == nil)
  }

  @Test(arguments: [
    ProbeRun(status: .exited(11)), ProbeRun(status: .exited(3)), ProbeRun(status: .signaled(.abort)),
  ])
  func `a probe that failed has not been blocked`(run: ProbeRun) {
    #expect(AttemptVerdict.judge(Self.attempt(), run).verdict == .untried)
  }

  @Test func `a call that the kernel has reported was refused by the filter`() {
    let result = AttemptVerdict.judge(Self.attempt(), Self.refused("EPERM", calls: ["mount"]))
    #expect(result.blockedBy == BlockedBy(["seccomp"], .report, calls: ["mount"]))
  }

  @Test func `a reported call is not the reason of another error`() {
    let result = AttemptVerdict.judge(Self.attempt("root"), Self.refused("ENOENT", calls: ["chown"]))
    #expect(result.blockedBy == BlockedBy(["root"], .errno))
  }

  @Test(arguments: [
    (Self.refused("ENOSYS", by: .markedFilter), BlockedBy(["seccomp"], .experiment)),
    (Self.refused("EACCES", by: .withoutLandlock), BlockedBy(["landlock"], .experiment)),
    (Self.refused("EROFS"), BlockedBy(["root"], .errno)),
    (Self.refused("ESRCH"), BlockedBy(["pidNamespace"], .errno)),
    (Self.refused("ENETUNREACH"), BlockedBy(["networkNamespace"], .errno)),
    (Self.refused("EMFILE"), BlockedBy(["limits"], .errno)),
    (Self.refused("nothing"), BlockedBy(["seccomp", "landlock"], .expectation)),
    (ProbeRun(status: .signaled(.badSystemCall)), BlockedBy(["seccomp"], .signal)),
    (ProbeRun(status: .signaled(.processorTimeExceeded)), BlockedBy(["limits"], .signal)),
    (ProbeRun(status: nil), BlockedBy(["limits"], .deadline)),
  ]) func `the layer follows from the answer`(run: ProbeRun, expected: BlockedBy) {
    let result = AttemptVerdict.judge(Self.attempt(), run)
    #expect(result.verdict == .blocked && result.blockedBy == expected)
  }

  @Test func `a call that the kernel does not have was not tried`() {
    #expect(AttemptVerdict.judge(Self.attempt(), Self.refused("ENOSYS")).verdict == .untried)
  }

  @Test func `an experiment is made only where it can tell something`() {
    #expect(AttemptVerdict.experiments(after: Self.refused("ENOSYS")) == [.markedFilter])
    #expect(AttemptVerdict.experiments(after: Self.refused("EACCES")) == [.withoutLandlock])
    #expect(AttemptVerdict.experiments(after: Self.refused("EPERM", calls: ["bpf"])) == [])
    #expect(AttemptVerdict.experiments(after: Self.refused("ENOENT")) == [])
    #expect(AttemptVerdict.experiments(after: ProbeRun(status: .exited(0), text: "EACCES")) == [])
  }
}
