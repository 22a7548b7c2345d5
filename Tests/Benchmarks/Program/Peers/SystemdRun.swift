// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import PolicyInterchange

/// systemd-run(1), with which the manager of the user's services starts each program as a service: the same
/// isolation as far as systemd can express it, with an allow-list of calls and its own restrictions of their
/// arguments.
///
/// The whole service is measured, including its registration and its removal by the manager.
enum SystemdRun {
  /// Returns the launcher, or `nil` if systemd-run is not installed.
  static func launcher(_ setup: BenchmarkSetup) throws -> Launcher? {
    guard let program = PeerProgram.find("systemd-run") else { return nil }
    // The assignments of the drop-in file, without limits: the other peers have none, either. systemd-run does
    // not accept the value "none" of address families; the filter denies socket(2) in any case.
    let policy = SystemdWriter.write(try PolicyFinder.find("capture").policy)
      .split(separator: "\n")
      .filter { line in !["#", "[", "Limit", "MemoryMax", "RuntimeMax"].contains { line.hasPrefix($0) } }
      .map { $0 == "RestrictAddressFamilies=none" ? "RestrictAddressFamilies=AF_UNIX" : String($0) }
    // systemd-run requires that the program exists at the same path outside; systemd needs /proc inside.
    let files = [
      "TemporaryFileSystem=/:ro /container", "BindReadOnlyPaths=/usr /bin /lib /lib64 \(setup.bundle)",
      "BindPaths=/proc", "BindPaths=\(setup.unmappedContent):/session", "WorkingDirectory=/session",
    ]
    let namespaces = ["PrivateUsers=yes", "PrivateIPC=yes", "ProtectHostname=yes", "PrivateDevices=yes"]
    let properties = (files + namespaces + policy).flatMap { ["-p", $0] }
    let words = [program, "--user", "--pipe", "--wait", "--collect", "--quiet"] + properties + ["--"]
    // The program needs the address of the manager.
    let environment = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"]
      .compactMap { name in CurrentProcess.environment(name).map { "\(name)=\($0)" } }
    let bundle = setup.bundle
    let quiet = setup.null.rawValue
    return Launcher("systemd-run", directory: "/session", killEffect: .leavesUnrelatedProgram) {
      payload,
      arguments,
      input,
      output in
      try SpawnedProgram.start(
        words + ["\(bundle)/\(payload.file)"] + arguments,
        environment: environment,
        descriptors: [0: input, 1: output, 2: quiet]
      )
    }
  }
}
