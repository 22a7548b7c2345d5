// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Makes guessing slow, for all processes together and across restarts.
struct AttemptLimiter: Sendable {
  /// Where the count is kept.
  let places: AuthenticationPlaces
  /// The time since boot in nanoseconds; tests give another.
  var clock: @Sendable () -> UInt64 = { MonotonicClock.sinceBoot }

  /// The name of this boot. Where the kernel does not tell it all boots are one, and the clock since boot still limits.
  private static var boot: String { BootName.current ?? "" }

  /// How many seconds are left until the next attempt.
  func secondsToWait() throws(AuthenticationFault) -> Int {
    try locked { () throws(AuthenticationFault) in
      try read().secondsLeft(now: clock(), boot: Self.boot)
    }
  }

  /// Counts an attempt as failed, durably; false, and nothing counted, if there is a wait.
  func charge() throws(AuthenticationFault) -> Bool {
    try locked { () throws(AuthenticationFault) in
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

  /// Takes one failure back.
  func refund() throws(AuthenticationFault) {
    try locked { () throws(AuthenticationFault) in
      var record = try read()
      record.failures = max(0, record.failures - 1)
      try write(record)
    }
  }

  /// Forgets all failures, because it is the person.
  func reset() throws(AuthenticationFault) {
    try locked { () throws(AuthenticationFault) in try write(AttemptRecord()) }
  }

  /// Does something while no other process does.
  private func locked<Result>(
    _ body: () throws(AuthenticationFault) -> Result
  ) throws(AuthenticationFault) -> Result {
    let lock: FileLock
    do {
      try places.prepare()
      lock = try FileLock.lock(places.attemptsLock)
    } catch { throw .system(error) }
    let result = try body()
    _ = consume lock
    return result
  }

  /// Reads the record. One that cannot be understood is no reason to begin again with none.
  private func read() throws(AuthenticationFault) -> AttemptRecord {
    guard let value = try PrivateDocument.read(places.attemptsFile) else { return AttemptRecord() }
    guard let record = AttemptRecord(value) else { throw .damaged(path: places.attemptsFile) }
    return record
  }

  private func write(_ record: AttemptRecord) throws(AuthenticationFault) {
    try PrivateDocument.write(record.json, to: places.attemptsFile)
  }
}
