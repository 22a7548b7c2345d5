// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Authentication by PAM in a separate process.
///
/// A thread is not sufficient: a blocked module could not be terminated, a crash would end the session, and
/// modules read the environment and change signal handlers. A forked copy of this process is not safe either:
/// locks of other threads would stay locked. So the small program `darkroom-pam` is started. It is killed
/// with all processes of its modules when the attempt is cancelled.
struct PAMMethod: AuthenticationMethod {
  /// The name of the PAM service, which is a file in the directory.
  let service: String
  /// A directory of services that replaces the system's directories.
  let directory: String?
  /// The path of the helper, or `nil` for `darkroom-pam` in the directory of this executable.
  var helper: String?

  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome {
    if let unavailabilityReason { return .unavailable(unavailabilityReason) }
    if let refusal = context.charge() { return refusal }
    var exchange: PAMExchange
    do {
      exchange = try PAMExchange.start(try helperPath(), service, directory, errors: context.errors)
    } catch {
      context.refund()
      return .unavailable(
        "darkroom-pam cannot be started: \(error); check that it is in the directory of darkroom"
      )
    }
    let outcome = exchange.run(context)
    // No module received an answer that it could judge.
    let isUndecided = outcome != .succeeded && outcome != .failed && outcome != .tooManyAttempts
    if isUndecided && !exchange.hasAnswered { context.refund() }
    exchange.finish()
    return outcome
  }

  /// The reason and the fix if the service does not exist, or `nil` if it exists. PAM would use the service
  /// `other` instead.
  var unavailabilityReason: String? {
    let paths = directory.map { [$0] } ?? ["/etc/pam.d", "/usr/lib/pam.d"]
    let isThere = paths.contains { (try? FileSystem.status("\($0)/\(service)")) ?? nil != nil }
    guard !isThere else { return nil }
    return
      "the PAM service \(service) does not exist in \(paths[0]); install it as the article on the lock describes"
  }

  /// Returns the path of the helper.
  private func helperPath() throws(SystemCallError) -> String {
    if let helper { return helper }
    return "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-pam"
  }
}
