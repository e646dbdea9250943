import Foundation
import KinshipTestSupport
import Testing

@testable import Kinship

struct ChunkTests {
  @Test func `chunks cover every item once and in order`() {
    for (count, start) in (0...20).flatMap({ count in (0...22).map { (count, $0) } }) {
      for size in 1...7 {
        let chunks = Array(Chunk.ranges(count, from: start, of: size))
        #expect(chunks.flatMap(Array.init) == Array(start..<max(start, count)))
        #expect(chunks.dropLast().allSatisfy { $0.count == size })
        #expect(chunks.allSatisfy { !$0.isEmpty && $0.count <= size })
      }
    }
  }

  /// A size of its own leaves work in one piece although the address sanitizer must see several.
  @Test func `all work in chunks uses Chunk`() throws {
    let libraries = [
      "Kinship", "KinshipFiles", "KinshipFileStore", "KinshipInspection",
      "KinshipPostgreSQL", "KinshipSQL", "KinshipSQLite",
    ]
    let exempt: Set = [
      // These iterate over the bits of a word and the columns of a row.
      "IdentityMap+Dropping.swift", "RecordFilter.swift", "PostgreSQLPlan.swift",
      // This quotes the beginning of a statement.
      "SQLText.swift",
    ]
    for library in libraries {
      for file in try RepositoryFile.all(in: "Sources/\(library)", ending: [".swift"])
      where !exempt.contains(file.name) {
        let sizes = Self.pieceSizes(in: file.text)
        #expect(sizes.isEmpty, "\(file.path) has its own sizes: \(sizes)")
        let hasFlag = file.text.contains("KINSHIP_SMALL_CHUNKS")
        #expect(hasFlag == (file.name == "Chunk.swift"), "\(file.path) reads the flag")
      }
    }
  }

  @Test func `sizes of chunks are found in source`() {
    let source = """
      stride(from: 0, to: 9, by: 256).map { }; stride(from: 9, through: 0, by: -1); rest.prefix(64)
      stride(from: 0, to: 9, by: 2); ids.dropFirst(1_024).prefix(3); trim(to: 9, limit: 100)
      for i in stride(from: 0, to: 9, by: Self.batch) { min(start + 32, end) }; limit: 9
      """
    #expect(
      Set(Self.pieceSizes(in: source)) == ["256", "Self.batch", "64", "1_024", "100", "32"])
  }

  /// The step of each `stride`, unless it is one digit, and each number from 32 on by which source
  /// cuts a collection or limits its work.
  private static func pieceSizes(in source: String) -> [Substring] {
    func arguments(after call: String, in source: String) -> [Substring] {
      source.components(separatedBy: call).dropFirst().map { rest in
        rest.prefix { $0 == "_" || $0 == "." || $0.isLetter || $0.isNumber }
      }
    }
    let steps = source.components(separatedBy: "stride(from:").dropFirst()
      .compactMap { arguments(after: "by: ", in: $0).first }
    let cutting = [
      "prefix(", "suffix(", "dropFirst(", "dropLast(", "start + ", "offsetBy: ", "limit: ",
    ]
    let cuts = cutting.flatMap { arguments(after: $0, in: source) }
      .filter { Int($0.filter { $0 != "_" }) ?? 0 >= 32 }
    return steps.filter { $0.count > 1 } + cuts
  }
}
