// SPDX-License-Identifier: Apache-2.0

internal import AppBundles

/// Checks that the interpreter and the libraries of a program are read from a bounded part of its file and
/// contain no NUL bytes.
func checkProgram(_ input: [UInt8]) throws(Contradiction) {
  if case .script(let line) = ProgramHeader(input) {
    let interpreter = ProgramHeader.interpreter(in: line)
    try require(interpreter?.hasPrefix("/") != false, "an interpreter is not an absolute path")
    try require(
      interpreter != nil || ProgramHeader.nameForEnvironment(in: line) == nil || line.contains("\r"),
      "env is not an interpreter"
    )
  }
  var read = 0
  let program = DynamicProgram { offset, count in
    read += count
    guard offset >= 0, offset < input.count, count > 0 else { return [] }
    return Array(input[offset...].prefix(count))
  }
  try require(read < 1 << 23, "more was read than a program can ask for")
  if let program {
    let texts =
      [program.loader].compactMap { $0 } + program.libraries + program.runPath + program.inheritedPath
    try require(texts.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) }, "a name has a zero byte")
    try require(program.libraries.count <= 256, "too many libraries were read")
    _ = LibrarySearch(SingleProgramFiles(program: program)).run(program, at: "/program")
  }
  _ = LoaderCache(input)?.paths(of: "libc.so.6")
}

/// Simulated files in which every path is the program itself.
private struct SingleProgramFiles: LoaderFiles {
  let program: DynamicProgram

  func place(of path: String) -> String? { path }
  func program(at place: String) -> DynamicProgram? { program }
  func cachedPaths(of name: String) -> [String] { [name] }
}
