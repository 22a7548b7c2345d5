// SPDX-License-Identifier: Apache-2.0

internal import FuzzTargets
internal import LinuxPrimitives

/// The target that is named by `DARKROOM_FUZZ_TARGET`, or `nil` if the variable names none.
private let target = CurrentProcess.environment("DARKROOM_FUZZ_TARGET").flatMap(FuzzTarget.init)

/// The entry point that libFuzzer calls with each input. A contradiction terminates the process, so that
/// libFuzzer keeps the input like one that crashes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  guard let target else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("set DARKROOM_FUZZ_TARGET to one of: \(names)")
  }
  do { try target.check(Array(UnsafeBufferPointer(start: bytes, count: count))) } catch {
    fatalError("\(error)")
  }
  return 0
}
