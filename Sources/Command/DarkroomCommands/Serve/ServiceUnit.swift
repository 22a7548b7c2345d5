// SPDX-License-Identifier: Apache-2.0

/// The systemd unit that runs the server of a user (systemd.service(5)).
enum ServiceUnit {
  /// Returns the unit for an executable and the path of its state root. Systemd does not expand variables or
  /// specifiers in the paths.
  static func text(program: String, root: String) -> String {
    """
    [Unit]
    Description=Darkroom, which runs capture extensions

    [Service]
    Type=notify
    ExecStart=\(quoted(program)) serve --root \(quoted(root))
    Restart=on-failure
    # To be told what to do otherwise, to have no state root, or a server already: none of it is another the next time.
    RestartPreventExitStatus=\(ExitCode.usage.rawValue) \(ExitCode.store.rawValue) \(ExitCode.temporaryFailure.rawValue)
    WatchdogSec=30
    # Sessions are dismissed and handed over; no other process of the unit is told to end, for apps are among them.
    KillMode=process
    # Longer than any hand-over takes; whoever gives sessions more time to end (--grace) gives it here, too.
    TimeoutStopSec=5min
    # Each session gets a control group of its own, and one that uses up its memory is no failure of the server.
    Delegate=yes
    # Where the server puts itself, so that it finds a place beside an app that has outlived the one before it: no process
    # can be put into a group that gives controllers to groups below it.
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
