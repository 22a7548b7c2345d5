// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// A file that says whether the person is locked out: another program's, or that of `darkroom lock`.
final class LockFileSource: LockSource {
  /// What it means that there is no file.
  enum Absence {
    /// That its program does not run: locked.
    case locked
    /// That nobody has ever locked.
    case neverLocked
  }

  private(set) var report: LockReport
  private let path: String
  private let absence: Absence
  private var watch: FileWatch?
  private let watchError: SystemCallError?

  /// Begins to watch a file.
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

  /// Reads the file after the watch stands, so that no change falls between the two.
  private func read() {
    let found = LockWordFile.read(path)
    if case .absent = found.reason, absence == .neverLocked {
      report = LockReport(.unlocked, .neverLocked)
    } else {
      report = found
    }
    // What was unlocked once would seem so for ever.
    if let watchError { report = LockReport(.locked, .notWatchable(watchError)) }
  }
}
