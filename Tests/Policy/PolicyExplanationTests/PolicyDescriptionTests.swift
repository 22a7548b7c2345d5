// SPDX-License-Identifier: Apache-2.0

import JSONText
import PolicyExplanation
import SandboxPolicy
import Testing

/// Each change of a policy changes its description.
@Suite struct PolicyDescriptionTests {
  /// The policy for comparisons.
  static let standard = Result { try PolicyFixture.shipped("capture") }

  /// Returns the statements with their items for a policy that extends `strict` with the given members.
  static func texts(
    _ members: String = "",
    kind: PolicyDescription.Kind,
    comparedWith standard: ResolvedPolicy? = nil
  ) throws -> [String] {
    let more = members.isEmpty ? "" : ", \(members)"
    let policy = try PolicyFixture.policy(#"{"name": "mine", "extends": "strict"\#(more)}"#)
    return PolicyDescription(of: policy, comparedWith: standard)
      .statements(kind).map { ([$0.statement.text] + $0.statement.items).joined(separator: " | ") }
  }

  /// A change of a policy with the texts that the description gains and loses.
  static let changes:
    [(members: String, kind: PolicyDescription.Kind, with: String, without: (PolicyDescription.Kind, String))] =
      [
        (
          #""syscalls": {"allow": [{"call": "mprotect", "arguments": [{"index": 2, "mask": 2, "equals": 0}]}]}"#,
          .warning, "made executable later (mprotect)",
          (.cannot, "cannot create new code")
        ),
        (
          #""syscalls": {"allow": ["mmap"]}"#, .warning, "writable and executable (mmap)",
          (.cannot, "cannot create new code")
        ),
        (
          #""syscalls": {"allow": [{"call": "mmap", "arguments": [{"index": 2, "mask": 2, "equals": 0}]}]}"#,
          .can,
          "map files as code (mmap)", (.cannot, "cannot create new code")
        ),
        (
          #""syscalls": {"allow": ["mkdir"]}"#, .warning, "set-group-ID bits (mkdir)",
          (.can, "create directories (mkdir, mkdirat)")
        ),
        (#""syscalls": {"allow": ["chown"]}"#, .can, "change owners (chown)", (.cannot, "change owners")),
        (
          #""syscalls": {"allow": ["symlink"]}"#, .can, "create symbolic links in /container (symlink)",
          (.cannot, "create symbolic links")
        ),
        (
          #""syscalls": {"allow": ["shmget"]}"#, .warning, "System V objects",
          (.cannot, "cannot create System V")
        ),
        (
          #""syscalls": {"allow": ["kill"]}"#, .can, "send signals (kill, tgkill)",
          (.can, "send signals (tgkill)")
        ),
        (
          #""syscalls": {"allow": ["sysinfo"]}"#, .can, "uptime, load and memory (sysinfo)",
          (.cannot, "uptime, load and memory")
        ),
        (
          #""syscalls": {"allow": [{"call": "clone", "arguments": [{"index": 0, "mask": "0x7e020080", "equals": 0}]}]}"#,
          .can, "create processes (clone) and threads: 32", (.cannot, "cannot create a second process")
        ),
        (
          #""syscalls": {"allow": [{"call": "socketpair", "arguments": [{"index": 0, "equals": "AF_UNIX"}, {"index": 1, "mask": "0xf", "equals": "SOCK_STREAM"}]}]}"#,
          .can, "pairs of Unix sockets", (.cannot, "cannot reach any network")
        ),
        (
          #""syscalls": {"allow": [{"call": "ioctl", "arguments": [{"index": 1, "equals": "TIOCGPGRP"}]}]}"#,
          .can, "make 8 requests to drivers", (.can, "make 7 requests to drivers")
        ),
        (
          #""syscalls": {"deny": ["ioctl"]}"#, .cannot, "cannot make requests to drivers",
          (.can, "make 7 requests to drivers")
        ),
        (#""syscalls": {"deny": ["clone"]}"#, .cannot, "cannot create threads", (.can, "create threads")),
        (
          #""syscalls": {"deny": ["open", "openat", "creat"]}"#, .cannot, "cannot open any file for writing",
          (.can, "write files in two directories")
        ),
        (
          #""syscalls": {"deny": ["uname"]}"#, .cannot, "the kernel version", (.can, "the kernel version")
        ),
        (#""readOnly": ["/opt/x"]"#, .can, "/opt/x (mine.json:1:", (.cannot, "sees no files of the host")),
        (
          #""readOnly": [{"path": "/opt/x", "optional": true}]"#, .can, "/opt/x, if it exists on the host",
          (.cannot, "no files of the host")
        ),
        (#""devices": ["/dev/full"]"#, .can, "/dev/full (mine.json", (.can, "/dev/null (strict.json")),
        (#""execute": "any""#, .can, "start every visible program", (.cannot, "cannot start any program")),
        (
          #""content": "asWritten""#, .warning,
          "receives the names, the directory depth and the sparse files",
          (.cannot, "receives no names that other programs cannot open")
        ),
        (
          #""limits": {"memory": "100MiB"}"#, .fact, "memory of all processes together: 100MiB (mine.json:1:",
          (.fact, "together: 256MiB (strict.json:")
        ),
        (
          #""limits": {"wallClock": "7m"}"#, .fact, "time from launch to the end of the session, 7m",
          (.fact, "time from launch to the end of the session, 10m")
        ),
        (
          #""scratch": {"size": "1MiB"}"#, .can, "erased at the end: at most 1MiB",
          (.can, "erased at the end: at most 16MiB")
        ),
        (
          #""bestEffort": ["landlock"]"#, .warning,
          "landlock: without it, only the session's root protects files",
          (.warning, "timeNamespace: without it, the session's clocks")
        ),
        (
          #""syscalls": {"allow": ["openat"]}"#, .warning, "set-group-ID bits (openat)",
          (.can, "write files in two directories")
        ),
        (
          #""syscalls": {"allow": [{"call": "openat", "arguments": [{"index": 3, "mask": "S_ISUID", "equals": 0}]}]}"#,
          .warning, "set-group-ID bits (openat)", (.cannot, "change permissions")
        ),
        (
          #""bestEffort": []"#, .fact, "No layer is optional.",
          (.warning, "timeNamespace: without it, the session's clocks")
        ),
      ]

  @Test(arguments: changes.indices)
  func `the description follows each change of the policy`(index: Int) throws {
    let change = Self.changes[index]
    let (plain, changed) = (
      try Self.texts(kind: change.kind), try Self.texts(change.members, kind: change.kind)
    )
    #expect(changed.contains { $0.contains(change.with) }, "\(changed)")
    #expect(!plain.contains { $0.contains(change.with) }, "\(plain)")
    let (kind, words) = change.without
    let before = try Self.texts(kind: kind)
    #expect(before.contains { $0.contains(words) }, "\(before)")
  }

  @Test func `lists where a policy is weaker than the standard with positions`() throws {
    let weaker = try Self.texts(
      #"""
      "syscalls": {"allow": ["shmget", "fcntl", {"call": "fcntl", "arguments": [{"index": 1, "equals": 3}]}]},
      "limits": {"wallClock": "3h"}, "readOnly": ["/usr/share", "/opt/x"], "bestEffort": ["landlock"],
      "content": "asWritten"
      """#,
      kind: .warning,
      comparedWith: Self.standard.get()
    ).filter { $0.contains("capture") }
    #expect(
      weaker == [
        "System calls that capture does not allow: | "
          + "fcntl with other arguments (strict.json:22:7, strict.json:23:7 and 3 other lines) | shmget (mine.json:1:62)",
        "Paths of the host that capture does not show: | /opt/x (mine.json:2:59)",
        "Limits that are weaker than those of capture: | wallClock: 3h instead of 2h (mine.json:2:25)",
        "Layers that are optional, but required by capture: | landlock (mine.json:2:84)",
        "Content: | the app receives names as written, which capture makes portable (mine.json:3:12)",
      ]
    )
  }

  @Test(arguments: ["base", "capture", "strict"])
  func `shipped policies reach no network and exceed the standard only in time and output limits`(
    name: String
  )
    throws
  {
    let description = PolicyDescription(
      of: try PolicyFixture.shipped(name),
      comparedWith: try Self.standard.get()
    )
    #expect(
      description.statements(.cannot).contains {
        $0.statement.text.contains("cannot reach any network")
      }
    )
    let comparison = try #require(description.sections.last)
    #expect(comparison.title == "Settings that are weaker than in capture")
    let expected = ["base": ["wallClock", "outputBytes"], "capture": [], "strict": []]
    #expect(comparison.statements.flatMap(\.items).map { String($0.prefix { $0 != ":" }) } == expected[name])
    #expect(comparison.statements.count == 1)
  }

  @Test func `shows the justifications of the authors`() throws {
    let policy = try PolicyFixture.policy(
      #"""
      {"name": "mine", "justifications": [
        {"rule": "DR1001", "subject": "mmap", "reason": "It compiles."}, {"rule": "DR5002", "reason": "It must."}]}
      """#
    )
    let section = PolicyDescription(of: policy).sections.first { $0.title == "Justifications" }
    #expect(
      section?.statements.flatMap(\.items) == [
        "mmap: It compiles. (DR1001, mine.json:2:3)", "It must. (DR5002, mine.json:2:68)",
      ]
    )
    let silent = PolicyDescription(of: try PolicyFixture.policy(#"{"name": "mine"}"#))
    #expect(!silent.sections.contains { $0.title == "Justifications" })
  }

  @Test(
    arguments: ["base", "capture", "strict"],
    [SessionMode.namespaces, .restricted(signalsAreScoped: false)]
  )
  func `the description covers exactly the allowed calls`(name: String, mode: SessionMode) throws {
    let policy = try PolicyFixture.shipped(name)
    let describedCalls = PolicyDescription(of: policy, mode: mode).sections.flatMap(\.statements).flatMap(
      \.calls
    )
    #expect(Set(describedCalls) == Set(mode.effective(policy).calls.map(\.call)))
    let items = PolicyDescription(of: policy, mode: mode).sections.first {
      $0.title == "Other system calls"
    }?
    .statements.flatMap(\.items)
    #expect(
      items?.contains {
        $0.hasPrefix("@process: ") && $0.contains("getrusage, ") && $0.hasSuffix("prctl (in part)")
      } == true
    )
  }

  @Test func `describes a session without namespaces`() throws {
    let policy = try PolicyFixture.policy(
      #"{"name":"loose","extends":"capture","bestEffort":["userNamespace"],"acceptSingleMechanism":["udp"]}"#
    )
    let description = PolicyDescription(of: policy, mode: .restricted(signalsAreScoped: true))
    let texts = description.statements(.warning).map(\.statement.text)
    #expect(texts.contains("A restricted session has none of these layers:"))
    let accepted = description.statements(.warning).map(\.statement).first {
      $0.text.contains("a single mechanism of the kernel denies this access:")
    }
    #expect(accepted?.items == ["udp"])
    #expect(texts.contains("The session's clocks reveal how long the machine has been running."))
    #expect(
      description.statements(.cannot).contains {
        $0.statement.text.contains("change permissions, change owners")
      }
    )
  }

  @Test func `a description has JSON and lines that fit a terminal`() throws {
    let description = PolicyDescription(of: try PolicyFixture.shipped("strict"))
    let sections = try #require(description.json["sections"]?.elements)
    #expect(sections.map { $0["title"]?.string } == description.sections.map(\.title))
    #expect(sections.allSatisfy { $0["statements"]?.elements?.isEmpty == false })
    let lines = description.lines(width: 80)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("  - The extension cannot create a second process."))
  }
}
