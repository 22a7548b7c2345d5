// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Authenticates the user with the method in a state root's configuration. No call blocks.
package final class PersonAuthenticator: Sendable {
  private let method: any AuthenticationMethod
  private let prompt: (any PasswordPrompt)?
  private let limiter: AttemptLimiter
  private let timeLimit: UInt64
  private let errors: Int32
  private let environment: @Sendable (String) -> String?

  /// Creates an authenticator for a state root.
  ///
  /// - Parameters:
  ///   - root: The absolute path of the state root.
  ///   - prompt: The prompt, or `nil` if the user cannot be prompted.
  ///   - errors: The user's standard error. The descriptor must stay open while an attempt runs.
  ///   - environment: Returns a variable of the user's environment.
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

  /// Creates an authenticator with the given configuration instead of the one in the state root.
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

  /// Starts an attempt. `reason` is a sentence for the user.
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

  /// The reason and the fix if the configured method is known to be unavailable, or `nil`.
  package var obstacle: String? { method.obstacle }

  /// Returns the number of seconds until the next attempt is allowed; 0 means now.
  package func secondsToWait() -> Int { (try? limiter.secondsToWait()) ?? 0 }

  /// Performs one attempt on its thread.
  private static func attempt(
    _ method: any AuthenticationMethod,
    _ circumstances: Circumstances
  ) -> AuthenticationOutcome {
    do {
      // Checked before the user types anything.
      if try circumstances.limiter.secondsToWait() > 0 { return .tooManyAttempts }
      let outcome = method.decide(circumstances)
      if outcome == .succeeded { try circumstances.limiter.reset() }
      return outcome
    } catch { return .unavailable("\(error)") }
  }
}

/// A method that is always unavailable.
struct NoMethod: AuthenticationMethod {
  /// The reason and the fix.
  let reason: String

  var obstacle: String? { reason }

  func decide(_ circumstances: Circumstances) -> AuthenticationOutcome { .unavailable(reason) }
}
