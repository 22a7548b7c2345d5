// SPDX-License-Identifier: Apache-2.0

import JSONText
import PolicyLint
import SandboxPolicy
import Testing

/// Writes findings in the SARIF format for code hosting services.
@Suite struct SARIFLogTests {
  /// The required and the other used members of each object, from the schema of SARIF 2.1.0, which allows no
  /// additional members.
  private static let objectSchemas: [String: (required: Set<String>, others: Set<String>)] = [
    "sarifLog": (["version", "runs"], ["$schema"]),
    "run": (["tool"], ["originalUriBaseIds", "columnKind", "results"]),
    "tool": (["driver"], []),
    "toolComponent": (["name"], ["version", "rules"]),
    "reportingDescriptor": (
      ["id"],
      ["name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"]
    ),
    "result": (
      ["message"],
      ["ruleId", "ruleIndex", "level", "locations", "partialFingerprints", "suppressions"]
    ),
    "location": ([], ["physicalLocation", "logicalLocations"]),
    "physicalLocation": ([], ["artifactLocation", "region"]),
    "artifactLocation": ([], ["uri", "uriBaseId"]),
    "region": ([], ["startLine", "startColumn"]),
    "suppression": (["kind"], ["status", "justification", "location"]),
  ]

  /// Checks the members of an object and returns the object.
  private static func check(_ value: JSONValue?, _ object: String) throws -> JSONValue {
    let value = try #require(value, "\(object)")
    let names = Set(try #require(value.members, "\(object)").map(\.name))
    let rule = try #require(objectSchemas[object])
    #expect(names.isSuperset(of: rule.required), "\(object) lacks \(rule.required.subtracting(names))")
    #expect(names.isSubset(of: rule.required.union(rule.others)), "\(object) has \(names)")
    return value
  }

  /// Checks a location and returns its artifact location.
  private static func location(_ value: JSONValue?) throws -> JSONValue {
    let physical = try check(try check(value, "location")["physicalLocation"], "physicalLocation")
    let region = try check(physical["region"], "region")
    #expect(try #require(region["startLine"]?.integer) >= 1)
    #expect((region["startColumn"]?.integer ?? 1) >= 1)
    return try check(physical["artifactLocation"], "artifactLocation")
  }

  /// Returns the log of a policy with one justified and one unjustified finding.
  private static func log() throws -> JSONValue {
    let findings = try LintFixture.findings(
      """
      {"name":"own","description":"A.","extends":"base","syscalls":{"allow":["link","symlink"]},
       "justifications":[{"rule":"DR1303","subject":"link","reason":"So."}]}
      """
    )
    return SARIFLog(findings, version: "1.2.3", isFile: { $0 == "0.json" }, column: { $0.position.column })
      .json
  }

  @Test func `every SARIF object has its required members and no unknown ones`() throws {
    let log = try Self.check(try Self.log(), "sarifLog")
    #expect(log["version"] == "2.1.0")
    let run = try Self.check(log["runs"]?.elements?.first, "run")
    let driver = try Self.check(try Self.check(run["tool"], "tool")["driver"], "toolComponent")
    let rules = try #require(driver["rules"]?.elements)
    for rule in rules {
      let rule = try Self.check(rule, "reportingDescriptor")
      #expect(["note", "warning", "error"].contains(rule["defaultConfiguration"]?["level"]?.string))
      #expect(rule["help"]?["text"]?.string?.isEmpty == false)
    }
    let results = try #require(run["results"]?.elements)
    #expect(results.count >= 9)
    for result in results {
      let result = try Self.check(result, "result")
      let index = Int(try #require(result["ruleIndex"]?.integer))
      #expect(rules[index]["id"] == result["ruleId"])
      #expect(result["message"]?["text"]?.string?.isEmpty == false)
      _ = try Self.location(result["locations"]?.elements?.first)
      for suppression in try #require(result["suppressions"]?.elements) {
        let suppression = try Self.check(suppression, "suppression")
        #expect(suppression["kind"] == "inSource" && suppression["status"] == "accepted")
        _ = try Self.location(suppression["location"])
      }
    }
  }

  @Test func `a justified finding is suppressed with its reason, and an unjustified one is not`() throws {
    let results = try #require(try Self.log()["runs"]?.elements?.first?["results"]?.elements)
    let links = results.filter { $0["ruleId"] == "DR1303" }
    #expect(links.map { $0["suppressions"]?.elements?.count } == [1, 0])
    #expect(links.first?["suppressions"]?.elements?.first?["justification"] == "So.")
    let fingerprints = results.compactMap { $0["partialFingerprints"]?["darkroomFinding/v1"]?.string }
    #expect(fingerprints.count == results.count && Set(fingerprints).count == results.count)
  }

  @Test func `a file has its path and a shipped policy has the policies base id`() throws {
    let results = try #require(try Self.log()["runs"]?.elements?.first?["results"]?.elements)
    let locations = try results.map { try Self.location($0["locations"]?.elements?.first) }
    #expect(locations.first?["uri"] == "0.json" && locations.first?["uriBaseId"] == nil)
    #expect(locations.last?["uri"] == "base.json" && locations.last?["uriBaseId"] == "DARKROOM_POLICIES")
  }

  @Test(arguments: [
    ("./a b.json", "a%20b.json"), ("/tmp/é.json", "file:///tmp/%C3%A9.json"), ("x/y-1.json", "x/y-1.json"),
  ])
  func `a path becomes a URI reference`(path: String, reference: String) throws {
    var finding = try #require(try LintFixture.findings(#"{"name":"own"}"#).first)
    finding.origin.source = path
    let log = SARIFLog([finding], version: "1", isFile: { _ in true }, column: { _ in nil }).json
    let result = try #require(log["runs"]?.elements?.first?["results"]?.elements?.first)
    let location = result["locations"]?.elements?.first?["physicalLocation"]
    #expect(location?["artifactLocation"]?["uri"]?.string == reference)
    #expect(location?["region"]?["startColumn"] == nil)
  }
}
