// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch

/// The compared launchers: bare, Darkroom's, and the installed peers.
struct Lineup {
  /// A launch without a sandbox, the lower bound of every launch.
  let bare: Launcher
  /// Darkroom's policies, launched by ``LaunchWay/direct``; `capture` is first.
  let darkroom: [Launcher]
  /// The policy `capture`, launched by ``LaunchWay/brokered(_:)``, or `nil` if no broker is available.
  let brokered: Launcher?
  /// The same methods with a new network namespace, like the first session of a host.
  let inNewNetworks: [Launcher]
  /// Returns the number of launches that used resources prepared by the broker.
  let servedByBroker: @Sendable () -> Int
  /// The installed peers.
  let peers: [Launcher]
  /// The confinement of each launcher as seen from inside, and the missing peers.
  let notes: [String]

  /// The name of the launcher without a sandbox.
  static let bareName = "posix_spawn"

  /// All launchers; the bare one is first.
  var all: [Launcher] { [bare] + [brokered].compactMap(\.self) + darkroom + inNewNetworks + peers }
  /// The bare launcher, one of Darkroom's, and the peers.
  var eachOnce: [Launcher] { [bare] + darkroom.prefix(1) + peers }
  /// The same with both launch methods of Darkroom.
  var eachWay: [Launcher] { [bare] + [brokered].compactMap(\.self) + darkroom.prefix(1) + peers }

  /// Returns the name of Darkroom's launcher with a policy and a method.
  static func name(_ policy: String, _ way: String) -> String { "darkroom, \(policy), \(way)" }
  /// The name of Darkroom's row in most tables.
  static let direct = name("capture", LaunchWay.directName)
  /// The name of the row with the broker.
  static let brokered = name("capture", LaunchWay.brokeredName)

  /// Finds the installed launchers and records their confinement.
  init(_ setting: Setting) {
    bare = Self.bare(setting)
    darkroom = ["capture", "base", "strict"]
      .compactMap { try? Self.darkroom(setting, policy: $0, by: .direct) }
    var (peers, notes): ([Launcher], [String]) = ([], [])
    let ways: [LaunchWay] = [.direct] + [try? LaunchBroker()].compactMap(\.self).map(LaunchWay.brokered)
    inNewNetworks = ways.compactMap { try? Self.darkroom(setting, policy: "capture", by: $0, network: .new) }
    do {
      let broker = try LaunchBroker()
      brokered = try Self.darkroom(setting, policy: "capture", by: .brokered(broker))
      servedByBroker = { broker.uses }
    } catch {
      (brokered, servedByBroker) = (nil, { 0 })
      notes.append("\(Self.brokered): left out: \(error)")
    }
    for launcher in [bare] + [brokered].compactMap(\.self) + darkroom {
      notes.append(Self.claims(of: launcher, setting))
    }
    let makers: [(String, (Setting) throws -> Launcher?)] = [
      ("bwrap", Bubblewrap.launcher), ("crun", Crun.launcher), ("firejail", Firejail.launcher),
      ("unshare", Unshare.launcher),
    ]
    for (name, make) in makers {
      do {
        guard let peer = try make(setting) else {
          notes.append("\(name): not installed (.ci/setup --bench)")
          continue
        }
        // A launcher that fails on this machine would abort the run.
        _ = try peer.time(.staticC, input: setting.null.rawValue)
        notes.append(Self.claims(of: peer, setting))
        peers.append(peer)
      } catch {
        notes.append("\(name): left out, for it does not work here: \(error)")
      }
    }
    self.peers = peers
    self.notes = notes + setting.missingPayloads
  }

  private static func claims(of launcher: Launcher, _ setting: Setting) -> String {
    do {
      let network = try FileSystem.linkTarget("/proc/self/ns/net")
      let found = try launcher.output(.claims, [network], input: setting.null.rawValue)
      return "\(launcher.name), seen from inside: \(found)"
    } catch {
      return "\(launcher.name), seen from inside: nothing, \(error)"
    }
  }

  private static func bare(_ setting: Setting) -> Launcher {
    let bundle = setting.bundle
    return Launcher(bareName, directory: setting.ownContent) { payload, arguments, input, output in
      try SpawnedProgram.start(
        ["\(bundle)/\(payload.file)"] + arguments,
        descriptors: [0: input, 1: output]
      )
    }
  }

  private static func darkroom(
    _ setting: Setting,
    policy: String,
    by way: LaunchWay,
    network: LaunchPlan.Network = .handedOn
  ) throws -> Launcher {
    let planner = LaunchPlanner(stateRoot: setting.root)
    let content = setting.content
    let subject = try setting.subject(.staticC, policy: policy)
    let bundle = setting.bundle
    let ready: @Sendable () throws -> Void = {
      // A peer's mount changes the mount table, after which the broker prepares again. In a host this happens
      // after a launch.
      guard case .brokered(let broker) = way else { return }
      var plan = try planner.plan(subject, launchSession(content: content, input: 0, output: 1))
      plan.network = network
      _ = broker.prepare(plan)
    }
    let name = name(policy, way.name) + (network == .new ? ", new network" : "")
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
        by: way,
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
