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
    package var call: Call
    /// The name of the errno value with which the call failed.
    package var errno: String
    /// The explanation of the refusal.
    package var explanation: Explanation
    /// The name of the probe to which the call belongs, or `nil` if the program needs the call itself.
    package var probe: String?

    /// Creates a refusal.
    package init(layer: String, call: Call, errno: String, explanation: Explanation, probe: String? = nil) {
      self.layer = layer
      self.call = call
      self.errno = errno
      self.explanation = explanation
      self.probe = probe
    }
  }
}

extension SessionRecord.Refusal {
  /// A call, once or several times.
  package struct Call: Hashable, Sendable {
    /// The name of the call.
    package var name: String
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

    /// Creates a call.
    package init(
      _ name: String,
      _ arguments: [Argument],
      program: String,
      thread: Int32,
      at: Int64,
      count: Int64
    ) {
      self.name = name
      self.arguments = arguments
      self.program = program
      self.thread = thread
      self.at = at
      self.count = count
    }
  }

  /// The explanation of a refusal.
  package struct Explanation: Hashable, Sendable {
    /// The reason for the refusal as text.
    package var reason: String
    /// The location of the rule that caused the refusal.
    package var origin: JSONValue
    /// The suggested fix.
    package var fix: JSONValue
    /// The refusal as a single sentence.
    package var sentence: String

    /// Creates an explanation.
    package init(reason: String, origin: JSONValue, fix: JSONValue, sentence: String) {
      self.reason = reason
      self.origin = origin
      self.fix = fix
      self.sentence = sentence
    }
  }
}

extension SessionRecord.Refusal {
  /// The refusal as a member of a record.
  package var json: JSONValue {
    .object([
      "layer": .string(layer), "call": .string(call.name),
      "arguments": .array(
        call.arguments.map {
          ["name": .string($0.name), "value": .string($0.value), "text": .string($0.text)]
        }
      ),
      "program": .string(call.program), "thread": .integer(Int64(call.thread)),
      "at": .string(WallClock.text(milliseconds: call.at)), "count": .integer(call.count),
      "errno": .string(errno),
      "reason": .string(explanation.reason), "origin": explanation.origin, "fix": explanation.fix,
      "sentence": .string(explanation.sentence),
      "probe": probe.map { .string($0) },
    ])
  }

  /// Parses a refusal.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      layer: try reader.string("layer"),
      call: Call(
        try reader.string("call"),
        try reader.objects("arguments") { (argument) throws(DocumentFault) in
          Argument(
            name: try argument.string("name"),
            value: try argument.string("value"),
            text: try argument.string("text")
          )
        },
        program: try reader.string("program"),
        thread: try reader.integer32("thread"),
        at: try reader.timestamp("at"),
        count: try reader.integer("count")
      ),
      errno: try reader.string("errno"),
      explanation: Explanation(
        reason: try reader.string("reason"),
        origin: try reader.object("origin").value,
        fix: try reader.object("fix").value,
        sentence: try reader.string("sentence")
      ),
      probe: try reader.optional("probe", reader.string)
    )
  }
}
