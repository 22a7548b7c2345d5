// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import DarkroomHost
import LinuxPrimitives
import Prewarming
import SessionStore

/// Sessions of one host in this process, launched by the library for hosts, and by the module that both the
/// library and the command use.
final class LibrarySessions {
  private let host: DarkroomHost
  private let resources: HostResources
  private let session: ProgramSession

  /// Creates the host.
  init(_ setup: BenchmarkSetup) throws {
    session = try ProgramSession(setup, root: "library")
    let root = session.app.root
    resources = try HostResources(stateRoot: root)
    var configuration = HostConfiguration()
    (configuration.lockState, configuration.photoLibrary) = (.fixed(.unlocked), .none)
    host = DarkroomHost(stateRoot: root, resources: resources, configuration: configuration)
  }

  /// Terminates the processes of the host.
  func close() {
    let host = host
    try? HostThread.wait { await host.close() }
  }

  /// Runs a session with the library.
  func run() throws {
    let (host, options) = (host, ProgramLaunchOptions(session.program, app: session.app.id))
    let failure = try HostThread.wait { () -> String? in
      do throws(HostError) {
        let outcome = try await host.launch(options).result.outcome
        return outcome == .completed(exitCode: 0) ? nil : "\(outcome)"
      } catch { return "\(error)" }
    }
    if let failure { throw BenchmarkError.unexpectedContents(failure) }
  }

  /// Runs a session without the library.
  func runDirectly() throws {
    try session.run(SessionRunner(stateRoot: session.app.root, resources: resources))
  }
}
