// SPDX-License-Identifier: Apache-2.0

/// The message on the lock screen during a waiting period, worded so that it changes at most once a minute.
struct LockoutMessage: Equatable {
  /// The message, one sentence.
  let text: String
  /// The number of seconds until the message changes.
  let secondsUntilChange: Int

  /// Creates the message for a waiting period, or returns `nil` if there is none.
  init?(seconds: Int) {
    guard seconds > 0 else { return nil }
    if seconds <= 60 {
      text = seconds == 1 ? "Wait 1 second." : "Wait \(seconds) seconds."
      secondsUntilChange = seconds
    } else {
      let minutes = (seconds + 59) / 60
      text = "Wait \(minutes) minutes."
      secondsUntilChange = seconds - 60 * (minutes - 1)
    }
  }
}
