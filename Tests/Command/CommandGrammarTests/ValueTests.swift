// SPDX-License-Identifier: Apache-2.0

import CommandGrammar
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1.5m", .seconds(90)), ("0s", .zero),
    ("2 h", .seconds(7200)), ("0.000000001s", .nanoseconds(1)), ("1.25us", .nanoseconds(1250)),
    ("1.50000000000000s", .milliseconds(1500)),
  ])
  func `parses durations without rounding`(text: String, duration: Duration) throws {
    #expect(try DurationText.parse(text) == duration)
  }

  @Test(arguments: [
    ("", "does not begin with a number"), ("s", "does not begin with a number"),
    ("-1s", "does not begin with a number"),
    (".5s", "does not begin with a number"), ("1.s", "does not begin with a number"),
    ("5", "has no unit; write, for example, 5s"),
    ("5min", "unknown unit 'min'; use ns, us, ms, s, m, h"), ("1e3s", "unknown unit 'e3s'"),
    ("1.5ns", "is more precise than a nanosecond; use fewer digits"), ("300000000h", "too large"),
    ("99999999999999999999s", "too large"),
    ("٣s", "does not begin with a number"),
  ])
  func `rejects an invalid duration with the reason`(text: String, message: String) {
    let fault = #expect(throws: ValueFault.self) { try DurationText.parse(text) }
    #expect(fault?.description.contains(message) == true, "\(String(describing: fault))")
  }

  @Test(arguments: [
    ("64MiB", UInt64(67_108_864)), ("1.5KiB", 1536), ("4096", 4096), ("2MB", 2_000_000), ("0", 0),
    ("0.5TiB", 1 << 39),
    ("0.125 KiB", 128),
  ])
  func `parses byte counts without rounding`(text: String, bytes: UInt64) throws {
    #expect(try ByteCount(parsing: text).bytes == bytes)
  }

  @Test(arguments: [
    ("64M", "unknown unit 'M'; use B, KiB, MiB"), ("0.3KiB", "is more precise than a byte; use fewer digits"),
    ("9999999TiB", "too large"),
    ("MiB", "does not begin with a number; write, for example, 64MiB"),
  ])
  func `rejects an invalid byte count with the reason`(text: String, message: String) {
    let fault = #expect(throws: ValueFault.self) { try ByteCount(parsing: text) }
    #expect(fault?.description.contains(message) == true, "\(String(describing: fault))")
  }

  @Test func `prints a byte count in the largest unit that divides it`() {
    #expect(ByteCount(bytes: 67_108_864).description == "64MiB")
    #expect(ByteCount(bytes: 1025).description == "1025B")
    #expect(ByteCount(bytes: 0).description == "0B")
  }
}
