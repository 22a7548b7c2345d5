// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// PAM decides, in a process of its own.
///
/// Not in a thread: a module that hangs in a thread can never be ended, one that crashes would take the session with it,
/// and modules read the process's environment and change its signal handlers. And not in a forked copy of this process,
/// which has threads: a lock that one of them held would stay held. So a small program, `darkroom-pam`, is started; it is
/// killed with all that its modules have started when the attempt is broken off.
struct PAMMethod: AuthenticationMethod {
  /// The name of the service: a file in the directory.
  let service: String
  /// A directory of services instead of the system's.
  let directory: String?
  /// The path of the helper; nil: the program `darkroom-pam` beside this one.
  var helper: String?

  func decide(_ circumstances: Circumstances) -> AuthenticationOutcome {
    if let obstacle { return .unavailable(obstacle) }
    if let refusal = circumstances.charge() { return refusal }
    var exchange: PAMExchange
    do {
      exchange = try PAMExchange.start(try helperPath(), service, directory, errors: circumstances.errors)
    } catch {
      circumstances.refund()
      return .unavailable("PAM cannot be asked: \(error); see that darkroom-pam is beside darkroom")
    }
    let outcome = exchange.run(circumstances)
    // Nobody has said anything that a module could have judged.
    let isUndecided = outcome != .succeeded && outcome != .failed && outcome != .tooManyAttempts
    if isUndecided && !exchange.hasAnswered { circumstances.refund() }
    exchange.finish()
    return outcome
  }

  /// Why the service is not asked: PAM would take the one named `other` for it. Nil if it is there.
  var obstacle: String? {
    let places = directory.map { [$0] } ?? ["/etc/pam.d", "/usr/lib/pam.d"]
    let isThere = places.contains { (try? FileSystem.status("\($0)/\(service)")) ?? nil != nil }
    guard !isThere else { return nil }
    return "there is no PAM service \(service) in \(places[0]); install one, as the article on the lock shows"
  }

  /// Where the helper is.
  private func helperPath() throws(SystemCallError) -> String {
    if let helper { return helper }
    return "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-pam"
  }
}
