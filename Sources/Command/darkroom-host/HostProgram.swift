// SPDX-License-Identifier: Apache-2.0

internal import CommandGrammar
internal import DarkroomHost
internal import HostBus
internal import HostInterface
internal import HostService
internal import LinuxPrimitives

/// The program `darkroom-host`: a host for programs in any language.
struct HostProgram {
  private static let root = OptionSpec.value(
    "root",
    "DIR",
    .directory,
    help: "Use DIR as the state directory (default: $DARKROOM_ROOT, or darkroom in $XDG_STATE_HOME)"
  )
  private static let lockState = OptionSpec.value(
    "lock-state",
    "SOURCE",
    .choice(["standard", "locked", "unlocked", "settable"]),
    default: "standard",
    help: "Follow the system's lock state, fix it, or let clients set it, which starts locked"
  )
  private static let photoLibrary = OptionSpec.value(
    "photo-library",
    "LIBRARY",
    .text,
    default: "standard",
    help: "Use the user's photo library, none, or that in a directory"
  )
  private static let prewarm = OptionSpec.value(
    "prewarm",
    "N",
    .integer(0...64),
    default: "0",
    help: "Keep at most N prewarmed extensions, and the broker that starts sessions faster"
  )

  private static let dbus = OptionSpec.flag(
    "dbus",
    help: "Serve the name org.darkroom.Host1 on the session bus, too"
  )

  private static let spec = CommandSpec(
    "darkroom-host",
    summary: "Run capture extensions for programs in any language",
    discussion: """
      Programs connect to the socket serve/host in the state directory and speak JSON-RPC 2.0, one message a line; \
      the method rpc.discover returns a description of all methods. Only processes of the same user are served. A \
      session is dismissed when the program that launched it disconnects. SIGTERM dismisses all sessions, and \
      ends the program when they are migrated.
      """,
    options: [root, lockState, photoLibrary, prewarm, dbus],
    examples: [
      ExampleSpec("darkroom-host", "Serve the state directory of this user"),
      ExampleSpec("darkroom-host --prewarm 4", "Start sessions faster"),
    ],
    exitCodes: [
      ExitCodeSpec("0", "A signal stopped the server, and every session is migrated"),
      ExitCodeSpec("64", "The command line or an option value is invalid"),
      ExitCodeSpec("69", "The message bus is not available, or was disconnected"),
      ExitCodeSpec("71", "The server failed, for example because of a missing feature of the kernel"),
      ExitCodeSpec("73", "The state directory is unusable"),
      ExitCodeSpec("75", "Another server uses the state directory"),
    ]
  )

  /// A failure that ends the program.
  private struct Failure: Error {
    let code: Int32
    let message: String

    init(_ code: Int32, _ message: String) { (self.code, self.message) = (code, message) }
  }

  private let parsed: ParsedCommand

  /// Runs the program with its arguments, without its name. Returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    let parsed: ParsedCommand
    do throws(UsageError) { parsed = try spec.parse(arguments) } catch {
      note("\(error)")
      return 64
    }
    switch parsed.purpose {
    case .help, .topic: print(HelpText.render(parsed.path), terminator: "")
    case .version: print("darkroom-host \(DarkroomRelease.version)")
    case .run:
      do throws(Failure) { try HostProgram(parsed: parsed).serve() } catch {
        note("darkroom-host: \(error.message)")
        return error.code
      }
    }
    return 0
  }

  /// Serves until a signal arrives and all sessions are migrated.
  private func serve() throws(Failure) {
    CurrentProcess.clearOwnerMaskBits()
    // The signals are blocked before any other thread exists, because threads inherit the mask.
    let signals: Descriptor
    do throws(SystemCallError) {
      SignalDescriptor.reportFailedWrites()
      signals = try SignalDescriptor.make([.terminate, .interrupt, .hangup])
    } catch { throw Failure(71, "\(error)") }
    // Each session needs about twelve descriptors. Extensions are launched with the original limit.
    FileLimit.raise()
    let lock = parsed.value(of: Self.lockState) == "settable" ? AdjustableLockState(.locked) : nil
    let (host, operations): (DarkroomHost, HostOperations)
    do throws(HostError) {
      let state = parsed.value(of: Self.root).map(StateDirectory.path) ?? .default
      host = try DarkroomHost(stateDirectory: state, configuration: configuration(lock))
      operations = try HostOperations(host: host, version: DarkroomRelease.version, settableLock: lock)
    } catch { throw Failure(73, "\(error)") }
    let endpoint = try acquire(host.statePath)
    let path = endpoint.place.socket
    let server: InterfaceServer
    do throws(SystemCallError) { server = try InterfaceServer(operations, at: endpoint) } catch {
      throw Failure(71, "\(error)")
    }
    let bus = try connectToBus(operations, stopping: server.stopper)
    let manager = ServiceManager(environment: { CurrentProcess.environment($0) })
    manager.notify(.ready)
    Self.note("darkroom-host: PID \(CurrentProcess.processID) serves at \(path)")
    let busFailure: String?
    do throws(SystemCallError) {
      try server.serve(until: signals)
      manager.notify(.stopping)
      busFailure = try HostThread.wait {
        await bus?.service.stop()
        await host.close()
        return await bus?.failure.value
      }
    } catch { throw Failure(71, "the server failed: \(error)") }
    if let busFailure { throw Failure(69, busFailure) }
  }

  /// A service on the message bus, and the task that waits for its end.
  private struct ServedBus: Sendable {
    let service: HostBus
    /// The reason why the service has ended, or `nil` if it was stopped.
    let failure: Task<String?, Never>
  }

  /// Connects to the session bus, if the command line requests it. The end of the bus stops the server.
  private func connectToBus(
    _ operations: HostOperations,
    stopping server: InterfaceServer.Stopper
  ) throws(Failure) -> ServedBus? {
    guard parsed.has(Self.dbus) else { return nil }
    do throws(HostBusError) {
      let bus = try HostBus(operations: operations, address: nil)
      try bus.start()
      let failure = Task { () -> String? in
        for await reason in bus.ended {
          server.stop()
          return reason
        }
        return nil
      }
      return ServedBus(service: bus, failure: failure)
    } catch { throw Failure(69, "\(error)") }
  }

  private func configuration(_ lock: AdjustableLockState?) -> HostConfiguration {
    var configuration = HostConfiguration()
    switch parsed.value(of: Self.lockState) {
    case "locked": configuration.lockState = .fixed(.locked)
    case "unlocked": configuration.lockState = .fixed(.unlocked)
    default: if let lock { configuration.lockState = .source(lock) }
    }
    switch parsed.value(of: Self.photoLibrary) {
    case nil, "standard": break
    case "none": configuration.photoLibrary = .none
    case let path?: configuration.photoLibrary = .path(path)
    }
    let count = parsed.integer(of: Self.prewarm) ?? 0
    if count > 0 { configuration.prewarming = PrewarmingLimits(maximumExtensions: count) }
    return configuration
  }

  private func acquire(_ state: String) throws(Failure) -> ServiceEndpoint {
    do throws(ServiceError) {
      return try ServiceEndpoint.acquire(ServicePaths(root: state, for: .programs))
    } catch {
      if case .held = error { throw Failure(75, "\(error)") }
      throw Failure(73, "\(error)")
    }
  }

  /// Writes a line to standard error.
  private static func note(_ text: String) {
    try? Descriptor.write(Array("\(text)\n".utf8), toNumber: 2)
  }
}
