// SPDX-License-Identifier: Apache-2.0

/// A writer of source text in the mdoc(7) language. It escapes text, so that the formatter prints the text
/// unchanged.
struct MdocWriter {
  /// The source text so far.
  private(set) var source = ""

  /// Adds a line of source text.
  mutating func line(_ text: String) { source += text + "\n" }

  /// Adds a macro with its arguments. An argument can contain several words.
  mutating func macro(_ name: String, _ arguments: String...) {
    let words = arguments.map { argument in
      argument.split(separator: " ").map { Self.word(String($0)) }.joined(separator: " ")
    }
    line((["." + name] + words).joined(separator: " "))
  }

  /// Adds text that the formatter fills.
  ///
  /// Each sentence begins on a new line, because the formatter detects the end of a sentence by the end of a
  /// line.
  mutating func text(_ text: String) {
    var current = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let escaped = Self.escaped(String(word))
      if current.utf8.count + 1 + escaped.utf8.count > Self.maximumLineLength || Self.endsSentence(current) {
        textLine(current)
        current = escaped
      } else {
        current += current.isEmpty ? escaped : " " + escaped
      }
    }
    textLine(current)
  }

  /// The maximum length of a source line, in bytes.
  private static let maximumLineLength = 78

  /// Returns whether a line ends with a full stop, exclamation mark or question mark, ignoring closing
  /// brackets and quotation marks.
  private static func endsSentence(_ line: String) -> Bool {
    line.last { !")]'".contains($0) }.map { ".!?".contains($0) } ?? false
  }

  /// Adds a line of escaped text.
  private mutating func textLine(_ escaped: String) {
    guard !escaped.isEmpty else { return }
    // A line that begins with a dot or a quote is a request to the formatter.
    line((escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped)
  }

  /// Adds paragraphs. The line breaks of an indented paragraph are kept.
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

  /// Returns the arguments of the macro `Fl` for an option with its value. `Fl` itself adds the first dash.
  static func option(_ option: OptionSpec) -> String {
    let name = "\\-" + escaped(option.long)
    return option.value.map { "\(name) Ar \(word($0.name))" } ?? name
  }

  /// Returns an escaped word that the formatter does not interpret as a macro.
  private static func word(_ word: String) -> String {
    let escaped = escaped(word)
    let couldBeMacro = (1...3).contains(word.count) || word.first?.isPunctuation == true
    // The formatter sets trailing punctuation of a macro line in another font, unless a zero-width character
    // follows.
    let endsInDelimiter = word.last?.isPunctuation == true
    return (couldBeMacro ? "\\&" : "") + escaped + (endsInDelimiter ? "\\&" : "")
  }

  /// Returns a text in which the special characters of the formatter are escaped.
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
