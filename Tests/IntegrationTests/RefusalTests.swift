// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// What a person and the record hear of calls that the policy does not allow.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RefusalTests {
  /// Runs attempts of the probe in one session, each after the other.
  private func probe(_ place: Place, _ attempts: [[String]]) throws -> Place.Session {
    let probe = "\(place.programs.directory)/bin/darkroom-probe"
    try FileSystem.replaceContents(
      place.file("probe"),
      with: FileSystem.contents(probe, limit: 1 << 26) ?? [],
      mode: 0o755
    )
    try place.give(place.file("probe"))
    if attempts.count == 1 { return try place.exec([place.file("probe")] + attempts[0]) }
    let words = attempts.map { ([Self.shown(place)] + $0).map { "'\($0)'" }.joined(separator: " ") }
    return try place.exec(
      ["sh", "-c", words.joined(separator: "; ")],
      options: ["--read-only", place.file("probe")]
    )
  }

  /// Where a file of the host's /tmp is seen by a session.
  private static func shown(_ place: Place) -> String { place.file("probe") }

  @Test(arguments: Person.available)
  func `a refused call is in the record and in a sentence, with arguments, line and mend`(person: Person)
    throws
  {
    let session = try probe(
      Place(person),
      [["socketpair"], ["mount"], ["ioctl-TIOCSTI-high"], ["unshare-user"]]
    )
    let refusals = session.record["refusals"]?.elements ?? []
    let calls = refusals.compactMap { $0["call"]?.string }
    #expect(calls == ["socketpair", "mount", "ioctl", "unshare"], "\(session.record["refusals"] as Any)")
    for refusal in refusals {
      #expect(refusal["layer"]?.string == "seccomp" && refusal["count"]?.integer == 1)
      #expect(refusal["program"]?.string == "probe")
      let sentence = try #require(refusal["sentence"]?.string)
      #expect(session.command.errors.contains(sentence), "\(session.command.errors)")
    }
    #expect(refusals.first?["sentence"]?.string?.contains("AF_UNIX") == true)
    #expect(refusals.dropFirst().first?["sentence"]?.string?.contains("/darkroom-probe-nowhere") == true)
  }

  @Test(arguments: Person.available)
  func `refusals that are alike are folded into one`(person: Person) throws {
    let session = try probe(Place(person), Array(repeating: ["socketpair"], count: 3))
    let refusals = session.record["refusals"]?.elements ?? []
    #expect(refusals.map { $0["count"]?.integer } == [3], "\(refusals)")
  }

  @Test(arguments: Person.available)
  func `a flood of refused calls ends the session`(person: Person) throws {
    let session = try probe(Place(person), [["flood-refused"]])
    #expect(session.outcome == "violated", "\(session.record["outcome"] as Any)")
    #expect(session.record["outcome"]?["rule"]?.string == "refusals")
    #expect((session.record["refusals"]?.elements ?? []).count == 1)
    #expect(session.command.code == 77)
  }

  @Test(arguments: Person.available)
  func `a host that is supervised itself has its extensions' calls refused silently, and says so`(
    person: Person
  ) throws {
    let place = try Place(person)
    let record = place.file("record.json")
    let line =
      "exec '\(place.programs.darkroom)' exec --root '\(place.root)' --app \(Place.app) --record '\(record)' -- "
      + "python3 -c 'import socket; socket.socket()'"
    let result = try place.start(["\(place.programs.directory)/bin/darkroom-probe", "supervised", line]).end()
    #expect(result.code == 1 && result.errors.contains("Operation not permitted"), "\(result.errors)")
    let json = try place.json(try #require(try FileSystem.contents(record)))
    let seccomp = json["enforcement"]?["layers"]?.elements?.first { $0["name"]?.string == "seccomp" }
    #expect(seccomp?["detail"]?.string?.hasSuffix("it refuses silently") == true, "\(seccomp as Any)")
    #expect(json["refusals"]?.elements?.isEmpty == true)
  }
}
