// SPDX-License-Identifier: Apache-2.0

/// Source text in the mdoc(7) language; whatever is given to it stands in the page as it is.
struct MdocWriter {
  /// The text so far.
  private(set) var source = ""

  /// Adds a line of source.
  mutating func line(_ text: String) { source += text + "\n" }

  /// Adds a macro with its arguments, each of which may have several words.
  mutating func macro(_ name: String, _ arguments: String...) {
    let words = arguments.map { argument in
      argument.split(separator: " ").map { Self.word(String($0)) }.joined(separator: " ")
    }
    line((["." + name] + words).joined(separator: " "))
  }

  /// Adds ordinary text, which the formatter fills.
  ///
  /// A sentence begins on a line of its own, because from that the formatter knows where one ends.
  mutating func text(_ text: String) {
    var current = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let escaped = Self.escaped(String(word))
      if current.utf8.count + 1 + escaped.utf8.count > Self.widest || Self.endsSentence(current) {
        textLine(current)
        current = escaped
      } else {
        current += current.isEmpty ? escaped : " " + escaped
      }
    }
    textLine(current)
  }

  /// The longest line of text, in bytes, that nobody who reads the source complains about.
  private static let widest = 78

  /// Whether a line ends in a full stop or the like, with what closes brackets and quotations behind it.
  private static func endsSentence(_ line: String) -> Bool {
    line.last { !")]'".contains($0) }.map { ".!?".contains($0) } ?? false
  }

  /// Adds a line of text whose special characters are escaped already.
  private mutating func textLine(_ escaped: String) {
    guard !escaped.isEmpty else { return }
    // A dot or quote at the beginning of a line would be a request.
    line((escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped)
  }

  /// Adds paragraphs; one that is indented keeps its lines.
  mutating func paragraphs(_ discussion: String, isFirst: Bool = true) {
    for (index, paragraph) in TextLayout.paragraphs(of: discussion).enumerated() {
      let lines = paragraph.split(separator: "\n").map(String.init)
      guard paragraph.hasPrefix(" ") else {
        if index > 0 || !isFirst { macro("Pp") }
        lines.forEach { text($0) }
        continue
      }
      line(".Bd -literal -offset indent")
      lines.forEach { textLine(Self.escaped($0)) }
      macro("Ed")
    }
  }

  /// Adds a list of tagged items.
  mutating func list<Item>(_ items: [Item], _ add: (inout MdocWriter, Item) -> Void) {
    line(".Bl -tag -width Ds")
    for item in items { add(&self, item) }
    macro("El")
  }

  /// The arguments of `Fl` for an option with its value; `Fl` itself brings the first dash.
  static func option(_ option: OptionSpec) -> String {
    let name = "\\-" + escaped(option.long)
    return option.value.map { "\(name) Ar \(word($0.name))" } ?? name
  }

  /// A word that is no macro, however short it is.
  private static func word(_ word: String) -> String {
    let escaped = escaped(word)
    let couldBeMacro = (1...3).contains(word.count) || word.first?.isPunctuation == true
    // Punctuation at the end of a macro's line is taken out of the macro's font, unless something stands behind it.
    let endsInDelimiter = word.last?.isPunctuation == true
    return (couldBeMacro ? "\\&" : "") + escaped + (endsInDelimiter ? "\\&" : "")
  }

  /// The text without anything that the formatter would take for its own.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
