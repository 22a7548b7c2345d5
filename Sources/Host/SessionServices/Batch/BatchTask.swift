// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import LaunchPlanning
package import SessionStore

/// The program that a batch runs for each input, and its policy.
package struct BatchTask: Sendable {
  /// The text that an argument contains in place of the path of the input.
  package static let placeholder = "{}"

  /// The app that receives the content.
  package let app: AppStore
  /// The program with its policy. Its arguments can contain the placeholder.
  package let target: LaunchTarget
  /// The digest of the policy documents.
  package let policyDigest: String
  /// Returns the value of an environment variable of the user.
  package let environment: @Sendable (String) -> String?

  /// Creates a task.
  package init(
    _ app: AppStore,
    _ target: LaunchTarget,
    policyDigest: String,
    environment: @escaping @Sendable (String) -> String?
  ) {
    (self.app, self.target) = (app, target)
    (self.policyDigest, self.environment) = (policyDigest, environment)
  }

  /// Returns the arguments for an input: each placeholder is replaced by the path. Without a placeholder, the
  /// path is the last argument.
  package static func arguments(_ arguments: [String], for input: BatchInput) -> [String] {
    guard arguments.contains(where: { $0.contains(placeholder) }) else { return arguments + [input.path] }
    return arguments.map { $0.replacing(placeholder, with: input.path) }
  }

  /// Returns the request for a session of an input. The program sees the input at its own path, read-only.
  func request(_ input: BatchInput, _ session: SessionID) -> SessionRequest {
    var target = target
    target.arguments = Self.arguments(target.arguments, for: input)
    target.readOnly.append(input.path)
    var request = SessionRequest(
      subject: target,
      extension: .init(app: app, id: "\(app.id).batch", policyDigest: policyDigest),
      conversation: .silent,
      devices: .init(frames: .none),
      times: .init(watchdog: .off),
      standard: .logged(echo: nil),
      dependencies: HostEnvironment.session(
        ofProgramFor: app,
        PermissionResolution(app: app.id, reasons: .notNeeded),
        ApplicationOpener(app, environment: environment),
        environment: environment
      )
    )
    request.session = session
    return request
  }
}
