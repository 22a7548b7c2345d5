// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionServices
import SessionStore
import TestSupport
import Testing

/// Small shell apps that are actually started.
@Suite(.timeLimit(.minutes(20))) struct ApplicationOpenerTests {
  private let directory: ScratchDirectory
  private let app: AppStore
  private let catalog: AppCatalog
  /// Takes all deliveries from the mailbox, as its contract allows without locks, and appends them to
  /// `taken`.
  private static let take = """
    for file in "$DARKROOM_APP_CONTAINER"/Activities/*.json; do
      [ -e "$file" ] && cat "$file" >>"$OUT/taken" && echo >>"$OUT/taken" && rm "$file"
    done
    """

  init() throws {
    directory = try ScratchDirectory()
    let root = StateRoot(path: "\(directory.path)/root")
    try root.prepare()
    app = try root.app("org.example.camera")
    try app.prepare()
    catalog = AppCatalog(appsDirectory: root.appsDirectory, groupsDirectory: root.groupsDirectory)
  }

  /// Installs the app with a script that opens it, or without one. The variable `OUT` is the test directory.
  private func install(_ script: String?, mode: UInt32 = 0o755) throws -> ApplicationOpener {
    let bundle = "\(directory.path)/bundle"
    try FileSystem.makeDirectories("\(bundle)/bin")
    let open = script == nil ? "" : #""open": ["./bin/open", "now"], "#
    let manifest = #"{ \#(open)"id": "org.example.camera", "name": "Camera" }"#
    try FileSystem.replaceContents("\(bundle)/app.json", with: Array(manifest.utf8))
    let text = "#!/bin/sh\nOUT='\(directory.path)'\n\(script ?? "")\n"
    try FileSystem.replaceContents("\(bundle)/bin/open", with: Array(text.utf8), mode: mode)
    _ = try catalog.install(bundle)
    return opener()
  }

  private func opener() -> ApplicationOpener {
    let home = directory.path
    return ApplicationOpener(app, catalog: catalog) { name in
      switch name {
      case "HOME": home
      case "LANG": "C.UTF-8"
      case "LD_PRELOAD", "SECRET": "/secret"
      default: nil
      }
    }
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try FileSystem.contents("\(directory.path)/\(name)") ?? [], as: UTF8.self)
  }

  @Test func `starts an app that is not running with a delivery and a clean environment`() throws {
    let opener = try install(
      """
      env | sort >"$OUT/environment"
      ls -l /proc/self/fd | sed 's/.* -> //' >"$OUT/descriptors"
      cut -d' ' -f6 /proc/$$/stat >"$OUT/session"; echo $$ >>"$OUT/session"
      grep SigBlk /proc/self/status >"$OUT/blocked"; pwd >"$OUT/where"; echo "$1" >"$OUT/arguments"
      echo hello
      \(Self.take)
      """
    )
    let delivery = AppDelivery.now(.control, control: "shutter", appContext: ["zoom": 2])
    try opener.deliver(delivery)
    #expect(try text("taken").contains(delivery.id))
    let environment = Set(try text("environment").split(separator: "\n").map(String.init))
    #expect(environment.contains("DARKROOM_ROOT=\(app.root.path)"))
    #expect(environment.contains("DARKROOM_APP_ID=org.example.camera"))
    #expect(environment.contains("DARKROOM_APP_CONTAINER=\(app.containerDirectory)"))
    #expect(environment.contains("DARKROOM_LAUNCH_REASON=control"))
    #expect(environment.contains("HOME=\(directory.path)"))
    #expect(environment.contains("PATH=/usr/local/bin:/usr/bin:/bin"))
    #expect(!environment.contains { $0.contains("/secret") })
    // The session ID of a session leader equals its PID.
    let session = try text("session").split(separator: "\n")
    #expect(session.count == 2 && session[0] == session[1])
    #expect(try text("blocked") == "SigBlk:\t0000000000000000\n")
    #expect(try text("where") == "\(directory.path)\n")
    #expect(try text("arguments") == "now\n")
    #expect(try !text("descriptors").contains("inotify"))
    let log = String(decoding: try FileSystem.contents(app.openingLogFile) ?? [], as: UTF8.self)
    #expect(log == "hello\n")
  }

  @Test func `notifies a listening app without starting it`() throws {
    let opener = try install("echo started >\"$OUT/started\"\n\(Self.take)")
    let listening = try FileLock.lock(app.listeningLockFile)
    let mailbox = Mailbox(app)
    let store = app
    let listener = try PlainThread.start(name: "listener") {
      guard let watch = try? MailboxWatch(store),
        let taken = try? watch.claimNext(until: TestTimeout.deadline)
      else { return }
      try? taken.finish()
    }
    let delivery = AppDelivery.now(.captureExtension)
    try opener.deliver(delivery)
    listener.join()
    #expect(try !mailbox.isPending(delivery))
    #expect(try FileSystem.status("\(directory.path)/started") == nil)
    _ = listening
  }

  @Test func `reports an app that cannot be opened before writing a delivery`() throws {
    #expect(throws: ApplicationOpeningError.notInstalled(app: app.id)) { try opener().check() }
    #expect(throws: ApplicationOpeningError.noCommand(app: app.id)) { try install(nil).check() }
    _ = try install("true", mode: 0o644)
    #expect(
      throws: ApplicationOpeningError.notExecutable(app: app.id, program: try catalogBundle() + "/./bin/open")
    ) {
      try opener().deliver(.now(.control))
    }
    let installed = try catalogBundle()
    try FileSystem.open(installed + "/bin", [.directory]).setPermissions(0o755)
    try FileSystem.unlink(installed + "/bin/open")
    #expect(throws: ApplicationOpeningError.programNotFound(app: app.id, program: "./bin/open")) {
      try opener().check()
    }
    #expect(try FileSystem.names(in: app.activitiesDirectory) == [])
    // A running app does not need its program.
    let listening = try FileLock.lock(app.listeningLockFile)
    try opener().check()
    _ = listening
  }

  private func catalogBundle() throws -> String { try #require(try catalog.app(app.id)).bundlePath }

  @Test(arguments: [
    ("exit 3", LinuxPrimitives.ExitStatus.exited(3)), ("kill -SEGV $$", .signaled(Signal(rawValue: 11))),
  ])
  func `reports an app that terminates before taking its delivery and keeps the delivery`(
    end: String,
    status: LinuxPrimitives.ExitStatus
  ) throws {
    let opener = try install("echo one; printf 'no \\033display\\n' >&2; \(end)")
    let delivery = AppDelivery.now(.control)
    #expect {
      try opener.deliver(delivery)
    } throws: { error in
      guard
        case .exitedAtStart(app.id, status, app.openingLogFile, let lines)? = error
          as? ApplicationOpeningError
      else { return false }
      return lines == "one / no \\x1bdisplay"
    }
    #expect(try Mailbox(app).isPending(delivery))
    try install(Self.take).open(delivery)
    #expect(try text("taken").contains(delivery.id))
  }

  @Test func `two concurrent hosts start the app once and each delivery arrives once`() throws {
    _ = try install(
      """
      echo started >>"$OUT/started"; sleep 0.3
      exec 9>"$DARKROOM_APP_CONTAINER/app.lock"; flock 9
      \(Self.take)
      """
    )
    let one = AppDelivery.now(.control)
    let other = AppDelivery.now(.control)
    // Both deliveries exist before the app starts, like after two sessions.
    try Mailbox(app).post(one)
    try Mailbox(app).post(other)
    let scratch = directory.path
    let (app, catalog) = (app, catalog)
    let host = try PlainThread.start(name: "host") {
      try? ApplicationOpener(app, catalog: catalog) { $0 == "HOME" ? scratch : nil }.open(one)
    }
    try opener().open(other)
    host.join()
    // The app releases its lock when it exits.
    try FileLock.waitUntilFree(app.listeningLockFile, until: TestTimeout.deadline)
    #expect(try text("started") == "started\n")
    let taken = try text("taken")
    #expect(taken.split(separator: one.id).count == 2 && taken.split(separator: other.id).count == 2)
  }

  @Test func `an app outlives the host and can delay its appearance by at most one second`()
    throws
  {
    let opener = try install("\(Self.take)\nsleep 0.4; echo later >\"$OUT/later\"")
    let hold = try FileLock.lock(app.appearanceLockFile)
    try opener.deliver(.now(.control))
    _ = hold
    #expect(try text("taken") != "")
    // The delay of one second is longer than the sleep of the app.
    #expect(try text("later") == "later\n")
  }
}
