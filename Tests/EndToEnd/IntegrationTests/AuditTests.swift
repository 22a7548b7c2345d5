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
  private func prepare(_ home: TestHome, policy: String? = nil) throws {
    try install(home, policy: policy)
    #expect(try home.darkroom("run", ["--quiet", Self.captureExtension]).code == 0)
  }

  /// Installs the app.
  private func install(_ home: TestHome, policy: String?) throws {
    let extensions = home.file("Clock/Extensions/Tick")
    for directory in ["Clock", "Clock/Extensions", "Clock/Extensions/Tick"] {
      try FileSystem.makeDirectories(home.file(directory))
      try home.giveOwnership(home.file(directory))
    }
    try home.write(
      "Clock/app.json",
      #"{ "id": "org.example.clock", "name": "Clock <b>", "usageDescriptions": { "camera": "<u>see</u>" } }"#
    )
    try home.write(
      "Clock/Extensions/Tick/extension.json",
      """
      {
        "id": "\(Self.captureExtension)", "name": "\(Self.hostile)", "executable": "tick", "protocol": "none",
        "policy": "\(policy == nil ? "capture" : "policy.json")"
      }
      """
    )
    if let policy { try home.write("Clock/Extensions/Tick/policy.json", policy) }
    let program =
      "#!/bin/sh\ndate >/session/now\npython3 -c 'import socket; socket.socket()' 2>/dev/null\ntrue\n"
    try home.write("Clock/Extensions/Tick/tick", program, mode: 0o755)
    #expect(try FileSystem.names(in: extensions).contains("tick"))
    try home.install(home.file("Clock"))
  }

  private func report(_ home: TestHome, _ arguments: [String]) throws -> JSONValue {
    let result = try home.darkroom("audit", arguments + ["--json"])
    #expect(result.code == 0, "\(result.errors)")
    return try home.json(result.output)
  }

  @Test(arguments: TestUser.available)
  func `reports the identity, permissions, exposure and sessions of an extension`(user: TestUser) throws {
    let home = try TestHome(user)
    try prepare(home)
    let report = try report(home, ["org.example.clock"])
    let parts = try #require(report["parts"]?.elements)
    #expect(parts.compactMap { $0["subject"]?.string } == ["org.example.clock", Self.captureExtension])
    let part = try #require(parts.last)
    // Identity: the digests are those of sha256sum(1).
    let identity = part["identity"]
    let bundle = "\(home.root)/apps/org.example.clock/bundle/1"
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
    let ownDeeds = own["operations"]?.members?.map(\.name) ?? []
    #expect(ownDeeds.contains("programs"))
    #expect(
      Set(ownDeeds).isDisjoint(with: ["internet", "namespaces", "ioUring", "keyrings", "kernelPrograms"])
    )
    let reachable = own["reachable"]?.elements?.compactMap(\.string) ?? []
    #expect(reachable.contains("read") && !reachable.contains("ptrace"))
    for peer in exposure["peers"]?.elements ?? [] {
      #expect(peer["exposure"]?["operations"]?["internet"]?.elements == [.string("socket")])
      #expect((peer["exposure"]?["reachable"]?.elements?.count ?? 0) > reachable.count)
    }
    #expect(exposure["peers"]?.elements?.count == 3)
    // Sessions.
    #expect(part["sessions"]?["count"]?.integer == 1)
    #expect(part["sessions"]?["notable"]?.integer == 1)
    #expect(part["sessions"]?["logIsValid"] == true)
    #expect(part["attack"] == .null)
  }

  @Test func `reports a weaker policy and a changed executable`() throws {
    let home = try TestHome(.available[0])
    try prepare(
      home,
      policy:
        #"{ "name": "weak", "extends": "base", "syscalls": { "allow": ["shmget"] }, "bestEffort": ["landlock"] }"#
    )
    let installed = "\(home.root)/apps/org.example.clock/bundle/1/Extensions/Tick/tick"
    try runShell("chmod u+w '\(installed)' && echo true >>'\(installed)'")
    let part = try #require(try report(home, [Self.captureExtension])["parts"]?.elements?.first)
    #expect(part["identity"]?["unchanged"] == false)
    #expect(part["exposure"]?["darkroom"]?["operations"]?["sharedMemory"]?.elements == [.string("shmget")])
    let summary = part["summary"]?.elements ?? []
    #expect(summary.contains { $0["kind"]?.string == "bad" })
    let text = try home.darkroom("audit", [Self.captureExtension]).text
    #expect(text.contains("Installed files were changed after the installation"))
    #expect(!text.contains("\u{1B}"))
    #expect(try home.darkroom("audit", ["org.example.nobody"]).code == 66)
  }

  @Test func `reports an unanalyzable policy, and refuses to launch under it`()
    throws
  {
    let home = try TestHome(.available[0])
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
    try install(home, policy: #"{ "name": "thicket", "syscalls": { "allow": ["read", \#(calls)] } }"#)
    let run = try home.darkroom("run", ["--quiet", Self.captureExtension])
    #expect(run.code == 126 && run.errors.contains("it cannot be analyzed"), "\(run.errors)")
    let part = try #require(try report(home, [Self.captureExtension])["parts"]?.elements?.first)
    #expect(part["exposure"]?["darkroom"] == .null)
    let text = try home.darkroom("audit", [Self.captureExtension]).text
    #expect(text.contains("The calls that the filter allows cannot be determined"))
    #expect(text.contains("No session of the extension can run on this machine."))
  }

  @Test
  func `renders the HTML report on screen, dark and printed without scripts or requests`()
    throws
  {
    let home = try TestHome(.available[0])
    try prepare(home)
    let page = home.file("report.html")
    #expect(try home.darkroom("audit", ["org.example.clock", "--html", page]).code == 0)
    let text = String(decoding: try #require(try FileSystem.contents(page)), as: UTF8.self)
    #expect(text.contains("default-src 'none'"))
    for reference in ["http:", "https:", "src=", "url(", "@import", "javascript:"] {
      #expect(!text.contains(reference), "the page has \(reference)")
    }
    // The same page with a measuring script and without the Content-Security-Policy.
    let measured = try home.write("measured.html", Self.measuring(text))
    let day = try browse(measured, home, width: 800, more: ["--print-to-pdf=\(home.file("report.pdf"))"])
    let paper = try browse(measured, home, width: 673, more: ["--blink-settings=preferredColorScheme=0"])
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
      decoding: try #require(try FileSystem.contents(home.file("report.pdf"))),
      as: UTF8.self
    )
    // The size of A4 in points.
    #expect(pdf.contains("MediaBox [0 0 594.95996 841.91998]") || pdf.contains("MediaBox [0 0 595"))
    try runShell("test $(identify -format %k '\(home.file("shot-800.png"))') -gt 20")
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
  private func browse(_ page: String, _ home: TestHome, width: Int, more: [String]) throws -> JSONValue {
    let arguments =
      [
        // Chromium has no sandbox of its own for root, and the tests can run as root.
        "/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", "--hide-scrollbars", "--no-pdf-header-footer",
        "--user-data-dir=\(home.file("browser"))", "--window-size=\(width),2000",
        "--screenshot=\(home.file("shot-\(width).png"))", "--dump-dom",
      ] + more + ["file://\(page)"]
    let result = try home.start(arguments).end()
    let title = try #require(result.text.firstMatch(of: #/<title>(.*)</title>/#), "\(result.errors)")
    return try JSONNode.parse(String(title.1).replacing("&quot;", with: "\"")).value
  }
}
