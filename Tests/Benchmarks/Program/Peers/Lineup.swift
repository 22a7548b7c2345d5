// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import LinuxPrimitives

/// The launchers that are compared: bare, Darkroom's, and the peers that are installed.
struct Lineup {
  /// No sandbox: the floor of every launch.
  let bare: Launcher
  /// Darkroom's policies, `capture` first.
  let darkroom: [Launcher]
  /// The peers.
  let peers: [Launcher]
  /// How things stand in each, as seen from inside, and which peers are missing.
  let notes: [String]

  /// All of them, the bare one first.
  var all: [Launcher] { [bare] + darkroom + peers }
  /// One of each.
  var eachOnce: [Launcher] { [bare] + darkroom.prefix(1) + peers }

  /// Finds out what is installed, and looks at it from inside.
  init(_ setting: Setting) {
    bare = Self.bare(setting)
    darkroom = ["capture", "base", "strict"].compactMap { try? Self.darkroom(setting, policy: $0) }
    var (peers, notes): ([Launcher], [String]) = ([], [])
    for launcher in [bare] + darkroom { notes.append(Self.claims(of: launcher, setting)) }
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
        // One that does not work here would end the whole run.
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
    return Launcher("posix_spawn", directory: setting.ownContent) { payload, arguments, input, output in
      try SpawnedProgram.start(
        ["\(bundle)/\(payload.file)"] + arguments,
        descriptors: [0: input, 1: output]
      )
    }
  }

  private static func darkroom(_ setting: Setting, policy: String) throws -> Launcher {
    let planner = LaunchPlanner(stateRoot: setting.root)
    let content = setting.content
    let subject = try setting.subject(.staticC, policy: policy)
    let bundle = setting.bundle
    return Launcher("darkroom, \(policy)", directory: "/session") { payload, arguments, input, output in
      var subject = subject
      subject.program = .bundled(directory: bundle, executable: payload.file)
      subject.arguments = arguments
      return try SandboxedProgram(
        planner,
        subject,
        launchSession(content: content, input: input, output: output)
      )
    }
  }
}

/// Finds a peer's program.
enum PeerProgram {
  /// The path of an installed program, or nil.
  static func find(_ name: String) -> String? {
    ["/usr/bin", "/bin", "/usr/sbin"].map { "\($0)/\(name)" }
      .first { path in
        (try? FileSystem.status(path))??.kind == .regular
      }
  }
}
