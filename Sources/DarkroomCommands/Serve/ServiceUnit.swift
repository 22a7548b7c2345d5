// SPDX-License-Identifier: Apache-2.0

/// The unit with which systemd runs a server for a user (systemd.service(5)).
enum ServiceUnit {
  /// The unit for a program.
  static func text(program: String) -> String {
    """
    [Unit]
    Description=Darkroom, which runs capture extensions
    Documentation=man:darkroom(1)

    [Service]
    Type=notify
    ExecStart=\(quoted(program)) serve
    Restart=on-failure
    WatchdogSec=30
    # Sessions are dismissed and handed over; no other process of the unit is told to end, for apps are among them.
    KillMode=process
    TimeoutStopSec=60
    # Each session gets a control group of its own, and one that uses up its memory is no failure of the server.
    Delegate=yes
    OOMPolicy=continue

    [Install]
    WantedBy=default.target
    """
  }

  /// A path as systemd takes it for one word, whatever is in it.
  private static func quoted(_ path: String) -> String {
    let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
      .replacing("$", with: "$$")
    return "\"\(escaped)\""
  }
}
