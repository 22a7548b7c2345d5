// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Access of a session to the host: network, processes and files.
@Suite(.timeLimit(.minutes(20)), .waiting) struct HostAccessTests {
  @Test(arguments: ProbeUser.available)
  func `no host listener is reachable and each of three protections suffices alone`(user: ProbeUser)
    throws
  {
    try expectProtected(
      [
        Attempt("connect-tcp={port}", behind: "filter", "network", "landlock"),
        Attempt("connect-abstract={abstract}", behind: "filter", "network", "landlock"),
      ],
      user: user
    )
    let bench = try ProbeHarness(user)
    let attempts = ["connect-tcp={port}", "connect-abstract={abstract}"]
    for removed in [["filter", "network"], ["filter", "landlock"], ["network", "landlock"]] {
      for result in try bench.attempt(attempts, without: removed) {
        #expect(result.verdict == "refused", "\(result) without \(removed)")
      }
    }
  }

  @Test(
    arguments: ProbeUser.available,
    [[], BrokeredSessionTests.brokered, BrokeredSessionTests.inReusedNetwork]
  )
  func `the layer base is unmounted before the session starts`(user: ProbeUser, options: [String]) throws {
    try expectProtected(
      [Attempt("list=/sys", behind: "landlock", "ground")],
      user: user,
      options: { _ in options }
    )
    // The file system is not only inaccessible, but unmounted.
    for result in try ProbeHarness(user).attempt(["list=/sys"], without: ["landlock"], options: options) {
      #expect(result.verdict == "refused", "\(result) as \(user)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `a process outside the session cannot be seen, signaled or inspected`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("kill-init", behind: "landlock"), Attempt("stop-init", behind: "landlock"),
        Attempt("other-processes", behind: "processView"), Attempt("kill-process={process}"),
        Attempt("read=/proc/1/environ"), Attempt("read=/proc/1/mem"), Attempt("list=/proc/1/root"),
        Attempt("list=/proc/1/fd"), Attempt("read=/proc/{process}/environ"),
        Attempt("attach-memory={memory}", behind: "filter", "ipc"),
      ],
      user: user
    )
    // Even if the session init is visible, it reveals nothing of the host.
    let initAttempts = [
      "read=/proc/1/environ", "read=/proc/1/mem", "write=/proc/1/mem", "read=/proc/1/maps",
      "read=/proc/1/auxv",
      "read=/proc/1/exe", "list=/proc/1/fd", "list=/proc/1/root", "list=/proc/1/map_files",
      "path-in-arguments={root}", "path-in-environment",
    ]
    for result in try ProbeHarness(user).attempt(initAttempts, without: ["processView"]) {
      #expect(result.verdict == "refused", "\(result)")
    }
  }

  @Test(arguments: ProbeUser.available)
  func `the kernel and devices cannot be read or changed through proc, sys and dev`(
    user: ProbeUser
  ) throws {
    try expectProtected(
      [
        Attempt("read=/proc/kallsyms", behind: "processView"),
        Attempt("read=/proc/cmdline", behind: "processView"),
        Attempt("read=/proc/sys/kernel/random/boot_id", behind: "processView"),
        Attempt("read=/proc/keys", behind: "processView"),
        Attempt("list=/proc/sys", behind: "processView"), Attempt("write=/proc/sys/kernel/core_pattern"),
        Attempt("write=/proc/sysrq-trigger"), Attempt("stat=/proc/kcore"),
        Attempt("list=/sys"), Attempt("read=/dev/mem"), Attempt("read=/dev/kmsg"), Attempt("stat=/dev/tty"),
        Attempt("stat=/dev/ptmx"), Attempt("list=/dev/pts"), Attempt("create=/dev"), Attempt("create=/proc"),
        Attempt("write=/proc/self/oom_score_adj"), Attempt("write=/proc/self/mem"),
        Attempt("write=/proc/self/uid_map"), Attempt("write=/proc/self/setgroups"),
      ],
      user: user
    )
  }

  @Test(arguments: ProbeUser.available)
  func `no host file outside the policy is visible`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("read={secret}"), Attempt("stat={root}"), Attempt("read=/etc/shadow"), Attempt("list=/root"),
        Attempt("list=/home"), Attempt("list=/run"), Attempt("stat=/var/lib"),
        Attempt("read=/etc/machine-id"),
        Attempt("read=/etc/hostname"), Attempt("read=/session/../../../../../../../../etc/shadow"),
        Attempt("read=/extension/../etc/shadow"), Attempt("read=/proc/self/root/etc/shadow"),
        Attempt("read=/proc/self/cwd/../etc/shadow"), Attempt("read-openat2=/session/../../etc/shadow"),
        Attempt("read-openat2=/etc/passwd", behind: "filter"),
      ],
      user: user
    )
  }

  @Test(arguments: ProbeUser.available)
  func `no mount table reveals a host path`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("path-in-mounts={content}", behind: "mountTable"),
        Attempt("path-in-mounts=/", behind: "mountTable"),
      ],
      user: user
    )
  }

  /// If a mount shows too much, Landlock still refuses access.
  @Test(arguments: ProbeUser.available)
  func `Landlock refuses a file that the root exposes by mistake`(user: ProbeUser) throws {
    try expectProtected(
      [
        Attempt("read=/exposed/file", behind: "landlock"),
        Attempt("write=/exposed/file", behind: "landlock"),
        Attempt("truncate=/exposed/file", behind: "landlock"),
        Attempt("list=/exposed", behind: "landlock"),
      ],
      user: user,
      options: { bench in
        let directory = try bench.makeUserDirectory("exposed", mode: 0o777)
        try FileSystem.replaceContents("\(directory)/file", with: Array("x".utf8))
        chmod("\(directory)/file", 0o666)
        return ["--expose", directory]
      }
    )
  }

  /// A read-only mount does not prevent connections to a socket in it.
  @Test(arguments: ProbeUser.available)
  func `a socket in a read-only path is unreachable and each of two protections suffices alone`(
    user: ProbeUser
  ) throws {
    let bench = try ProbeHarness(user)
    let shown = try bench.makeUserDirectory("bus", mode: 0o777)
    if shown.hasPrefix("/tmp/") || shown.hasPrefix("/var/tmp/") {
      return print("SKIP: paths below /tmp have another name in the sandbox; build in another directory")
    }
    let options = ["--listen", "\(shown)/socket", "--read-only", shown]
    let attempts = ["connect-path={socket}"]
    for removed in [[], ["filter"], ["layers"]] {
      let results = try bench.attempt(attempts, without: removed, options: options)
      #expect(results.map(\.verdict) == ["refused"], "\(results) without \(removed)")
    }
    let open = try bench.attempt(attempts, without: ["filter", "layers"], options: options)
    #expect(open.map(\.verdict) == ["succeeded"], "\(open)")
  }

  /// The host holds locks on a file that every session is shown.
  @Test(arguments: ProbeUser.available)
  func `a lock on a shown file does not affect the host`(user: ProbeUser) throws {
    try expectProtected(
      ["lock", "lock-range", "lock-range-open"].map { Attempt("\($0)={shown}", behind: "layers") },
      user: user
    )
  }

  @Test(arguments: ProbeUser.available)
  func `a session finds no keys of the host or of an earlier session`(user: ProbeUser) throws {
    try Self.expectNoForeignKeys(user)
  }

  /// Expects that sessions see neither the host's keys nor each other's. The host holds a key in the keyring
  /// that its children inherit.
  static func expectNoForeignKeys(_ user: ProbeUser, options: [String] = []) throws {
    let bench = try ProbeHarness(user)
    let attempts = ["find-key", "leave-key", "find-key"]
    #expect(
      try bench.attempt(attempts, options: options).map(\.verdict) == ["refused", "refused", "refused"]
    )
    // Without the filter, a session can have its own keys.
    let open = try bench.attempt(attempts + ["find-own-key"], without: ["filter"], options: options)
    #expect(open.map(\.verdict) == ["refused", "succeeded", "refused", "succeeded"], "\(open)")
  }
}
