// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import DarkroomCommands
import DarkroomHost
import HostBus
import HostInterface
import HostService
import LinuxPrimitives
import SessionStore
import Synchronization

/// Serves programs over JSON-RPC, and over D-Bus if that is requested.
final class ProgramHost: ProgramServer {
  let socket: String
  private let host: DarkroomHost
  private let bus: ServedBus?
  private let stopper: ServerStopper
  private let progress: Progress
  /// The thread of the server, which serves until it is stopped and all sessions are migrated.
  private var thread: PlainThread?

  /// The progress of the server's thread.
  private final class Progress: Sendable {
    let state = Mutex<(isFinished: Bool, failure: String?)>((false, nil))
  }

  /// A service on the message bus, and the task that waits for its end.
  private struct ServedBus: Sendable {
    let service: HostBus
    /// The reason why the service has ended, or `nil` if it was stopped.
    let failure: Task<String?, Never>
  }

  init(
    _ root: StateRoot,
    _ resources: HostResources,
    _ options: ProgramServerOptions,
    server: ServerStopper
  ) throws(CommandFailure) {
    // The first task creates descriptors of Dispatch, which terminates the process if there are none left.
    do throws(SystemCallError) { try HostThread.wait {} } catch {
      throw CommandFailure(.machine, "the server cannot start: \(error)")
    }
    let lock = options.lockState == .settable ? AdjustableLockState(.locked) : nil
    let configuration = HostConfiguration(options, lock)
    host = DarkroomHost(stateRoot: root, resources: resources, configuration: configuration)
    let operations: HostOperations
    do throws(HostError) {
      operations = try HostOperations(host: host, version: DarkroomRelease.version, settableLock: lock)
    } catch { throw CommandFailure(.machine, "\(error)") }
    let endpoint = try ServiceEndpoint.ofServer(root, for: .programs)
    socket = endpoint.place.socket
    bus = try options.usesMessageBus ? Self.connect(operations, stopping: server) : nil
    let progress = Progress()
    self.progress = progress
    do throws(SystemCallError) {
      stopper = try ServerStopper()
      let interface = InterfaceServer(operations, at: endpoint, stopper: stopper)
      thread = try Self.start(interface, host, bus, progress, server)
    } catch { throw CommandFailure(.machine, "the server cannot start: \(error)") }
  }

  var isFinished: Bool { progress.state.withLock { $0.isFinished } }

  func stop() { stopper.stop() }

  func finish() throws(CommandFailure) {
    thread.take()?.join()
    if let failure = progress.state.withLock({ $0.failure }) { throw CommandFailure(.machine, failure) }
    let bus = bus
    let failure: String?
    do throws(SystemCallError) { failure = try HostThread.wait { await bus?.failure.value ?? nil } } catch {
      throw CommandFailure(.machine, "the server failed: \(error)")
    }
    if let failure { throw CommandFailure(.unavailable, failure) }
  }

  /// Starts the thread of a server.
  private static func start(
    _ interface: InterfaceServer,
    _ host: DarkroomHost,
    _ bus: ServedBus?,
    _ progress: Progress,
    _ server: ServerStopper
  ) throws(SystemCallError) -> PlainThread {
    // Only the thread uses the server from now on.
    nonisolated(unsafe) let interface = interface
    return try PlainThread.start(name: "programs") {
      var failure: String?
      do throws(SystemCallError) {
        do throws(SystemCallError) { try interface.serve() } catch { failure = "the server failed: \(error)" }
        try HostThread.wait {
          await bus?.service.stop()
          await host.closeSessions()
        }
      } catch { failure = "the server failed: \(error)" }
      progress.state.withLock { $0 = (true, failure) }
      failure == nil ? server.wake() : server.stop()
    }
  }

  /// Connects to the session bus. The end of the bus stops the server.
  private static func connect(
    _ operations: HostOperations,
    stopping server: ServerStopper
  ) throws(CommandFailure) -> ServedBus {
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
    } catch { throw CommandFailure(.unavailable, "\(error)") }
  }
}

extension HostConfiguration {
  /// Creates the configuration for the options of a server. `lock` is the lock state that clients can set.
  fileprivate init(_ options: ProgramServerOptions, _ lock: AdjustableLockState?) {
    self.init()
    switch options.lockState {
    case .standard: break
    case .locked: lockState = .fixed(.locked)
    case .unlocked: lockState = .fixed(.unlocked)
    case .settable: if let lock { lockState = .source(lock) }
    }
    switch options.photoLibrary {
    case "standard": break
    case "none": photoLibrary = .none
    case let path: photoLibrary = .path(path)
    }
  }
}
