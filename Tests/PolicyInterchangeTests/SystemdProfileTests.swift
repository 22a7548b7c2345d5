// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import PolicyInterchange
import SystemCalls
import Testing

/// Settings of systemd services.
@Suite struct SystemdProfileTests {
  let space = CallSpace()

  private func behavior(_ lines: String...) throws -> FilterBehavior {
    try SystemdProfile(text: "[Service]\n" + lines.joined(separator: "\n")).profile.behavior(in: space)
  }

  @Test func `a list of what is allowed has what every service needs, and later lines take away`() throws {
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
    let unknown = CallInput(architecture: CallArchitecture.native.auditNumber, number: 5000)
    #expect(behavior.verdict(for: unknown) == .errno(38))
  }

  @Test func `a list of what is refused has an answer for each`() throws {
    let behavior = try behavior("SystemCallFilter=~mount:ENOSYS @swap:13 ptrace")
    #expect(behavior.verdict(for: try call("mount")) == .errno(38))
    #expect(behavior.verdict(for: try call("swapon")) == .errno(13))
    #expect(behavior.verdict(for: try call("ptrace")) == .killProcess)
    #expect(behavior.verdict(for: try call("read")) == .allow)
  }

  @Test func `an empty value forgets the list`() throws {
    let behavior = try behavior("SystemCallFilter=read", "SystemCallFilter=", "SystemCallFilter=~read:1")
    #expect(behavior.verdict(for: try call("read")) == .errno(1))
    #expect(behavior.verdict(for: try call("mount")) == .allow)
  }

  @Test func `restrictions hold whatever the list says`() throws {
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
  func `other architectures have the same list, unless they are named`() throws {
    let all = try behavior("SystemCallFilter=~read:1")
    #expect(all.verdict(for: try call("read", on: .i386)) == .errno(1))
    #expect(all.verdict(for: try call("read", on: .arm)) == .allow)
    let native = try behavior("SystemCallFilter=~read:1", "SystemCallArchitectures=native")
    #expect(native.verdict(for: try call("write", on: .i386)) == .killThread)
    #expect(native.verdict(for: try call("write", on: .x32)) == .killThread)
    #expect(native.verdict(for: try call("write")) == .allow)
  }

  @Test func `settings that are not about calls are told, and mistakes have a line`() throws {
    let profile = try SystemdProfile(text: "[Unit]\nDescription=x\n[Service]\nSystemCallFilter=read raed\n")
    #expect(profile.losses.map(\.matter) == [.unknownMember("Description"), .unknownNames(["raed"])])
    for (text, part) in [
      ("SystemCallFilter=@nothing", "1:1: \"@nothing\" is no group"), ("x", "expected KEY=VALUE"),
      ("RestrictAddressFamilies=AF_X", "\"AF_X\" is no address family"),
    ] {
      do {
        _ = try SystemdProfile(text: text)
        Issue.record("was read: \(text)")
      } catch { #expect("\(error)".contains(part), "\(error)") }
    }
  }
}
