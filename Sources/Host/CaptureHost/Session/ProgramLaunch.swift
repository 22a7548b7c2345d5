// SPDX-License-Identifier: Apache-2.0

package import LaunchPlanning
package import SandboxLaunch
package import SessionStore

/// A launch of a program that is not an installed extension.
package struct ProgramLaunch {
  /// The program's name or path, and its arguments.
  package var arguments: [String]
  /// The policy of the session.
  package var policy: FoundPolicy
  /// Paths of the host that the program can read in addition to those of the policy.
  package var readOnly: [String]
  /// The environment of the program, in addition to the variables of the session.
  package var environment: [LaunchPlan.EnvironmentVariable]
  /// The source of the frames on standard input, or `nil` for none.
  package var camera: String?

  /// Creates a launch of a program without additional paths, variables and a camera.
  package init(
    _ arguments: [String],
    policy: FoundPolicy,
    readOnly: [String] = [],
    environment: [LaunchPlan.EnvironmentVariable] = [],
    camera: String? = nil
  ) {
    self.arguments = arguments
    self.policy = policy
    self.readOnly = readOnly
    self.environment = environment
    self.camera = camera
  }

  /// Finds the program.
  ///
  /// - Returns: The launch target, and notes for the user about files that the program will not find.
  ///
  /// - Throws: ``PlanError/programNotFound(_:path:)`` if no such program exists, or another error if it cannot run.
  package func target(_ root: StateRoot) throws(PlanError) -> (target: LaunchTarget, notes: [String]) {
    let finder = ProgramFinder(
      policy.policy,
      readOnly: readOnly,
      environment: environment,
      stateRoot: root.path
    )
    let found = try finder.find(arguments.first ?? "")
    let target = LaunchTarget(
      program: found.program,
      arguments: Array(arguments.dropFirst()),
      environment: environment,
      policy: policy.policy,
      readOnly: readOnly
    )
    return (target, found.notes)
  }

  /// Returns the request for a session of the program. The watchdog is off, because the user sees in the
  /// terminal what the program does.
  ///
  /// - Parameters:
  ///   - target: The result of ``target(_:)``.
  ///   - app: The app that the captures belong to.
  ///   - name: The last label of the extension's ID in the session record.
  ///   - standard: The standard input, output and error of the program.
  ///
  /// - Returns: The request, without services that the session depends on.
  package func request(
    _ target: LaunchTarget,
    app: AppStore,
    named name: String,
    standard: SessionRequest.StandardStreams
  ) -> SessionRequest {
    SessionRequest(
      subject: target,
      extension: .init(app: app, id: "\(app.id).\(name)", policyDigest: policy.digest),
      conversation: .silent,
      devices: .stream(from: camera),
      times: .init(watchdog: .off),
      standard: standard
    )
  }
}
