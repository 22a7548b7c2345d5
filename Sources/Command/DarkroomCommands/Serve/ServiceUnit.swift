// SPDX-License-Identifier: Apache-2.0

/// The systemd unit that runs the server of a user (systemd.service(5)).
enum ServiceUnit {
  /// Returns the unit for an executable, the path of its state root and further options of the command. Systemd does not
  /// expand variables or specifiers in the paths.
  static func text(program: String, root: String, options: [String]) -> String {
    """
    [Unit]
    Description=Darkroom host of capture extensions

    [Service]
    Type=notify
    ExecStart=\((["serve", "--root", quoted(root)] + options).reduce(quoted(program)) { "\($0) \($1)" })
    Restart=on-failure
    # A restart changes nothing after a usage error, without a state root, or while another server runs.
    RestartPreventExitStatus=\(ExitCode.usage.rawValue) \(ExitCode.store.rawValue) \(ExitCode.temporaryFailure.rawValue)
    WatchdogSec=30
    # The server dismisses and migrates its sessions. Other processes of the unit can be apps and are not terminated.
    KillMode=process
    # Longer than any migration takes. Raise this limit, too, if sessions run with a longer --grace.
    TimeoutStopSec=5min
    # Each session has its own control group. A session that exceeds its memory limit is not a failure of the server.
    Delegate=yes
    # The server's own control group: cgroup v2 allows no process in a group that distributes controllers to subgroups,
    # and an app that an earlier server started may still run in the unit.
    DelegateSubgroup=host
    OOMPolicy=continue

    [Install]
    WantedBy=default.target
    """
  }

  /// Returns a path, quoted so that systemd reads it as one literal word (systemd.syntax(7)).
  private static func quoted(_ path: String) -> String {
    let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
      .replacing("$", with: "$$")
    // A line break would start another directive.
    let plain = escaped.unicodeScalars.map { scalar in
      guard scalar.value < 0x20 || scalar.value == 0x7F else { return String(scalar) }
      return (scalar.value < 0x10 ? "\\x0" : "\\x") + String(scalar.value, radix: 16)
    }
    return "\"\(plain.joined())\""
  }
}
