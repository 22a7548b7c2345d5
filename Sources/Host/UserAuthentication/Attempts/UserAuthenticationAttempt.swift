// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// One authentication attempt. It is cancelled when the last reference to it is released.
package final class UserAuthenticationAttempt: Sendable {
  private let core: AttemptState?
  private let prompt: (any PasswordPrompt)?
  private let immediateOutcome: AuthenticationOutcome?

  /// Creates an attempt that a thread performs.
  init(_ core: AttemptState, _ prompt: (any PasswordPrompt)?) {
    self.core = core
    self.prompt = prompt
    immediateOutcome = nil
  }

  /// Creates an attempt that failed to start.
  init(decided outcome: AuthenticationOutcome) {
    core = nil
    prompt = nil
    immediateOutcome = outcome
  }

  deinit { cancel() }

  /// A descriptor that is readable when ``result`` is available, or -1 if it was available from the start.
  package var descriptor: Int32 { core?.waiting.descriptor.rawValue ?? -1 }

  /// The outcome, or `nil` while the attempt is undecided. A final outcome never changes.
  package var result: AuthenticationOutcome? { immediateOutcome ?? core?.result }

  /// Cancels the attempt unless it is decided. The terminal is restored when this function returns. Guesses
  /// up to now are counted.
  package func cancel() {
    core?.decide(.cancelled)
    prompt?.restore()
  }

  /// Cancels the attempt and waits at most two seconds for the end of its thread and processes. For processes
  /// that are about to exit.
  package func cancelAndWait() {
    cancel()
    core?.waitForEnd(until: MonotonicClock.now + 2_000_000_000)
  }
}
