// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// A file that contains the lock state, written by another program or by `darkroom lock`.
final class LockFileSource: LockSource {
  /// The meaning of a missing file.
  enum Absence {
    /// The program that writes the file is not running, so the screen counts as locked.
    case locked
    /// `darkroom lock` was never used, so the screen counts as unlocked.
    case neverLocked
  }

  private(set) var report: LockReport
  private let path: String
  private let absence: Absence
  private var watch: FileWatch?
  private let watchError: SystemCallError?

  /// Starts to watch a file.
  init(_ path: String, absence: Absence) {
    self.path = path
    self.absence = absence
    do {
      watch = try FileWatch.make(path)
      watchError = nil
    } catch {
      watch = nil
      watchError = error
    }
    report = LockReport(.locked, .absent(path: path))
    read()
  }

  var descriptor: Int32? { watch?.descriptor.rawValue }

  func refresh() {
    do { try watch?.rearm() } catch {
      report = LockReport(.locked, .notWatchable(error))
      return
    }
    read()
  }

  /// Reads the file. The watch must exist before, so that no change is missed.
  private func read() {
    let found = LockStateFile.read(path)
    if case .absent = found.reason, absence == .neverLocked {
      report = LockReport(.unlocked, .neverLocked)
    } else {
      report = found
    }
    // Without a watch, an unlocked state would never change.
    if let watchError { report = LockReport(.locked, .notWatchable(watchError)) }
  }
}
