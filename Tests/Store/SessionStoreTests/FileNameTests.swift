// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SessionStore

@Suite struct FileNameTests {
  @Test func `a displayable path is unchanged as text`() {
    for path in ["a/b c.jpg", "日本/e\u{301}.jpg", #"a\b"#] {
      #expect(FileName.text(Array(path.utf8)) == path)
    }
  }

  @Test func `a path that is not displayable is escaped to printable ASCII`() {
    #expect(FileName.text(Array("é/a\n".utf8)) == #"\xc3\xa9/a\x0a"#)
    #expect(FileName.text([0x61, 0xFF]) == #"a\xff"#)
  }

  @Test func `escapes former names without ambiguity`() {
    #expect(FileName.formerText(Array("a\nb".utf8)) == #"a\x0ab"#)
    #expect(FileName.formerText(Array(#"a\x0ab"#.utf8)) == #"a\x5cx0ab"#)
    #expect(FileName.formerText(Array("naïve*".utf8)) == "naïve*")
  }
}
