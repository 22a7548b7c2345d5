// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

@Suite struct MemoryTests {
  @Test func `populates only the pages of the given range`() throws {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let file = try MemoryFile.make(name: "populated", size: 64 * page)
    let mapping = try Mapping(file, length: 64 * page, .readWrite)
    #expect(try file.status().allocated == 0)
    // The range starts within its first page and ends within its last.
    mapping.populate((8 * page + 100)..<(11 * page + 100))
    #expect(try file.status().allocated == Int64(4 * page))
    // The range is limited to the mapping.
    mapping.populate((62 * page)..<(100 * page))
    #expect(try file.status().allocated == Int64(6 * page))
    #expect(mapping.bytes.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [0, 1, 100, 1 << 22])
  func `zeroed memory contains zeros even if it was used before`(count: Int) {
    for _ in 0..<3 {
      let memory = ZeroedMemory(count: count)
      #expect(memory.bytes.count == count)
      #expect(memory.bytes.allSatisfy { $0 == 0 })
      _ = memory.bytes.initializeMemory(as: UInt8.self, repeating: 255)
    }
  }
}
