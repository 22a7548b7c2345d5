// SPDX-License-Identifier: Apache-2.0

import AppBundles
import Testing

@Suite struct ProgramHeaderTests {
  @Test(arguments: [
    ("/bin/sh", "/bin/sh"), (" /bin/sh -e", "/bin/sh"), ("\t/usr/bin/env python3", "/usr/bin/env"),
    ("sh", nil), ("", nil), ("   ", nil), ("/bin/sh\r", nil),
  ])
  func `returns the interpreter of a script if the first line starts with an absolute path`(
    line: String,
    path: String?
  ) {
    #expect(ProgramHeader.interpreter(in: line) == path)
  }

  @Test(arguments: [
    ("/usr/bin/env python3", "python3"), ("/bin/env  python3 -I", "python3"),
    ("/usr/bin/env -S python3 -I", "python3"),
    ("/usr/bin/python3", nil), ("/usr/bin/env", nil), ("/usr/bin/env -i python3", nil),
    ("/usr/bin/env A=1 python3", nil), ("/usr/bin/env -S A=1 python3", nil), ("/usr/bin/env /bin/sh", nil),
    ("/opt/env python3", nil),
  ])
  func `returns the program that env runs only if env has no other options or assignments`(
    line: String,
    name: String?
  ) {
    #expect(ProgramHeader.nameForEnvironment(in: line) == name)
  }
}
