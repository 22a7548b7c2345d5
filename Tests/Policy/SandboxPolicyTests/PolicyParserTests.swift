// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import Testing

@Suite struct PolicyParserTests {
  /// Returns the descriptions of the errors in a document.
  static func errorDescriptions(_ text: String) -> [String] {
    do {
      _ = try PolicyParser.parse(text, source: "p.json")
      return []
    } catch {
      return error.all.map(\.description)
    }
  }

  @Test(arguments: [
    (#"{"name":"a","syscalls":{"allow":["opne"]}}"#, "syscalls.allow[0]", #"did you mean "open"?"#),
    (#"{"name":"a","syscalls":{"allow":["@basic-oi"]}}"#, "syscalls.allow[0]", #"did you mean "@basic-io"?"#),
    (#"{"name":"a","syscalls":{"allow":["read","read"]}}"#, "syscalls.allow[1]", "occurs twice"),
    (#"{"name":"a","syscalls":{"allow":[7]}}"#, "syscalls.allow[0]", "found an integer"),
    (#"{"name":"a","syscalls":{"allow":["execve"]}}"#, "syscalls.allow[0]", #""execute": "any" or "once""#),
    (#"{"name":"a","syscalls":{"deny":["raed"]}}"#, "syscalls.deny[0]", #"did you mean "read"?"#),
    (#"{"name":"a","syscalls":{"deny":[{"call":"read"}]}}"#, "syscalls.deny[0]", "deny the whole call"),
    (#"{"name":"a","syscalls":{"alow":[]}}"#, "syscalls", #"did you mean "allow"?"#),
    (#"{"name":"a","syscals":{}}"#, "", #"did you mean "syscalls"?"#),
    (#"{"name":"a","quux":1}"#, "", #"use one of "$schema", "name""#),
    (#"{}"#, "", #"add "name""#),
    (#"[]"#, "", "expected an object, found an array"),
    (#"{"name":"A b"}"#, "name", "lowercase letters"),
    (#"{"name":""}"#, "name", "at least one character"),
    (#"{"name":"a","extends":3}"#, "extends", "expected a string"),
    (#"{"name":"a""#, "", "not valid JSON"),
    (#"{"name":"a","name":"b"}"#, "", "occurs twice"),
    (#"{"name":"a","readOnly":["usr"]}"#, "readOnly[0]", "use an absolute path"),
    (#"{"name":"a","readOnly":["/usr/../root"]}"#, "readOnly[0]", "is not normalized"),
    (#"{"name":"a","readOnly":["/usr/"]}"#, "readOnly[0]", "the final slash"),
    (#"{"name":"a","readOnly":["/"]}"#, "readOnly[0]", "would show /home"),
    (#"{"name":"a","readOnly":["/home/me/x"]}"#, "readOnly[0]", "would show /home"),
    (#"{"name":"a","readOnly":["/etc"]}"#, "readOnly[0]", "would show /etc/shadow"),
    (#"{"name":"a","readOnly":["/proc/self"]}"#, "readOnly[0]", "would show /proc"),
    (#"{"name":"a","readOnly":["/usr",{"path":"/usr","optional":true}]}"#, "readOnly[1]", "occurs twice"),
    (#"{"name":"a","readOnly":[{"optional":true}]}"#, "readOnly[0]", #"add "path""#),
    (#"{"name":"a","readOnly":[{"path":"/x","optional":1}]}"#, "readOnly[0].optional", "true or false"),
    (#"{"name":"a","devices":["/dev/tty"]}"#, "devices[0]", #"use one of "/dev/full""#),
    (#"{"name":"a","scratch":{}}"#, "scratch", #"add "size""#),
    (#"{"name":"a","scratch":{"size":"64 MB"}}"#, "scratch.size", #""64MiB""#),
    (#"{"name":"a","scratch":{"size":1}}"#, "scratch.size", "1 byte is out of range; use 65536 to "),
    (#"{"name":"a","limits":{"proceses":1}}"#, "limits", #"did you mean "processes"?"#),
    (#"{"name":"a","limits":{"processes":0}}"#, "limits.processes", "use 1 to 65536"),
    (#"{"name":"a","limits":{"cpuTime":"10q"}}"#, "limits.cpuTime", #""90s""#),
    (#"{"name":"a","limits":{"fileSize":"99999999999TiB"}}"#, "limits.fileSize", "is not a valid size"),
    (#"{"name":"a","limits":{"wallClock":true}}"#, "limits.wallClock", "found a Boolean value"),
    (#"{"name":"a","bestEffort":["seccomp"]}"#, "bestEffort[0]", "cannot be best effort"),
    (#"{"name":"a","bestEffort":["landlok"]}"#, "bestEffort[0]", #"did you mean "landlock"?"#),
    (#"{"name":"a","bestEffort":["landlock","userNamespace"]}"#, "bestEffort", "name only one of the two"),
    (
      #"{"name":"a","acceptSingleMechanism":["icmp"]}"#, "acceptSingleMechanism[0]", #"unknown value "icmp""#
    ),
    (#"{"name":"a","execute":"twice"}"#, "execute", #"use one of "any", "once""#),
    (#"{"name":"a","content":"raw"}"#, "content", #"use one of "portable", "asWritten""#),
    (#"{"name":"a","content":["portable"]}"#, "content", "found an array"),
    (#"{"name":"a","kernel":"6"}"#, "kernel", #"for example "6.12""#),
    (#"{"name":"a","kernel":6.12}"#, "kernel", "found a number"),
    (#"{"name":"a","justifications":[{"rule":"DR1001"}]}"#, "justifications[0]", #"add "reason""#),
    (
      #"{"name":"a","justifications":[{"rule":"DR1","reason":"So."}]}"#, "justifications[0].rule",
      "four digits"
    ),
    (
      #"{"name":"a","justifications":[{"rule":"DR1001","reason":""}]}"#, "justifications[0].reason",
      "is empty"
    ),
    (#"{"name":"a","justifications":["DR1001"]}"#, "justifications[0]", "expected an object"),
  ])
  func `a parse error has its key and a fix`(text: String, key: String, fragment: String) {
    let found = Self.errorDescriptions(text)
    #expect(found.count == 1)
    let prefix = key.isEmpty ? "p.json:1:" : ": \(key): "
    #expect(found.first?.contains(prefix) == true, "\(found)")
    #expect(found.first?.contains(fragment) == true, "\(found)")
    #expect(found.first?.contains("; ") == true, "\(found)")
  }

  @Test(arguments: [
    (#"{"arguments":[]}"#, "", #"add "call""#),
    (#"{"call":"read","argument":[]}"#, "", #"did you mean "arguments"?"#),
    (#"{"call":"@signal","arguments":[]}"#, ".call", "name one call"),
    (#"{"call":"read","arguments":[{"index":6,"equals":0}]}"#, ".arguments[0].index", "use 0 to 5"),
    (#"{"call":"read","arguments":[{"index":"0","equals":0}]}"#, ".arguments[0].index", "an integer"),
    (#"{"call":"read","arguments":[{"index":0}]}"#, ".arguments[0]", #"add "equals""#),
    (
      #"{"call":"read","arguments":[{"index":0,"equals":0},{"index":0,"equals":1}]}"#, ".arguments[1]",
      "argument 0 has two conditions"
    ),
    (#"{"call":"read","arguments":[{"index":0,"equals":-1}]}"#, ".arguments[0].equals", "0 to 0xffffffff"),
    (
      #"{"call":"read","arguments":[{"index":0,"equals":"0x100000000"}]}"#, ".arguments[0].equals",
      "is not an unsigned 32-bit number"
    ),
    (
      #"{"call":"ioctl","arguments":[{"index":1,"equals":"TCGET"}]}"#, ".arguments[0].equals",
      #"did you mean "TCGETA"?"#
    ),
    (
      #"{"call":"read","arguments":[{"index":0,"mask":"0xf0","equals":1}]}"#, ".arguments[0]",
      "the rule never matches"
    ),
    (#"{"call":"read","arguments":[{"index":0,"equals":[]}]}"#, ".arguments[0].equals", "found an array"),
  ])
  func `reports an error in an argument rule`(rule: String, key: String, fragment: String) {
    let found = Self.errorDescriptions(#"{"name":"a","syscalls":{"allow":[\#(rule)]}}"#)
    #expect(found.count == 1)
    #expect(found.first?.contains(": syscalls.allow[0]\(key): ") == true, "\(found)")
    #expect(found.first?.contains(fragment) == true, "\(found)")
  }

  @Test func `reports every error with its position in document order`() {
    let text = """
      {
        "name": "mine",
        "limits": { "procesess": 3 },
        "syscalls": { "allow": ["read", "socket"] },
        "bestEffort": ["networkNamespace"]
      }
      """
    #expect(
      Self.errorDescriptions(text) == [
        #"p.json:3:15: limits: unknown key "procesess"; did you mean "processes"?"#,
        #"p.json:4:35: syscalls.allow[1]: "socket" can never be allowed: a session has no network, and no "#
          + #"sockets to processes outside; remove "socket""#,
        #"p.json:5:18: bestEffort[0]: the layer "networkNamespace" cannot be best effort; "#
          + #"remove it, or use one of "cgroupNamespace", "landlock", "timeNamespace", "userNamespace""#,
      ]
    )
  }

  @Test func `parses every key of a policy document`() throws {
    let document = try PolicyParser.parse(
      """
      {"$schema": "x", "name": "mine", "description": "For me.", "extends": "base",
       "syscalls": {"allow": [{"call": "fcntl", "arguments": [{"index": 1, "equals": "F_GETFD|0o10|0x100|64"}]}],
                    "deny": ["sync", "@swap"]},
       "readOnly": ["/opt/thing", {"path": "/srv/x", "optional": true}], "devices": ["/dev/null"],
       "scratch": {"size": "1MiB"}, "limits": {"wallClock": "2m", "fileSize": 4096}, "bestEffort": ["landlock"],
       "execute": "once", "content": "asWritten"}
      """,
      source: "mine.json"
    )
    #expect(document.name.value == "mine" && document.extends?.value == "base")
    #expect(document.description == "For me.")
    #expect(document.allow.first?.conditions == [ArgumentCondition(index: 1, value: 1 | 8 | 0x100 | 64)])
    #expect(document.allow.first?.origin.description == "mine.json:2:25")
    #expect(document.deny.map(\.value) == ["sync", "swapoff", "swapon"])
    #expect(document.readOnly.map(\.path) == ["/opt/thing", "/srv/x"])
    #expect(document.readOnly.map(\.presence) == [.required, .optional])
    #expect(document.scratchBytes?.value == 1 << 20)
    #expect(document.limits[.wallClock]?.value == 120 && document.limits[.fileSize]?.value == 4096)
    #expect(document.bestEffort?.value == [.landlock] && document.execute?.value == .once)
    #expect(document.content?.value == .asWritten)
  }
}
