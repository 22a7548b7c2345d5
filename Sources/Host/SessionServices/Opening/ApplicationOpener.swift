// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// Opens an installed app: waits until a running app has taken its delivery, or starts the app's command.
package final class ApplicationOpener: ApplicationOpening {
  /// The time for which a started program is watched for an early exit, in nanoseconds.
  private static let startTimeout: UInt64 = 2_000_000_000
  /// The time that a listening app may take to take a delivery, and then to show itself, in nanoseconds.
  private static let listenerTimeout: UInt64 = 1_000_000_000

  private let app: AppStore
  private let catalog: AppCatalog
  private let environment: (String) -> String?

  /// Creates an opener for one app. `environment` returns the variables of the user's session.
  package init(_ app: AppStore, catalog: AppCatalog, environment: @escaping (String) -> String?) {
    self.app = app
    self.catalog = catalog
    self.environment = environment
  }

  /// Throws an error unless the app is listening or can be started.
  package func check() throws(ApplicationOpeningError) {
    if try !isListening() { _ = try command() }
  }

  /// Writes a delivery to the mailbox and opens the app, for callers without a session.
  package func deliver(_ delivery: AppDelivery) throws(ApplicationOpeningError) {
    try check()
    do { try Mailbox(app).post(delivery) } catch { throw .mailbox(error) }
    try open(delivery)
  }

  /// Starts the app unless it is listening or has taken the delivery. Waits at most a second until the app
  /// may be shown.
  package func open(_ delivery: AppDelivery) throws(ApplicationOpeningError) {
    let app = app
    let watch = try Self.withMailbox { () throws(StoreError) in try MailboxWatch(app) }
    // A listening app may be about to exit without taking the delivery.
    if try isListening() { _ = try isWaiting(delivery, watch, within: Self.listenerTimeout) }
    if try isWaiting(delivery, watch, within: 0), try !isListening() { try startOnce(delivery, watch) }
    try awaitAppearance()
  }

  /// Starts the app's command, unless another host is starting it.
  private func startOnce(
    _ delivery: AppDelivery,
    _ watch: borrowing MailboxWatch
  ) throws(ApplicationOpeningError) {
    let path = app.openingLockFile
    let lock = try Self.withStart { () throws(SystemCallError) in try FileLock.lock(path) }
    // An app that the other host started may have taken this delivery as well.
    if try isWaiting(delivery, watch, within: 0), try !isListening() {
      try start(delivery, watch)
    }
    _ = lock
  }

  /// Starts the app's command, and checks for a while that it does not exit before it takes the delivery.
  private func start(_ delivery: AppDelivery, _ watch: borrowing MailboxWatch) throws(ApplicationOpeningError)
  {
    let program = program(try command(), delivery.reason)
    let path = app.openingLogFile
    let log = try Self.withStart { () throws(SystemCallError) in try OpeningLog(path) }
    let process = try Self.withStart { () throws(SystemCallError) in try program.start(output: log.file) }
    let raw = process.descriptor.rawValue
    let deadline = MonotonicClock.now + Self.startTimeout
    let isWaiting = try Self.withMailbox { () throws(StoreError) in
      try watch.isPending(delivery, until: deadline, or: raw)
    }
    let hasEnded = try Self.withStart { () throws(SystemCallError) in
      try Poller.wait([(raw, .readable)], until: 0) != [[]]
    }
    guard isWaiting, hasEnded else {
      do throws(SystemCallError) { try process.reapInBackground() } catch { throw .notStarted(error) }
      return
    }
    let status = try Self.withStart { () throws(SystemCallError) in try process.reap() }
    // A command that forwards to a running program and exits successfully has done its work. A command that
    // fails may have taken the delivery before it exited.
    guard status != .exited(0), try self.isWaiting(delivery, watch, within: 0) else { return }
    throw .exitedAtStart(app: app.id, status, log: app.openingLogFile, lastLines: log.lastLines)
  }

  /// Converts the errors of a mailbox operation.
  private static func withMailbox<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(ApplicationOpeningError) -> Result {
    do { return try body() } catch { throw .mailbox(error) }
  }

  /// Converts the errors of starting the command.
  private static func withStart<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(ApplicationOpeningError) -> Result {
    do { return try body() } catch { throw .notStarted(error) }
  }

  private func program(_ command: OpenCommand, _ reason: AppDeliveryReason) -> DetachedProgram {
    let home = environment("HOME").flatMap { FileSystem.isReadable($0) ? $0 : nil }
    return DetachedProgram(
      path: command.program,
      arguments: command.arguments,
      environment: AppEnvironment.variables(app, reason: reason, environment: environment),
      directory: home ?? "/"
    )
  }

  /// Returns the command from the app's manifest.
  private func command() throws(ApplicationOpeningError) -> OpenCommand {
    let installed: InstalledApp?
    do throws(CatalogError) { installed = try catalog.app(app.id) } catch { throw .installation(error) }
    guard let installed else { throw .notInstalled(app: app.id) }
    return try OpenCommand(installed, path: environment("PATH"))
  }

  /// Waits until the app has shown itself, or a second has passed.
  private func awaitAppearance() throws(ApplicationOpeningError) {
    do throws(SystemCallError) {
      try FileLock.waitUntilFree(app.appearanceLockFile, until: MonotonicClock.now + Self.listenerTimeout)
    } catch { throw .mailbox(.system(error)) }
  }

  private func isWaiting(
    _ delivery: AppDelivery,
    _ watch: borrowing MailboxWatch,
    within time: UInt64
  ) throws(ApplicationOpeningError) -> Bool {
    do throws(StoreError) {
      return try watch.isPending(delivery, until: MonotonicClock.now + time)
    } catch { throw .mailbox(error) }
  }

  /// Returns whether a process is listening to the mailbox.
  private func isListening() throws(ApplicationOpeningError) -> Bool {
    do { return try FileLock.isHeld(app.listeningLockFile) ?? false } catch { throw .mailbox(.system(error)) }
  }
}
