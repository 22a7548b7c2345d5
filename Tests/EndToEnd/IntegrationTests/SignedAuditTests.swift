// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of signed audit reports and of launches that require them.
@Suite(.timeLimit(.minutes(20)), .waiting) struct SignedAuditTests {
  private static let app = "org.example.clock"
  private static let captureExtension = "org.example.clock.tick"

  /// An app that was installed and audited, with a signed report.
  private struct Audited {
    let home: TestHome
    var attestation: String { home.file("audit.json") }
    var key: String { home.file("auditor.key") }
    var publicKey: String { home.file("auditor.key.pub") }
    /// The directory of the installed extension.
    var installed: String { "\(home.root)/apps/\(SignedAuditTests.app)/bundle/1/Extensions/Tick" }

    /// Runs shell commands in the extension's directory, installs the app and signs its report.
    init(_ user: TestUser, after commands: String = ":") throws {
      home = try TestHome(user)
      for directory in ["Clock", "Clock/Extensions", "Clock/Extensions/Tick"] {
        try FileSystem.makeDirectories(home.file(directory))
        try home.giveOwnership(home.file(directory))
      }
      try home.write("Clock/app.json", #"{ "id": "\#(SignedAuditTests.app)", "name": "Clock" }"#)
      try home.write(
        "Clock/Extensions/Tick/extension.json",
        #"{ "id": "\#(captureExtension)", "name": "Tick", "executable": "tick", "protocol": "none", "policy": "p.json" }"#
      )
      try home.write("Clock/Extensions/Tick/p.json", #"{ "name": "p", "extends": "base" }"#)
      try home.write("Clock/Extensions/Tick/tick", "#!/bin/sh\nexit 0\n", mode: 0o755)
      try home.write("Clock/Extensions/Tick/data", "1")
      try runShell("cd '\(home.file("Clock/Extensions/Tick"))'\n\(commands)")
      try home.install(home.file("Clock"))
      #expect(try home.darkroom("audit", ["--new-key", key]).code == 0)
      let signed = try home.darkroom("audit", [app, "--attest", attestation, "--key", key])
      #expect(signed.code == 0, "\(signed.errors)")
    }

    func verify(_ more: String...) throws -> Command.Result {
      try home.darkroom("audit", ["--verify", attestation, "--public-key", publicKey] + more)
    }

    /// Launches the extension with a required audit.
    func run() throws -> Command.Result {
      try home.darkroom(
        "run",
        ["--quiet", "--require-audit", attestation, "--audit-key", publicKey, captureExtension]
      )
    }
  }

  @Test(arguments: TestUser.available)
  func `verifies and launches only what was audited`(user: TestUser) throws {
    let audited = try Audited(user)
    #expect(try FileSystem.status(audited.key)?.permissions == 0o600)
    #expect(try audited.verify(Self.app).code == 0)
    #expect(try audited.run().code == 0)
    // A file outside the digests of the installation.
    try runShell("chmod -R u+w '\(audited.installed)' && echo 2 >'\(audited.installed)/data'")
    #expect(try audited.home.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
    let refused = try audited.run()
    #expect(refused.code == 65, "\(refused.errors)")
    #expect(refused.errors.contains("the bundle differs from the attestation \(audited.attestation)"))
    let verified = try audited.verify(Self.captureExtension)
    #expect(verified.code == 1 && verified.text.contains("bundle differs"))
    // The refused launch started nothing.
    let log = try audited.home.darkroom("logs", ["list", "--json"]).text
    #expect(log.split(separator: Self.captureExtension).count - 1 == 2, "\(log)")
    try runShell("printf 1 >'\(audited.installed)/data'")
    #expect(try audited.run().code == 0)
  }

  @Test(arguments: TestUser.available)
  func `audits a symbolic link by its target and a host program by its digest`(user: TestUser)
    throws
  {
    let audited = try Audited(user, after: "ln -sf /usr/bin/true tick; ln -s data link")
    #expect(try audited.run().code == 0)
    try runShell(
      """
      digest=$(sha256sum </usr/bin/true | cut -d ' ' -f 1)
      sed -n 's/.*"payload": *"\\([^"]*\\)".*/\\1/p' '\(audited.attestation)' | base64 -d | grep -q "$digest"
      """
    )
    try runShell("chmod u+w '\(audited.installed)' && ln -sfn tick '\(audited.installed)/link'")
    let refused = try audited.run()
    #expect(refused.code == 65, "\(refused.errors)")
    #expect(refused.errors.contains("the bundle differs from the attestation"), "\(refused.errors)")
  }

  @Test func `requires a new audit for a new version`() throws {
    let audited = try Audited(.available[0])
    let home = audited.home
    try home.write("Clock/Extensions/Tick/p.json", #"{ "name": "p", "extends": "capture" }"#)
    try home.install(home.file("Clock"))
    let refused = try audited.run()
    #expect(
      refused.code == 65 && refused.errors.contains("differs from the attestation"),
      "\(refused.errors)"
    )
    let report = try home.json(
      try home.darkroom(
        "audit",
        [Self.captureExtension, "--since", audited.attestation, "--public-key", audited.publicKey, "--json"]
      ).output
    )
    let values = report["parts"]?.elements?.first?["changes"]?["values"]?.elements ?? []
    let paths = Set(values.compactMap { $0["path"]?.string })
    #expect(paths.isSuperset(of: ["identity.policyDigest", "identity.filterDigest"]), "\(paths)")
    #expect(!paths.contains("identity.executableDigest"))
    #expect(
      try home.darkroom("audit", [Self.app, "--attest", audited.attestation, "--key", audited.key]).code == 0
    )
    #expect(try audited.run().code == 0)
  }

  @Test func `rejects a changed attestation and the key of another auditor`() throws {
    let audited = try Audited(.available[0])
    let home = audited.home
    let text = String(decoding: try #require(try FileSystem.contents(audited.attestation)), as: UTF8.self)
    let envelope = try JSONNode.parse(Array(text.utf8)).value
    let payload = try #require(envelope["payload"]?.string)
    // One changed character of the payload.
    let changed = payload.replacing("A", with: "B", maxReplacements: 1)
    try home.write("audit.json", text.replacing(payload, with: changed))
    for result in [try audited.verify(), try audited.run()] {
      #expect(
        result.code == 65 && result.errors.contains("no signature was made with this key"),
        "\(result.errors)"
      )
    }
    try home.write("audit.json", text)
    #expect(try audited.run().code == 0)
    #expect(try home.darkroom("audit", ["--new-key", home.file("other.key")]).code == 0)
    let other = try home.darkroom(
      "run",
      [
        "--quiet", "--require-audit", audited.attestation, "--audit-key", home.file("other.key.pub"),
        Self.captureExtension,
      ]
    )
    #expect(
      other.code == 65 && other.errors.contains("no signature was made with this key"),
      "\(other.errors)"
    )
    // Keys are never overwritten.
    #expect(try home.darkroom("audit", ["--new-key", audited.key]).code == 74)
    #expect(
      try home.darkroom("run", ["--require-audit", audited.attestation, Self.captureExtension]).code == 64
    )
  }

  @Test(.enabled(if: TestPrograms.has("openssl")))
  func `openssl verifies the signature and reads the keys`() throws {
    let audited = try Audited(.available[0])
    let home = audited.home
    let envelope = try home.json(try #require(try FileSystem.contents(audited.attestation)))
    let (payload, type) = (
      try #require(envelope["payload"]?.string), try #require(envelope["payloadType"]?.string)
    )
    let signature = try #require(envelope["signatures"]?.elements?.first?["sig"]?.string)
    try runShell(
      """
      cd '\(home.directory)'
      printf '%s' '\(payload)' | base64 -d >payload
      printf '%s' '\(signature)' | base64 -d >signature
      { printf 'DSSEv1 %d %s %d ' \(type.utf8.count) '\(type)' "$(stat -c %s payload)"; cat payload; } >signed
      openssl pkeyutl -verify -pubin -inkey auditor.key.pub -rawin -in signed -sigfile signature
      openssl pkey -in auditor.key -pubout | cmp - auditor.key.pub
      """
    )
  }

  @Test func `the administrator's rules refuse extensions without an audit`() throws {
    let audited = try Audited(.available[0])
    let home = audited.home
    try FileSystem.makeDirectories(home.file("audits"))
    try home.giveOwnership(home.file("audits"))
    let rule = #"{ "directory": "\#(home.file("audits"))", "key": "\#(audited.publicKey)" }"#
    try home.write(
      "rules.json",
      #"{ "version": 1, "rules": [{ "apps": ["\#(Self.app)"], "audits": \#(rule) }] }"#
    )
    home.variables = ["DARKROOM_ADMINISTRATION=\(home.file("rules.json"))"]
    let missing = try home.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(
      missing.code == 66 && missing.errors.contains("the required audit cannot be read"),
      "\(missing.errors)"
    )
    let bytes = try #require(try FileSystem.contents(audited.attestation))
    try home.write("audits/\(Self.captureExtension).json", String(decoding: bytes, as: UTF8.self))
    #expect(try home.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
    try runShell("chmod -R u+w '\(audited.installed)' && echo 2 >'\(audited.installed)/data'")
    let refused = try home.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(
      refused.code == 65 && refused.errors.contains("the bundle differs from the attestation"),
      "\(refused.errors)"
    )
    try home.write("rules.json", "damaged")
    #expect(try home.darkroom("run", ["--quiet", Self.captureExtension]).code == 65)
  }

  @Test func `the report matches its schema, with bills of materials, links and changes`() throws {
    let bills = "echo '{}' | tee bom.json >tick.spdx.json; ln -sf /usr/bin/true tick"
    let audited = try Audited(.available[0], after: bills)
    let home = audited.home
    let schema = SchemaCheck(
      try home.json(try home.start([home.programs.darkroom, "schema", "audit"]).end().output)
    )
    for arguments in [[], ["--since", audited.attestation, "--public-key", audited.publicKey]] {
      let report = try home.json(try home.darkroom("audit", [Self.app, "--json"] + arguments).output)
      #expect(try schema.faults(in: report) == [])
      let identity = report["parts"]?.elements?.last?["identity"]
      let found = identity?["billsOfMaterials"]?.elements ?? []
      #expect(found.compactMap { $0["format"]?.string } == ["CycloneDX", "SPDX"])
      #expect(found.first?["path"]?.string == "Extensions/Tick/bom.json")
      #expect(identity?["executableLinks"]?.elements?.count == 1)
      var wrong = report.members ?? []
      wrong.append(.init("other", .null))
      #expect(try schema.faults(in: .object(wrong)) != [])
    }
  }
}
