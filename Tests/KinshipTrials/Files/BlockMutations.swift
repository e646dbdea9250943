import KinshipTestSupport

@testable package import Kinship

/// Blocks of a snapshot's records, changed at random, with correct checksums.
package enum BlockMutations {
  /// Decodes many blocks: a damaged one is rejected, or salvaged on request.
  ///
  /// - Parameter coder: The coder. Most mutations use the compact one.
  /// - Returns: How many were tried.
  /// - Throws: `Mismatch` if a block is rejected and a salvage reports nothing, or the other way
  ///   round.
  package static func run(_ coder: any RecordCoder) async throws -> Int {
    let count = try Effort().operations(coder is JSONCoder ? 2_000 : 15_000)
    let surgery = try await SnapshotSurgery(coder: coder)
    let schema = try SnapshotLab.emptyCache().schema
    guard
      let payload = surgery.frames.first(where: { $0.kind == SnapshotFrame.records.rawValue })?
        .payload
    else { throw Mismatch("there are no records") }
    var types: [Int: StoredType] = [:]
    for (number, type) in schema.types.enumerated() {
      let declaration = TypeDeclaration(of: type, number: number, fields: [])
      types[number] = try Migrations().resolve(declaration, in: schema)
    }
    func context(salvages: Bool) -> RecordBlock.Context {
      RecordBlock.Context(coder: coder, types: types, salvages: salvages)
    }
    let (strict, lenient) = (context(salvages: false), context(salvages: true))
    var (refused, salvaged) = (0, 0)
    for seed in 0..<UInt64(count) {
      var generator = SplitMix64(seed: seed)
      let mutated = SnapshotSurgery.mutatedBlock(payload, using: &generator)
      let frame = Frame(
        path: "x", kind: 3, payloadOffset: 0, payload: mutated, isDamaged: false, checksum: 0)
      do { _ = try RecordBlock.decode(frame, strict) } catch { refused += 1 }
      if try !RecordBlock.decode(frame, lenient).failures.isEmpty { salvaged += 1 }
    }
    try verify(refused > 0, "nothing was refused")
    try verifyEqual(salvaged, refused, "what was salvaged")
    return count
  }
}
