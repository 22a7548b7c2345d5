// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionRecord {
  /// A refused call and its details.
  package struct Refusal: Hashable, Sendable {
    /// An argument of the call.
    package struct Argument: Hashable, Sendable {
      /// The name of the parameter.
      package var name: String
      /// The value in hexadecimal.
      package var value: String
      /// The meaning of the value.
      package var text: String

      /// Creates an argument.
      package init(name: String, value: String, text: String) {
        self.name = name
        self.value = value
        self.text = text
      }
    }

    /// The layer that refused the call.
    package var layer: String
    /// The name of the call.
    package var call: String
    /// The arguments of the first such call.
    package var arguments: [Argument]
    /// The calling program.
    package var program: String
    /// The thread ID of the first such call.
    package var thread: Int32
    /// The time of the first such call in milliseconds since 1970.
    package var at: Int64
    /// The number of equal calls.
    package var count: Int64
    /// The name of the errno value with which the call failed.
    package var errno: String
    /// The reason for the refusal as text.
    package var reason: String
    /// The location of the rule that caused the refusal.
    package var origin: JSONValue
    /// The suggested fix.
    package var fix: JSONValue
    /// The refusal as a single sentence.
    package var sentence: String
    /// The name of the probe to which the call belongs, or `nil` if the program needs the call itself.
    package var probe: String?

    /// Creates a refusal.
    package init(
      layer: String,
      call: String,
      arguments: [Argument],
      program: String,
      thread: Int32,
      at: Int64,
      count: Int64,
      errno: String,
      reason: String,
      origin: JSONValue,
      fix: JSONValue,
      sentence: String,
      probe: String? = nil
    ) {
      self.layer = layer
      self.call = call
      self.arguments = arguments
      self.program = program
      self.thread = thread
      self.at = at
      self.count = count
      self.errno = errno
      self.reason = reason
      self.origin = origin
      self.fix = fix
      self.sentence = sentence
      self.probe = probe
    }
  }
}

extension SessionRecord.Refusal {
  /// The refusal as a member of a record.
  package var json: JSONValue {
    .object([
      "layer": .string(layer), "call": .string(call),
      "arguments": .array(
        arguments.map { ["name": .string($0.name), "value": .string($0.value), "text": .string($0.text)] }
      ),
      "program": .string(program), "thread": .integer(Int64(thread)),
      "at": .string(WallClock.text(milliseconds: at)), "count": .integer(count), "errno": .string(errno),
      "reason": .string(reason), "origin": origin, "mend": fix, "sentence": .string(sentence),
      "probe": probe.map { .string($0) },
    ])
  }

  /// Parses a refusal.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      layer: try reader.string("layer"),
      call: try reader.string("call"),
      arguments: try reader.objects("arguments") { (argument) throws(DocumentFault) in
        Argument(
          name: try argument.string("name"),
          value: try argument.string("value"),
          text: try argument.string("text")
        )
      },
      program: try reader.string("program"),
      thread: try reader.integer32("thread"),
      at: try reader.timestamp("at"),
      count: try reader.integer("count"),
      errno: try reader.string("errno"),
      reason: try reader.string("reason"),
      origin: try reader.object("origin").value,
      fix: try reader.object("mend").value,
      sentence: try reader.string("sentence"),
      probe: try reader.optional("probe", reader.string)
    )
  }
}
