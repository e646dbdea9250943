extension Subcommand {
  static let cache = Subcommand(
    name: "cache", question: "What do lookup, insert, update and eviction cost?",
    cases: [
      .hits, .ownedHits, .textHits, .zipf, .ownedZipf, .textZipf, .scan, .passing, .eviction, .peek,
      .awaitedReads, .freshReads, .expiring, .strictness, .tracing, .readers, .batchReaders,
      .bulkInsert,
      .longestPut,
      .update, .memory,
      .objectCacheHits,
      .objectCacheEviction,
    ])
}
