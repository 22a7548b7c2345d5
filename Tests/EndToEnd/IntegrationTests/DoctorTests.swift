// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom doctor` with real obstacles.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DoctorTests {
  /// Runs the doctor from a shell that first changes the environment.
  private func doctor(
    _ place: Place,
    after preparation: String = "",
    wrapped: [String] = [],
    options: String = ""
  ) throws -> (code: Int32, json: JSONValue) {
    let run =
      "\(preparation) exec '\(place.programs.darkroom)' doctor --json --root '\(place.root)' \(options)"
    let result = try place.start(wrapped + ["/bin/bash", "-c", run]).end()
    let json = try? place.json(result.output)
    return (result.code, try #require(json, "exit code \(result.code): \(result.errors)"))
  }

  private func policy(_ name: String, _ report: JSONValue) throws -> JSONValue {
    try #require(report["policies"]?.elements?.first { $0["policy"]?.string == name })
  }

  /// Checks that every layer is enforced, except for the control group, which is often unavailable.
  private func expectComplete(_ name: String, _ report: JSONValue) throws {
    let policy = try policy(name, report)
    for layer in policy["layers"]?.elements ?? [] where layer["name"]?.string != "controlGroup" {
      #expect(layer["state"]?.string == "enforced", "\(name): \(layer)")
    }
    #expect(policy["standing"]?.string == (hasControlGroup(policy) ? "whole" : "degraded"))
  }

  /// Returns whether the sessions of a policy have a control group.
  private func hasControlGroup(_ policy: JSONValue) -> Bool {
    let layer = policy["layers"]?.elements?.first { $0["name"]?.string == "controlGroup" }
    return layer?["state"]?.string == "enforced"
  }

  private func missingLayers(_ policy: JSONValue) -> [(name: String, detail: String, commands: [String])] {
    (policy["layers"]?.elements ?? []).filter { $0["state"]?.string == "missing" }.map { layer in
      let mends = layer["mends"]?.elements ?? []
      let commands = mends.flatMap { $0["commands"]?.elements ?? [] }.compactMap(\.string)
      return (layer["name"]?.string ?? "", layer["detail"]?.string ?? "", commands)
    }
  }

  @Test(arguments: Person.available)
  func `here every layer of the shipped policies is enforced`(person: Person) throws {
    let report = try doctor(Place(person))
    #expect(report.code == (hasControlGroup(try policy("base", report.json)) ? 0 : 69), "\(report.json)")
    for name in ["base", "capture", "strict"] { try expectComplete(name, report.json) }
    // A policy for static programs permits no program of the system.
    #expect(
      try policy("strict", report.json)["remarks"]?.elements?.first?.string?.contains("/usr/bin/true") == true
    )
    #expect(try policy("base", report.json)["remarks"]?.elements == [])
  }

  @Test(arguments: Person.available)
  func `root of a user namespace without other users gets the sandboxes of an ordinary user`(person: Person)
    throws
  {
    let unshare = ["/usr/bin/unshare", "--user", "--map-root-user"]
    let report = try doctor(Place(person), wrapped: unshare)
    for name in ["base", "capture", "strict"] { try expectComplete(name, report.json) }
    let user = report.json["machine"]?.elements?.first { $0["name"]?.string == "user" }
    #expect(user?["state"]?.string == "advice")
    #expect(user?["detail"]?.string?.contains("no user to spare") == true)
  }

  @Test(arguments: Person.available)
  func `where no user namespace may be made, the sysctl is named`(person: Person) throws {
    let report = try doctor(
      Place(person),
      after: "echo 0 >/proc/sys/user/max_user_namespaces || exit 99;",
      wrapped: ["/usr/bin/unshare", "--user", "--map-root-user"]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("capture", report.json))
    #expect(missing.map(\.name) == ["userNamespace"])
    #expect(missing.first?.detail.contains("user.max_user_namespaces is 0") == true)
    #expect(missing.first?.commands.contains { $0.hasPrefix("sysctl -w user.max_user_namespaces=") } == true)
  }

  @Test(arguments: Person.available)
  func `where one kind of namespace may not be made, its layer is named`(person: Person) throws {
    let report = try doctor(
      Place(person),
      after: "echo 0 >/proc/sys/user/max_net_namespaces || exit 99;",
      wrapped: ["/usr/bin/unshare", "--user", "--map-root-user"]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("capture", report.json))
    #expect(missing.map(\.name) == ["networkNamespace"], "\(missing)")
    #expect(missing.first?.commands.contains { $0.hasPrefix("sysctl -w user.max_net_namespaces=") } == true)
  }

  @Test(arguments: Person.available)
  func `a hard limit below a policy's is named with its key, and the other policies are whole`(person: Person)
    throws
  {
    let report = try doctor(Place(person), after: "ulimit -n 256 || exit 99;")
    #expect(report.code == 71)
    for name in ["base", "capture"] {
      let missing = missingLayers(try policy(name, report.json))
      #expect(missing.map(\.name) == ["limits"], "\(name)")
      #expect(missing.first?.commands == ["ulimit -H -n 1024"])
    }
    try expectComplete("strict", report.json)
  }

  @Test(arguments: Person.available)
  func `a launch under a hard limit that is too low says which key of the policy is meant`(person: Person)
    throws
  {
    let place = try Place(person)
    let run =
      "ulimit -n 256; exec '\(place.programs.darkroom)' exec --root '\(place.root)' --app \(Place.app) -- true"
    let result = try place.start(["/bin/bash", "-c", run]).end()
    #expect(result.code == 126, "\(result.errors)")
    #expect(
      result.errors.contains("limit 'descriptors' is 1024") && result.errors.contains("hard limit of 256")
    )
  }

  @Test(.enabled(if: Programs.has("python3")), arguments: Person.available)
  func `a filter around the host is named as the reason`(person: Person) throws {
    let filter = SurroundingFilter.words(answering: 1, to: [.clone3, .unshare])
    let report = try doctor(Place(person), wrapped: filter)
    #expect(report.code == 71)
    let missing = missingLayers(try policy("base", report.json))
    #expect(missing.contains { $0.detail.contains("a filter of system calls") }, "\(missing)")
    #expect(missing.contains { $0.commands.contains { $0.contains("seccomp=unconfined") } })
  }

  @Test(.enabled(if: Programs.has("python3")), arguments: Person.available)
  func `a supervisor around the host keeps refused calls from being reported, and is named`(person: Person)
    throws
  {
    let report = try doctor(Place(person), wrapped: SurroundingFilter.listening)
    #expect(report.code == 69)
    let layers = try policy("base", report.json)["layers"]?.elements ?? []
    let filter = try #require(layers.first { $0["name"]?.string == "seccomp" })
    #expect(filter["state"]?.string == "degraded")
    #expect(filter["detail"]?.string?.contains("another supervisor") == true, "\(filter)")
    #expect(filter["mends"]?.elements?.isEmpty == false)
  }

  @Test(.enabled(if: Person.hasRoot))
  func `a covered /proc is recognised`() throws {
    let place = try Place(.ordinary)
    let report = try doctor(
      place,
      wrapped: [
        "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc",
        "/bin/sh", "-c",
        "mount --bind /dev/null /proc/interrupts || exit 99; exec \"$@\"", "sh",
      ]
    )
    #expect(report.code == 71)
    let missing = missingLayers(try policy("base", report.json))
    #expect(missing.contains { $0.detail.contains("/proc/interrupts") }, "\(missing)")
    #expect(missing.contains { $0.commands.contains { $0.contains("systempaths=unconfined") } })
  }

  @Test(arguments: Person.available)
  func `without a /proc no command takes its words for missing`(person: Person) throws {
    let place = try Place(person)
    let darkroom = "mount -t tmpfs none /proc && exec '\(place.programs.darkroom)' --version"
    let result = try place.start(
      ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", darkroom]
    ).end()
    #expect(result.code == 71 && result.output.isEmpty)
    #expect(result.errors.contains("there is no proc: mount it"), "\(result.errors)")
  }

  @Test(arguments: Person.available)
  func `a policy of one's own is examined like a shipped one`(person: Person) throws {
    let place = try Place(person)
    let text =
      "{\"name\": \"own\", \"extends\": \"base\", \"readOnly\": [\"/usr/share/darkroom-none\", \"/usr/lib/darkroom-none\"]}"
    let path = try place.write("own.json", text)
    let report = try doctor(place, options: "--policy '\(path)'")
    #expect(report.code == 71)
    try expectComplete("base", report.json)
    let missing = missingLayers(try policy(path, report.json))
    #expect(missing.map(\.name) == ["root", "root"], "both paths are named: \(missing)")
  }

  @Test func `a policy that is not there is no finding but a mistake`() throws {
    let place = try Place(Person.available[0])
    #expect(try place.darkroom("doctor", ["--policy", "bse"]).code == 66)
  }
}
