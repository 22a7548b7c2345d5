// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the measure of programs for iOS: the lines that change so that they compile with the modules of this package.
@Suite(.timeLimit(.minutes(20)), .waiting) struct AppleMeasureTests {
  /// The programs: `NAME/NAME.swift` is the source for iOS, and `NAME/NAME.patch` contains the changes, if there are any.
  private static let programs = [
    "ActorCamera", "BurstCamera", "ControlledCamera", "DocumentCamera", "DocumentScanner", "HistogramCamera",
    "LevelCamera", "LibraryCamera", "MovieRecorder", "ObservableCamera", "PublishedCamera", "TorchRecorder",
    "ZoomCamera",
  ]
  private static let folder = "\(PackageDirectory.path)/Tests/SDK/AppleSources"
  private static let page = "\(PackageDirectory.path)/Sources/Darkroom.docc/Reference/AppleMeasure.md"

  /// Returns the lines of a file.
  private func lines(_ path: String) throws -> [Substring] {
    let text = String(decoding: try #require(try FileSystem.contents(path)), as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: programs)
  func `type-checks a program for iOS after the documented changes`(name: String) throws {
    let scratch = try ScratchDirectory()
    let built = FileSystem.directoryName(try CurrentProcess.executablePath())
    try runShell(
      """
      cp '\(Self.folder)/\(name)'/* '\(scratch.path)'
      cd '\(scratch.path)'
      ! test -e \(name).patch || patch -s --fuzz=0 \(name).swift \(name).patch
      set -- $(pkg-config --cflags freetype2 | sed 's/-I/-Xcc -I/g')
      for map in '\(built)'/*.build/module.modulemap \
        '\(PackageDirectory.path)'/Sources/System/Libraries/*/module.modulemap
      do set -- "$@" -Xcc "-fmodule-map-file=$map"
      done
      # The check of the syntax tree in Debian's Swift 6.2.3 does not know a parameter such as $page.
      swiftc -typecheck -parse-as-library -swift-version 6 -Xfrontend -disable-ast-verifier -module-cache-path '\(built)/ModuleCache' \
        -I '\(built)/Modules' "$@" \(name).swift
      """
    )
  }

  @Test(arguments: programs)
  func `documents the changed lines of a program, which are at most 5 % of its lines`(name: String) throws {
    let folder = "\(Self.folder)/\(name)"
    let count = try lines("\(folder)/\(name).swift").count
    let hasPatch = try FileSystem.names(in: folder).contains("\(name).patch")
    let patch = hasPatch ? try lines("\(folder)/\(name).patch") : []
    let changed = patch.filter { line in
      line.hasPrefix("-") && !line.hasPrefix("---") || line.hasPrefix("+") && !line.hasPrefix("+++")
    }.count
    #expect(count >= 60 && changed * 20 <= count)
    let permille = (changed * 1000 + count / 2) / count
    let cells = "| \(count) | \(changed) | \(permille / 10).\(permille % 10) % |"
    let row = try lines(Self.page).first { $0.hasPrefix("| `\(name)` |") }
    #expect(row?.hasSuffix(cells) == true, "\(Self.page): the row of \(name) must end with '\(cells)'")
  }

  @Test func `measures every program in the directory`() throws {
    #expect(try FileSystem.names(in: Self.folder).sorted() == Self.programs)
  }
}
