// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Asks the person, in the way that a state root's configuration names. No call waits.
package final class PersonAuthenticator: Sendable {
  private let method: any AuthenticationMethod
  private let prompt: (any PasswordPrompt)?
  private let limiter: AttemptLimiter
  private let timeLimit: UInt64
  private let errors: Int32
  private let environment: @Sendable (String) -> String?

  /// Prepares to ask for the person of a state root, an absolute path, by a prompt. The environment and the number of the
  /// standard error are the person's; both have to be valid as long as an attempt runs.
  package convenience init(
    root: String,
    prompt: (any PasswordPrompt)?,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String? = { CurrentProcess.environment($0) }
  ) {
    let places = AuthenticationPlaces(root: root)
    do {
      let configuration = try AuthenticationConfiguration.read(places)
      self.init(
        places: places,
        method: configuration.authenticator.method(places),
        timeLimit: configuration.timeLimit,
        prompt: prompt,
        errors: errors,
        environment: environment
      )
    } catch {
      let method = NoMethod(reason: "\(error)")
      self.init(places: places, method: method, timeLimit: 60, prompt: prompt, errors: errors)
    }
  }

  /// Prepares to ask with a configuration that is not in the state root.
  package convenience init(
    places: AuthenticationPlaces,
    configuration: AuthenticationConfiguration,
    prompt: (any PasswordPrompt)?,
    errors: Int32
  ) {
    let method = configuration.authenticator.method(places)
    let limit = configuration.timeLimit
    self.init(places: places, method: method, timeLimit: limit, prompt: prompt, errors: errors)
  }

  init(
    places: AuthenticationPlaces,
    method: any AuthenticationMethod,
    timeLimit: Int,
    prompt: (any PasswordPrompt)?,
    errors: Int32,
    environment: @escaping @Sendable (String) -> String? = { CurrentProcess.environment($0) }
  ) {
    self.environment = environment
    self.errors = errors
    self.method = method
    self.prompt = prompt
    self.timeLimit = UInt64(timeLimit) * 1_000_000_000
    limiter = AttemptLimiter(places: places)
  }

  /// Begins to ask. `reason` is a sentence for the person.
  package func begin(reason: String) -> PersonAttempt {
    do throws(SystemCallError) {
      let core = try AttemptCore(deadline: MonotonicClock.now + timeLimit)
      let (method, limiter) = (method, limiter)
      let circumstances = Circumstances(
        reason: reason,
        prompt: prompt,
        patience: core.patience,
        errors: errors,
        limiter: limiter,
        environment: environment
      )
      let thread = try PlainThread.start(name: "authentication") {
        core.decide(Self.attempt(method, circumstances))
        circumstances.prompt?.putBack()
        core.end()
      }
      _ = thread
      return PersonAttempt(core, prompt)
    } catch { return PersonAttempt(decided: .unavailable("nobody can be asked: \(error)")) }
  }

  /// Why nobody can authenticate as it is configured, and the mend; nil: nothing is known against it.
  package var obstacle: String? { method.obstacle }

  /// How many seconds nobody can authenticate for; 0: an attempt may begin now.
  package func secondsToWait() -> Int { (try? limiter.secondsToWait()) ?? 0 }

  /// One attempt from its beginning to its end, in its own thread.
  private static func attempt(
    _ method: any AuthenticationMethod,
    _ circumstances: Circumstances
  ) -> AuthenticationOutcome {
    do {
      // Before the person types anything.
      if try circumstances.limiter.secondsToWait() > 0 { return .tooManyAttempts }
      let outcome = method.decide(circumstances)
      if outcome == .succeeded { try circumstances.limiter.reset() }
      return outcome
    } catch { return .unavailable("\(error)") }
  }
}

/// No way at all.
struct NoMethod: AuthenticationMethod {
  /// Why, and the mend.
  let reason: String

  var obstacle: String? { reason }

  func decide(_ circumstances: Circumstances) -> AuthenticationOutcome { .unavailable(reason) }
}
