// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the audit report as JSON, as text and in a browser.
@Suite(.timeLimit(.minutes(20)), .waiting) struct AuditTests {
  /// The ID of the extension.
  private static let captureExtension = "org.example.clock.tick"
  /// A name that the HTML page must show only as text.
  private static let hostile = #"Tick <script>alert(1)</script> <i>\"&'</i>"#

  /// Installs an app with HTML in its names, and runs its extension once.
  private func prepare(_ place: Place, policy: String? = nil) throws {
    try install(place, policy: policy)
    #expect(try place.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
  }

  /// Installs the app.
  private func install(_ place: Place, policy: String?) throws {
    let extensions = place.file("Clock/Extensions/Tick")
    for directory in ["Clock", "Clock/Extensions", "Clock/Extensions/Tick"] {
      try FileSystem.makeDirectories(place.file(directory))
      try place.give(place.file(directory))
    }
    try place.write(
      "Clock/app.json",
      #"{ "id": "org.example.clock", "name": "Clock <b>", "usageDescriptions": { "camera": "<u>see</u>" } }"#
    )
    try place.write(
      "Clock/Extensions/Tick/extension.json",
      """
      {
        "id": "\(Self.captureExtension)", "name": "\(Self.hostile)", "executable": "tick", "protocol": "none",
        "policy": "\(policy == nil ? "capture" : "policy.json")"
      }
      """
    )
    if let policy { try place.write("Clock/Extensions/Tick/policy.json", policy) }
    let program =
      "#!/bin/sh\ndate >/session/now\npython3 -c 'import socket; socket.socket()' 2>/dev/null\ntrue\n"
    try place.write("Clock/Extensions/Tick/tick", program, mode: 0o755)
    #expect(try FileSystem.names(in: extensions).contains("tick"))
    try place.install(place.file("Clock"))
  }

  private func report(_ place: Place, _ words: [String]) throws -> JSONValue {
    let result = try place.darkroom("audit", words + ["--json"])
    #expect(result.code == 0, "\(result.errors)")
    return try place.json(result.output)
  }

  @Test(arguments: Person.available)
  func `an auditor learns from the report what an extension is, may, reaches and did`(person: Person) throws {
    let place = try Place(person)
    try prepare(place)
    let report = try report(place, ["org.example.clock"])
    let parts = try #require(report["parts"]?.elements)
    #expect(parts.compactMap { $0["subject"]?.string } == ["org.example.clock", Self.captureExtension])
    let part = try #require(parts.last)
    // Identity: the digests are those of sha256sum(1).
    let identity = part["identity"]
    let bundle = "\(place.root)/apps/org.example.clock/bundle/1"
    try runShell(
      """
      cd '\(bundle)'
      digest=$({ find . -type f | LC_ALL=C sort | xargs -d '\\n' sha256sum
        find . -type l -printf '%p -> %l\\n' | LC_ALL=C sort; } | sha256sum | cut -d ' ' -f 1)
      test "sha256:$digest" = '\(identity?["bundleDigest"]?.string ?? "")'
      echo "$(sha256sum <Extensions/Tick/tick | cut -d ' ' -f 1)" | grep -q "$(echo '\(identity?["executableDigest"]?.string ?? "")' | cut -d : -f 2)"
      """
    )
    #expect(identity?["unchanged"] == true)
    // Permissions, policy, and enforcement with its proof.
    #expect(part["request"]?["permissions"]?["camera"]?.string == "notDetermined")
    #expect(part["policy"]?["sections"]?.elements?.isEmpty == false)
    // EnforcementAgreementTests compares each layer with the record.
    let layers = part["enforcement"]?["layers"]?.elements ?? []
    #expect(layers.contains { $0["name"]?.string == "controlGroup" })
    let proof = part["enforcement"]?["proof"]?.elements ?? []
    #expect(proof.count > 10)
    #expect(proof.allSatisfy { $0["proved"] == true })
    // Exposure, in comparison with other sandboxes.
    let exposure = try #require(part["exposure"])
    let own = try #require(exposure["darkroom"])
    let ownDeeds = own["deeds"]?.members?.map(\.name) ?? []
    #expect(ownDeeds.contains("programs"))
    #expect(
      Set(ownDeeds).isDisjoint(with: ["internet", "namespaces", "ioUring", "keyrings", "kernelPrograms"])
    )
    let reachable = own["reachable"]?.elements?.compactMap(\.string) ?? []
    #expect(reachable.contains("read") && !reachable.contains("ptrace"))
    for peer in exposure["peers"]?.elements ?? [] {
      #expect(peer["exposure"]?["deeds"]?["internet"]?.elements == [.string("socket")])
      #expect((peer["exposure"]?["reachable"]?.elements?.count ?? 0) > reachable.count)
    }
    #expect(exposure["peers"]?.elements?.count == 3)
    // Sessions.
    #expect(part["sessions"]?["count"]?.integer == 1)
    #expect(part["sessions"]?["notable"]?.integer == 1)
    #expect(part["sessions"]?["logIsRight"] == true)
    #expect(part["attack"] == .null)
  }

  @Test func `a weaker policy and a changed program are seen in the report`() throws {
    let place = try Place(.available[0])
    try prepare(
      place,
      policy:
        #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] }, "bestEffort": ["landlock"] }"#
    )
    let installed = "\(place.root)/apps/org.example.clock/bundle/1/Extensions/Tick/tick"
    try runShell("chmod u+w '\(installed)' && echo true >>'\(installed)'")
    let part = try #require(try report(place, [Self.captureExtension])["parts"]?.elements?.first)
    #expect(part["identity"]?["unchanged"] == false)
    #expect(part["exposure"]?["darkroom"]?["deeds"]?["sharedMemory"]?.elements == [.string("shmget")])
    let summary = part["summary"]?.elements ?? []
    #expect(summary.contains { $0["kind"]?.string == "bad" })
    let text = try place.darkroom("audit", [Self.captureExtension]).text
    #expect(text.contains("is not what was installed"))
    #expect(!text.contains("\u{1B}"))
    #expect(try place.darkroom("audit", ["org.example.nobody"]).code == 66)
  }

  @Test func `a policy that nobody can understand is said to be one, and nothing is launched under it`()
    throws
  {
    let place = try Place(.available[0])
    // Overlapping bit conditions whose remaining cases have no short description.
    var state: UInt32 = 1
    func next() -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 3
    }
    let rules = (0..<220).map { _ in
      let arguments = (0..<3).map { index in
        let mask = next() & next() & next()
        return #"{ "index": \#(2 * index), "mask": \#(mask), "equals": \#(next() & mask) }"#
      }
      return #"{ "call": "futex_wait", "arguments": [\#(arguments.joined(separator: ", "))] }"#
    }
    let calls = rules.joined(separator: ", ")
    try install(place, policy: #"{ "name": "thicket", "syscalls": { "allow": ["read", \#(calls)] } }"#)
    let run = try place.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(run.code == 126 && run.errors.contains("nothing can be known of it"), "\(run.errors)")
    let part = try #require(try report(place, [Self.captureExtension])["parts"]?.elements?.first)
    #expect(part["exposure"]?["darkroom"] == .null)
    let text = try place.darkroom("audit", [Self.captureExtension]).text
    #expect(text.contains("What its filter lets through cannot be known"))
    #expect(text.contains("On this machine no session runs under its policy."))
  }

  @Test
  func `the page is whole in a browser, on a screen, by night and on paper, and asks nobody for anything`()
    throws
  {
    let place = try Place(.available[0])
    try prepare(place)
    let page = place.file("report.html")
    #expect(try place.darkroom("audit", ["org.example.clock", "--html", page]).code == 0)
    let text = String(decoding: try #require(try FileSystem.contents(page)), as: UTF8.self)
    #expect(text.contains("default-src 'none'"))
    for reference in ["http:", "https:", "src=", "url(", "@import", "javascript:"] {
      #expect(!text.contains(reference), "the page has \(reference)")
    }
    // The same page with a measuring script and without the Content-Security-Policy.
    let measured = try place.write("measured.html", Self.measuring(text))
    let day = try browse(measured, place, width: 800, more: ["--print-to-pdf=\(place.file("report.pdf"))"])
    let paper = try browse(measured, place, width: 673, more: ["--blink-settings=preferredColorScheme=0"])
    for (width, shown) in [(800, day), (673, paper)] {
      #expect(shown["width"]?.integer == Int64(width), "something is wider than the page of \(width)")
      #expect(shown["widest"]?.integer ?? .max <= Int64(width))
      #expect(shown["requests"]?.integer == 0)
      #expect(shown["markup"]?.integer == 0, "a name has become markup")
      #expect(shown["headings"]?.integer == 1)
      #expect(shown["sections"]?.integer == 13)
      #expect(shown["tables"]?.integer ?? 0 > 5)
      #expect(shown["plainTables"]?.integer == 0, "a table without caption or heads")
      #expect(shown["language"]?.string == "en")
    }
    #expect(day["background"]?.string == "rgb(255, 255, 255)")
    #expect(paper["background"]?.string != "rgb(255, 255, 255)")
    let pdf = String(
      decoding: try #require(try FileSystem.contents(place.file("report.pdf"))),
      as: UTF8.self
    )
    // The size of A4 in points.
    #expect(pdf.contains("MediaBox [0 0 594.95996 841.91998]") || pdf.contains("MediaBox [0 0 595"))
    try runShell("test $(identify -format %k '\(place.file("shot-800.png"))') -gt 20")
  }

  private static func measuring(_ page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let open = lines.filter { !$0.contains("Content-Security-Policy") }.joined(separator: "\n")
    return open.replacing(
      "</body>",
      with: """
        <script>
        onload = () => {
          const all = selector => [...document.querySelectorAll(selector)];
          document.title = JSON.stringify({
            width: document.documentElement.scrollWidth,
            widest: Math.ceil(Math.max(...all("body *").map(each => each.getBoundingClientRect().right))),
            requests: performance.getEntriesByType("resource").length,
            markup: all("b, i, u").length + all("script").length - 1,
            headings: all("h1").length,
            sections: all("section[aria-labelledby]").length,
            tables: all("table").length,
            plainTables: all("table").filter(table => !table.caption || !table.querySelector("th[scope=col]")
              || !table.querySelector("th[scope=row]")).length,
            language: document.documentElement.lang,
            background: getComputedStyle(document.body).backgroundColor,
          });
        };
        </script></body>
        """
    )
  }

  /// Opens a page in the browser and returns the values that its script has measured.
  private func browse(_ page: String, _ place: Place, width: Int, more: [String]) throws -> JSONValue {
    let words =
      [
        // Chromium has no sandbox of its own for root, and the tests can run as root.
        "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--hide-scrollbars", "--no-pdf-header-footer",
        "--user-data-dir=\(place.file("browser"))", "--window-size=\(width),2000",
        "--screenshot=\(place.file("shot-\(width).png"))", "--dump-dom",
      ] + more + ["file://\(page)"]
    let result = try place.start(words).end()
    let title = try #require(result.text.firstMatch(of: #/<title>(.*)</title>/#), "\(result.errors)")
    return try JSONNode.parse(String(title.1).replacing("&quot;", with: "\"")).value
  }
}
