extension Subcommand {
  static let filestore = Subcommand(
    name: "filestore", question: "What does a store in plain files cost, beside raw files?",
    cases: [
      .fileStoreAppend, .fileStoreRead, .fileStoreOpen, .fileStoreFirst, .fileStoreCompact,
      .backups, .copies, .copiesToFiles, .tierRead, .tierReadSingle, .offlineWrites,
    ])
}
