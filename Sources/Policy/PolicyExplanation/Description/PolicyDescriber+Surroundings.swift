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
          "It reaches what no policy should give:",
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
        "Closed, whatever a policy says:",
        closed.map { area in
          let calls = PolicyCore.forbidden[area] ?? []
          let more = calls.count > 4 ? " and \(calls.count - 4) more" : ""
          return "\(area.reason) (\(calls.prefix(4).joined(separator: ", "))\(more))"
        }
      )
    )
    return Section(title: "What it can reach", statements: statements)
  }

  /// The statements about sockets.
  private var network: [Statement] {
    let sockets = permittedCalls.intersection(PolicyCore.forbidden[.network] ?? [])
    guard sockets.isEmpty else {
      return [Statement(.warning, "It can use sockets (\(sockets.joined(separator: ", "))).", about: sockets)]
    }
    let none = Statement(
      .cannot,
      "It reaches no network of any kind, no service of the host and no other app: no call that creates a single socket, or "
        + "that binds or connects one, is allowed, and it is passed no socket."
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
        "It can create pairs of Unix sockets (socketpair), which are connected to each other for ever"
          + (passing.isEmpty
            ? "." : ", and pass descriptors between its own processes (\(passing.joined(separator: ", "))).")
          + " That opens the kernel's code of Unix sockets to it; deny socketpair in a policy of your own to close it.",
        about: ["socketpair"] + passing + use
      ),
    ]
  }

  /// The statements about devices.
  private var devices: [Statement] {
    guard !policy.devices.isEmpty else { return [Statement(.cannot, "It sees no device.")] }
    return [
      Statement(
        .can,
        "It can read and write these devices, and sees no other:",
        policy.devices.map { "\($0.value) (\($0.origin))" }
      )
    ]
  }

  /// The statements about ioctl(2) requests.
  private var driverRequests: [Statement] {
    guard permittedCalls.permits("ioctl") else {
      return [Statement(.cannot, "It can make no request to a driver (ioctl).")]
    }
    guard let values = permittedCalls.values(of: 1, in: "ioctl") else {
      return [
        Statement(
          .warning,
          "It can make requests to drivers (ioctl) that are not named one by one.",
          about: ["ioctl"]
        )
      ]
    }
    let names = values.map { CallText.renderArgument("ioctl", 1, UInt64($0)) }
    return [
      Statement(
        .can,
        "It can make \(names.count) requests to drivers (ioctl), none of which types into a terminal: "
          + "\(RuleText.list(names)).",
        about: ["ioctl"]
      )
    ]
  }

  /// The section about information on the host.
  var hostInformation: Section {
    let operationStatements = operations(
      "It is told:",
      "It is not told",
      [
        "date and time": ["clock_gettime", "gettimeofday", "time"],
        "the kernel's version, and a host name that is "
          + (mode.hasNamespaces ? "\"darkroom\" everywhere" : "the machine's"): ["uname"],
        "which processors it may run on": ["sched_getaffinity", "getcpu"],
        "how large and how full file systems are": ["statfs", "fstatfs"],
        "how memory lies on its nodes": ["get_mempolicy"],
        "what of a file is in the host's page cache": ["mincore", "cachestat"],
        "the machine's uptime, load and memory": ["sysinfo"],
        "the kernel's messages": ["syslog"],
        "the mounts": ["statmount", "listmount"],
      ]
    )
    var statements = operationStatements
    statements.append(
      Statement(
        .cannot,
        "It is given no variable of the host's environment, no terminal and no names of users"
          + (mode.hasNamespaces ? "." : ", but the paths of its own places tell the name of the user.")
      )
    )
    let since =
      !mode.hasNamespaces || policy.bestEffort.contains(.timeNamespace)
      ? Statement(
        .warning,
        "On a kernel before 6.3 its clocks tell for how long the machine has been running."
      )
      : Statement(
        .cannot,
        "Its clocks begin with the session, and so don't tell since when the machine runs."
      )
    if !permittedCalls.intersection(["clock_gettime", "clock_getres"]).isEmpty {
      statements.append(
        !mode.hasNamespaces
          ? Statement(.warning, "Its clocks tell for how long the machine has been running.") : since
      )
    }
    if !policy.readOnly.isEmpty {
      statements.append(
        Statement(
          .can,
          "It sees which programs, versions and settings there are in the paths of the host that it sees."
        )
      )
    }
    return Section(title: "What it is told of the machine", statements: statements)
  }
}
