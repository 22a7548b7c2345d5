// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// One time that the person is asked. Given up when nobody refers to it any more.
package final class PersonAttempt: Sendable {
  private let core: AttemptCore?
  private let prompt: (any PasswordPrompt)?
  private let early: AuthenticationOutcome?

  /// An attempt that a thread works on.
  init(_ core: AttemptCore, _ prompt: (any PasswordPrompt)?) {
    self.core = core
    self.prompt = prompt
    early = nil
  }

  /// An attempt that could not even begin.
  init(decided outcome: AuthenticationOutcome) {
    core = nil
    prompt = nil
    early = outcome
  }

  deinit { cancel() }

  /// Readable when ``result`` is there; -1 if it was there from the beginning.
  package var descriptor: Int32 { core?.waiting.descriptor.rawValue ?? -1 }

  /// What came of it; nil as long as nothing did. Once there, it never changes.
  package var result: AuthenticationOutcome? { early ?? core?.result }

  /// Breaks off, unless all is decided. The terminal is as it was when this returns; what was guessed until now counts.
  package func cancel() {
    core?.decide(.cancelled)
    prompt?.putBack()
  }

  /// Breaks off and waits, at most two seconds, until what was started for the attempt has ended: for a process that is
  /// about to end itself.
  package func cancelAndFinish() {
    cancel()
    core?.waitForEnd(until: MonotonicClock.now + 2_000_000_000)
  }
}
