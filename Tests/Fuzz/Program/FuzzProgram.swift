// SPDX-License-Identifier: Apache-2.0

internal import FuzzTargets
internal import LinuxPrimitives

/// The target that `DARKROOM_FUZZ_TARGET` names; nil where it names none.
private let target = CurrentProcess.environment("DARKROOM_FUZZ_TARGET").flatMap(FuzzTarget.init)

/// What libFuzzer calls with each input. A contradiction ends the process, so that the input is kept like one that crashes.
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
