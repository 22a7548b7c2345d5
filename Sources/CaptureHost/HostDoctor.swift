// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Finds out what the sandbox can be made of here, by making one.
package enum HostDoctor {
  /// How something stands.
  package enum State: String, Sendable {
    /// It is there.
    case present
    /// It is there, with something to know.
    case advice
    /// It is not there, and policies require it.
    case missing
  }

  /// One thing that was looked at.
  package struct Finding: Sendable, Hashable {
    /// What.
    package var name: String
    /// How it stands.
    package var state: State
    /// What was seen.
    package var detail: String
    /// What to do about it, or nil.
    package var mend: String?
  }

  /// Looks at everything. The state root is looked at, not made.
  package static func examine(stateRoot: StateRoot?) -> [Finding] {
    let kernel = KernelRelease.running
    let user = CurrentProcess.effectiveUserID
    return [
      Finding(name: "kernel", state: .present, detail: "Linux \(kernel.description) on \(kernel.machine)"),
      Finding(name: "user", state: .present, detail: user == 0 ? "root" : "an ordinary user (\(user))"),
      landlock, scratch,
    ] + stateRootFindings(stateRoot) + trial(stateRoot)
  }

  private static var landlock: Finding {
    let abi = LandlockSupport.abi
    guard abi > 0 else {
      return Finding(
        name: "landlock",
        state: .missing,
        detail: "the kernel has none",
        mend:
          "boot with landlock in the lsm= parameter (kernel 5.13 or newer), or name it under bestEffort in a policy"
      )
    }
    guard abi < 6 else { return Finding(name: "landlock", state: .present, detail: "ABI \(abi)") }
    return Finding(
      name: "landlock",
      state: .advice,
      detail: "ABI \(abi): signals and abstract sockets are kept apart by namespaces alone",
      mend: "a kernel from 6.12 on closes them a second time"
    )
  }

  /// The container is in memory; with swap it can reach a disk.
  private static var scratch: Finding {
    let swaps = (try? FileSystem.contents("/proc/swaps")) ?? []
    let devices = String(decoding: swaps, as: UTF8.self).split(separator: "\n").dropFirst()
    guard !devices.isEmpty else {
      return Finding(name: "scratch", state: .present, detail: "in memory; there is no swap")
    }
    return Finding(
      name: "scratch",
      state: .advice,
      detail: "in memory, but swap is on: it can be written to a disk",
      mend: "encrypt the swap, or switch it off"
    )
  }

  private static func stateRootFindings(_ root: StateRoot?) -> [Finding] {
    guard let root else {
      return [
        Finding(
          name: "state root",
          state: .missing,
          detail: "nobody says where it is",
          mend: "set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or give --root"
        )
      ]
    }
    let place = (try? FileSystem.realPath(root.path)) ?? existing(above: root.path)
    guard let free = try? FileSystem.freeSpace(place) else {
      return [
        Finding(name: "state root", state: .missing, detail: root.path, mend: "\(place) cannot be looked at")
      ]
    }
    return [Finding(name: "state root", state: .present, detail: "\(root.path), \(free >> 20) MiB free")]
  }

  private static func existing(above path: String) -> String {
    var path = path
    while path != "/", (try? FileSystem.realPath(path)) == nil { path = FileSystem.directoryName(path) }
    return path
  }
}

// MARK: - Trying it

extension HostDoctor {
  /// Runs a program of the system in a real sandbox and reports each layer.
  private static func trial(_ root: StateRoot?) -> [Finding] {
    let place = "/tmp/darkroom-doctor-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(place) }
    do {
      try FileSystem.makeDirectory(place)
      let ending = try runTrial(in: StateRoot(path: place))
      return ending.layers.map {
        let isThere = $0.state == "enforced"
        return Finding(name: $0.name, state: isThere ? .present : .advice, detail: $0.detail ?? $0.state)
      }
    } catch {
      return [
        Finding(
          name: "sandbox",
          state: .missing,
          detail: "\(error)",
          mend: "nothing is launched without it: see the sentence before this one"
        )
      ]
    }
  }

  private static func runTrial(in root: StateRoot) throws -> SessionRecord.Enforcement {
    let found = try PolicyFinder.find("capture")
    let content = "\(root.path)/content"
    try FileSystem.makeDirectory(content)
    let identity = SessionIdentity.forOneSession()
    if let owner = identity.contentOwner {
      try FileSystem.open(content, [.directory]).setOwner(owner.user, group: owner.group)
    }
    let null = try FileSystem.open("/dev/null", .readWrite)
    let subject = LaunchSubject(
      program: .shown("/usr/bin/true"),
      arguments: [],
      environment: [],
      policy: found.policy
    )
    let session = LaunchPlanner.Session(
      id: SessionID.random(),
      content: content,
      context: Array("null".utf8),
      standard: [null.rawValue, null.rawValue, null.rawValue],
      named: [],
      identity: identity
    )
    let plan = try LaunchPlanner(stateRoot: root).plan(subject, session)
    let ending = try SandboxLauncher.launch(plan).reap()
    guard ending.status == .exited(0) else { throw TrialFailure(status: ending.status) }
    return plan.enforcement
  }

  /// The program of the trial did not end well.
  private struct TrialFailure: Error, CustomStringConvertible {
    var status: ExitStatus
    var description: String {
      "a program that does nothing was started in the sandbox and ended with \(status)"
    }
  }
}
