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
    let place: Place
    var attestation: String { place.file("audit.json") }
    var key: String { place.file("auditor.key") }
    var publicKey: String { place.file("auditor.key.pub") }
    /// The directory of the installed extension.
    var installed: String { "\(place.root)/apps/\(SignedAuditTests.app)/bundle/1/Extensions/Tick" }

    /// Runs shell commands in the extension's directory, installs the app and signs its report.
    init(_ person: Person, after commands: String = ":") throws {
      place = try Place(person)
      for directory in ["Clock", "Clock/Extensions", "Clock/Extensions/Tick"] {
        try FileSystem.makeDirectories(place.file(directory))
        try place.give(place.file(directory))
      }
      try place.write("Clock/app.json", #"{ "id": "\#(SignedAuditTests.app)", "name": "Clock" }"#)
      try place.write(
        "Clock/Extensions/Tick/extension.json",
        #"{ "id": "\#(captureExtension)", "name": "Tick", "executable": "tick", "protocol": "none", "policy": "p.json" }"#
      )
      try place.write("Clock/Extensions/Tick/p.json", #"{ "name": "p", "extends": "base" }"#)
      try place.write("Clock/Extensions/Tick/tick", "#!/bin/sh\nexit 0\n", mode: 0o755)
      try place.write("Clock/Extensions/Tick/data", "1")
      try runShell("cd '\(place.file("Clock/Extensions/Tick"))'\n\(commands)")
      try place.install(place.file("Clock"))
      #expect(try place.darkroom("audit", ["--new-key", key]).code == 0)
      let signed = try place.darkroom("audit", [app, "--attest", attestation, "--key", key])
      #expect(signed.code == 0, "\(signed.errors)")
    }

    func verify(_ more: String...) throws -> Command.Result {
      try place.darkroom("audit", ["--verify", attestation, "--public-key", publicKey] + more)
    }

    /// Launches the extension with a required audit.
    func run() throws -> Command.Result {
      try place.darkroom(
        "run",
        ["--quiet", "--require-audit", attestation, "--audit-key", publicKey, captureExtension]
      )
    }
  }

  @Test(arguments: Person.available)
  func `what was audited is verified and launched, and nothing else`(person: Person) throws {
    let audited = try Audited(person)
    #expect(try FileSystem.status(audited.key)?.permissions == 0o600)
    #expect(try audited.verify(Self.app).code == 0)
    #expect(try audited.run().code == 0)
    // A file outside the digests of the installation.
    try runShell("chmod -R u+w '\(audited.installed)' && echo 2 >'\(audited.installed)/data'")
    #expect(try audited.place.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
    let refused = try audited.run()
    #expect(refused.code == 65, "\(refused.errors)")
    #expect(refused.errors.contains("its bundle is not the audited one of \(audited.attestation)"))
    let verified = try audited.verify(Self.captureExtension)
    #expect(verified.code == 1 && verified.text.contains("bundle differs"))
    // The refused launch started nothing.
    let log = try audited.place.darkroom("log", ["list", "--json"]).text
    #expect(log.split(separator: Self.captureExtension).count - 1 == 2, "\(log)")
    try runShell("printf 1 >'\(audited.installed)/data'")
    #expect(try audited.run().code == 0)
  }

  @Test(arguments: Person.available)
  func `a symbolic link is audited by its target, and a program of the host by its digest`(person: Person)
    throws
  {
    let audited = try Audited(person, after: "ln -sf /usr/bin/true tick; ln -s data link")
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
    #expect(refused.errors.contains("its bundle is not the audited one"), "\(refused.errors)")
  }

  @Test func `an installation of another version needs another audit`() throws {
    let audited = try Audited(.available[0])
    let place = audited.place
    try place.write("Clock/Extensions/Tick/p.json", #"{ "name": "p", "extends": "capture" }"#)
    try place.install(place.file("Clock"))
    let refused = try audited.run()
    #expect(refused.code == 65 && refused.errors.contains("is not the audited one"), "\(refused.errors)")
    let report = try place.json(
      try place.darkroom(
        "audit",
        [Self.captureExtension, "--since", audited.attestation, "--public-key", audited.publicKey, "--json"]
      ).output
    )
    let values = report["parts"]?.elements?.first?["changes"]?["values"]?.elements ?? []
    let paths = Set(values.compactMap { $0["path"]?.string })
    #expect(paths.isSuperset(of: ["identity.policyDigest", "identity.filterDigest"]), "\(paths)")
    #expect(!paths.contains("identity.executableDigest"))
    #expect(
      try place.darkroom("audit", [Self.app, "--attest", audited.attestation, "--key", audited.key]).code == 0
    )
    #expect(try audited.run().code == 0)
  }

  @Test func `a changed attestation and the key of another auditor are refused`() throws {
    let audited = try Audited(.available[0])
    let place = audited.place
    let text = String(decoding: try #require(try FileSystem.contents(audited.attestation)), as: UTF8.self)
    let envelope = try JSONNode.parse(Array(text.utf8)).value
    let payload = try #require(envelope["payload"]?.string)
    // One changed character of the payload.
    let changed = payload.replacing("A", with: "B", maxReplacements: 1)
    try place.write("audit.json", text.replacing(payload, with: changed))
    for result in [try audited.verify(), try audited.run()] {
      #expect(
        result.code == 65 && result.errors.contains("no signature was made with this key"),
        "\(result.errors)"
      )
    }
    try place.write("audit.json", text)
    #expect(try audited.run().code == 0)
    #expect(try place.darkroom("audit", ["--new-key", place.file("other.key")]).code == 0)
    let other = try place.darkroom(
      "run",
      [
        "--quiet", "--require-audit", audited.attestation, "--audit-key", place.file("other.key.pub"),
        Self.captureExtension,
      ]
    )
    #expect(
      other.code == 65 && other.errors.contains("no signature was made with this key"),
      "\(other.errors)"
    )
    // Keys are never overwritten.
    #expect(try place.darkroom("audit", ["--new-key", audited.key]).code == 74)
    #expect(
      try place.darkroom("run", ["--require-audit", audited.attestation, Self.captureExtension]).code == 64
    )
  }

  @Test(.enabled(if: Programs.has("openssl")))
  func `openssl verifies the signature, and reads the keys`() throws {
    let audited = try Audited(.available[0])
    let place = audited.place
    let envelope = try place.json(try #require(try FileSystem.contents(audited.attestation)))
    let (payload, type) = (
      try #require(envelope["payload"]?.string), try #require(envelope["payloadType"]?.string)
    )
    let signature = try #require(envelope["signatures"]?.elements?.first?["sig"]?.string)
    try runShell(
      """
      cd '\(place.directory)'
      printf '%s' '\(payload)' | base64 -d >payload
      printf '%s' '\(signature)' | base64 -d >signature
      { printf 'DSSEv1 %d %s %d ' \(type.utf8.count) '\(type)' "$(stat -c %s payload)"; cat payload; } >signed
      openssl pkeyutl -verify -pubin -inkey auditor.key.pub -rawin -in signed -sigfile signature
      openssl pkey -in auditor.key -pubout | cmp - auditor.key.pub
      """
    )
  }

  @Test func `the administrator's file refuses what was not audited`() throws {
    let audited = try Audited(.available[0])
    let place = audited.place
    try FileSystem.makeDirectories(place.file("audits"))
    try place.give(place.file("audits"))
    let rule = #"{ "directory": "\#(place.file("audits"))", "key": "\#(audited.publicKey)" }"#
    try place.write(
      "rules.json",
      #"{ "version": 1, "rules": [{ "apps": ["\#(Self.app)"], "audits": \#(rule) }] }"#
    )
    place.variables = ["DARKROOM_ADMINISTRATION=\(place.file("rules.json"))"]
    let missing = try place.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(
      missing.code == 66 && missing.errors.contains("the required audit cannot be read"),
      "\(missing.errors)"
    )
    let bytes = try #require(try FileSystem.contents(audited.attestation))
    try place.write("audits/\(Self.captureExtension).json", String(decoding: bytes, as: UTF8.self))
    #expect(try place.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
    try runShell("chmod -R u+w '\(audited.installed)' && echo 2 >'\(audited.installed)/data'")
    let refused = try place.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(
      refused.code == 65 && refused.errors.contains("its bundle is not the audited one"),
      "\(refused.errors)"
    )
    try place.write("rules.json", "damaged")
    #expect(try place.darkroom("run", ["--quiet", Self.captureExtension]).code == 65)
  }

  @Test func `the report fits its schema, with bills of materials, links and changes`() throws {
    let bills = "echo '{}' | tee bom.json >tick.spdx.json; ln -sf /usr/bin/true tick"
    let audited = try Audited(.available[0], after: bills)
    let place = audited.place
    let schema = SchemaCheck(
      try place.json(try place.start([place.programs.darkroom, "schema", "audit"]).end().output)
    )
    for words in [[], ["--since", audited.attestation, "--public-key", audited.publicKey]] {
      let report = try place.json(try place.darkroom("audit", [Self.app, "--json"] + words).output)
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
