// SPDX-License-Identifier: Apache-2.0

import AppBundles
import JSONText
import TestSupport
import Testing

@Suite struct ManifestSchemaTests {
  private func schema(_ schema: ManifestSchema) throws -> JSONValue {
    try JSONNode.parse(schema.bytes).value
  }

  private func expect(_ object: JSONValue?, has keys: ManifestKeys) throws {
    let object = try #require(object)
    #expect(Set(object["properties"]?.members?.map(\.name) ?? []) == Set(keys.all))
    #expect(Set(object["required"]?.elements?.compactMap(\.string) ?? []) == Set(keys.required))
    #expect(object["additionalProperties"] == false)
  }

  @Test func `the schemas list the keys that the validator accepts`() throws {
    let app = try schema(.app)
    try expect(app, has: .app)
    try expect(app["properties"]?["controls"]?["items"], has: .control)
    try expect(app["$defs"]?["usageDescriptions"], has: .usageDescriptions)
    let captureExtension = try schema(.captureExtension)
    try expect(captureExtension, has: .captureExtension)
    try expect(captureExtension["$defs"]?["usageDescriptions"], has: .usageDescriptions)
  }

  @Test func `the schemas list the choices and ranges that the validator accepts`() throws {
    let keys = try #require(try schema(.captureExtension)["properties"])
    func choices(_ value: JSONValue?) -> [String] { value?["enum"]?.elements?.compactMap(\.string) ?? [] }
    #expect(choices(keys["protocol"]) == HostProtocol.allCases.map(\.rawValue))
    #expect(choices(keys["frames"]) == FrameDelivery.allCases.map(\.rawValue))
    #expect(choices(keys["architectures"]?["items"]) == Architecture.allCases.map(\.rawValue))
    #expect(choices(keys["orientations"]?["items"]) == InterfaceOrientation.allCases.map(\.rawValue))
    #expect(keys["launchDeadline"]?["minimum"]?.double == ExtensionManifest.launchDeadlines.lowerBound)
    #expect(keys["launchDeadline"]?["maximum"]?.double == ExtensionManifest.launchDeadlines.upperBound)
    #expect(keys["launchDeadline"]?["default"]?.double == ExtensionManifest.defaultLaunchDeadline)
    #expect(keys["policy"]?["default"]?.string == ExtensionManifest.defaultPolicy)
    let pattern = try #require(keys["environment"]?["propertyNames"]?["pattern"]?.string)
    for name in EnvironmentRules.reservedNames { #expect(pattern.contains(name)) }
    for prefix in EnvironmentRules.reservedPrefixes { #expect(pattern.contains(prefix)) }
  }

  @Test func `valid manifests match the schemas`() throws {
    let app = SchemaCheck(try schema(.app))
    #expect(try app.faults(in: JSONNode.parse(SampleBundle.appText).value) == [])
    let captureExtension = SchemaCheck(try schema(.captureExtension))
    #expect(try captureExtension.faults(in: JSONNode.parse(SampleBundle.extensionText).value) == [])
  }

  /// Keys with values that both the validator and the schema reject.
  static let wrongValues: [(String, JSONValue)] = [
    ("protocol", "2"), ("launchDeadline", 31), ("executable", "/bin/sh"), ("executable", "a/../../b"),
    ("id", "Example"), ("environment", ["LD_PRELOAD": "x"]), ("unknown", 1), ("name", " "),
    ("architectures", []), ("warm", "yes"),
  ]

  @Test(arguments: wrongValues)
  func `the schema rejects the values that the validator rejects`(key: String, value: JSONValue) throws {
    let document = try #require(try JSONNode.parse(SampleBundle.extensionText).value.members)
    let changed = document.filter { $0.name != key } + [JSONValue.Member(key, value)]
    let check = SchemaCheck(try schema(.captureExtension))
    #expect(try check.faults(in: .object(changed)).count == 1)
    let sample = try SampleBundle()
    try sample.write("Extensions/Capture/extension.json", JSONValue.object(changed).text())
    #expect(!ManifestValidator(machine: "x86_64").validate(sample.path).errors.isEmpty)
  }
}
