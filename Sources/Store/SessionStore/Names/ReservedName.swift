// SPDX-License-Identifier: Apache-2.0

/// Names with a special meaning for a system or program.
///
/// The lists contain names that make a program act when it shows or enters a directory, or is started in it
/// for another file. The user has chosen neither the name nor the action. Other names that start with a full
/// stop are harmless.
enum ReservedName {
  /// Whether a folded name is reserved: by a list, as a Windows device, or as the short name that FAT and
  /// NTFS derive from a listed name.
  static func contains(_ name: String) -> Bool {
    listed.contains(name) || isDevice(name) || isShortName(name)
  }

  /// Whether a file manager acts on files with this folded extension (without its full stop) when it only
  /// shows them.
  static func containsEnding(_ ending: some StringProtocol) -> Bool {
    // A class identifier: Windows shows an object instead of the directory.
    if ending.hasPrefix("{"), ending.hasSuffix("}") { return true }
    return endings.contains { $0 == ending }
  }

  /// Whether a name can be reserved or have a reserved extension.
  ///
  /// The name must not start with a full stop or contain a character of ``NameKey/foldedToASCII``.
  static func mayContain(_ name: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    let stem = name.prefix { $0 != dot }
    // The stem of a device name, which may have trailing spaces, and of a short name.
    if stem.last == UInt8(ascii: " ") || stem.contains(UInt8(ascii: "~")) { return true }
    if stem.count == 3 || stem.count == 4, devices.contains(where: { isEqual(stem.prefix(3), $0) }) {
      return true
    }
    if undottedNames.contains(where: { isEqual(name[...], $0) }) { return true }
    guard let last = name.lastIndex(of: dot) else { return false }
    return name.last == UInt8(ascii: "}") || endingBytes.contains { isEqual(name[(last + 1)...], $0) }
  }

  private static let devices: [[UInt8]] = ["con", "prn", "aux", "nul", "com", "lpt"].map { Array($0.utf8) }
  private static let undottedNames = listed.filter { !$0.hasPrefix(".") }.map { Array($0.utf8) }
  private static let endingBytes = endings.map { Array($0.utf8) }

  /// Whether a name equals a lowercase name, ignoring the case of ASCII letters.
  private static func isEqual(_ name: ArraySlice<UInt8>, _ lowercase: [UInt8]) -> Bool {
    name.count == lowercase.count && zip(name, lowercase).allSatisfy { NameBytes.lowercase($0) == $1 }
  }

  /// The repositories and working copies of version control systems, which run programs from their
  /// configuration.
  private static let repositories: Set<String> = [
    ".git", ".hg", ".svn", ".bzr", ".jj", ".pijul", "_darcs", ".fslckout", "_fossil_", "cvs",
  ]

  /// Files and directories that shells, editors, debuggers and interpreters read in their working directory.
  private static let startFiles: Set<String> = [
    ".env", ".envrc", ".vscode", ".vs", ".idea", ".fleet", ".zed", ".devcontainer", ".devcontainer.json",
    ".exrc",
    ".vimrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".dir-locals.el", ".dir-locals-2.el", ".gdbinit",
    ".lldbinit",
    ".pdbrc", ".rprofile", ".renviron", ".rdata", ".octaverc", ".irbrc", ".pryrc",
  ]

  /// Files that file managers and web servers read in each directory.
  private static let directoryFiles: Set<String> = [
    ".directory", "desktop.ini", "folder.htt", "autorun.inf", ".autorun", "autorun", "autorun.sh",
    ".ds_store",
    "thumbs.db", "ehthumbs.db", ".htaccess", ".user.ini", "web.config",
  ]

  private static let listed = repositories.union(startFiles).union(directoryFiles)

  /// The extensions of launchers and links, which file managers read to show them.
  private static let endings = [
    "desktop", "lnk", "url", "scf", "pif", "library-ms", "search-ms", "searchconnector-ms",
  ]

  /// Whether a name denotes a Windows device, with any extension.
  private static func isDevice(_ name: String) -> Bool {
    var stem = name.prefix { $0 != "." }.unicodeScalars
    while stem.last == " " { stem.removeLast() }
    switch stem.count {
    case 3: return ["con", "prn", "aux", "nul"].contains(String(stem))
    case 4:
      let digits = "0123456789\u{B9}\u{B2}\u{B3}".unicodeScalars
      return ["com", "lpt"].contains(String(stem.dropLast())) && digits.contains(stem.last ?? " ")
    default: return false
    }
  }

  /// Whether a name is a short name of a listed name. FAT and NTFS reach `.git` by `GIT~1`: up to six
  /// characters, a tilde and a number.
  private static func isShortName(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }
    guard stem.utf8.count <= 8, let tilde = stem.lastIndex(of: "~"), Int(stem[tilde...].dropFirst()) != nil
    else {
      return false
    }
    return listed.contains { reserved in
      reserved.hasPrefix(".") && reserved.dropFirst().prefix { $0 != "." }.prefix(6) == stem[..<tilde]
    }
  }
}
