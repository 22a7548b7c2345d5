// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
package import ExtensionProtocol
internal import LinuxPrimitives
package import SessionStore

/// Opens an installed app: sees that whoever listens to its mailbox has taken what is there, or starts its command.
package final class ApplicationOpener: ApplicationOpening {
  /// How long a program that was started is watched for its end, in nanoseconds.
  private static let startWatch: UInt64 = 2_000_000_000
  /// How long somebody who listens may take to take a delivery, and then to let the app be shown, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  private let app: AppStore
  private let catalog: AppCatalog
  private let environment: (String) -> String?

  /// An opener for one app. `environment` is that of the person's session.
  package init(_ app: AppStore, catalog: AppCatalog, environment: @escaping (String) -> String?) {
    self.app = app
    self.catalog = catalog
    self.environment = environment
  }

  /// Whether the app listens, or could be started.
  package func check() throws(ApplicationOpeningError) {
    if try !isListening() { _ = try command() }
  }

  /// Puts a delivery into the mailbox and opens the app: for whoever opens it without a session before.
  package func deliver(_ delivery: AppDelivery) throws(ApplicationOpeningError) {
    try check()
    do { try Mailbox(app).post(delivery) } catch { throw .mailbox(error) }
    try open(delivery)
  }

  /// Starts the app unless it listens or has the delivery already, and waits at most a second until it may be shown.
  package func open(_ delivery: AppDelivery) throws(ApplicationOpeningError) {
    let app = app
    let watch = try Self.store { () throws(StoreError) in try MailboxWatch(app) }
    // Whoever listens may be just about to end, and then nobody takes it.
    if try isListening() { _ = try isWaiting(delivery, watch, within: Self.patience) }
    if try isWaiting(delivery, watch, within: 0), try !isListening() { try startOnce(delivery, watch) }
    try awaitAppearance()
  }

  /// Starts the app's command, unless another host does so at the same time.
  private func startOnce(
    _ delivery: AppDelivery,
    _ watch: borrowing MailboxWatch
  ) throws(ApplicationOpeningError) {
    let path = app.openingLockFile
    let lock = try Self.started { () throws(SystemCallError) in try FileLock.lock(path) }
    // What the other host has started may have taken this one, too.
    if try isWaiting(delivery, watch, within: 0), try !isListening() {
      try start(delivery, watch)
    }
    _ = lock
  }

  /// Starts the app's command, and watches for a while that it does not end before it has taken the delivery.
  private func start(_ delivery: AppDelivery, _ watch: borrowing MailboxWatch) throws(ApplicationOpeningError)
  {
    let program = program(try command(), delivery.reason)
    let path = app.openingLogFile
    let log = try Self.started { () throws(SystemCallError) in try OpeningLog(path) }
    let process = try Self.started { () throws(SystemCallError) in try program.start(output: log.file) }
    let raw = process.descriptor.rawValue
    let deadline = MonotonicClock.now + Self.startWatch
    let isWaiting = try Self.store { () throws(StoreError) in
      try watch.isWaiting(delivery, until: deadline, or: raw)
    }
    let hasEnded = try Self.started { () throws(SystemCallError) in
      try Poller.wait([(raw, .readable)], until: 0) != [[]]
    }
    guard isWaiting, hasEnded else {
      do throws(SystemCallError) { try process.reapInBackground() } catch { throw .notStarted(error) }
      return
    }
    let status = try Self.started { () throws(SystemCallError) in try process.reap() }
    // One that hands on to a program that runs already, and ends well, has done what it should; and another may have
    // taken the delivery with its last breath.
    guard status != .exited(0), try self.isWaiting(delivery, watch, within: 0) else { return }
    throw .endedAtStart(app: app.id, status, log: app.openingLogFile, lastLines: log.lastLines)
  }

  /// Does something with the mailbox.
  private static func store<Result: ~Copyable>(
    _ body: () throws(StoreError) -> Result
  ) throws(ApplicationOpeningError) -> Result {
    do { return try body() } catch { throw .mailbox(error) }
  }

  /// Does something for the start of the command.
  private static func started<Result: ~Copyable>(
    _ body: () throws(SystemCallError) -> Result
  ) throws(ApplicationOpeningError) -> Result {
    do { return try body() } catch { throw .notStarted(error) }
  }

  private func program(_ command: OpenCommand, _ reason: AppDeliveryReason) -> DetachedProgram {
    let home = environment("HOME").flatMap { FileSystem.isReadable($0) ? $0 : nil }
    return DetachedProgram(
      path: command.program,
      arguments: command.words,
      environment: AppEnvironment.variables(app, reason: reason, environment: environment),
      directory: home ?? "/"
    )
  }

  /// What the app's manifest says that opens it.
  private func command() throws(ApplicationOpeningError) -> OpenCommand {
    let installed: InstalledApp?
    do throws(CatalogError) { installed = try catalog.app(app.id) } catch { throw .installation(error) }
    guard let installed else { throw .notInstalled(app: app.id) }
    return try OpenCommand(installed, path: environment("PATH"))
  }

  /// Waits until the app lets itself be shown, or a second is over.
  private func awaitAppearance() throws(ApplicationOpeningError) {
    do throws(SystemCallError) {
      try FileLock.waitUntilFree(app.appearanceLockFile, until: MonotonicClock.now + Self.patience)
    } catch { throw .mailbox(.system(error)) }
  }

  private func isWaiting(
    _ delivery: AppDelivery,
    _ watch: borrowing MailboxWatch,
    within time: UInt64
  ) throws(ApplicationOpeningError) -> Bool {
    do throws(StoreError) {
      return try watch.isWaiting(delivery, until: MonotonicClock.now + time)
    } catch { throw .mailbox(error) }
  }

  /// Whether somebody listens to the mailbox.
  private func isListening() throws(ApplicationOpeningError) -> Bool {
    do { return try FileLock.isHeld(app.listeningLockFile) ?? false } catch { throw .mailbox(.system(error)) }
  }
}
