// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the static documentation site (`.ci/site`) in a browser.
@Suite(.waiting) struct SiteTests {
  /// Paths of pages below the start page, with their headings.
  private static let pages = [
    ("", "Darkroom"), ("/pythonextension", "Write an extension in Python"), ("/architecture", "Architecture"),
  ]

  /// Builds the site, serves it, and prints the heading of each page in a browser. Fails if a file of the site
  /// is missing. The renderer's optional settings are not part of the site.
  private static let script = #"""
    set -e
    '\#(SourceTree.path)/.ci/site' site >log
    cat >server.py <<'END'
    import functools, http.server
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="site")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    END
    cat >heading.py <<'END'
    import re, sys
    headings = re.findall("<h1[^>]*>(.*?)</h1>", sys.stdin.read(), re.S)
    print(*[re.sub("<[^>]*>", "", heading).strip() for heading in headings if "JavaScript" not in heading])
    END
    python3 server.py >port 2>requests &
    trap "kill $!" EXIT
    until test -s port; do sleep 0.1; done
    browse() {
      chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
        --user-data-dir="$PWD/browser" --window-size=1200,1000 --virtual-time-budget=10000 --dump-dom \
        "http://127.0.0.1:$(cat port)/documentation/darkroom$1" 2>browser.log | python3 heading.py
    }
    # The first visit fills the cache. Virtual time can end before the renderer is loaded.
    browse "" >first
    for page in \#(pages.map { "'\($0.0)'" }.joined(separator: " ")); do browse "$page"; done
    ! grep -v theme-settings.json requests | grep -E '" (404|500) '
    """#

  @Test(.enabled(if: FileSystem.isReadable("/usr/bin/chromium")))
  func `a browser shows the heading of each page and loads all files of the site`() throws {
    let directory = "/tmp/darkroom-site-\(Randomness.hexadecimal(bytes: 8))"
    defer { try? FileSystem.removeTree(directory) }
    try runShell("mkdir '\(directory)' && cd '\(directory)' && { \(Self.script)\n} >headings")
    let text = String(decoding: try #require(try FileSystem.contents("\(directory)/headings")), as: UTF8.self)
    #expect(text.split(separator: "\n").map(String.init) == Self.pages.map(\.1))
  }
}
