// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PolicyHistoryCommandTests {
  let fixture: CommandFixture
  private var policy: String { "\(fixture.directory)/own.json" }

  init() throws {
    fixture = try CommandFixture()
    try git("init --quiet")
  }

  /// Runs git in the test directory without the user's configuration.
  private func git(_ words: String) throws {
    let options =
      "-c user.name=Ada -c user.email=ada@example.org -c commit.gpgsign=false -c safe.directory='*'"
    try runShell("cd '\(fixture.directory)' && HOME=/nonexistent git \(options) \(words) >/dev/null 2>&1")
  }

  private func write(_ calls: String) throws {
    let text = #"{"name":"own","description":"A.","extends":"strict","syscalls":{"allow":[\#(calls)]}}"#
    try fixture.write("own.json", text)
  }

  private func commit(_ calls: String, _ subject: String) throws {
    try write(calls)
    try git("add own.json")
    try git("commit --quiet --message='\(subject)'")
  }

  /// Returns the subject of the commit that added each call.
  private func origins(_ words: String...) throws -> [String: String] {
    let result = try CommandResult.run(["policy", "history", policy, "--json"] + words)
    #expect(result.code == 0, "\(result.errorOutput)")
    var origins: [String: String] = [:]
    for grant in try result.json["grants"]?.elements ?? [] {
      let name = grant["call"]?.string ?? ""
      let suffix = grant["orOlder"] == .bool(true) ? " or older" : ""
      origins[name] = (grant["since"]?["subject"]?.string ?? "not committed") + suffix
    }
    return origins
  }

  @Test(.enabled(if: BuiltProgram.hasGit)) func `each call has the age of the commit that added it`() throws {
    try commit(#""flock""#, "locks")
    try commit(#""flock","symlink""#, "links")
    try commit(#""symlink""#, "no locks")
    try commit(#""symlink","flock""#, "locks again")
    try write(#""symlink","flock","sync""#)
    let found = try origins()
    #expect(found["read"] == "locks", "what strict allows came with the first version")
    #expect(found["symlink"] == "links")
    #expect(found["flock"] == "locks again")
    #expect(found["sync"] == "not committed")
    #expect(try origins("--limit", "2")["symlink"] == "no locks or older")
    let text = try fixture.run("policy", "history", policy)
    #expect(text.lines.first == "not committed" && text.lines[1] == "    sync")
    #expect(text.output.contains("locks again (since this commit)"))
  }

  @Test(.enabled(if: BuiltProgram.hasGit)) func `a version that cannot be parsed ends the history search`()
    throws
  {
    try commit(#""flock""#, "first")
    try commit(#""flock", nonsense"#, "broken")
    try commit(#""flock""#, "fixed")
    #expect(try origins()["flock"] == "fixed or older")
  }

  @Test(.enabled(if: BuiltProgram.hasGit))
  func `policy history executes nothing from the configuration of a repository`() throws {
    try commit(#""flock""#, "first")
    let trap = "\(fixture.directory)/trap"
    try FileSystem.replaceContents(trap, with: Array("#!/bin/sh\n: >'\(trap).sprung'\n".utf8), mode: 0o755)
    for key in [
      "core.fsmonitor", "core.pager", "gpg.program", "diff.external", "core.sshCommand", "pager.rev-list",
      "diff.trap.textconv", "filter.trap.smudge", "core.hooksPath",
    ] {
      try git("config \(key) '\(trap)'")
    }
    try git("config log.showSignature true")
    try fixture.write(".gitattributes", "*.json diff=trap filter=trap\n")
    #expect(try origins()["flock"] == "first")
    #expect(try FileSystem.status("\(trap).sprung") == nil)
  }

  @Test func `policy history rejects a file outside a repository`() throws {
    try write(#""flock""#)
    let result = try fixture.run("policy", "history", policy)
    #expect(result.code == 66 && result.errorOutput.contains("git"), "\(result.errorOutput)")
    #expect(try fixture.run("policy", "history", "base").code == 64)
  }
}

extension BuiltProgram {
  /// Whether git is installed.
  fileprivate static let hasGit = FileSystem.isReadable("/usr/bin/git")
}
