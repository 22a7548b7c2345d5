// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch

/// The compared launchers: bare, Darkroom's, and the installed peers.
struct LauncherSet {
  /// A launch without a sandbox, the lower bound of every launch.
  let bare: Launcher
  /// Darkroom's policies, launched by ``LaunchMethod/direct``; `capture` is first.
  let darkroom: [Launcher]
  /// The policy `capture`, launched by ``LaunchMethod/brokered(_:)``, or `nil` if no broker is available.
  let brokered: Launcher?
  /// The same methods with a new network namespace, like the first session of a host.
  let inNewNetworks: [Launcher]
  /// Returns the number of launches that used resources prepared by the broker.
  let brokerUses: @Sendable () -> Int
  /// The installed peers.
  let peers: [Launcher]
  /// The confinement of each launcher as seen from inside, and the missing peers.
  let notes: [String]

  /// The name of the launcher without a sandbox.
  static let bareName = "posix_spawn"

  /// All launchers; the bare one is first.
  var all: [Launcher] { [bare] + [brokered].compactMap(\.self) + darkroom + inNewNetworks + peers }
  /// The bare launcher, one of Darkroom's, and the peers.
  var onePerSandbox: [Launcher] { [bare] + darkroom.prefix(1) + peers }
  /// The same with both launch methods of Darkroom.
  var withBothMethods: [Launcher] { [bare] + [brokered].compactMap(\.self) + darkroom.prefix(1) + peers }

  /// Returns the name of Darkroom's launcher with a policy and a method.
  static func name(_ policy: String, _ method: String) -> String { "darkroom, \(policy), \(method)" }
  /// The name of Darkroom's row in most tables.
  static let direct = name("capture", LaunchMethod.directName)
  /// The name of the row with the broker.
  static let brokered = name("capture", LaunchMethod.brokeredName)

  /// Finds the installed launchers and records their confinement.
  init(_ setup: BenchmarkSetup) {
    bare = Self.bare(setup)
    darkroom = ["capture", "base", "strict"]
      .compactMap { try? Self.darkroom(setup, policy: $0, by: .direct) }
    var (peers, notes): ([Launcher], [String]) = ([], [])
    let methods: [LaunchMethod] =
      [.direct] + [try? LaunchBroker()].compactMap(\.self).map(LaunchMethod.brokered)
    inNewNetworks = methods.compactMap { try? Self.darkroom(setup, policy: "capture", by: $0, network: .new) }
    do {
      let broker = try LaunchBroker()
      brokered = try Self.darkroom(setup, policy: "capture", by: .brokered(broker))
      brokerUses = { broker.uses }
    } catch {
      (brokered, brokerUses) = (nil, { 0 })
      notes.append("\(Self.brokered): left out: \(error)")
    }
    for launcher in [bare] + [brokered].compactMap(\.self) + darkroom {
      notes.append(Self.claims(of: launcher, setup))
    }
    let factories: [(String, (BenchmarkSetup) throws -> Launcher?)] = [
      ("bwrap", Bubblewrap.launcher), ("crun", Crun.launcher), ("firejail", Firejail.launcher),
      ("systemd-run", SystemdRun.launcher), ("unshare", Unshare.launcher),
    ]
    for (name, make) in factories {
      do {
        guard let peer = try make(setup) else {
          notes.append("\(name): not installed (.ci/setup --bench)")
          continue
        }
        // A launcher that fails on this machine would abort the run.
        _ = try peer.time(.staticC, input: setup.null.rawValue)
        notes.append(Self.claims(of: peer, setup))
        peers.append(peer)
      } catch {
        notes.append("\(name): left out, because it does not work on this machine: \(error)")
      }
    }
    self.peers = peers
    self.notes = notes + setup.missingPayloads
  }

  private static func claims(of launcher: Launcher, _ setup: BenchmarkSetup) -> String {
    do {
      let network = try FileSystem.linkTarget("/proc/self/ns/net")
      let found = try launcher.output(.claims, [network], input: setup.null.rawValue)
      return "\(launcher.name), seen from inside: \(found)"
    } catch {
      return "\(launcher.name), seen from inside: nothing, \(error)"
    }
  }

  private static func bare(_ setup: BenchmarkSetup) -> Launcher {
    let bundle = setup.bundle
    return Launcher(bareName, directory: setup.unmappedContent) { payload, arguments, input, output in
      try SpawnedProgram.start(
        ["\(bundle)/\(payload.file)"] + arguments,
        descriptors: [0: input, 1: output]
      )
    }
  }

  private static func darkroom(
    _ setup: BenchmarkSetup,
    policy: String,
    by method: LaunchMethod,
    network: LaunchPlan.Network = .reused
  ) throws -> Launcher {
    let planner = LaunchPlanner(stateRoot: setup.root)
    let content = setup.content
    let subject = try setup.subject(.staticC, policy: policy)
    let bundle = setup.bundle
    let ready: @Sendable () throws -> Void = {
      // A peer's mount changes the mount table, after which the broker prepares again. In a host this happens
      // after a launch.
      guard case .brokered(let broker) = method else { return }
      var plan = try planner.plan(subject, launchSession(content: content, input: 0, output: 1))
      plan.isolation.network = network
      _ = broker.prepare(plan)
    }
    let name = name(policy, method.name) + (network == .new ? ", new network" : "")
    return Launcher(name, directory: "/session", prepare: ready) {
      payload,
      arguments,
      input,
      output in
      var subject = subject
      subject.program = .bundled(directory: bundle, executable: payload.file)
      subject.arguments = arguments
      return try SandboxedProgram(
        planner,
        subject,
        launchSession(content: content, input: input, output: output),
        by: method,
        network: network
      )
    }
  }
}

/// Finds the program of a peer.
enum PeerProgram {
  /// Returns the path of an installed program, or `nil` if it is not installed.
  static func find(_ name: String) -> String? {
    ["/usr/bin", "/bin", "/usr/sbin"].map { "\($0)/\(name)" }
      .first { path in
        (try? FileSystem.status(path))??.kind == .regular
      }
  }
}
