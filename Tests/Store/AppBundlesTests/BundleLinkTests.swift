// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

/// Symbolic links in bundles, and programs that are reached through them.
@Suite(.waiting) struct BundleLinkTests {
  private static let manifest = "Extensions/Capture/extension.json"

  /// A validator for which named policies expose `/usr`, and policies in files expose nothing.
  private static let validator = ManifestValidator(machine: "x86_64") { name in
    name.contains("/") ? { _ in .hidden } : systemPolicyView
  }

  /// Returns a bundle whose program is reached through links that `commands` create in the extension's
  /// directory.
  private func sample(_ program: String, _ commands: String) throws -> SampleBundle {
    let sample = try SampleBundle()
    try runShell("cd '\(sample.extensionPath)' && \(commands)")
    try sample.change(Self.manifest, "bin/capture", to: program)
    return sample
  }

  private func faults(_ program: String, _ commands: String) throws -> [ManifestFault] {
    let sample = try sample(program, commands)
    return withExtendedLifetime(sample) { Self.validator.validate($0.path).diagnostics.map(\.fault) }
  }

  @Test func `accepts a program behind links that stay inside the extension`() throws {
    #expect(try faults("bin/link", "ln -s capture bin/link") == [])
    #expect(try faults("here/capture", "ln -s bin here") == [])
    #expect(try faults("bin/chain", "ln -s ../bin/link bin/chain; ln -s capture bin/link") == [])
    #expect(try faults("bin/link", "ln -s none bin/link") == [.fileMissing(found: "bin/link")])
    #expect(try faults("bin/link", "ln -s link bin/link") == [.pathThroughLink(found: "bin/link")])
    #expect(
      try faults("bin/link", "ln -s ../bin bin/link") == [.notRegular(found: "bin/link", kind: .directory)]
    )
  }

  @Test func `accepts a program behind a link to a path that the policy exposes`() throws {
    #expect(try faults("venv/bin/python", "mkdir -p venv/bin; ln -s /usr/bin/env venv/bin/python") == [])
    let chain = "mkdir -p venv/bin; ln -s python3 venv/bin/python; ln -s /usr/bin/env venv/bin/python3"
    #expect(try faults("venv/bin/python", chain) == [])
    let missing = "/usr/bin/no-such-program"
    #expect(try faults("bin/link", "ln -s \(missing) bin/link") == [.programMissing(path: missing)])
    #expect(
      try faults("bin/link", "ln -s /usr/share bin/link") == [.notExecutable(found: "/usr/share")]
    )
  }

  @Test(arguments: ["/etc/passwd", "/usr/../etc/passwd", "/home", "/nowhere"])
  func `refuses a link to a path that the policy hides`(target: String) throws {
    #expect(try faults("bin/capture", "ln -s \(target) bin/link") == [.linkHidden(target: target)])
    #expect(try faults("bin/link", "ln -s \(target) bin/link") == [.linkHidden(target: target)])
  }

  @Test func `checks link targets against the policy of the extension`() throws {
    let sample = try sample("bin/capture", "ln -s /usr/bin/env bin/link; echo '{}' >own.json")
    #expect(sample.faults(Self.validator) == [])
    try sample.change(Self.manifest, #""policy": "capture""#, to: #""policy": "own.json""#)
    let faults = Self.validator.validate(sample.path).diagnostics.map(\.fault)
    #expect(faults.contains(.linkHidden(target: "/usr/bin/env")))
    // A link outside an extension is visible to no session, so no policy can permit it.
    let other = try SampleBundle()
    try FileSystem.makeSymbolicLink("\(other.path)/link", to: "/usr/bin/env")
    #expect(
      Self.validator.validate(other.path).diagnostics.map(\.fault) == [.linkEscapes(target: "/usr/bin/env")]
    )
  }

  @Test func `refuses a program behind a link that leaves the extension but not the bundle`() throws {
    let fault = ManifestFault.pathEscapes(found: "bin/link")
    #expect(try faults("bin/link", "echo >../../tool; ln -s ../../../tool bin/link") == [fault])
  }

  @Test func `refuses a link that leaves the bundle through another link`() throws {
    let sample = try SampleBundle()
    try runShell("cd '\(sample.path)' && mkdir -p a/b && ln -s ../.. a/b/top && ln -s top/../secret a/b/out")
    #expect(Self.validator.validate(sample.path).diagnostics.map(\.file) == ["a/b/out"])
  }

  @Test func `accepts a script interpreter inside the bundle`() throws {
    func script(_ interpreter: String, _ commands: String = "true") throws -> [ManifestFault] {
      try faults("run", "printf '#!\(interpreter)\\n' >run; chmod +x run; \(commands)")
    }
    let environment = "mkdir -p venv/bin; ln -s /usr/bin/env venv/bin/python"
    #expect(try script("/extension/venv/bin/python", environment) == [])
    #expect(try script("/extension/bin/capture") == [])
    let none = "/extension/venv/bin/none"
    #expect(try script(none, environment) == [.fileMissing(found: none)])
    let plain = "/extension/extension.json"
    #expect(try script(plain) == [.notExecutable(found: plain)])
    #expect(try script("/usr/bin/none") == [.partMissing(.interpreter, path: "/usr/bin/none")])
    // The path exists on the host but is hidden from sessions.
    let own = try CurrentProcess.executablePath()
    if !own.hasPrefix("/usr/") { #expect(try script(own) == [.partHidden(.interpreter, path: own)]) }
  }
}
