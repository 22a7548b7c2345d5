// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of content with names that other programs cannot open or could act on.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PortableContentTests {
  /// A script that creates names of every class that is not portable, written as octal escapes of printf(1).
  private static let unportable = #"""
    set -e
    cd /session
    put() { printf %s "$1" >"$1"; }
    put -rf; put +x; put @x; put '~x'; put ' x '; put ..x; put x.; put 'a\b'; put 'a*b?c[d]'; put "a'b\"c\`d\$e"
    put 'a<b>|c:d'; put con; put LPT1.txt; put desktop.ini; put x.desktop; put x.lnk; put .envrc; put 'git~1'
    put "$(printf 'x\342\200\244jpg')"; put "$(printf 'a\nb')"; put "$(printf '\342\200\256gpj')"; put "$(printf '\377')"
    put IMG.JPG; put img.jpg; put "$(printf 'e\314\201')"; put "$(printf '\303\251')"
    put "$(printf %0255d 0)"; put "$(printf '%0254d:' 0)"
    put .thumbnails; put "$(printf '\360\237\221\251\342\200\215\360\237\222\273.jpg')"; put "L’été (1).jpg"
    mkdir -p .git/hooks .vscode bare/objects bare/refs; put bare/HEAD; put .git/config; put .vscode/tasks.json
    for i in $(seq 70); do mkdir deep; cd -P deep; done; put bottom; cd /session
    touch -d 1969-12-31T23:59:59Z old; touch -d '+1 day' new
    truncate -s 1M small; truncate -s 28M giant large
    """#

  /// Writes a policy that extends base, and returns its path.
  private static func policy(_ members: String, _ home: TestHome) throws -> String {
    try home.write("policy.json", #"{"name": "own", "extends": "base", \#(members)}"#)
  }

  /// Returns whether a name is portable, independently of the implementation, by the table in Migration.md.
  private static func isPortable(_ name: Substring) -> Bool {
    let reserved = /(?i)\.(git|envrc|vscode)|con|lpt1\..*|desktop\.ini|git~1|.*\.(desktop|lnk)/
    return name.utf8.count <= 255 && !"-+@~ ".contains(name.first ?? "-") && !" .".contains(name.last ?? " ")
      && !name.hasPrefix("..")
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !#"\"'`$*?[]<>|:"#.unicodeScalars.contains($0) }
      && name.wholeMatch(of: reserved) == nil && !name.contains("\u{2024}")
      && !name.unicodeScalars.contains("\u{202E}")
  }

  @Test(arguments: TestUser.available)
  func `delivers portable names for every kind of hostile name`(user: TestUser) throws {
    let home = try TestHome(user)
    let policy = try Self.policy(#""limits": {"sessionBytes": "32MiB"}"#, home)
    let session = try home.exec(["sh", "-c", Self.unportable], options: ["--policy", policy])
    // Exceeding the limit ends the session, but its content is still delivered.
    #expect(["completed", "violated"].contains(session.outcome), "\(session.command.errors)")
    for path in session.files {
      let names = path.split(separator: "/")
      #expect(names.allSatisfy(Self.isPortable) && names.count <= 65, "\(path)")
    }
    #expect(Set(session.files.map { $0.lowercased() }).count == session.files.count)
    // Each file contains its original name and was delivered or quarantined.
    let deep = Array(repeating: "deep", count: 65).joined(separator: "/")
    #expect(session.quarantined == [deep: "tooDeep", "giant": "sparse"])
    let texts = try session.files.filter { !["old", "new", "small", "large"].contains($0) }.map {
      (path: $0, text: try session.text($0))
    }
    #expect(Set(texts.map { Array($0.text.utf8) }).count == 34 && texts.count == 34, "\(session.files)")
    for name in [".thumbnails", "IMG.JPG", "L’été (1).jpg", "e\u{301}", "👩\u{200D}💻.jpg"] {
      #expect(
        texts.contains { $0.path.utf8.elementsEqual(name.utf8) && $0.text.utf8.elementsEqual(name.utf8) },
        "\(name)"
      )
    }
    // The record has each original name, and the summary their number.
    #expect(session.renamed["%2Drf"] == "-rf" && session.renamed["%2Egit"] == ".git")
    #expect(session.renamed["bare/%48EAD"] == "HEAD")
    for path in session.renamed.keys where !path.hasPrefix("%") {
      #expect(session.files.contains { $0 == path || $0.hasPrefix("\(path)/") }, "\(path)")
    }
    let count = session.renamed.count
    #expect(session.record["content"]?["renamed"]?.integer == Int64(count))
    #expect(
      session.command.errors.contains(
        "\(count) names were changed so that other programs can open the content"
      )
    )
    for name in ["old", "new"] {
      let status = try #require(try FileSystem.status("\(session.content)/\(name)"))
      #expect((0...WallClock.milliseconds * 1_000_000).contains(status.modified))
    }
  }

  @Test(arguments: TestUser.available)
  func `a policy can deliver names as written`(user: TestUser) throws {
    let home = try TestHome(user)
    let policy = try Self.policy(#""content": "asWritten""#, home)
    let script =
      "cd /session; mkdir .git; echo a >.git/config; echo b >./-rf; echo c >A; echo d >a; echo e >\"$(printf 'x\\ny')\""
    let session = try home.exec(["sh", "-c", script], options: ["--policy", policy])
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == [".git/config", "-rf", "A", "a", "x%0Ay"])
    #expect(session.renamed == ["x%0Ay": #"x\x0ay"#])
  }
}
