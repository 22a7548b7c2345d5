// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension DocumentReader {
  /// Returns a member that must be an RFC 3339 timestamp, in milliseconds since 1970.
  func timestamp(_ name: String) throws(DocumentFault) -> Int64 {
    guard let milliseconds = Timestamp.milliseconds(try string(name)) else {
      throw fault(name, "a timestamp such as 2026-01-31T08:15:00.250Z")
    }
    return milliseconds
  }
}

extension SessionRecord {
  /// Parses a record. Unknown members are ignored.
  package init(json: JSONValue) throws(DocumentFault) {
    let version = try DocumentReader(json).integer("version")
    guard (1...Self.version).contains(version) else {
      throw DocumentReader(json).fault("version", "1 to \(Self.version)")
    }
    let isEarlier = version < Self.firstVersionWithCurrentSpelling
    let reader = DocumentReader(isEarlier ? EarlierSpelling.updated(json) : json)
    guard let id = SessionID(try reader.string("sessionID")) else {
      throw reader.fault("sessionID", "a session ID")
    }
    let outcome = try reader.object("outcome")
    self.init(
      sessionID: id,
      app: try reader.string("app"),
      extensionID: try reader.string("extension"),
      startedAt: try reader.timestamp("startedAt"),
      endedAt: try reader.timestamp("endedAt"),
      outcome: version == 1
        ? try SessionOutcome(
          firstVersion: outcome,
          dismissal: try reader.optional("dismissal", reader.string)
        )
        : try SessionOutcome(outcome)
    )
    try readMetadata(reader)
    try readContent(reader)
  }

  private mutating func readMetadata(_ reader: DocumentReader) throws(DocumentFault) {
    if let policy = try reader.optional("policy", reader.object) {
      self.policy = Policy(name: try policy.string("name"), digest: try policy.string("digest"))
    }
    executableDigest = try reader.optional("executableDigest", reader.string)
    try readPermissions(reader)
    if let enforcement = try reader.optional("enforcement", reader.object) {
      self.enforcement = Enforcement(
        status: try enforcement.enumValue("status"),
        layers: try enforcement.objects("layers", Layer.init(reading:)),
        denials: try enforcement.objects("denials", Denial.init(reading:))
      )
    }
    debugging = try reader.optional("debugging", reader.enumValue)
    steps = try reader.objects("steps") { (step) throws(DocumentFault) in
      Step(name: try step.string("name"), microseconds: try step.integer("microseconds"))
    }
    if let frames = try reader.optional("frames", reader.object) {
      self.frames = Frames(
        produced: try frames.integer("produced"),
        consumed: try frames.integer("consumed"),
        dropped: try frames.integer("dropped"),
        presented: try frames.integer("presented")
      )
      if let latency = try frames.optional("latency", frames.object) {
        self.frames?.latency = Latency(
          frames: try latency.integer("frames"),
          median: try latency.integer("median"),
          most: try latency.integer("p99"),
          torn: try latency.integer("torn")
        )
      }
    }
    if let sound = try reader.optional("sound", reader.object) {
      self.sound = Sound(
        produced: try sound.integer("produced"),
        consumed: try sound.integer("consumed"),
        dropped: try sound.integer("dropped")
      )
    }
    uses = try reader.objects("uses", Use.init(reading:))
    cameraControls = try reader.objects("cameraControls", CameraControl.init(reading:))
    violations = try reader.objects("violations") { (item) throws(DocumentFault) in try item.string("text") }
    refusals = try reader.objects("refusals", Refusal.init(reading:))
    refusalsOmitted = try reader.optional("refusalsOmitted", reader.integer) ?? 0
    if let log = try reader.optional("log", reader.object) {
      self.log = Log(bytes: try log.integer("bytes"), truncated: try log.bool("truncated"))
    }
  }

  private mutating func readContent(_ reader: DocumentReader) throws(DocumentFault) {
    let sum = try reader.object("content")
    content = Content(
      files: try sum.integer("files"),
      bytes: try sum.integer("bytes"),
      delivered: try sum.bool("delivered"),
      renamed: try sum.optional("renamed", sum.integer) ?? 0
    )
    files = try reader.objects("files", File.init(reading:))
    ingested = try reader.objects("ingested") { (item) throws(DocumentFault) in
      Ingested(asset: try item.string("asset"), path: try item.string("path"))
    }
    quarantined = try reader.objects("quarantined") { (item) throws(DocumentFault) in
      Quarantined(path: try item.string("path"), reason: try item.enumValue("reason"))
    }
    sanitized = try reader.objects("sanitized") { (item) throws(DocumentFault) in
      Sanitized(
        path: try item.string("path"),
        change: try item.enumValue("change"),
        from: try item.optional("from", item.string)
      )
    }
    erased = try reader.objects("erased", Erasure.init(reading:))
  }
}

extension SessionRecord.Layer {
  fileprivate init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      name: try reader.string("name"),
      state: try reader.enumValue("state"),
      detail: try reader.optional("detail", reader.string)
    )
  }
}

extension SessionRecord.Denial {
  fileprivate init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      access: try reader.string("access"),
      mechanisms: try reader.strings("mechanisms"),
      checks: try reader.strings("checks")
    )
  }
}

extension SessionRecord.File {
  fileprivate init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      path: try reader.string("path"),
      size: try reader.integer("size"),
      sha256: try reader.optional("sha256", reader.string),
      modified: try reader.timestamp("modified")
    )
  }
}

extension SessionRecord.Erasure {
  /// Parses a receipt.
  init(reading reader: DocumentReader) throws(DocumentFault) {
    self.init(
      what: try reader.string("what"),
      files: try reader.integer("files"),
      bytes: try reader.integer("bytes"),
      at: try reader.timestamp("at")
    )
  }
}
