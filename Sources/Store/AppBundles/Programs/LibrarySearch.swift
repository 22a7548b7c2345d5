// SPDX-License-Identifier: Apache-2.0

/// The files among which a loader searches for libraries.
package protocol LoaderFiles {
  /// Returns the path without symbolic links of the file at an absolute path, or `nil` if there is none.
  func place(of path: String) -> String?
  /// Returns the contents of a library, or `nil` if the library is not read, such as one of the system.
  func program(at place: String) -> DynamicProgram?
  /// Returns the paths that the loader's cache has for a library.
  func cachedPaths(of name: String) -> [String]
}

/// A search for the libraries of a program in the directories that the loader uses (ld.so(8)). Nothing is executed.
///
/// The search covers the directories of several loaders, so that it reports no library as missing that one of them finds.
package struct LibrarySearch<Files: LoaderFiles> {
  /// The result of a search.
  package struct Result: Sendable, Hashable {
    /// The places of the libraries, by name.
    package var places: [String: String] = [:]
    /// The names of the libraries that are missing, in the order in which they are needed.
    package var missing: [String] = []
  }

  /// A program or library whose libraries are needed.
  private struct Object {
    var program: DynamicProgram
    var place: String
    /// The directories of the programs and libraries that need it.
    var inherited: [String]
  }

  /// The most programs and libraries that are read.
  private static var mostObjects: Int { 64 }
  /// The most paths that are checked: a hostile file must not delay a launch.
  private static var mostPaths: Int { 20_000 }

  private let files: Files

  /// Creates a search among files.
  package init(_ files: Files) { self.files = files }

  /// Searches for the libraries of a program, and for the libraries of those. The search stops after a number of paths that no real
  /// program needs, and reports the libraries after that neither as found nor as missing.
  package func run(_ program: DynamicProgram, at place: String) -> Result {
    var result = Result()
    var waiting = [Object(program: program, place: place, inherited: [])]
    // The kernel has loaded the loader before the loader searches.
    var known = Set([program.loader?.lastName].compactMap { $0 })
    var (next, paths) = (0, 0)
    while next < min(waiting.count, Self.mostObjects) {
      let object = waiting[next]
      next += 1
      let own = object.program.inheritedPath.flatMap { StandardDirectories.named($0, by: object.place) }
      let run = object.program.runPath.flatMap { StandardDirectories.named($0, by: object.place) }
      // DT_RUNPATH replaces DT_RPATH, and holds for the object's own libraries alone.
      let inherited = run.isEmpty ? own + object.inherited : object.inherited
      let directories = (run.isEmpty ? inherited : run) + StandardDirectories.all
      for name in object.program.libraries where known.insert(name).inserted {
        paths += directories.count
        guard paths <= Self.mostPaths else { return result }
        guard let found = find(name, in: directories) else {
          result.missing.append(name)
          continue
        }
        result.places[name] = found
        if let program = files.program(at: found) {
          waiting.append(Object(program: program, place: found, inherited: inherited))
        }
      }
    }
    return result
  }

  private func find(_ name: String, in directories: [String]) -> String? {
    if name.contains("/") { return name.hasPrefix("/") ? files.place(of: name) : nil }
    for directory in directories {
      if let place = files.place(of: "\(directory)/\(name)") { return place }
    }
    return files.cachedPaths(of: name).lazy.compactMap(files.place).first
  }
}

/// The directories in which loaders search.
private enum StandardDirectories {
  /// The values of `$LIB`.
  static let libraryNames = ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"]

  /// The directories that an element of the path of a program or library at a place stands for (ld.so(8), "Dynamic string tokens").
  static func named(_ element: String, by place: String) -> [String] {
    let origin = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
    let path = element.replacing(token: "ORIGIN", by: origin)
    guard path.hasPrefix("/") || path.isEmpty else { return [] }
    let isOfMachine = path.contains("$LIB") || path.contains("${LIB}")
    return isOfMachine ? libraryNames.map { path.replacing(token: "LIB", by: $0) } : [path]
  }

  /// The directories in which loaders always search.
  static let all = ["/usr/", "/", "/usr/local/"].flatMap { prefix in
    libraryNames.reversed().map { prefix + $0 }
  }
}

extension String {
  /// The last name of a path.
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }

  /// The text with a value instead of a token of the loader.
  fileprivate func replacing(token: String, by value: String) -> String {
    replacing("${\(token)}", by: value).replacing("$\(token)", by: value)
  }

  /// The text with another text instead of each occurrence of a part, without Foundation.
  fileprivate func replacing(_ part: String, by other: String) -> String {
    var (rest, result) = (utf8[...], "")
    while let start = rest.indices.first(where: { rest[$0...].starts(with: part.utf8) }) {
      result += String(decoding: rest[..<start], as: UTF8.self) + other
      rest = rest[rest.index(start, offsetBy: part.utf8.count)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }
}
