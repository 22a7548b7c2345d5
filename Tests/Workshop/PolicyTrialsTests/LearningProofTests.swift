// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import PolicyProof
import SandboxEnforcement
import SandboxLaunch
import SandboxPolicy
import SessionStore
import Testing

/// Proves the filters of learning sessions for every answer that the host could give.
@Suite struct LearningProofTests {
  @Test(arguments: ["base", "capture", "strict"], [LearningScope.refusedCalls, .everyCall])
  func `no answer of the host allows a call of the core`(name: String, scope: LearningScope) throws {
    let policy = try PolicyFinder.find(name).policy
    let filter = try SeccompCompiler.compile(policy).instructions
    let programs = InstalledFilters(filter, .learned(scope)).programs
    let proof = try FilterInspection.prove(programs, policy, .learned(scope))
    #expect(proof.holds && !proof.claims.isEmpty, "\(proof.failures)")
  }

  @Test(arguments: [LearningScope.refusedCalls, .everyCall])
  func `the proof of a learning session fails without the core filter`(scope: LearningScope) throws {
    let policy = try PolicyFinder.find("capture").policy
    let filter = try SeccompCompiler.compile(policy).instructions
    let first = try #require(InstalledFilters(filter, .learned(scope)).programs.first)
    let proof = try FilterInspection.prove([first], policy, .learned(scope))
    #expect(proof.failures.count > 5, "\(proof.failures)")
    // The second filter of other sessions revokes only the launcher's calls.
    let reportingFilter = try #require(InstalledFilters(filter, .reported).programs.last)
    #expect(try !FilterInspection.prove([first, reportingFilter], policy, .learned(scope)).holds)
  }

  @Test func `refuses to learn in a session without namespaces`() throws {
    let planner = LaunchPlanner(stateRoot: StateRoot(path: "/nonexistent"), user: 1000)
    let policy = try PolicyFinder.find("capture").policy
    let subject = LaunchTarget(
      program: .shown("/usr/bin/true"),
      arguments: [],
      environment: [],
      policy: policy
    )
    var session = LaunchPlanner.Session(
      id: SessionID.random(),
      files: .init(content: "/nonexistent/content"),
      context: [],
      standard: [],
      named: [],
      identity: .restricted
    )
    session.learning = .refusedCalls
    #expect(throws: PlanError.learningUnavailable) { try planner.plan(subject, session) }
  }
}
