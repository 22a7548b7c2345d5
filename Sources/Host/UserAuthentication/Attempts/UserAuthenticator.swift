// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Authenticates the user with the method in a state root's configuration. No call blocks.
package final class UserAuthenticator: Sendable {
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
    let paths = AuthenticationPaths(root: root)
    do {
      let configuration = try AuthenticationConfiguration.read(paths)
      self.init(
        paths: paths,
        method: configuration.authenticator.method(paths),
        timeLimit: configuration.timeLimit,
        prompt: prompt,
        errors: errors,
        environment: environment
      )
    } catch {
      let method = UnavailableMethod(reason: "\(error)")
      self.init(paths: paths, method: method, timeLimit: 60, prompt: prompt, errors: errors)
    }
  }

  /// Creates an authenticator with the given configuration instead of the one in the state root.
  package convenience init(
    paths: AuthenticationPaths,
    configuration: AuthenticationConfiguration,
    prompt: (any PasswordPrompt)?,
    errors: Int32
  ) {
    let method = configuration.authenticator.method(paths)
    let limit = configuration.timeLimit
    self.init(paths: paths, method: method, timeLimit: limit, prompt: prompt, errors: errors)
  }

  init(
    paths: AuthenticationPaths,
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
    limiter = AttemptLimiter(paths: paths)
  }

  /// Starts an attempt. `reason` is a sentence for the user.
  package func begin(reason: String) -> UserAuthenticationAttempt {
    do throws(SystemCallError) {
      let core = try AttemptState(deadline: MonotonicClock.now + timeLimit)
      let (method, limiter) = (method, limiter)
      let context = AuthenticationContext(
        reason: reason,
        prompt: prompt,
        timeout: core.timeout,
        errors: errors,
        limiter: limiter,
        environment: environment
      )
      let thread = try PlainThread.start(name: "authentication") {
        core.decide(Self.attempt(method, context))
        context.prompt?.restore()
        core.end()
      }
      _ = thread
      return UserAuthenticationAttempt(core, prompt)
    } catch {
      return UserAuthenticationAttempt(decided: .unavailable("the user cannot be prompted: \(error)"))
    }
  }

  /// The reason and the fix if the configured method is known to be unavailable, or `nil`.
  package var unavailabilityReason: String? { method.unavailabilityReason }

  /// Returns the number of seconds until the next attempt is allowed; 0 means now.
  package func secondsToWait() -> Int { (try? limiter.secondsToWait()) ?? 0 }

  /// Performs one attempt on its thread.
  private static func attempt(
    _ method: any AuthenticationMethod,
    _ context: AuthenticationContext
  ) -> AuthenticationOutcome {
    do {
      // Checked before the user types anything.
      if try context.limiter.secondsToWait() > 0 { return .tooManyAttempts }
      let outcome = method.decide(context)
      if outcome == .succeeded { try context.limiter.reset() }
      return outcome
    } catch { return .unavailable("\(error)") }
  }
}

/// A method that is always unavailable.
struct UnavailableMethod: AuthenticationMethod {
  /// The reason and the fix.
  let reason: String

  var unavailabilityReason: String? { reason }

  func decide(_ context: AuthenticationContext) -> AuthenticationOutcome { .unavailable(reason) }
}
