// SPDX-License-Identifier: Apache-2.0

/// The files in which a loader searches for libraries.
package protocol LoaderFiles {
  /// Returns the path without symbolic links of the file at an absolute path, or `nil` if there is none.
  func place(of path: String) -> String?
  /// Returns the contents of a library, or `nil` if the library is not read, such as one of the system.
  func program(at place: String) -> DynamicProgram?
  /// Returns the paths of a library in the loader's cache.
  func cachedPaths(of name: String) -> [String]
}

/// A search for the libraries of a program in the directories that the loader uses (ld.so(8)). Nothing is
/// executed.
///
/// The search covers the directories of several loaders. A library that one of them finds is not reported as
/// missing.
package struct LibrarySearch<Files: LoaderFiles> {
  /// The result of a search.
  package struct Result: Sendable, Hashable {
    /// The paths of the libraries, by name.
    package var places: [String: String] = [:]
    /// The names of the missing libraries, in the order in which they are needed.
    package var missing: [String] = []
  }

  /// A program or library whose libraries are needed.
  private struct Object {
    var program: DynamicProgram
    var place: String
    /// The search paths inherited from the programs and libraries that need the object.
    var inherited: [String]
  }

  /// The maximum number of programs and libraries that are read.
  private static var maximumObjects: Int { 64 }
  /// The maximum number of paths that are checked: a malicious file must not delay a launch.
  private static var maximumPaths: Int { 20_000 }

  private let files: Files

  /// Creates a search among files.
  package init(_ files: Files) { self.files = files }

  /// Searches for the libraries of a program, and for their dependencies.
  ///
  /// The search stops after a number of paths that no real program needs. It reports the remaining libraries
  /// neither as found nor as missing.
  package func run(_ program: DynamicProgram, at place: String) -> Result {
    var result = Result()
    var waiting = [Object(program: program, place: place, inherited: [])]
    // The kernel loads the loader itself before the loader searches.
    var known = Set([program.loader?.lastName].compactMap { $0 })
    var (next, paths) = (0, 0)
    while next < min(waiting.count, Self.maximumObjects) {
      let object = waiting[next]
      next += 1
      let own = object.program.inheritedPath.flatMap { StandardDirectories.named($0, by: object.place) }
      let run = object.program.runPath.flatMap { StandardDirectories.named($0, by: object.place) }
      // DT_RUNPATH replaces DT_RPATH and applies only to the object's direct dependencies.
      let inherited = run.isEmpty ? own + object.inherited : object.inherited
      let directories = (run.isEmpty ? inherited : run) + StandardDirectories.all
      for name in object.program.libraries where known.insert(name).inserted {
        paths += directories.count
        guard paths <= Self.maximumPaths else { return result }
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

/// The directories in which loaders search by default.
private enum StandardDirectories {
  /// The values of `$LIB`.
  static let libraryNames = ["lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"]

  /// Returns the directories of a search path element of the program or library at a path (ld.so(8), "Dynamic
  /// string tokens").
  static func named(_ element: String, by place: String) -> [String] {
    let origin = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
    let path = element.replacing(token: "ORIGIN", by: origin)
    guard path.hasPrefix("/") || path.isEmpty else { return [] }
    let isOfMachine = path.contains("$LIB") || path.contains("${LIB}")
    return isOfMachine ? libraryNames.map { path.replacing(token: "LIB", by: $0) } : [path]
  }

  /// The default directories of loaders.
  static let all = ["/usr/", "/", "/usr/local/"].flatMap { prefix in
    libraryNames.reversed().map { prefix + $0 }
  }
}

extension String {
  /// The last component of a path.
  fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? self }

  /// Returns the text with a loader token replaced.
  fileprivate func replacing(token: String, by value: String) -> String {
    replacing("${\(token)}", by: value).replacing("$\(token)", by: value)
  }

  /// Returns the text with each occurrence of a part replaced, without Foundation.
  fileprivate func replacing(_ part: String, by other: String) -> String {
    var (rest, result) = (utf8[...], "")
    while let start = rest.indices.first(where: { rest[$0...].starts(with: part.utf8) }) {
      result += String(decoding: rest[..<start], as: UTF8.self) + other
      rest = rest[rest.index(start, offsetBy: part.utf8.count)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }
}
