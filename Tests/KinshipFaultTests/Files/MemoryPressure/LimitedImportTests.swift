import KinshipTestTraits
import Testing

/// An import of ten times the memory that the control group allows.
@Suite(
  .dedicatedThreads,
  .serialized,
  .enabled(
    if: LimitedGroup.reasonAgainst == nil,
    "no group with a limit for them: \(LimitedGroup.reasonAgainst ?? "")"))
struct LimitedImportTests {
  private static let limit = 192

  private func outcome(_ trimming: String) async throws -> (output: String, isKilled: Bool) {
    let group = try LimitedGroup(limit: Self.limit << 20)
    return try await group.run(
      "KinshipCrashChild", ["import", "\(Self.limit * 10)", trimming])
  }

  @Test func `a cache trimmed under memory pressure survives`() async throws {
    let (output, isKilled) = try await outcome("trimming")
    #expect(!isKilled)
    // Most records were evicted, and no leased one.
    let evicted = try #require(Int(output.prefix { $0 != "\n" }))
    #expect(evicted > Self.limit * 8 * 256)
  }

  /// The limit is real.
  @Test func `a cache that is not trimmed is killed`() async throws {
    #expect(try await outcome("letting it grow").isKilled)
  }
}
