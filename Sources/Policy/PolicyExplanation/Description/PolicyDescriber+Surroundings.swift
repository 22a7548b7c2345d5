// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy
internal import SystemCalls

extension PolicyDescriber {
  /// The section about access outside the session.
  var externalAccess: Section {
    var statements = network
    statements += devices
    statements += driverRequests
    let open = CoreArea.allCases.filter { area in
      area != .network && !permittedCalls.intersection(PolicyCore.forbidden[area] ?? []).isEmpty
    }
    if !open.isEmpty {
      statements.append(
        Statement(
          .warning,
          "The extension can use interfaces that no policy should allow:",
          open.map(\.rawValue),
          about: permittedCalls.intersection(open.flatMap { PolicyCore.forbidden[$0] ?? [] })
        )
      )
    }
    let closed = CoreArea.allCases.filter { area in
      area != .network && area != .hiddenFlags && PolicyCore.forbidden[area] != nil && !open.contains(area)
    }
    statements.append(
      Statement(
        .cannot,
        "No policy can allow these calls:",
        closed.map { area in
          let calls = PolicyCore.forbidden[area] ?? []
          let more = calls.count > 4 ? " and \(calls.count - 4) more" : ""
          return "\(area.reason) (\(calls.prefix(4).joined(separator: ", "))\(more))"
        }
      )
    )
    return Section(title: "Network, devices and kernel interfaces", statements: statements)
  }

  /// The statements about sockets.
  private var network: [Statement] {
    let sockets = permittedCalls.intersection(PolicyCore.forbidden[.network] ?? [])
    guard sockets.isEmpty else {
      return [
        Statement(
          .warning,
          "The extension can use sockets (\(sockets.joined(separator: ", "))).",
          about: sockets
        )
      ]
    }
    let none = Statement(
      .cannot,
      "The extension cannot reach any network, service of the host or other app: no call that creates a single "
        + "socket, or that binds or connects a socket, is allowed, and the extension inherits no socket."
    )
    guard permittedCalls.permits("socketpair") else { return [none] }
    let passing = permittedCalls.intersection(["sendmsg", "recvmsg"])
    let use = permittedCalls.intersection([
      "sendto", "recvfrom", "shutdown", "getsockname", "getpeername", "getsockopt", "setsockopt",
    ])
    return [
      none,
      Statement(
        .can,
        "The extension can create pairs of Unix sockets (socketpair), which are permanently connected to each other"
          + (passing.isEmpty
            ? "." : ", and pass descriptors between its processes (\(passing.joined(separator: ", "))).")
          + " This exposes the kernel's code for Unix sockets; to prevent this, deny socketpair in a policy of your "
          + "own.",
        about: ["socketpair"] + passing + use
      ),
    ]
  }

  /// The statements about devices.
  private var devices: [Statement] {
    guard !policy.devices.isEmpty else { return [Statement(.cannot, "The extension sees no devices.")] }
    return [
      Statement(
        .can,
        "The extension can read and write only these devices:",
        policy.devices.map { "\($0.value) (\($0.origin))" }
      )
    ]
  }

  /// The statements about ioctl(2) requests.
  private var driverRequests: [Statement] {
    guard permittedCalls.permits("ioctl") else {
      return [Statement(.cannot, "The extension cannot make requests to drivers (ioctl).")]
    }
    guard let values = permittedCalls.values(of: 1, in: "ioctl") else {
      return [
        Statement(
          .warning,
          "The extension can make arbitrary requests to drivers (ioctl).",
          about: ["ioctl"]
        )
      ]
    }
    let names = values.map { CallText.renderArgument("ioctl", 1, UInt64($0)) }
    return [
      Statement(
        .can,
        names.count == 1
          ? "The extension can make 1 request to drivers (ioctl), which does not type into a terminal: \(names[0])."
          : "The extension can make \(names.count) requests to drivers (ioctl), none of which types into a terminal: "
            + "\(RuleText.list(names)).",
        about: ["ioctl"]
      )
    ]
  }

  /// The section about information on the host.
  var hostInformation: Section {
    let operationStatements = operations(
      "The extension can read:",
      "The extension cannot read",
      [
        "the date and time": ["clock_gettime", "gettimeofday", "time"],
        "the kernel version and the host name, which is "
          + (mode.hasNamespaces ? "always \"darkroom\"" : "that of the machine"): ["uname"],
        "the processors that it may use": ["sched_getaffinity", "getcpu"],
        "sizes and free space of file systems": ["statfs", "fstatfs"],
        "the placement of memory on NUMA nodes": ["get_mempolicy"],
        "the cached parts of a file in the host's page cache": ["mincore", "cachestat"],
        "the machine's uptime, load and memory": ["sysinfo"],
        "the kernel log": ["syslog"],
        "the mounts": ["statmount", "listmount"],
      ]
    )
    var statements = operationStatements
    statements.append(
      Statement(
        .cannot,
        "The extension receives no environment variables of the host, no terminal and no user names"
          + (mode.hasNamespaces ? "." : ", but the paths of its directories contain the name of the user.")
      )
    )
    let since =
      !mode.hasNamespaces || policy.bestEffort.contains(.timeNamespace)
      ? Statement(
        .warning,
        "On a kernel older than Linux 6.3, the session's clocks reveal how long the machine has been running."
      )
      : Statement(
        .cannot,
        "The session's clocks start with the session, so they do not reveal how long the machine has been running."
      )
    if !permittedCalls.intersection(["clock_gettime", "clock_getres"]).isEmpty {
      statements.append(
        !mode.hasNamespaces
          ? Statement(.warning, "The session's clocks reveal how long the machine has been running.") : since
      )
    }
    if !policy.readOnly.isEmpty {
      statements.append(
        Statement(
          .can,
          "The extension can determine programs, versions and settings in the visible paths of the host."
        )
      )
    }
    return Section(title: "Information about the machine", statements: statements)
  }
}
