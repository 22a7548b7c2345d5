// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import LinuxPrimitives

extension SessionRecord {
  /// A call that was refused, with everything that is known of it.
  package struct Refusal: Hashable, Sendable {
    /// An argument of the call.
    package struct Argument: Hashable, Sendable {
      /// The parameter's name.
      package var name: String
      /// The number that was passed, hexadecimal.
      package var value: String
      /// What it means.
      package var text: String

      /// Describes an argument.
      package init(name: String, value: String, text: String) {
        self.name = name
        self.value = value
        self.text = text
      }
    }

    /// The layer that refused it.
    package var layer: String
    /// The call's name.
    package var call: String
    /// The arguments of the first of them.
    package var arguments: [Argument]
    /// The program that made it.
    package var program: String
    /// The thread that made the first of them.
    package var thread: Int32
    /// When the first of them was made, in milliseconds since 1970.
    package var at: Int64
    /// How many equal ones there were.
    package var count: Int64
    /// The name of the errno that the call failed with.
    package var errno: String
    /// Why it was refused, in words.
    package var reason: String
    /// Where that is written.
    package var origin: JSONValue
    /// What to do.
    package var mend: JSONValue
    /// All of it in one sentence.
    package var sentence: String
    /// The name of the probe that the call is; nil if the program needs the call itself.
    package var probe: String?

    /// Describes a refusal.
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
      mend: JSONValue,
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
      self.mend = mend
      self.sentence = sentence
      self.probe = probe
    }
  }
}

extension SessionRecord.Refusal {
  /// The refusal as it stands in a record.
  package var json: JSONValue {
    .object([
      "layer": .string(layer), "call": .string(call),
      "arguments": .array(
        arguments.map { ["name": .string($0.name), "value": .string($0.value), "text": .string($0.text)] }
      ),
      "program": .string(program), "thread": .integer(Int64(thread)),
      "at": .string(WallClock.text(milliseconds: at)), "count": .integer(count), "errno": .string(errno),
      "reason": .string(reason), "origin": origin, "mend": mend, "sentence": .string(sentence),
      "probe": probe.map { .string($0) },
    ])
  }

  /// Reads what ``json`` writes.
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
      at: try reader.moment("at"),
      count: try reader.integer("count"),
      errno: try reader.string("errno"),
      reason: try reader.string("reason"),
      origin: try reader.object("origin").value,
      mend: try reader.object("mend").value,
      sentence: try reader.string("sentence"),
      probe: try reader.optional("probe", reader.string)
    )
  }
}
