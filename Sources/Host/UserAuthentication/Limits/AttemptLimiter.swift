// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Limits the rate of attempts, across all processes and restarts.
struct AttemptLimiter: Sendable {
  /// The paths of the authentication files.
  let paths: AuthenticationPaths
  /// Returns the time since boot in nanoseconds. Tests replace it.
  var clock: @Sendable () -> UInt64 = { MonotonicClock.sinceBoot }

  /// The ID of this boot. If it is unavailable, all boots count as one, and the clock since boot still limits
  /// attempts.
  private static var boot: String { BootID.current ?? "" }

  /// Returns the number of seconds until the next attempt is allowed.
  func secondsToWait() throws(AuthenticationError) -> Int {
    try locked { () throws(AuthenticationError) in
      try read().secondsLeft(now: clock(), boot: Self.boot)
    }
  }

  /// Durably counts an attempt as failed. Returns `false`, without counting it, if the user has to wait.
  func charge() throws(AuthenticationError) -> Bool {
    try locked { () throws(AuthenticationError) in
      var record = try read()
      let now = clock()
      guard record.secondsLeft(now: now, boot: Self.boot) == 0 else { return false }
      record.failures = min(record.failures + 1, 1_000_000)
      record.last = now
      record.boot = Self.boot
      try write(record)
      return true
    }
  }

  /// Takes back one failure.
  func refund() throws(AuthenticationError) {
    try locked { () throws(AuthenticationError) in
      var record = try read()
      record.failures = max(0, record.failures - 1)
      try write(record)
    }
  }

  /// Resets the failures after a successful attempt.
  func reset() throws(AuthenticationError) {
    try locked { () throws(AuthenticationError) in try write(AttemptRecord()) }
  }

  /// Calls a closure while holding the lock.
  private func locked<Result>(
    _ body: () throws(AuthenticationError) -> Result
  ) throws(AuthenticationError) -> Result {
    let lock: FileLock
    do {
      try paths.prepare()
      lock = try FileLock.lock(paths.attemptsLock)
    } catch { throw .system(error) }
    let result = try body()
    _ = consume lock
    return result
  }

  /// Reads the record. A damaged record is an error, because a reset would allow more attempts.
  private func read() throws(AuthenticationError) -> AttemptRecord {
    guard let value = try PrivateDocument.read(paths.attemptsFile) else { return AttemptRecord() }
    guard let record = AttemptRecord(value) else { throw .damaged(path: paths.attemptsFile) }
    return record
  }

  private func write(_ record: AttemptRecord) throws(AuthenticationError) {
    try PrivateDocument.write(record.json, to: paths.attemptsFile)
  }
}
