// SPDX-License-Identifier: Apache-2.0

/// How long nobody can answer, as a lock screen says it: such that it need not say something else every second.
struct LockWait: Equatable {
  /// A sentence.
  let words: String
  /// After how many seconds it is another.
  let secondsToChange: Int

  /// So long; nil: there is no wait.
  init?(seconds: Int) {
    guard seconds > 0 else { return nil }
    if seconds <= 60 {
      words = seconds == 1 ? "Wait 1 second." : "Wait \(seconds) seconds."
      secondsToChange = seconds
    } else {
      let minutes = (seconds + 59) / 60
      words = "Wait \(minutes) minutes."
      secondsToChange = seconds - 60 * (minutes - 1)
    }
  }
}
