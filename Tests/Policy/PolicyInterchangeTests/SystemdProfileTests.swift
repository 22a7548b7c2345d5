// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Glibc
import LinuxPrimitives
import PolicyInterchange
import SystemCalls
import Testing

/// Reads settings of systemd services.
@Suite struct SystemdProfileTests {
  let space = CallSpace()

  private func behavior(_ lines: String...) throws -> FilterBehavior {
    try SystemdProfile(text: "[Service]\n" + lines.joined(separator: "\n")).profile.behavior(in: space)
  }

  @Test func `an allow list includes the default group, and later lines remove calls`() throws {
    let behavior = try behavior(
      "SystemCallFilter=@basic-io \\",
      "  ioctl",
      "SystemCallFilter=~write brk",
      "SystemCallErrorNumber=EACCES"
    )
    #expect(behavior.verdict(for: try call("read")) == .allow)
    #expect(behavior.verdict(for: try call("ioctl")) == .allow)
    #expect(behavior.verdict(for: try call("execve")) == .allow)
    #expect(behavior.verdict(for: try call("write")) == .errno(13))
    #expect(behavior.verdict(for: try call("brk")) == .errno(13))
    let unknown = SeccompData(architecture: CallArchitecture.native.auditArchitecture, number: 5000)
    #expect(behavior.verdict(for: unknown) == .errno(38))
  }

  @Test func `a deny list can have an error code for each call`() throws {
    let behavior = try behavior("SystemCallFilter=~mount:ENOSYS @swap:13 ptrace")
    #expect(behavior.verdict(for: try call("mount")) == .errno(38))
    #expect(behavior.verdict(for: try call("swapon")) == .errno(13))
    #expect(behavior.verdict(for: try call("ptrace")) == .killProcess)
    #expect(behavior.verdict(for: try call("read")) == .allow)
  }

  @Test func `an empty value resets the list`() throws {
    let behavior = try behavior("SystemCallFilter=read", "SystemCallFilter=", "SystemCallFilter=~read:1")
    #expect(behavior.verdict(for: try call("read")) == .errno(1))
    #expect(behavior.verdict(for: try call("mount")) == .allow)
  }

  @Test func `restrictions apply regardless of the list`() throws {
    let behavior = try behavior(
      "SystemCallFilter=@system-service",
      "RestrictNamespaces=~user",
      "RestrictAddressFamilies=AF_UNIX AF_INET",
      "MemoryDenyWriteExecute=yes",
      "RestrictSUIDSGID=true",
      "LockPersonality=on",
      "ProtectClock=no"
    )
    #expect(behavior.verdict(for: try call("socket", 2)) == .allow)
    #expect(behavior.verdict(for: try call("socket", 16)) == .errno(97))
    #expect(behavior.verdict(for: try call("clone", 0x1000_0000)) == .errno(1))
    #expect(behavior.verdict(for: try call("clone", 0x4000_0000)) == .allow)
    #expect(behavior.verdict(for: try call("mmap", 0, 0, 6)) == .errno(1))
    #expect(behavior.verdict(for: try call("mmap", 0, 0, 4)) == .allow)
    #expect(behavior.verdict(for: try call("mprotect", 0, 0, 4)) == .errno(1))
    #expect(behavior.verdict(for: try call("chmod", 0, 0o4755)) == .errno(1))
    #expect(behavior.verdict(for: try call("open", 0, 0x40, 0o2755)) == .errno(1))
    #expect(behavior.verdict(for: try call("open", 0, 0, 0o2755)) == .allow)
    #expect(behavior.verdict(for: try call("personality", 0xFFFF_FFFF)) == .allow)
    #expect(behavior.verdict(for: try call("personality", 8)) == .errno(1))
  }

  @Test(.enabled(if: CallArchitecture.native == .x86))
  func `a list applies to other architectures unless they are excluded`() throws {
    let all = try behavior("SystemCallFilter=~read:1")
    #expect(all.verdict(for: try call("read", on: .i386)) == .errno(1))
    #expect(all.verdict(for: try call("read", on: .arm)) == .allow)
    let native = try behavior("SystemCallFilter=~read:1", "SystemCallArchitectures=native")
    #expect(native.verdict(for: try call("write", on: .i386)) == .killThread)
    #expect(native.verdict(for: try call("write", on: .x32)) == .killThread)
    #expect(native.verdict(for: try call("write")) == .allow)
  }

  /// The groups that systemd-analyze of this machine prints, or `nil` if the version is not 252.
  private static let printedGroups: [String: Set<String>]? = {
    let directory = "/tmp/darkroom-systemd-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(directory) }
    guard (try? FileSystem.makeDirectory(directory, mode: 0o700)) != nil,
      system("systemd-analyze --version 2>&1 | grep -q '^systemd 252'") == 0,
      system("systemd-analyze --no-pager syscall-filter >\(directory)/groups 2>/dev/null") == 0,
      let bytes = try? FileSystem.contents("\(directory)/groups", limit: 1 << 20)
    else { return nil }
    var groups: [String: Set<String>] = [:]
    var name = ""
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("@") || line.hasPrefix("#") { name = String(line) }
      guard line.hasPrefix("    "), !line.hasPrefix("    #") else { continue }
      groups[name, default: []].insert(String(line.dropFirst(4)))
    }
    return groups
  }()

  /// Returns the calls of a group and its nested groups.
  private static func calls(_ group: String, _ groups: [String: Set<String>]) -> Set<String> {
    (groups[group] ?? []).reduce(into: []) { calls, member in
      calls.formUnion(member.hasPrefix("@") ? Self.calls(member, groups) : [member])
    }
  }

  @Test(.enabled(if: printedGroups != nil, "systemd-analyze of version 252 is not installed"))
  func `each group has exactly the calls that systemd gives it on every architecture`() throws {
    let groups = try #require(Self.printedGroups)
    #expect(groups.count > 25)
    let names = Set(CallArchitecture.ofThisMachine.flatMap { CallTable.of($0).names })
    for group in groups.keys where group.hasPrefix("@") {
      // A deny list contains only the members of the group.
      let profile = try SystemdProfile(text: "SystemCallFilter=~\(group):1\n").profile
      let found = Set(profile.rules.flatMap(\.calls)).intersection(names)
      let expected = Self.calls(group, groups).intersection(names)
      #expect(found == expected, "\(group) \(found.symmetricDifference(expected).sorted())")
    }
  }

  @Test(.enabled(if: CallArchitecture.native == .x86))
  func `a denied group also covers the i386 calls of the group`() throws {
    let behavior = try behavior("SystemCallFilter=~@clock:1 @network-io:1")
    #expect(behavior.verdict(for: try call("clock_settime64", on: .i386)) == .errno(1))
    #expect(behavior.verdict(for: try call("stime", on: .i386)) == .allow)
    #expect(behavior.verdict(for: try call("socketcall", 1, on: .i386)) == .errno(1))
    let known = try self.behavior("SystemCallFilter=@known", "SystemCallErrorNumber=EPERM")
    #expect(known.verdict(for: try call("read")) == .allow)
    // systemd 252 does not know mseal(2) and answers as for any unknown number.
    #expect(known.verdict(for: try call("mseal")) == .errno(38))
  }

  @Test func `reports settings that do not concern system calls, and errors have a line`() throws {
    let profile = try SystemdProfile(text: "[Unit]\nDescription=x\n[Service]\nSystemCallFilter=read raed\n")
    #expect(profile.losses.map(\.kind) == [.unknownMember("Description"), .unknownNames(["raed"])])
    for (text, part) in [
      ("SystemCallFilter=@nothing", "1:1: \"@nothing\" is not a valid group"), ("x", "expected KEY=VALUE"),
      ("RestrictAddressFamilies=AF_X", "\"AF_X\" is not a valid address family"),
    ] {
      do {
        _ = try SystemdProfile(text: text)
        Issue.record("was read: \(text)")
      } catch { #expect("\(error)".contains(part), "\(error)") }
    }
  }
}
