// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import PolicyTrials
import Testing

/// Interprets the results of the probe and identifies the refusing layer.
@Suite struct AttemptEvaluationTests {
  private static func attempt(_ layers: String = "seccomp,landlock") -> Attempt {
    Attempt.list("name\tfiles\t{secret}\ttries it\t\(layers)\n")[0]
  }

  private static func refused(_ errno: String, calls: [String] = [], by decisiveExperiment: Experiment? = nil)
    -> ProbeRun
  {
    ProbeRun(
      status: .exited(10),
      text: "words \(errno)",
      refusedCalls: calls,
      decisiveExperiment: decisiveExperiment
    )
  }

  @Test func `parses a list of attempts and skips malformed lines`() {
    let text =
      "read\tfiles\t{secret}\treads\troot,landlock\nbroken\nnew\tkernel\t\tasks\tseccomp\toutside\n\n"
    let attempts = Attempt.list(text)
    #expect(attempts.map(\.name) == ["read", "new"])
    #expect(attempts[0].layers == ["root", "landlock"] && attempts[0].argument == "{secret}")
    // The first attempt is known to be harmless outside the sandbox; the second declares this itself.
    #expect(attempts.map { $0.isHarmlessOutside } == [true, true])
    #expect(!Attempt.list("reboot\tkernel\t\treboots\tseccomp")[0].isHarmlessOutside)
  }

  @Test func `a successful attempt counts as not blocked regardless of refused calls`() {
    let run = ProbeRun(status: .exited(0), refusedCalls: ["socket"], decisiveExperiment: .markedFilter)
    let result = AttemptEvaluation.evaluate(Self.attempt(), run)
    #expect(result.verdict == .gotThrough && result.blockedBy == nil)
  }

  @Test func `a successful attempt is unprotected only if every layer that blocks it is missing`() {
    func verdict(_ layers: String, missing: Set<String>) -> AttemptResult.Verdict {
      let run = ProbeRun(status: .exited(0), missingLayers: missing)
      return AttemptEvaluation.evaluate(Self.attempt(layers), run).verdict
    }
    #expect(verdict("utsNamespace", missing: ["utsNamespace", "root"]) == .unprotected)
    #expect(verdict("networkNamespace,seccomp", missing: ["networkNamespace", "root"]) == .gotThrough)
    #expect(verdict("utsNamespace", missing: []) == .gotThrough)
    #expect(verdict("", missing: []) == .gotThrough && verdict("", missing: ["root"]) == .gotThrough)
  }

  @Test(arguments: [
    ProbeRun(status: .exited(11)), ProbeRun(status: .exited(3)), ProbeRun(status: .signaled(.abort)),
  ])
  func `a crashed probe does not count as blocked`(run: ProbeRun) {
    #expect(AttemptEvaluation.evaluate(Self.attempt(), run).verdict == .untried)
  }

  @Test func `a reported call was refused by the filter`() {
    let result = AttemptEvaluation.evaluate(Self.attempt(), Self.refused("EPERM", calls: ["mount"]))
    #expect(result.blockedBy == BlockedBy(["seccomp"], .report, calls: ["mount"]))
  }

  @Test func `a reported call does not explain an unrelated error`() {
    let result = AttemptEvaluation.evaluate(Self.attempt("root"), Self.refused("ENOENT", calls: ["chown"]))
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
  ]) func `the errno, signal or experiment identifies the layer`(run: ProbeRun, expected: BlockedBy) {
    let result = AttemptEvaluation.evaluate(Self.attempt(), run)
    #expect(result.verdict == .blocked && result.blockedBy == expected)
  }

  @Test func `a call that the kernel lacks counts as untried`() {
    #expect(AttemptEvaluation.evaluate(Self.attempt(), Self.refused("ENOSYS")).verdict == .untried)
  }

  @Test func `runs an experiment only if it can distinguish layers`() {
    #expect(AttemptEvaluation.experiments(after: Self.refused("ENOSYS")) == [.markedFilter])
    #expect(AttemptEvaluation.experiments(after: Self.refused("EACCES")) == [.withoutLandlock])
    #expect(AttemptEvaluation.experiments(after: Self.refused("EPERM", calls: ["bpf"])) == [])
    #expect(AttemptEvaluation.experiments(after: Self.refused("ENOENT")) == [])
    #expect(AttemptEvaluation.experiments(after: ProbeRun(status: .exited(0), text: "EACCES")) == [])
  }
}
